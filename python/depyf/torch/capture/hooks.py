# SPDX-License-Identifier: MIT
"""The hooks in torch, installed for all open sessions, and what they call in each of them.

Each hook is an object of its own: it is installed, tested and undone alone, and one that this torch has no place for
costs what it would have told, in one line of the index (`names.missing`). Invariant: they are in place from the first
session's start to the last one's end, in whatever order sessions end, and every replaced attribute then has its old
value again. Each call goes through the session's own guard, which never raises. Some of them are called where Dynamo
watches (compiled autograd): no frame of ours is ever compiled.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import sys
from collections.abc import Callable
from types import CodeType
from typing import Any, Protocol

import torch

from depyf.torch.capture import kernel_files, legacy_state
from depyf.torch.capture.recorder import TraceHandler
from depyf.torch.capture.trace_decode import Span
from depyf.torch.internals import capabilities, conversions, dynamo, fx, guard_state, names, trace_log
from depyf.torch.internals.imports import Finder, when_imported


class Watcher(Protocol):
    """What the hooks tell a session. No method raises (KeyboardInterrupt and SystemExit pass)."""

    def on_trace(self, metadata: dict[str, Any], payload: str | None) -> None:
        """An event of the structured trace."""

    def on_span(self, span: Span) -> None:
        """The beginning or the end of a phase of a compilation."""

    def on_unknown(self, name: str) -> None:
        """The structured trace tells of something under a name that depyf does not know."""

    def on_cuda_graph_given_up(self, given: str, reason: str, is_backward: bool) -> None:
        """A compiled graph runs without a CUDA graph from now on. `given`: torch's id of its compilation."""

    def on_code(self, code: CodeType, new_code: CodeType) -> CodeType | None:
        """A frame was transformed; the code to run instead, if any."""

    def on_conversion(self, code: CodeType, region: int, answer: conversions.Conversion) -> None:
        """Dynamo's frame callback answered for a frame: it has an entry, or runs eagerly from now on."""

    def on_problem(self, what: str, error: Exception) -> None:
        """Something of depyf's failed."""

    def on_formatted(self, name: str, gm: torch.fx.GraphModule) -> None:
        """A graph went through torch's formatter."""

    def on_recompile(self, gm: torch.fx.GraphModule) -> None:
        """FX compiled a graph module."""

    def ahead_of_time(self, how: str) -> contextlib.AbstractContextManager[None]:
        """A function is compiled ahead of time ("aot") or exported ("export") within the block."""

    def on_exported(self, program: torch.export.ExportedProgram) -> None:
        """torch.export made a program, within the block of `ahead_of_time`."""

    def on_ahead_of_time(self, compiled: Any) -> None:
        """A function that was compiled ahead of time, here or elsewhere, is ready."""


class Notifier:
    """Calls the open sessions. `watchers` gives those open at the time of a call, innermost last."""

    def __init__(self, watchers: Callable[[], tuple[Watcher, ...]]) -> None:
        self.watchers = watchers
        self._set_eval_frame = dynamo.eval_frame_setter()

    def __call__(self, what: str, *args: Any) -> Any:
        """Calls a method of each watcher, with Dynamo off; the innermost one's answer."""
        prior = self._set_eval_frame(None)
        try:
            answer = None
            for watcher in self.watchers():
                answer = getattr(watcher, what)(*args)
            return answer
        finally:
            self._set_eval_frame(prior)

    @contextlib.contextmanager
    def ahead_of_time(self, how: str) -> Any:
        """The block of each watcher."""
        with contextlib.ExitStack() as blocks:
            for watcher in self.watchers():
                blocks.enter_context(watcher.ahead_of_time(how))
            yield


class Hook(Protocol):
    """One hook. `install` puts it in place and says how to undo it; it raises where this torch has no place for it."""

    capability: capabilities.Capability  # what it serves

    def install(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """Puts it in place; whatever it has done when it raises is on `undo`."""

    def is_in_place(self) -> bool:
        """Whether torch will call it: looked up the way torch does."""


class Hooks:
    """All hooks."""

    def __init__(self, watchers: Callable[[], tuple[Watcher, ...]]) -> None:
        self._notify = Notifier(watchers)
        self._undo: list[contextlib.ExitStack] = []
        self.installed: list[Hook] = []

    def install(self) -> None:
        """Puts in place each hook that this torch has a place for; those that fail leave no trace."""
        try:
            for make in HOOKS:
                self._install(make())
        except BaseException:  # KeyboardInterrupt
            self.remove()
            raise

    def _install(self, hook: Hook) -> None:
        with contextlib.ExitStack() as undo:
            try:
                hook.install(self._notify, undo)
                if not hook.is_in_place():
                    raise LookupError("what is put there does not stay")
            except Exception as error:
                _record_failure(hook, error)
                return
            self.installed.append(hook)
            self._undo.append(undo.pop_all())

    def remove(self) -> None:
        """Takes each of them out."""
        while self._undo:
            self.installed.pop()
            undo = self._undo.pop()
            try:
                undo.close()
            except Exception as error:  # the others must go too
                names.record_missing("undoing a hook", f"{type(error).__name__}: {error}")


def _record_failure(hook: Hook, error: Exception) -> None:
    names.record_missing(hook.capability.needs[0], f"{hook.capability.lost} ({type(error).__name__}: {error})")


class Trace:
    """The structured trace: nearly all that depyf knows of graphs, guards, reasons and times."""

    capability = names.capability("what torch logs of compilations")

    def install(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """A handler on the trace's logger."""

        def observe(metadata: dict[str, Any], payload: str | None) -> None:
            notify("on_trace", metadata, payload)

        def observe_span(span: Span) -> None:
            notify("on_span", span)

        def observe_unknown(name: str) -> None:
            notify("on_unknown", name)

        handler = TraceHandler(observe, observe_span, observe_unknown)
        dynamo.keep_from_dynamo(
            Notifier.__call__, observe, observe_span, observe_unknown, TraceHandler.emit, TraceHandler.reads
        )
        dynamo.keep_from_dynamo(Finder.find_spec)  # asked of each import within a compiled call
        logger = trace_log.trace_logger()
        logger.addHandler(handler)
        undo.callback(logger.removeHandler, handler)

    def is_in_place(self) -> bool:
        """Whether our handler is there."""
        return _our_handler() is not None


class EventSelection:
    """Has torch build only the events that depyf reads: without it all is seen, and compiling takes longer."""

    capability = names.capability("logging only what depyf reads")

    def install(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """In the place of the logger's list of handlers."""
        handler = _our_handler()
        if handler is None:
            raise LookupError("there is no handler")
        undo.callback(trace_log.choose_events(handler, handler.reads))

    def is_in_place(self) -> bool:
        """Whether the logger kept it."""
        return type(trace_log.trace_logger().handlers) is not list


def _our_handler() -> TraceHandler | None:
    return next((h for h in trace_log.trace_logger().handlers if isinstance(h, TraceHandler)), None)


class _CudaGraphHandler(logging.Handler):
    """Hears why CUDA graphs are given up while the program runs: the trace tells it of compilations alone."""

    def __init__(self, notify: Notifier) -> None:
        super().__init__(logging.WARNING)
        self._notify = notify

    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = record.getMessage()
            given, is_backward = trace_log.running_cuda_graph()
        except Exception:  # the program's log goes on
            return
        if given and text.startswith("skipping cudagraph"):
            self._notify("on_cuda_graph_given_up", given, text, is_backward)


class CudaGraphs:
    """torch's log of CUDA graphs."""

    capability = names.capability("CUDA graphs given up while they run")

    def install(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """A handler on its logger."""
        handler, logger = _CudaGraphHandler(notify), trace_log.cuda_graph_logger()
        dynamo.keep_from_dynamo(_CudaGraphHandler.emit)
        logger.addHandler(handler)
        undo.callback(logger.removeHandler, handler)

    def is_in_place(self) -> bool:
        """Whether our handler is there."""
        return any(isinstance(h, _CudaGraphHandler) for h in trace_log.cuda_graph_logger().handlers)


class Bytecode:
    """Dynamo's bytecode hook, ahead of all others: they may keep the code they see."""

    capability = names.capability("transformed code")

    def install(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """Registers it."""

        def on_code(code: CodeType, new_code: CodeType) -> CodeType | None:
            shown: CodeType | None = notify("on_code", code, new_code)
            return shown  # the innermost session's files are the ones stepped through

        registered = dynamo.register_bytecode_hook(on_code, first=True)
        if registered is None:
            raise LookupError("it is not there")
        undo.callback(registered.remove)

    def is_in_place(self) -> bool:
        """Registering it is all there is."""
        return True


class Formatter:
    """torch's formatter of graphs, where libraries such as vLLM announce theirs."""

    capability = names.capability("graphs that libraries print (vLLM)")

    def install(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """Replaces the function's code."""

        def on_formatted(name: str, gm: torch.fx.GraphModule) -> None:
            notify("on_formatted", name, gm)

        undo_formatter = fx.patch_graph_formatter(on_formatted)
        if undo_formatter is None:
            raise LookupError("it is not there")
        undo.callback(undo_formatter)

    def is_in_place(self) -> bool:
        """The code was replaced."""
        return True


class Patch:
    """A function of torch, replaced under its name once its module is imported."""

    capability: capabilities.Capability
    which = 0  # of the capability's names

    def __init__(self) -> None:
        self._path = self.capability.needs[self.which]
        self._value: Any = None

    def install(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """Now, if its module is imported; else at its import."""
        owner_path, _, name = self._path.rpartition(".")
        module = names.module_of(self._path)

        def put(later: bool = False) -> None:
            try:
                owner = names.probe(owner_path)
                original = vars(owner)[name] if owner is not None else None
                if original is None:
                    raise LookupError(f"no {self._path}")
                told = Notifier(notify.watchers)
                self._value = self.replacement(getattr(owner, name), told)
                setattr(owner, name, self._value)
                undo_here.callback(_put_back, owner, name, self._value, original, told)
            except Exception as error:
                if not later:
                    raise
                _record_failure(self, error)

        undo_here = undo.enter_context(contextlib.ExitStack())
        if module in sys.modules:
            put()
        else:
            undo.callback(when_imported(module, lambda: put(later=True)))

    def replacement(self, original: Any, notify: Notifier) -> Any:
        """What replaces the function."""
        raise NotImplementedError

    def is_in_place(self) -> bool:
        """Whether the name now gives what was put there."""
        owner_path, _, name = self._path.rpartition(".")
        return self._value is None or getattr(names.probe(owner_path), name, None) is self._value


def _put_back(owner: Any, name: str, ours: Any, original: Any, told: Notifier) -> None:
    """Undoes a patch; what somebody else has put over it stays, and may call ours, which tells nobody any more."""
    told.watchers = tuple
    if vars(owner).get(name) is ours:
        setattr(owner, name, original)


class Conversions(Patch):
    """What Dynamo's frame callback answers: how the frames of a code object run from now on."""

    capability = names.capability("skipped frames")

    def replacement(self, original: Any, notify: Notifier) -> Any:
        """torch's own, then we are told."""

        def on_conversion(code: CodeType, region: int, answer: conversions.Conversion) -> None:
            notify("on_conversion", code, region, answer)

        def on_failure(error: Exception) -> None:
            notify("on_problem", "status of frames", error)

        return conversions.observing(original, on_conversion, on_failure)


class GraphModules(Patch):
    """Sees every graph module that FX compiles, to point the ones that run as Python at their dumped file."""

    capability = names.capability("stepping through graph files")

    def replacement(self, original: Any, notify: Notifier) -> Any:
        """FX's own, then we are told."""

        @functools.wraps(original)
        def recompile(gm: torch.fx.GraphModule) -> Any:
            result = original(gm)
            notify("on_recompile", gm)
            return result

        dynamo.keep_from_dynamo(recompile)
        return recompile


class GuardLines(Patch):
    """Guards keep the program's lines that they are made for, where torch itself drops them."""

    capability = names.capability("lines of guards")

    def install(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """Nothing, where torch keeps them."""
        if not guard_state.keeps_stacks():
            super().install(notify, undo)

    def replacement(self, original: Any, notify: Notifier) -> Any:
        """torch's own, of a guard that has them."""

        @functools.wraps(original)
        def add(guards: Any, guard: Any, *args: Any, skip: int = 0, **kwargs: Any) -> Any:
            if notify.watchers():
                with contextlib.suppress(Exception):  # the guard is added with them or without
                    guard_state.keep_stack(guard)
            return original(guards, guard, *args, skip=skip + 1, **kwargs)

        dynamo.keep_from_dynamo(add)
        return add


class InductorFiles(Patch):
    """Inductor's Python files run from the dump folder."""

    capability = names.capability("Inductor's files run from the dump")

    def replacement(self, original: Any, notify: Notifier) -> Any:
        """depyf 0.20's function, which libraries replace by assignment."""
        legacy_state.data["unpatched_load_by_key_path"] = original
        return kernel_files.loader()


class AheadOfTime:
    """Functions compiled ahead of time, and those loaded from a file: no bytecode hook is called for them."""

    capability = names.capability("compilation ahead of time")

    def __init__(self) -> None:
        self._parts: tuple[Patch, ...] = (_Compiling(), _Compiled())

    def install(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """Both of its parts."""
        for part in self._parts:
            part.install(notify, undo)

    def is_in_place(self) -> bool:
        """Both of its parts."""
        return all(part.is_in_place() for part in self._parts)


class _Compiling(Patch):
    capability = names.capability("compilation ahead of time")

    def replacement(self, original: Any, notify: Notifier) -> Any:
        @functools.wraps(original)
        def aot_compile_fullgraph(*args: Any, **kwargs: Any) -> Any:
            with notify.ahead_of_time("aot"):
                return original(*args, **kwargs)

        return aot_compile_fullgraph


class _Compiled(Patch):
    capability = names.capability("compilation ahead of time")
    which = 1

    def replacement(self, original: Any, notify: Notifier) -> Any:
        @functools.wraps(original)
        def post_init(compiled: Any) -> None:
            original(compiled)
            notify("on_ahead_of_time", compiled)

        return post_init


class AOTInductor(Patch):
    """Programs that Inductor compiles ahead of time: no compilation of a frame is told of."""

    capability = names.capability("AOTInductor")

    def replacement(self, original: Any, notify: Notifier) -> Any:
        """torch's own, within a block."""

        @functools.wraps(original)
        def compile_fx_aot(*args: Any, **kwargs: Any) -> Any:
            with notify.ahead_of_time("aoti"):
                return original(*args, **kwargs)

        return compile_fx_aot


class Export(Patch):
    """Programs that torch.export makes: without `strict=True` Dynamo has no part in it."""

    capability = names.capability("torch.export")

    def replacement(self, original: Any, notify: Notifier) -> Any:
        """torch's own, within a block."""

        @functools.wraps(original)
        def export(*args: Any, **kwargs: Any) -> Any:
            with notify.ahead_of_time("export"):
                program = original(*args, **kwargs)
                notify("on_exported", program)
                return program

        return export


HOOKS: tuple[Callable[[], Hook], ...] = (
    Trace,
    EventSelection,
    CudaGraphs,
    Bytecode,
    Conversions,
    Formatter,
    GraphModules,
    GuardLines,
    InductorFiles,
    AheadOfTime,
    AOTInductor,
    Export,
)
