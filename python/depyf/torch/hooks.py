# SPDX-License-Identifier: MIT
"""The hooks in torch, installed once for all open sessions, and what they call in each of them.

Invariant: they stand from the first session's start to the last one's end, in whatever order sessions end, and every
replaced attribute then has its old value again. Each call goes through the session's own guard, which never raises.
Some of them are called where Dynamo watches (compiled autograd): no frame of ours is ever compiled.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from types import CodeType
from typing import Any, Protocol

import torch

from depyf.explain import enable_debugging, global_variables
from depyf.torch import seams
from depyf.torch.capture import TraceHandler


class Watcher(Protocol):
    """What the hooks tell a session. No method raises (KeyboardInterrupt and SystemExit pass)."""

    def on_trace(self, metadata: dict[str, Any], payload: str | None) -> None:
        """An event of the structured trace."""

    def on_span(self, span: dict[str, Any]) -> None:
        """The beginning or the end of a phase of a compilation."""

    def on_code(self, code: CodeType, new_code: CodeType) -> CodeType | None:
        """A frame was transformed; the code to run instead, if any."""

    def on_formatted(self, name: str, gm: Any) -> None:
        """A graph went through torch's formatter."""

    def on_recompile(self, gm: torch.fx.GraphModule) -> None:
        """FX compiled a graph module."""

    def ahead_of_time(self, how: str) -> contextlib.AbstractContextManager[None]:
        """A function is compiled ahead of time ("aot") or exported ("export") within the block."""

    def on_exported(self, program: Any) -> None:
        """torch.export made a program, within the block of `ahead_of_time`."""

    def on_ahead_of_time(self, compiled: Any) -> None:
        """A function that was compiled ahead of time, here or elsewhere, is ready."""


class Hooks:
    """All hooks. `watchers` gives the sessions open at the time of a call, innermost last."""

    def __init__(self, watchers: Callable[[], tuple[Watcher, ...]]) -> None:
        self._watchers = watchers
        self._undo = contextlib.ExitStack()
        self._set_eval_frame = seams.eval_frame_setter()

    def install(self) -> None:
        """Puts them in place; on failure nothing is left behind."""
        with contextlib.ExitStack() as undo:
            self._hook_trace(undo)
            self._hook_bytecode(undo)
            undo_formatter = seams.patch_graph_formatter(self._on_formatted)
            if undo_formatter is not None:
                undo.callback(undo_formatter)
            self._hook_graph_modules(undo)
            self._hook_inductor(undo)
            self._hook_ahead_of_time(undo)
            self._hook_export(undo)
            self._undo = undo.pop_all()

    def remove(self) -> None:
        """Takes them all out."""
        self._undo.close()

    def _tell(self, what: str, *args: Any) -> Any:
        """Calls a method of each watcher, with Dynamo off; the innermost one's answer."""
        prior = self._set_eval_frame(None)
        try:
            answer = None
            for watcher in self._watchers():
                answer = getattr(watcher, what)(*args)
            return answer
        finally:
            self._set_eval_frame(prior)

    def _hook_trace(self, undo: contextlib.ExitStack) -> None:
        def observe(metadata: dict[str, Any], payload: str | None) -> None:
            self._tell("on_trace", metadata, payload)

        def observe_span(span: dict[str, Any]) -> None:
            self._tell("on_span", span)

        handler = TraceHandler(observe, observe_span)
        seams.keep_from_dynamo(Hooks._tell, observe, observe_span, TraceHandler.emit, TraceHandler.reads)
        logger = seams.trace_logger()
        logger.addHandler(handler)
        undo.callback(logger.removeHandler, handler)
        undo.callback(seams.choose_events(handler, handler.reads))

    def _hook_bytecode(self, undo: contextlib.ExitStack) -> None:
        def on_code(code: CodeType, new_code: CodeType) -> CodeType | None:
            shown: CodeType | None = self._tell("on_code", code, new_code)
            return shown  # the innermost session's files are the ones stepped through

        registered = seams.register_bytecode_hook(on_code, first=True)
        if registered is not None:
            undo.callback(registered.remove)

    def _on_formatted(self, name: str, gm: Any) -> None:
        self._tell("on_formatted", name, gm)

    def _hook_graph_modules(self, undo: contextlib.ExitStack) -> None:
        """Sees every graph module that FX compiles, to point the ones that run as Python at their dumped file."""
        original = torch.fx.GraphModule.recompile

        @functools.wraps(original)
        def recompile(gm: torch.fx.GraphModule) -> Any:
            result = original(gm)
            self._tell("on_recompile", gm)
            return result

        seams.keep_from_dynamo(recompile)
        _patch(undo, torch.fx.GraphModule, "recompile", recompile)

    @staticmethod
    def _hook_inductor(undo: contextlib.ExitStack) -> None:
        cache = seams.inductor_module_cache()
        if cache is not None:
            global_variables.data["unpatched_load_by_key_path"] = cache.load_by_key_path
            _patch(undo, cache, "load_by_key_path", enable_debugging.patched_load_by_key_path)

    def _hook_ahead_of_time(self, undo: contextlib.ExitStack) -> None:
        """Sees functions compiled ahead of time, and those loaded from a file: no bytecode hook is called for them."""
        module = seams.aot_compile_module()
        if module is None:
            return
        compile_function = module.aot_compile_fullgraph
        initialise = module.AOTCompiledFunction.__post_init__

        @functools.wraps(compile_function)
        def aot_compile_fullgraph(*args: Any, **kwargs: Any) -> Any:
            with contextlib.ExitStack() as blocks:
                for watcher in self._watchers():
                    blocks.enter_context(watcher.ahead_of_time("aot"))
                return compile_function(*args, **kwargs)

        @functools.wraps(initialise)
        def post_init(compiled: Any) -> None:
            initialise(compiled)
            self._tell("on_ahead_of_time", compiled)

        _patch(undo, module, "aot_compile_fullgraph", aot_compile_fullgraph)
        _patch(undo, module.AOTCompiledFunction, "__post_init__", post_init)

    def _hook_export(self, undo: contextlib.ExitStack) -> None:
        """Sees programs that torch.export makes: without `strict=True` Dynamo has no part in it."""
        module = seams.export_module()
        if module is None:
            return
        original = module._export

        @functools.wraps(original)
        def export(*args: Any, **kwargs: Any) -> Any:
            with contextlib.ExitStack() as blocks:
                for watcher in self._watchers():
                    blocks.enter_context(watcher.ahead_of_time("export"))
                program = original(*args, **kwargs)
                self._tell("on_exported", program)
                return program

        _patch(undo, module, "_export", export)


def _patch(undo: contextlib.ExitStack, owner: Any, name: str, value: Any) -> None:
    original = vars(owner)[name]
    setattr(owner, name, value)
    undo.callback(setattr, owner, name, original)
