# SPDX-License-Identifier: MIT
"""`debug`: a pause in the user's frame, in a pdb that steps over torch's wrappers but into every dumped file.

Invariant: the stance (recompilation off) is put back on exit; without a terminal the program continues.
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

from depyf.torch.capture.route import target_of
from depyf.torch.debug.values import values
from depyf.torch.explain import dispatch
from depyf.torch.internals import cache_entries, dynamo
from depyf.torch.model.record import RecompileReason

# Modules whose frames hold nothing of the user's: stepping passes through them.
_SKIPPED = ["torch", "torch.*", "contextlib", "functools", "depyf", "depyf.*", "importlib", "importlib.*", "weakref"]
_CALLS_DEPYF = re.compile(r"(?<![\w.'\"])depyf(?=\.\w+\()")


class SteppingDebugger(pdb.Pdb):
    """pdb that never stops in torch's own frames, always in dumped files, and treats end of input as `continue`."""

    def __init__(self, folder: Path | None) -> None:
        super().__init__(skip=_SKIPPED, nosigint=True)
        self._folder = f"{folder}{os.sep}" if folder is not None else None
        self._torch = os.path.dirname(torch.__file__) + os.sep
        self._told: set[str] = set()  # why calls run eagerly

    def dispatch_call(self, frame: FrameType, arg: Any) -> Any:
        """bdb tells of each call: one that no entry takes runs the program's own code, where no breakpoint is hit."""
        self._tell_eager(frame)
        return super().dispatch_call(frame, arg)

    def _tell_eager(self, frame: FrameType) -> None:
        code = frame.f_code
        if code.co_filename.startswith(self._torch) or not dynamo.has_looked_for_entries(frame):
            return
        reasons: list[RecompileReason] = []
        with contextlib.suppress(Exception):  # which the program would meet
            reasons = dispatch.refusals(code, dict(frame.f_locals), frame.f_globals)
        for reason in reasons:
            said = f"{code.co_name} runs eagerly, past breakpoints in dumped files: no entry takes the call, {reason}"
            if said not in self._told:
                self._told.add(said)
                self.message(f"depyf: {said}")

    def stop_here(self, frame: FrameType) -> bool:
        """bdb asks whether to stop in this frame; dumped files count even where their module looks like torch's."""
        file = frame.f_code.co_filename
        if self._folder is None or not file.startswith(self._folder):
            return not self._is_generated(frame, file) and bool(super().stop_here(frame))
        skip, self.skip = self.skip, None
        try:
            return bool(super().stop_here(frame))
        finally:
            self.skip = skip

    def _is_generated(self, frame: FrameType, file: str) -> bool:
        """Whether torch made the code at run time: in a file below torch, or in none and without a module's name."""
        if frame is self.stopframe:
            return False
        if file != "<string>":
            return file.startswith(self._torch)
        caller = frame.f_back.f_code.co_filename if frame.f_back is not None else file
        return caller.startswith(self._torch) or "__name__" not in frame.f_globals

    def onecmd(self, line: str) -> bool:
        """One command; `depyf.values()` and its like are known to it in files that do not import depyf, too."""
        frame = self.curframe
        return bool(super().onecmd(line if _has_depyf(frame) else _CALLS_DEPYF.sub("__import__('depyf')", line)))

    def cmdloop(self, intro: Any = None) -> None:
        """Input that is closed, or that pytest captures, ends too: what reading it raises is none of the program's."""
        try:
            super().cmdloop(intro)
        except (OSError, ValueError, RuntimeError) as error:
            self.message(f"\ndepyf: no command can be read, the program goes on: {error}")
            self.do_continue("")

    def do_break(self, arg: str, temporary: bool = False) -> None:  # type: ignore[override]
        """As pdb's. Of a compiled function, `break f` is one in the code of each entry and one in its own code.

        pdb's is in torch's wrapper, which runs whatever is compiled.
        """
        name, comma, condition = arg.partition(",")
        for place in self._places_of(name.strip()) or [name]:
            super().do_break(f"{place}{comma}{condition}", temporary)

    do_b = do_break  # type: ignore[assignment]

    def _places_of(self, name: str) -> list[str]:
        """Where the code of a compiled function begins, as `file:line`; nothing for anything else."""
        frame = self.curframe
        if not name or frame is None or name.isdecimal() or ":" in name:
            return []
        try:  # as pdb does; what is no function is an expression of the user's that may raise anything
            local = vars(self).get("curframe_locals") or frame.f_locals  # up to 3.12 the latter undoes assignments
            target = target_of(eval(name, frame.f_globals, local))
        except Exception:
            return []
        if target.wrapper is None:
            return []
        original = target.function.__code__
        held = [e.code for e in cache_entries.cache_entries(original) if e.code is not None]
        return [_beginning(code) for code in (*held, original) if code is original or self._is_dumped(code)]

    def _is_dumped(self, code: CodeType) -> bool:
        return self._folder is not None and code.co_filename.startswith(self._folder)

    def do_values(self, arg: str) -> None:
        """values: what the names in this file stand for that are no locals of the frame (depyf.values())."""
        self.message(repr(values(self.curframe)))

    def do_EOF(self, arg: str) -> bool:
        """End of input: nobody is there to step, so the program goes on instead of dying of BdbQuit."""
        self.message("")
        return bool(self.do_continue(arg))


def _beginning(code: CodeType) -> str:
    """The first line below the `def` that code runs."""
    lines = [line for _, _, line in code.co_lines() if line is not None and line > code.co_firstlineno]
    return f"{code.co_filename}:{lines[0] if lines else code.co_firstlineno}"


def _has_depyf(frame: FrameType | None) -> bool:
    """Whether a frame has a variable of that name. Its `f_locals` are not asked: that undoes assignments."""
    if frame is None:
        return True
    code = frame.f_code
    return "depyf" in frame.f_globals or "depyf" in (*code.co_varnames, *code.co_cellvars, *code.co_freevars)


_NEVER_COMPILE = ("force_eager", "eager_on_recompile", "fail_on_recompile")  # stances


class Debug(contextlib.ContextDecorator):
    """The block of `depyf.debug()`."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._undo = contextlib.ExitStack()

    def __enter__(self) -> None:
        frame = _callers_frame()
        self._hold_recompiles()
        try:
            pause(frame, self._folder)
        except BaseException:
            self._undo.close()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._undo.close()

    def _hold_recompiles(self) -> None:
        """A call that no entry takes runs eagerly; what the user chose in the place of compiling wins."""
        if dynamo.stance() in _NEVER_COMPILE or dynamo.fails_on_recompile():
            return
        if not hasattr(torch.compiler, "set_stance"):  # came with torch 2.6
            print(
                f"depyf: torch {torch.__version__} has no torch.compiler.set_stance: calls that no entry takes are "
                "compiled within the block, too.",
                flush=True,
            )
            return
        stance = torch.compiler.set_stance("eager_on_recompile")
        self._undo.push(stance)


def _callers_frame() -> FrameType:
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_globals.get("__name__") in ("contextlib", "functools"):
        frame = frame.f_back
    return frame


def pause(frame: FrameType, folder: Path | None) -> None:
    """Stops in `frame` with the debugger that PYTHONBREAKPOINT or sys.breakpointhook asks for; ours by default."""
    wanted = os.environ.get("PYTHONBREAKPOINT", "")
    if wanted == "0":
        return
    hook: Any = sys.breakpointhook
    if _is_of_pydevd(hook) and not _is_attached():  # it pauses nowhere: debugpy is loaded in each kernel of Jupyter's
        if not _takes_input():
            print(
                "depyf: `with depyf.debug()` does not pause: no debugger is attached, and nobody answers a prompt in a "
                "notebook that is run as a whole.",
                flush=True,
            )
            return
        hook = sys.__breakpointhook__
    is_ours = hook is sys.__breakpointhook__ and wanted in ("", "pdb.set_trace")
    if folder is not None:
        # ours tells of each such call as it comes
        others = (
            "depyf.which_entry(function, ...) tells why a call passes them: then no compiled entry takes it, and the "
            "program's own code runs."
        )
        print(
            f"depyf: paused before the body of `with depyf.debug()`. What torch.compile made is in {folder} "
            "(start with index.md); set breakpoints in those files, e.g. `b <file>:<line>`, then `c`."
            + ("" if is_ours else f" {others}"),
            flush=True,
        )
    if hook is not sys.__breakpointhook__:
        _call(hook, frame)
    elif is_ours:
        # A debugger still tracing while the interpreter shuts down would find its modules gone.
        atexit.unregister(_stop_tracing)
        atexit.register(_stop_tracing)
        SteppingDebugger(folder).set_trace(frame)
    else:
        _call_hook(wanted, frame)


def _call_hook(wanted: str, frame: FrameType) -> None:
    """A PYTHONBREAKPOINT of the user's choice; handed the frame where it takes one."""
    module, _, name = wanted.rpartition(".")
    try:
        hook: Callable[..., Any] = getattr(importlib.import_module(module or "builtins"), name)
    except (ImportError, AttributeError, ValueError):
        print(f"depyf: PYTHONBREAKPOINT={wanted!r} cannot be imported; not pausing", file=sys.stderr)
        return
    _call(hook, frame)


def _call(hook: Callable[..., Any], frame: FrameType) -> None:
    """Has a debugger's hook pause in `frame`, where it can be told to; else it pauses where it is called."""
    pydevd = sys.modules.get("pydevd")
    if pydevd is not None and _is_of_pydevd(hook):
        # Under justMyCode the frames in between are not the user's: it would pause in none of them, but run on.
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
    """Whether it is the one that debugpy (VS Code) or pydevd (PyCharm) puts there."""
    return str(getattr(hook, "__module__", "")).partition(".")[0] in ("debugpy", "pydevd", "sitecustomize", "_vendored")


def _is_attached() -> bool:
    """Whether a debugger of that kind is at work in this process."""
    pydevd = sys.modules.get("pydevd")
    return pydevd is not None and pydevd.get_global_debugger() is not None


def _takes_input() -> bool:
    """Whether a prompt can be answered: a kernel is told by who runs a cell."""
    ipython = sys.modules.get("IPython")
    kernel = getattr(ipython.get_ipython(), "kernel", None) if ipython is not None else None
    return bool(getattr(kernel, "_allow_stdin", True))


def _stop_tracing() -> None:
    sys.settrace(None)
