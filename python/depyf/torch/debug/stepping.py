# SPDX-License-Identifier: MIT
"""`debug`: a pause in the user's frame, in a pdb that steps over torch's wrappers and into dumped files.

Invariant: the stance, which prevents recompilation, is restored on exit, and the program is no longer traced after it,
unless the user steps out of the block. Without a terminal the program continues.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import inspect
import os
import pdb
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any

import torch

from depyf.torch import blocks
from depyf.torch.blocks import Block
from depyf.torch.capture.route import target_of
from depyf.torch.debug.values import values
from depyf.torch.explain import dispatch
from depyf.torch.internals import cache_entries, dynamo
from depyf.torch.model.record import RecompileReason

_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")  # the dotted name of a function
# Modules without code of the user: stepping does not stop in their frames.
_SKIPPED = ["torch", "torch.*", "contextlib", "functools", "depyf", "depyf.*", "importlib", "importlib.*", "weakref"]
_CALLS_DEPYF = re.compile(r"(?<![\w.'\"])depyf(?=\.\w+\()")


_CONTINUES = -1  # the `stoplineno` of bdb while the program runs up to a breakpoint


class SteppingDebugger(pdb.Pdb):
    """A pdb that never stops in frames of torch, always in dumped files, and treats end of input as `continue`."""

    def __init__(self, folder: Path | None) -> None:
        super().__init__(skip=_SKIPPED, nosigint=True)
        self._folder = f"{folder}{os.sep}" if folder is not None else None
        self._torch = os.path.dirname(torch.__file__) + os.sep
        self._printed: set[str] = set()  # messages about calls that run eagerly

    def leave(self) -> None:
        """Ends tracing at the end of the block, also if there are breakpoints, unless the user steps out of the block.

        With breakpoints, bdb would trace the rest of the program, which is many times slower.
        """
        if sys.gettrace() != self.trace_dispatch or self.stoplineno != _CONTINUES:
            return
        sys.settrace(None)
        frame: FrameType | None = sys._getframe()
        while frame is not None:
            if frame.f_trace == self.trace_dispatch:
                frame.f_trace = None
            frame = frame.f_back
        if self.breaks:
            self.message("depyf: the block of depyf.debug() has ended: its breakpoints are not hit outside of it.")

    def dispatch_call(self, frame: FrameType, arg: Any) -> Any:
        """Handles a call event of bdb: prints why a call without matching entry does not reach the breakpoints."""
        self._report_eager_call(frame)
        return super().dispatch_call(frame, arg)

    def _report_eager_call(self, frame: FrameType) -> None:
        code = frame.f_code
        if code.co_filename.startswith(self._torch) or not dynamo.has_looked_for_entries(frame):
            return
        reasons: list[RecompileReason] = []
        with contextlib.suppress(Exception):  # an exception here would reach the program
            reasons = dispatch.refusals(code, dict(frame.f_locals), frame.f_globals)
        for reason in reasons:
            text = f"{code.co_name} runs eagerly, without breakpoints in dumped files: no entry matches, {reason}"
            if text not in self._printed:
                self._printed.add(text)
                self.message(f"depyf: {text}")

    def stop_here(self, frame: FrameType) -> bool:
        """Returns whether bdb may stop in this frame.

        In dumped files it may, even if their module looks like one of torch.
        """
        file = frame.f_code.co_filename
        if self._folder is None or not file.startswith(self._folder):
            return not self._is_generated(frame, file) and bool(super().stop_here(frame))
        skip, self.skip = self.skip, None
        try:
            return bool(super().stop_here(frame))
        finally:
            self.skip = skip

    def _is_generated(self, frame: FrameType, file: str) -> bool:
        """Returns whether torch contains or generated the code: in a file of torch, or in no file and no module."""
        if frame is self.stopframe:
            return False
        if file != "<string>":
            return file.startswith(self._torch)
        caller = frame.f_back.f_code.co_filename if frame.f_back is not None else file
        return caller.startswith(self._torch) or "__name__" not in frame.f_globals

    def onecmd(self, line: str) -> bool:
        """Executes a command. Expressions such as `depyf.values()` also work in files that do not import depyf."""
        frame = self.curframe
        return bool(super().onecmd(line if _has_depyf(frame) else _CALLS_DEPYF.sub("__import__('depyf')", line)))

    def cmdloop(self, intro: Any = None) -> None:
        """Reads commands. Continues the program if input is closed or captured by pytest, which raises an error."""
        try:
            super().cmdloop(intro)
        except (OSError, ValueError, RuntimeError) as error:
            self.message(f"\ndepyf: no command can be read, the program continues: {error}")
            self.do_continue("")

    def do_break(self, arg: str, temporary: bool = False) -> None:  # type: ignore[override]
        """Sets a breakpoint as in pdb. For a compiled function, `break f` sets one in each entry and in its own code.

        A breakpoint of pdb itself would be in torch's wrapper, which runs for every call.
        """
        name, comma, condition = arg.partition(",")
        for place in self._places_of(name.strip()) or [name]:
            super().do_break(f"{place}{comma}{condition}", temporary)

    do_b = do_break  # type: ignore[assignment]

    def _places_of(self, name: str) -> list[str]:
        """Returns the first lines of a compiled function's own code and of its entries, as `file:line`; else empty."""
        frame = self.curframe
        if frame is None or not _NAME.fullmatch(name):  # pdb evaluates other expressions: they must not run twice
            return []
        try:
            local = vars(self).get("curframe_locals") or frame.f_locals  # up to 3.12, `f_locals` undoes assignments
            target = target_of(eval(name, frame.f_globals, local))
        except Exception:
            return []
        if target.wrapper is None:
            return []
        original = target.function.__code__
        entries = [e.code for e in cache_entries.cache_entries(original) if e.code is not None]
        return [_beginning(code) for code in (*entries, original) if code is original or self._is_dumped(code)]

    def _is_dumped(self, code: CodeType) -> bool:
        return self._folder is not None and code.co_filename.startswith(self._folder)

    def do_values(self, arg: str) -> None:
        """values: show the values of names in this file that are not local variables (depyf.values())."""
        self.message(repr(values(self.curframe)))

    def do_EOF(self, arg: str) -> bool:
        """Handles end of input: nobody can enter commands, so the program continues instead of raising BdbQuit."""
        self.message("")
        return bool(self.do_continue(arg))


def _beginning(code: CodeType) -> str:
    """Returns the first line after the `def` that the code runs, as `file:line`."""
    lines = [line for _, _, line in code.co_lines() if line is not None and line > code.co_firstlineno]
    return f"{code.co_filename}:{lines[0] if lines else code.co_firstlineno}"


def _has_depyf(frame: FrameType | None) -> bool:
    """Returns whether a frame has a variable `depyf`.

    Does not read `f_locals`, which would undo assignments made in pdb.
    """
    if frame is None:
        return True
    code = frame.f_code
    return "depyf" in frame.f_globals or "depyf" in (*code.co_varnames, *code.co_cellvars, *code.co_freevars)


_NEVER_COMPILE = ("force_eager", "eager_on_recompile", "fail_on_recompile")  # stances that prevent recompilation


class Debug(Block):
    """The block of `depyf.debug()`."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._undo = contextlib.ExitStack()
        self._debugger: SteppingDebugger | None = None

    def _recreate_cm(self) -> Debug:
        """Creates a block for a call of a decorated function."""
        return Debug(self._folder)

    def __enter__(self) -> None:
        frame = _callers_frame()
        self._hold_recompiles()
        try:
            self._debugger = pause(frame, self._folder)
        except BaseException:
            self._undo.close()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._undo.close()
        if self._debugger is not None:
            self._debugger.leave()

    def _hold_recompiles(self) -> None:
        """Makes calls that match no entry run eagerly, unless the user has already set a stance or option for them."""
        if dynamo.stance() in _NEVER_COMPILE or dynamo.fails_on_recompile():
            return
        if not hasattr(torch.compiler, "set_stance"):  # added in torch 2.6
            print(
                f"depyf: torch {torch.__version__} has no torch.compiler.set_stance: calls that match no entry are "
                "compiled inside the block, too.",
                flush=True,
            )
            return
        stance = torch.compiler.set_stance("eager_on_recompile")
        self._undo.push(stance)


def _callers_frame() -> FrameType:
    """Returns the frame with the `with` statement, or the one that runs the decorated function."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_globals.get("__name__") in ("contextlib", "functools", blocks.__name__):
        frame = frame.f_back
    return frame


def pause(frame: FrameType, folder: Path | None) -> SteppingDebugger | None:
    """Stops in `frame` with the debugger that PYTHONBREAKPOINT or sys.breakpointhook selects; by default, our own.

    Returns our own debugger, or None if it is another one or there is no pause.
    """
    selected = os.environ.get("PYTHONBREAKPOINT", "")
    if selected == "0":
        return None
    hook: Any = sys.breakpointhook
    if _is_of_pydevd(hook) and not _is_attached():  # it would not pause; every Jupyter kernel loads debugpy
        if not _takes_input():
            print(
                "depyf: `with depyf.debug()` does not pause: no debugger is attached, and a notebook that is run as a "
                "whole has no prompt.",
                flush=True,
            )
            return None
        hook = sys.__breakpointhook__
    is_ours = hook is sys.__breakpointhook__ and selected in ("", "pdb.set_trace")
    if folder is not None:
        # Our own debugger prints why when such a call occurs.
        hint = (
            "If a call does not reach them, no compiled entry matches and the program's own code runs; "
            "depyf.which_entry(function, ...) tells why."
        )
        print(
            f"depyf: paused before the body of `with depyf.debug()`. The files of torch.compile are in {folder} "
            "(start with index.md); set breakpoints in them, e.g. `b <file>:<line>`, then `c`."
            + ("" if is_ours else f" {hint}"),
            flush=True,
        )
    if hook is not sys.__breakpointhook__:
        _call(hook, frame)
    elif is_ours:
        # A debugger that is still tracing during interpreter shutdown would fail, because its modules are cleared.
        atexit.unregister(_stop_tracing)
        atexit.register(_stop_tracing)
        debugger = SteppingDebugger(folder)
        debugger.set_trace(frame)
        return debugger
    else:
        _call_hook(selected, frame)
    return None


def _call_hook(selected: str, frame: FrameType) -> None:
    """Imports and calls the function that PYTHONBREAKPOINT names."""
    module, _, name = selected.rpartition(".")
    try:
        hook: Callable[..., Any] = getattr(importlib.import_module(module or "builtins"), name)
    except (ImportError, AttributeError, ValueError):
        print(f"depyf: PYTHONBREAKPOINT={selected!r} cannot be imported; not pausing", file=sys.stderr)
        return
    _call(hook, frame)


def _call(hook: Callable[..., Any], frame: FrameType) -> None:
    """Calls the hook of a debugger, which pauses in `frame` if it accepts a frame, else where it is called."""
    pydevd = sys.modules.get("pydevd")
    if pydevd is not None and _is_of_pydevd(hook):
        # With justMyCode, debugpy does not stop in frames of depyf: the hook would continue without a pause.
        if _is_attached():
            pydevd.settrace(
                suspend=True, trace_only_current_thread=True, patch_multiprocessing=False, stop_at_frame=frame
            )
        return
    takes_frame = False
    with contextlib.suppress(TypeError, ValueError):
        takes_frame = "frame" in inspect.signature(hook).parameters
    if takes_frame:
        hook(frame=frame)
    else:
        hook()


def _is_of_pydevd(hook: Callable[..., Any]) -> bool:
    """Returns whether a breakpoint hook was installed by debugpy (VS Code) or pydevd (PyCharm)."""
    return str(getattr(hook, "__module__", "")).partition(".")[0] in ("debugpy", "pydevd", "sitecustomize", "_vendored")


def _is_attached() -> bool:
    """Returns whether a debugger based on pydevd is attached to this process."""
    pydevd = sys.modules.get("pydevd")
    return pydevd is not None and pydevd.get_global_debugger() is not None


def _takes_input() -> bool:
    """Returns whether the user can answer a prompt: Jupyter tells the kernel for each cell."""
    ipython = sys.modules.get("IPython")
    kernel = getattr(ipython.get_ipython(), "kernel", None) if ipython is not None else None
    return bool(getattr(kernel, "_allow_stdin", True))


def _stop_tracing() -> None:
    sys.settrace(None)
