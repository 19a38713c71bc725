# SPDX-License-Identifier: MIT
"""`prepare_debug`: watches torch.compile for the length of a block and writes what it did.

Invariant: nothing here raises into the program. Each hook runs behind one guard (no re-entry, Dynamo off, errors
recorded and told once); every patch is undone on exit, whatever happened inside; KeyboardInterrupt passes.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FunctionType, TracebackType
from typing import Any, TypeVar

import torch

from depyf.explain import enable_debugging, global_variables
from depyf.torch import full_code, graphtext, index, seams
from depyf.torch.artifacts import DumpFolder, safe_name
from depyf.torch.capture import Recorder, TraceHandler
from depyf.torch.debugger import Debug
from depyf.torch.hijack import BytecodeHook
from depyf.torch.model import Problem, Record

log = logging.getLogger("depyf")
_HIJACKS = ("lines", "recompile", "none")
_T = TypeVar("_T")
_state = threading.Lock()
_active: list[Session] = []  # at most one
_last_folder: list[Path] = []  # of the latest session, for debug()


class Session(contextlib.ContextDecorator):
    """One `prepare_debug` block. `record` stays readable afterwards."""

    def __init__(self, dump_src_dir: str | os.PathLike[str], hijack: str, log_bytecode: bool) -> None:
        if hijack not in _HIJACKS:
            raise ValueError(f"hijack must be one of {', '.join(_HIJACKS)}, not {hijack!r}")
        self.dump_src_dir = os.fspath(dump_src_dir)
        self.hijack = hijack
        self.log_bytecode = log_bytecode
        self.record = Record()
        self.folder: DumpFolder | None = None
        self.recorder: Recorder | None = None
        self._undo = contextlib.ExitStack()
        self._local = threading.local()
        self._told: set[str] = set()

    def __enter__(self) -> None:
        with _state:
            if _active:
                raise RuntimeError("depyf.prepare_debug cannot be nested: another block is active in this process")
            _active.append(self)
        try:
            self.folder = DumpFolder(self.dump_src_dir)
            self._install(self.folder)
        except OSError as error:
            self._tell("dump folder", error)
        except BaseException:
            self._leave()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._leave()
        finally:
            if self.folder is not None:
                self._guard("full code and index", self._finish, self.folder)

    def _leave(self) -> None:
        try:
            self._undo.close()
        finally:
            with _state, contextlib.suppress(ValueError):
                _active.remove(self)

    # ---- putting the hooks in place

    def _install(self, folder: DumpFolder) -> None:
        _last_folder[:] = [folder.path]
        recorder = self.recorder = Recorder(folder, self.record)
        hook = BytecodeHook(folder, self.record, self.hijack, self.log_bytecode)
        self._undo.callback(self._report_notes, hook)
        self._install_globals(folder)

        handler = TraceHandler(functools.partial(self._guard, "structured trace", recorder.on_trace))
        logger = seams.trace_logger()
        logger.addHandler(handler)
        self._undo.callback(logger.removeHandler, handler)

        def on_code(code: CodeType, new_code: CodeType) -> CodeType | None:
            return self._guard("bytecode hook", self._quietly, hook.on_code, code, new_code)

        registered = seams.register_bytecode_hook(on_code, first=True)
        if registered is not None:
            self._undo.callback(registered.remove)

        undo_formatter = seams.patch_graph_formatter(
            lambda name, gm: self._guard("graph formatter", self._quietly, recorder.on_formatted, name, gm)
        )
        if undo_formatter is not None:
            self._undo.callback(undo_formatter)
        self._patch_recompile()
        self._patch_inductor_cache()

    def _install_globals(self, folder: DumpFolder) -> None:
        data = global_variables.data
        before = {key: data.get(key) for key in ("dump_src_dir", "log_bytecode", "is_inside_prepare_debug")}
        data.update(dump_src_dir=str(folder.path), log_bytecode=self.log_bytecode, is_inside_prepare_debug=True)
        # debug() comes after the block and needs the folder: it stays, as it did in depyf 0.20.
        before["dump_src_dir"] = str(folder.path)
        self._undo.callback(data.update, before)

    def _patch_recompile(self) -> None:
        """Sees every graph module that FX compiles, to point the ones that run as Python at their dumped file."""
        original = torch.fx.GraphModule.recompile
        session = self

        @functools.wraps(original)
        def recompile(gm: torch.fx.GraphModule) -> Any:
            result = original(gm)
            if session.is_active:
                session._guard("graph recompile", session._quietly, session._on_recompile, gm)
            return result

        self._patch(torch.fx.GraphModule, "recompile", recompile)

    def _patch_inductor_cache(self) -> None:
        cache = seams.inductor_module_cache()
        if cache is None:
            return
        global_variables.data["unpatched_load_by_key_path"] = cache.load_by_key_path
        self._patch(cache, "load_by_key_path", enable_debugging.patched_load_by_key_path)

    def _patch(self, owner: Any, name: str, value: Any) -> None:
        original = vars(owner)[name]
        setattr(owner, name, value)
        self._undo.callback(setattr, owner, name, original)

    # ---- what the hooks do

    @property
    def is_active(self) -> bool:
        """Whether this session's block is still open."""
        return self in _active

    def _guard(self, what: str, action: Callable[..., _T], *args: Any) -> _T | None:
        """Runs a hook: never re-entered, never raising (KeyboardInterrupt and SystemExit pass)."""
        if getattr(self._local, "busy", False):
            return None
        self._local.busy = True
        try:
            return action(*args)
        except Exception as error:
            self._tell(what, error)
            return None
        finally:
            self._local.busy = False

    def _quietly(self, action: Callable[..., _T], *args: Any) -> _T:
        with seams.dynamo_disabled():
            return action(*args)

    def _tell(self, what: str, error: Exception) -> None:
        self.record.problems.append(Problem(what, f"{type(error).__name__}: {error}"))
        if what not in self._told:
            self._told.add(what)
            log.warning("depyf: %s failed (the program goes on): %s: %s", what, type(error).__name__, error)
            log.debug("depyf: details", exc_info=error)

    def _on_recompile(self, gm: torch.fx.GraphModule) -> None:
        """aot_eager and its like give the AOT graphs a boxed `forward` and run it: the file must show that one."""
        compile_id = seams.compile_id()  # None while AOTAutograd compiles a forward graph: then the latest alike is it
        function = vars(type(gm)).get("forward")
        if self.recorder is None or not seams.is_boxed(gm.graph):
            return
        if not isinstance(function, FunctionType) or seams.is_lazy_forward(function):
            return
        for graph in reversed(self.record.graphs):
            if graph.kind not in ("Forward_graph", "Backward_graph") or graph.runs:
                continue
            if compile_id in (None, graph.compile_id) and graphtext.same_nodes(graph.nodes, gm.graph):
                text = gm.print_readable(print_output=False, include_stride=True, include_device=True)
                content = self.recorder.rewrite_graph(graph, text)
                graph.runs = graphtext.point_at_file(function, content, graph.path)
                return

    # ---- leaving

    def _finish(self, folder: DumpFolder) -> None:
        written: dict[str, str] = {}
        for key, entry in full_code.roots(self.record):
            self._local.busy = False  # one function's failure must not hide the others'
            self._guard(f"full code of {entry.name}", self._write_full_code, folder, key, entry.name, written)
        markdown, data = index.write(folder.path, self.record, written)
        folder.replace(folder.path / "index.json", data)
        folder.replace(folder.path / "index.md", markdown)

    def _write_full_code(self, folder: DumpFolder, key: str, name: str, written: dict[str, str]) -> None:
        content = full_code.FullCode(self.record, key).render()
        reason = graphtext.compiles(content)
        if reason is not None:
            self.record.problems.append(Problem(f"full code of {name}", reason))
            content = graphtext.graph_file([f"Full code of {name}."], content)
        written[key] = folder.write_numbered(f"full_code_for_{safe_name(name)}_%s.py", content).name

    def _report_notes(self, hook: BytecodeHook) -> None:
        for note in hook.notes:
            self.record.problems.append(Problem("log_bytecode", note))
        if hook.notes:
            log.warning("depyf: %s", hook.notes[0])


def prepare_debug(
    dump_src_dir: str | os.PathLike[str],
    clean_wild_fx_code: bool = True,
    log_bytecode: bool = False,
    *,
    hijack: str = "lines",
) -> Session:
    """Dumps, for the length of a `with` block, what torch.compile does, into `dump_src_dir`.

    `hijack="lines"` points the running code's lines at the dumped files, so that debuggers step through them;
    `"recompile"` runs the recompiled text where it is proved equal; `"none"` changes nothing. `log_bytecode` adds the
    code objects themselves (needs dill). `clean_wild_fx_code` is accepted for compatibility: no stray files are made.
    """
    return Session(dump_src_dir, hijack, log_bytecode)


def debug() -> Debug:
    """Pauses in the caller's frame, with recompilation off, to step through what `prepare_debug` dumped."""
    if _active:
        raise RuntimeError("depyf.debug cannot be used inside depyf.prepare_debug: leave that block first")
    return Debug(_last_folder[0] if _last_folder else None)


def current_session() -> Session | None:
    """The open session, if there is one."""
    return _active[0] if _active else None
