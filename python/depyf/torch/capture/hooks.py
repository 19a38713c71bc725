# SPDX-License-Identifier: MIT
"""The hooks in torch, installed once for all open sessions, and the interface through which they call sessions.

Each hook is a separate object that is installed, checked and undone alone. If this torch has no place for a hook, only
its facts are lost, which the index says in one line (`names.missing`). Invariant: hooks are installed from the start of
the first session to the end of the last one, in whatever order sessions end; after that, every replaced attribute has
its old value. Sessions catch all exceptions of their methods. Some hooks are called while Dynamo is active (compiled
autograd); no frame of depyf is ever compiled.
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
from depyf.torch.internals import autograd, capabilities, conversions, dynamo, fx, guard_state, names, trace_log
from depyf.torch.internals.imports import Finder, when_imported


class Watcher(Protocol):
    """The interface through which hooks call a session. No method raises, except KeyboardInterrupt and SystemExit."""

    def on_trace(self, metadata: dict[str, Any], payload: str | None) -> None:
        """Called for an event of the structured trace."""

    def on_span(self, span: Span) -> None:
        """Called at the beginning and the end of a phase of a compilation."""

    def on_unknown(self, name: str) -> None:
        """Called for an event of the structured trace whose name depyf does not know."""

    def on_cuda_graph_given_up(self, torch_id: str, reason: str, is_backward: bool) -> None:
        """Called when a compiled graph runs without a CUDA graph from now on. `torch_id` is torch's compile id."""

    def on_code(self, code: CodeType, new_code: CodeType) -> CodeType | None:
        """Called when a frame was transformed; returns the code to run instead, or None."""

    def on_conversion(self, code: CodeType, region: int, answer: conversions.Conversion) -> None:
        """Called with the result of Dynamo's frame callback: the frame has an entry, or runs eagerly from now on."""

    def on_problem(self, what: str, error: Exception) -> None:
        """Called when a part of depyf failed."""

    def on_formatted(self, name: str, gm: torch.fx.GraphModule) -> None:
        """Called when torch's formatter prints a graph."""

    def on_recompile(self, gm: torch.fx.GraphModule) -> None:
        """Called when FX has compiled a graph module."""

    def ahead_of_time(self, prefix: str) -> contextlib.AbstractContextManager[None]:
        """Returns a context manager around compiling a function ahead of time ("aot") or exporting it ("export")."""

    def on_exported(self, program: torch.export.ExportedProgram) -> None:
        """Called with a program that torch.export returns, within the block of `ahead_of_time`."""

    def on_ahead_of_time(self, compiled: Any) -> None:
        """Called with a function that was compiled ahead of time, in this process or another."""


class Notifier:
    """Calls the open sessions. `watchers` returns those open at the time of a call, innermost last."""

    def __init__(self, watchers: Callable[[], tuple[Watcher, ...]]) -> None:
        self.watchers = watchers
        self._set_eval_frame = dynamo.eval_frame_setter()

    def __call__(self, method: str, *args: Any) -> Any:
        """Calls a method of each watcher, with Dynamo disabled; returns the innermost one's result."""
        prior = self._set_eval_frame(None)
        try:
            result = None
            for watcher in self.watchers():
                result = getattr(watcher, method)(*args)
            return result
        finally:
            self._set_eval_frame(prior)

    @contextlib.contextmanager
    def ahead_of_time(self, prefix: str) -> Any:
        """Enters the block of each watcher."""
        with contextlib.ExitStack() as blocks:
            for watcher in self.watchers():
                blocks.enter_context(watcher.ahead_of_time(prefix))
            yield


class Hook(Protocol):
    """A hook. `install` raises an exception if this torch has no place for it."""

    capability: capabilities.Capability  # the capability that is lost without the hook

    def install(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """Installs the hook, and registers on `undo` how to undo each step."""

    def is_in_place(self) -> bool:
        """Returns whether torch will call the hook, looked up as torch does."""


class Hooks:
    """All hooks."""

    def __init__(self, watchers: Callable[[], tuple[Watcher, ...]]) -> None:
        self._notify = Notifier(watchers)
        self._undo: list[contextlib.ExitStack] = []
        self.installed: list[Hook] = []

    def install(self) -> None:
        """Installs each hook that this torch has a place for; those that fail are undone."""
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
                    raise LookupError("the installed hook does not stay in place")
            except Exception as error:
                _record_failure(hook, error)
                return
            self.installed.append(hook)
            self._undo.append(undo.pop_all())

    def remove(self) -> None:
        """Removes all hooks."""
        while self._undo:
            self.installed.pop()
            undo = self._undo.pop()
            try:
                undo.close()
            except Exception as error:  # the others must be removed, too
                names.record_missing("undoing a hook", f"{type(error).__name__}: {error}")


def _record_failure(hook: Hook, error: Exception) -> None:
    names.record_missing(hook.capability.needs[0], f"{hook.capability.lost} ({type(error).__name__}: {error})")


class Trace:
    """The structured trace, the source of most facts about graphs, guards, reasons and times."""

    capability = names.capability("what torch logs of compilations")

    def install(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """Adds a handler to the trace's logger."""

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
        dynamo.keep_from_dynamo(Finder.find_spec)  # called for each import within a compiled call
        logger = trace_log.trace_logger()
        logger.addHandler(handler)
        undo.callback(logger.removeHandler, handler)

    def is_in_place(self) -> bool:
        """Returns whether our handler is installed."""
        return _our_handler() is not None


class EventSelection:
    """Makes torch build only the events that depyf reads. Without it, all are built, and compiling takes longer."""

    capability = names.capability("logging only what depyf reads")

    def install(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """Replaces the logger's list of handlers."""
        handler = _our_handler()
        if handler is None:
            raise LookupError("there is no handler")
        undo.callback(trace_log.choose_events(handler, handler.reads))

    def is_in_place(self) -> bool:
        """Returns whether the logger still has the replaced list."""
        return type(trace_log.trace_logger().handlers) is not list


def _our_handler() -> TraceHandler | None:
    return next((h for h in trace_log.trace_logger().handlers if isinstance(h, TraceHandler)), None)


class _CudaGraphHandler(logging.Handler):
    """Receives the reasons for CUDA graphs abandoned at run time; the trace has only those of compilations."""

    def __init__(self, notify: Notifier) -> None:
        super().__init__(logging.WARNING)
        self._notify = notify

    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = record.getMessage()
            torch_id, is_backward = trace_log.running_cuda_graph()
        except Exception:  # must not disturb the program's log
            return
        if torch_id and text.startswith("skipping cudagraph"):
            self._notify("on_cuda_graph_given_up", torch_id, text, is_backward)


class CudaGraphs:
    """torch's log of CUDA graphs."""

    capability = names.capability("CUDA graphs given up while they run")

    def install(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """Adds a handler to torch's logger of CUDA graphs."""
        handler, logger = _CudaGraphHandler(notify), trace_log.cuda_graph_logger()
        dynamo.keep_from_dynamo(_CudaGraphHandler.emit)
        logger.addHandler(handler)
        undo.callback(logger.removeHandler, handler)

    def is_in_place(self) -> bool:
        """Returns whether our handler is installed."""
        return any(isinstance(h, _CudaGraphHandler) for h in trace_log.cuda_graph_logger().handlers)


class Bytecode:
    """Dynamo's bytecode hook, called before all others, because those may keep the code that they see."""

    capability = names.capability("transformed code")

    def install(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """Registers the hook."""

        def on_code(code: CodeType, new_code: CodeType) -> CodeType | None:
            replacement: CodeType | None = notify("on_code", code, new_code)
            return replacement  # debuggers step through the files of the innermost session

        registered = dynamo.register_bytecode_hook(on_code, first=True)
        if registered is None:
            raise LookupError("it is not there")
        undo.callback(registered.remove)

    def is_in_place(self) -> bool:
        """Returns True: there is nothing to look up."""
        return True


class Formatter:
    """torch's formatter of graphs, through which libraries such as vLLM print theirs."""

    capability = names.capability("graphs that libraries print (vLLM)")

    def install(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """Replaces the code of the formatter."""

        def on_formatted(name: str, gm: torch.fx.GraphModule) -> None:
            notify("on_formatted", name, gm)

        undo_formatter = fx.patch_graph_formatter(on_formatted)
        if undo_formatter is None:
            raise LookupError("it is not there")
        undo.callback(undo_formatter)

    def is_in_place(self) -> bool:
        """Returns True: the code was replaced."""
        return True


class Patch:
    """A function of torch that is replaced when its module is imported."""

    capability: capabilities.Capability
    position = 0  # index of the function among the capability's names

    def __init__(self) -> None:
        self._path = self.capability.needs[self.position]
        self._value: Any = None

    def install(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """Replaces the function now if its module is imported, otherwise when it is."""
        module = names.module_of(self._path)
        undo_patch = undo.enter_context(contextlib.ExitStack())
        if module in sys.modules:
            self._patch(notify, undo_patch)
        else:
            undo.callback(when_imported(module, lambda: self._patch_later(notify, undo_patch)))

    def _patch(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        owner_path, _, name = self._path.rpartition(".")
        owner = names.probe(owner_path)
        original = vars(owner)[name] if owner is not None else None
        if original is None:
            raise LookupError(f"no {self._path}")
        own_notify = Notifier(notify.watchers)
        self._value = self.replacement(getattr(owner, name), own_notify)
        setattr(owner, name, self._value)
        undo.callback(_put_back, owner, name, self._value, original, own_notify)

    def _patch_later(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """Replaces the function when its module is imported; failures are recorded, not raised into the import."""
        try:
            self._patch(notify, undo)
        except Exception as error:
            _record_failure(self, error)

    def replacement(self, original: Any, notify: Notifier) -> Any:
        """Returns the replacement of the function."""
        raise NotImplementedError

    def is_in_place(self) -> bool:
        """Returns whether the name still refers to the replacement."""
        owner_path, _, name = self._path.rpartition(".")
        return self._value is None or getattr(names.probe(owner_path), name, None) is self._value


def _put_back(owner: Any, name: str, ours: Any, original: Any, notify: Notifier) -> None:
    """Undoes a patch. A later replacement by others stays, and may call ours, which then notifies no session."""
    notify.watchers = tuple
    if vars(owner).get(name) is ours:
        setattr(owner, name, original)


class Conversions(Patch):
    """The result of Dynamo's frame callback: how the frames of a code object run from now on."""

    capability = names.capability("skipped frames")

    def replacement(self, original: Any, notify: Notifier) -> Any:
        """Returns torch's own callback, which notifies sessions afterwards."""

        def on_conversion(code: CodeType, region: int, answer: conversions.Conversion) -> None:
            notify("on_conversion", code, region, answer)

        def on_failure(error: Exception) -> None:
            notify("on_problem", "status of frames", error)

        return conversions.observing(original, on_conversion, on_failure)


class AutogradReasons(Patch):
    """Makes compiled autograd record why it captures a pass, which torch finds out only for its verbose log."""

    capability = names.capability("why compiled autograd captures a pass")

    def replacement(self, original: Any, notify: Notifier) -> Any:
        """Returns a predicate that is true while a session watches. The program's own log does not change."""

        @functools.wraps(original)
        def enabled() -> bool:
            return bool(notify.watchers()) or original()

        dynamo.keep_from_dynamo(enabled)
        return enabled

    def install(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """Installs the predicate; when it is undone, torch's own answer is applied again."""
        undo.callback(autograd.settle_verbose_log)
        super().install(notify, undo)


class GraphModules(Patch):
    """Notifies sessions of graph modules that FX compiles, so that those that run as Python get the lines of a file."""

    capability = names.capability("stepping through graph files")

    def replacement(self, original: Any, notify: Notifier) -> Any:
        """Returns FX's own function, which notifies sessions afterwards."""

        @functools.wraps(original)
        def recompile(gm: torch.fx.GraphModule) -> Any:
            result = original(gm)
            notify("on_recompile", gm)
            return result

        dynamo.keep_from_dynamo(recompile)
        return recompile


class OverriddenOperations(Patch):
    """Makes printed graphs name the program's line for operations that torch's `__torch_function__` calls."""

    capability = names.capability("lines of overridden operations")

    def replacement(self, original: Any, notify: Notifier) -> Any:
        """Returns FX's own function, which gets the stack of the node without these frames."""

        @functools.wraps(original)
        def parse_stack_trace(stack_trace: Any, *args: Any, **kwargs: Any) -> Any:
            if notify.watchers() and isinstance(stack_trace, str):
                stack_trace = fx.without_overrides(stack_trace)
            return original(stack_trace, *args, **kwargs)

        dynamo.keep_from_dynamo(parse_stack_trace)
        return parse_stack_trace


class GuardLines(Patch):
    """Makes guards keep the stacks at which they were introduced, if torch itself drops them."""

    capability = names.capability("lines of guards")

    def install(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """Installs the patch, unless torch keeps the stacks."""
        if not guard_state.keeps_stacks():
            super().install(notify, undo)

    def replacement(self, original: Any, notify: Notifier) -> Any:
        """Returns torch's own function, which stores the stack in the guard first."""

        @functools.wraps(original)
        def add(guards: Any, guard: Any, *args: Any, skip: int = 0, **kwargs: Any) -> Any:
            if notify.watchers():
                with contextlib.suppress(Exception):  # the guard must be added in any case
                    guard_state.keep_stack(guard)
            return original(guards, guard, *args, skip=skip + 1, **kwargs)

        dynamo.keep_from_dynamo(add)
        return add


class InductorFiles(Patch):
    """Makes Inductor's Python files run from the dump folder."""

    capability = names.capability("Inductor's files run from the dump")

    def replacement(self, original: Any, notify: Notifier) -> Any:
        """Returns the loader of depyf 0.20, which libraries replace by assignment."""
        legacy_state.data["unpatched_load_by_key_path"] = original
        return kernel_files.loader()


class AheadOfTime:
    """Functions compiled ahead of time or loaded from a file, for which no bytecode hook is called."""

    capability = names.capability("compilation ahead of time")

    def __init__(self) -> None:
        self._parts: tuple[Patch, ...] = (_Compiling(), _Compiled())

    def install(self, notify: Notifier, undo: contextlib.ExitStack) -> None:
        """Installs both patches."""
        for part in self._parts:
            part.install(notify, undo)

    def is_in_place(self) -> bool:
        """Returns whether both patches are in place."""
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
    position = 1

    def replacement(self, original: Any, notify: Notifier) -> Any:
        @functools.wraps(original)
        def post_init(compiled: Any) -> None:
            original(compiled)
            notify("on_ahead_of_time", compiled)

        return post_init


class AOTInductor(Patch):
    """Programs that Inductor compiles ahead of time, for which no compilation of a frame is logged."""

    capability = names.capability("AOTInductor")

    def replacement(self, original: Any, notify: Notifier) -> Any:
        """Returns torch's own function, called within a block of `ahead_of_time`."""

        @functools.wraps(original)
        def compile_fx_aot(*args: Any, **kwargs: Any) -> Any:
            with notify.ahead_of_time("aoti"):
                return original(*args, **kwargs)

        return compile_fx_aot


class Export(Patch):
    """Programs that torch.export returns; without `strict=True` Dynamo is not used for them."""

    capability = names.capability("torch.export")

    def replacement(self, original: Any, notify: Notifier) -> Any:
        """Returns torch's own function, called within a block of `ahead_of_time`."""

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
    AutogradReasons,
    GraphModules,
    OverriddenOperations,
    GuardLines,
    InductorFiles,
    AheadOfTime,
    AOTInductor,
    Export,
)
