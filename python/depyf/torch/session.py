# SPDX-License-Identifier: MIT
"""`prepare_debug`: observes torch.compile in a block, and writes a dump.

Invariant: no error of depyf reaches the program. All hooks run under `_isolated`, without re-entry; errors are recorded
and logged once. Dynamo is off while they run. Every patch is undone on exit, whatever happens inside. KeyboardInterrupt
is passed on.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, TracebackType
from typing import Any, TypeVar

import torch

from depyf.torch.blocks import Block
from depyf.torch.capture import caches, frame_status, legacy_state, open_sessions, snapshot, stored_values, trace_decode
from depyf.torch.capture.bytecode import BytecodeHook
from depyf.torch.capture.canaries import Canaries
from depyf.torch.capture.events import Events, frame_of_recompile
from depyf.torch.capture.hooks import Hooks
from depyf.torch.capture.recorder import Recorder
from depyf.torch.capture.skipped_frames import SkippedFrames
from depyf.torch.capture.trace_decode import Event, GuardTree, Interned, Measured, Span
from depyf.torch.debug.stepping import Debug
from depyf.torch.explain import dispatch
from depyf.torch.guards import annotate, checks, render
from depyf.torch.internals import cache_entries, conversions, dynamo, fx, guard_state, modules, names, provenance
from depyf.torch.model import Run
from depyf.torch.model.compile_ids import autograd_pass
from depyf.torch.model.enums import Execution
from depyf.torch.model.record import Problem, RecompileReason, Record
from depyf.torch.replay import known_guards
from depyf.torch.write import full_code, graph_file, index_data, ownership, ranks
from depyf.torch.write.folder import DumpFolder, safe_name
from depyf.torch.write.payloads import Payloads
from depyf.torch.write.report import report_html
from depyf.torch.write.schedule import RunningIndex

log = logging.getLogger("depyf")
_T = TypeVar("_T")
_state = threading.Lock()
_active: list[Session] = []  # the open sessions, as in `open_sessions.active`
_MOST_ASKED = 16  # the number of entries whose guards are evaluated for a recompile
_last_folder: list[Path] = []  # the folder of the latest session, for debug()


class Session(Block):
    """A `prepare_debug` block. Its facts can be read after the block; if it is entered again, it starts from scratch.

    Attributes:
        run: The facts, as in `index.json`; None before the index is first written.
        folder: The folder of the dump; its path is `folder.path`. None if it could not be created.

    Examples:
        >>> import depyf, torch
        >>> with depyf.prepare_debug("dump") as session:
        ...     result = torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2))
        >>> [entry.compile_id for entry in session.run.entries]
        ['0/0']

    """

    def __init__(
        self,
        dump_src_dir: str | os.PathLike[str],
        execution: Execution | str,
        log_bytecode: bool,
        when_used: bool = False,
        ranks_in: str | os.PathLike[str] | None = None,
        report: bool = True,
        provenance: bool = False,
    ) -> None:
        """Prepares a session; see `prepare_debug` for most arguments.

        Args:
            dump_src_dir: The folder for the dump.
            execution: The code that runs.
            log_bytecode: Whether to dump code objects.
            when_used: Whether to create the folder only when there is something to write.
            ranks_in: The folder in which the dumps of ranks are compared, if it is not `dump_src_dir`.
            report: Whether to write `report.html`.
            provenance: Whether to ask Inductor which lines its kernels come from.

        """
        if isinstance(execution, str) and execution not in (names := [option.value for option in Execution]):
            raise ValueError(f"execution must be one of {', '.join(names)}, not {execution!r}")
        self.dump_src_dir = os.fsdecode(dump_src_dir)
        if "\0" in self.dump_src_dir:
            raise ValueError(f"dump_src_dir: wanted a path, found {self.dump_src_dir!r}")
        self.execution = Execution(execution)
        self.log_bytecode = log_bytecode
        self.when_used = when_used
        self.report = report
        self.provenance = provenance
        self._undo_provenance: Callable[[], None] | None = None
        self._given_ranks_in = ranks_in
        self._ranks_in = Path(os.path.abspath(self.dump_src_dir if ranks_in is None else ranks_in))
        self._in_child = False
        self.record = Record()
        self.run: Run | None = None  # the facts, as in index.json when it was last written
        self.folder: DumpFolder | None = None
        self.recorder: Recorder | None = None
        self._events: Events | None = None
        self._canaries = Canaries()
        self._skipped = SkippedFrames()
        self._hook: BytecodeHook | None = None
        self._running_index: RunningIndex | None = None
        self._local = threading.local()
        self._warned: set[str] = set()

    def _recreate_cm(self) -> Session:
        """Creates a session for a call of a decorated function, which may be recursive or run in several threads."""
        return Session(
            self.dump_src_dir, self.execution, self.log_bytecode, self.when_used, self._given_ranks_in, self.report,
            self.provenance,
        )  # fmt: skip

    def __enter__(self) -> Session:
        if self in _active:
            raise RuntimeError("this depyf.prepare_debug block is already open: call prepare_debug once for each block")
        self.record, self.run, self._canaries = Record(), None, Canaries()  # the session may be entered again
        try:
            if self.when_used:
                folder = DumpFolder(self.dump_src_dir, when_used=ownership.hold)
            else:
                folder = DumpFolder(ownership.claim(self.dump_src_dir))
        except OSError as error:
            self.on_problem("dump folder", error)
            return self
        self._open(folder)
        _warn_if_unsupported()
        with _state:
            _active.append(self)
            try:
                if len(_active) == 1:
                    _hooks.install()
            except BaseException:
                _active.remove(self)
                raise
            _update_legacy_state()
        if self.provenance:
            self._undo_provenance = self._isolated("provenance", provenance.track)
        atexit.register(self.__exit__, None, None, None)  # code that calls __enter__ itself may never call __exit__
        return self

    def __repr__(self) -> str:
        state = "open" if self in _active else "ended" if self.folder is not None else "not entered"
        return repr(self.run) if self.run is not None else f"<depyf.Session of {self.dump_src_dir}, {state}>"

    def _open(self, folder: DumpFolder) -> None:
        self.folder = folder
        self._running_index = RunningIndex(self._write_running_index)
        self.recorder = Recorder(folder, self.record)
        self._skipped = SkippedFrames()
        self._events = Events(self.record, self._ask_guards, lambda: ownership.last_answers(folder.path))
        self._hook = BytecodeHook(folder, self.record, self.execution, self.log_bytecode)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with _state:
            if self not in _active:
                return
        try:
            self._leave()
        finally:
            self._finish()

    def _leave(self) -> None:
        atexit.unregister(self.__exit__)
        if self._undo_provenance is not None:
            self._isolated("provenance", self._undo_provenance)
        with _state:
            _active.remove(self)
            if not _active:
                _hooks.remove()
            _update_legacy_state()

    @property
    def unseen(self) -> list[Problem]:
        """Facts that are missing because torch did not report them, as problems."""
        return self._canaries.unseen(self.record.entries)

    def move_to_child(self) -> None:
        """Continues the session in the child process of a fork, with a new record in a folder of its own."""
        if self.folder is None:
            return
        self._local = threading.local()
        self.record = Record()
        self._canaries = Canaries()
        self._open(DumpFolder(self.folder.path / f"process_{os.getpid()}", when_used=ownership.hold))
        self._in_child = True

    # ---- callbacks of hooks

    def on_trace(self, metadata: dict[str, Any], payload: str | None) -> None:
        """Handles a record of the structured trace."""
        self._canaries.on_trace(trace_decode.name_of(metadata))
        recorder, reasons = self.recorder, self._events
        if recorder is None or reasons is None:
            return
        event = self._isolated("structured trace", recorder.decoded, metadata, payload)
        if event is None:
            return
        if isinstance(event, Measured):
            event = event.ended_by(conversions.interruption())
            self._isolated("status of frames", self._note_compilation, event)
        self._isolated("structured trace", recorder.on_event, event)
        if isinstance(event, Span):
            self.on_span(event)
        elif not isinstance(event, Interned):
            self._isolated("reasons", reasons.on_event, self._compile_id_of(event), event)
        if isinstance(event, GuardTree):
            self._isolated("details of guards", self._without_dynamo, self._on_guards, self._compile_id_of(event))
        if isinstance(event, Measured):
            self._isolated("what runs", recorder.complete_graph_files, False)
            self._changed()

    def _changed(self) -> None:
        """Schedules a new index after a compilation, so that the index is up to date even if the process is killed."""
        if self._running_index is not None:
            self._running_index.changed()

    def on_conversion(self, code: CodeType, region: int, answer: conversions.Conversion) -> None:
        """Handles a result of Dynamo's frame callback."""
        self._isolated("status of frames", frame_status.note_conversion, code, region, answer)
        self._isolated("status of frames", self._skipped.on_conversion, code, answer)

    def _note_compilation(self, event: Measured) -> None:
        code = frame_status.note_compilation(event)
        if event.failure is not None and self.record.entry(self._compile_id_of(event)) is not None:
            self._canaries.on_failed_code()
        if code is not None and self._hook is not None:
            self.record.keys[self._compile_id_of(event)] = self._hook.key_of(code)  # also for frames without an entry

    def _compile_id_of(self, event: Event) -> str:
        return self.recorder.compile_id_of(event) if self.recorder is not None else self.record.ids.name(event.torch_id)

    def on_span(self, span: Span) -> None:
        """Handles the beginning or the end of a phase of a compilation."""
        self._canaries.on_span()
        if self._events is not None:
            ahead = self.recorder.aot_compile_id if self.recorder is not None else ""
            self._isolated("time", self._events.on_span, span, ahead)

    def on_unknown(self, name: str) -> None:
        """Handles a record of the structured trace with an unknown name."""
        self._canaries.on_unknown(name)

    def on_cuda_graph_given_up(self, torch_id: str, reason: str, is_backward: bool) -> None:
        """Handles that a compiled graph runs without a CUDA graph from now on."""
        if self._events is not None:
            self._isolated("CUDA graphs", self._events.on_cuda_graph_given_up, torch_id, reason, is_backward)

    def on_code(self, code: CodeType, new_code: CodeType) -> CodeType | None:
        """Writes a transformed frame; returns the code with the line numbers of the file, or None if not changed."""
        if self._hook is None:
            return None
        if self._in_child and "multiprocessing.util" in sys.modules:
            # Children of multiprocessing exit with os._exit: only finalizers of multiprocessing run, and only those
            # registered since the fork.
            self._in_child = False
            sys.modules["multiprocessing.util"].Finalize(None, self._finish, exitpriority=0)
        return self._isolated("bytecode hook", self._without_dynamo, self._show_code, self._hook, code, new_code)

    def on_formatted(self, name: str, gm: torch.fx.GraphModule) -> None:
        """Writes a graph that was only passed to torch's formatter."""
        if self.recorder is not None:
            self._isolated("graph formatter", self._without_dynamo, self.recorder.on_formatted, name, gm)

    def on_recompile(self, gm: torch.fx.GraphModule) -> None:
        """Gives the code of a graph module that runs as Python the line numbers of its file."""
        self._isolated("graph recompile", self._without_dynamo, self._show_boxed, gm)

    def on_exported(self, program: torch.export.ExportedProgram) -> None:
        """Writes a program created by torch.export."""
        if self.recorder is not None:
            self._isolated("torch.export", self._without_dynamo, self.recorder.on_exported, program)
            self._changed()

    @contextlib.contextmanager
    def ahead_of_time(self, prefix: str) -> Iterator[None]:
        """Attributes what is traced in the block to one function that is compiled ahead of time, or exported."""
        recorder, reasons = self.recorder, self._events
        if recorder is None or reasons is None:
            yield
            return
        with recorder.ahead_of_time(prefix):
            try:
                yield
            except Exception as error:
                self._isolated("reasons", reasons.on_failure_ahead_of_time, recorder.aot_compile_id, error)
                self._changed()
                raise

    def on_ahead_of_time(self, compiled: Any) -> None:
        """Writes a function that was compiled ahead of time."""
        self._isolated("code compiled ahead of time", self._without_dynamo, self._show_ahead_of_time, compiled)
        self._changed()

    def _show_ahead_of_time(self, compiled: Any) -> None:
        parts = cache_entries.aot_parts(compiled)
        if parts is not None and self.recorder is not None and self._hook is not None:
            code, function, guard_text = parts
            entry = self._hook.on_function(code, function, self.recorder.aot_compile_id or "loaded")
            self.recorder.add_guards(entry, guard_text, function.__globals__)
            if self.recorder.aot_compile_id:  # it is being compiled (not loaded), so its guard is on the current modes
                annotate.name_function_modes(entry.guards, guard_state.function_modes())

    def _isolated(self, what: str, action: Callable[..., _T], *args: Any) -> _T | None:
        """Runs the action of a hook without re-entry and without errors; KeyboardInterrupt and SystemExit pass."""
        if getattr(self._local, "busy", False):
            return None
        self._local.busy = True
        try:
            return self._part(what, action, *args)
        finally:
            self._local.busy = False

    def _part(self, what: str, action: Callable[..., _T], *args: Any) -> _T | None:
        """Runs a part of an action; if it fails, the other parts still run."""
        try:
            return action(*args)
        except Exception as error:
            self.on_problem(what, error)
            return None

    def _without_dynamo(self, action: Callable[..., _T], *args: Any) -> _T:
        with dynamo.dynamo_disabled():
            return action(*args)

    def on_problem(self, what: str, error: Exception) -> None:
        """Records a failure of depyf for the index, and logs a warning, once for each kind."""
        self.record.problems.append(Problem(what, f"{type(error).__name__}: {error}"))
        if what not in self._warned:
            self._warned.add(what)
            log.warning("depyf: %s failed (the program goes on): %s: %s", what, type(error).__name__, error)
            log.debug("depyf: details", exc_info=error)

    def _show_code(self, hook: BytecodeHook, code: CodeType, new_code: CodeType) -> CodeType | None:
        """Writes a transformed frame, and records the values that its entry reads."""
        self._canaries.on_code(dynamo.converts_frame())
        count = len(self.record.entries)
        self.record.program = stored_values.program()
        result = hook.on_code(code, new_code)
        scope, local = dynamo.frame_globals() or {}, dynamo.frame_locals()
        function = caches.function_of_frame(code, scope, local)
        for entry in self.record.entries[count:]:
            snapshot.globals_read(entry, new_code, scope)
            if function is not None:
                snapshot.of_function(entry, function)
            snapshot.of_frame(entry, scope, local)
        return result

    def _on_guards(self, compile_id: str) -> None:
        """Adds facts about the guards of an entry that are only available while its frame is being converted."""
        entry, scope = self.record.entry(compile_id), dynamo.frame_globals()
        if entry is not None and scope is not None:
            annotate.find_public_names(entry.guards, scope, dynamo.frame_locals())
            annotate.name_function_modes(entry.guards, guard_state.function_modes())
            annotate.note_global_state(entry.guards, guard_state.global_state())
            snapshot.of_globals(entry, scope)

    def _ask_guards(self) -> list[RecompileReason]:
        """Returns the failing guards of the existing entries, for the call for which Dynamo is recompiling a frame.

        For the sake of time these are the entries that torch tries first, more than its default recompile limit; for
        the others there are torch's own reasons.
        """
        with dynamo.dynamo_disabled():
            code = dynamo.frame_code()
            if code is None:
                return []
            local, scope = frame_of_recompile()
            entries = caches.entries_of_region(self.record, code, scope, conversions.current_region())
            return [reason for entry in entries[:_MOST_ASKED] for reason in dispatch.reasons_of(entry, local, scope)]

    def _show_boxed(self, gm: torch.fx.GraphModule) -> None:
        """Writes a graph of AOTAutograd again if its `forward` is boxed, as in aot_eager, because this version runs."""
        torch_id = dynamo.compile_id()  # None while AOTAutograd compiles a forward graph: use the latest equal graph
        compile_id = self.record.ids.name(torch_id) if torch_id is not None else None
        function = vars(type(gm)).get("forward")
        if self.recorder is None or not fx.is_boxed(gm.graph):
            return
        if not isinstance(function, FunctionType) or fx.is_lazy_forward(function):
            return
        for graph in reversed(self.record.graphs):
            if graph.kind not in ("Forward_graph", "Backward_graph") or graph.runs:
                continue
            ids = (None, graph.compile_id, autograd_pass(graph.compile_id))  # a backward pass starts outside of frames
            if compile_id in ids and graph_file.same_nodes(graph.text, gm.graph):
                text = gm.print_readable(print_output=False, include_stride=True, include_device=True)
                content = self.recorder.rewrite_graph(graph, text)
                graph.runs = graph_file.point_at_file(function, content, graph.path)
                return

    # ---- exit

    def _finish(self) -> None:
        folder, hook = self.folder, self._hook
        if self._running_index is not None:
            self._running_index.close()
        if folder is None or hook is None or folder.is_unused:
            return
        self._report_notes(hook)
        if self.recorder is not None:
            self._isolated("wrappers of AOTAutograd", self.recorder.complete)
            self._isolated("what runs", self.recorder.complete_graph_files, True)
        self._isolated("full code and index", self._write_summary, folder)
        self._isolated("index of all ranks", ranks.merge, self._ranks_in)

    def _write_running_index(self) -> None:
        if self.folder is not None and not self.folder.is_unused:
            if self.recorder is not None:
                self._isolated("cached graphs", self.recorder.mark_cached)
            self._isolated("index", self._without_dynamo, self._write_index, self.folder, {}, False)

    def _write_index(self, folder: DumpFolder, written: dict[str, str], complete: bool, run: Run | None = None) -> None:
        run = run or index_data.as_run(self.record, written)
        self.run = ownership.write_index(folder, run, lambda run: index_data.as_markdown(self.record, run), complete)

    def _write_summary(self, folder: DumpFolder) -> None:
        """Writes the files that need the facts of the whole block; if one fails, the others are still written."""
        written: dict[str, str] = {}
        self._part("default arguments", caches.note_defaults, self.record.entries)
        if self._hook is not None:
            for code in self._skipped.codes():
                self._hook.key_of(code)
            self._part("status of frames", caches.note_statuses, self.record, self._hook.known_codes())
        self._part("entries that torch let go", caches.note_dropped, self.record.entries)
        self._part("order of entries", caches.note_order, self.record)
        for key, entry in full_code.roots(self.record):
            self._part(f"full code of {entry.name}", self._write_full_code, folder, key, entry.name, written)
        self._part("private names of torch", cache_entries.check_names)
        self._part("private names of torch's modules", modules.check_names)
        noticed = self._canaries.problems(self.record.entries) + render.not_evaluated(self.record.entries)
        self.record.problems += [p for p in noticed if p not in self.record.problems]
        self._part("payloads", self._write_payloads, folder)
        run = self._part("report.html", self._write_report, folder, written) if self.report else None
        self._write_index(folder, written, complete=True, run=run)  # without a run, there is one more problem to list

    def _write_payloads(self, folder: DumpFolder) -> None:
        payloads = Payloads.of(self.record)
        if not payloads.is_empty:
            folder.replace(folder.path / ownership.PAYLOADS, payloads.as_json())

    def _write_report(self, folder: DumpFolder, written: dict[str, str]) -> Run:
        """Writes the page, and returns the facts in it."""
        run = index_data.as_run(self.record, written)
        folder.replace(folder.path / ownership.REPORT, report_html(folder.path, run.as_data()))
        return run

    def _write_full_code(self, folder: DumpFolder, key: str, name: str, written: dict[str, str]) -> None:
        file = full_code.FullCode(self.record, key)
        content, reason = file.content()
        if reason:
            self.record.problems.append(Problem(f"full code of {name}", reason))
        path = folder.write_numbered(f"full_code_for_{safe_name(name)}_%s.py", content)
        checks.note_identities(str(path), file.identities)
        known_guards.forget(str(path))  # they will be in index.json
        written[key] = path.name

    def _report_notes(self, hook: BytecodeHook) -> None:
        for note in hook.notes:
            self.record.problems.append(Problem("log_bytecode", note))
        if hook.notes:
            log.warning("depyf: %s", hook.notes[0])


@functools.cache  # once per process
def _warn_if_unsupported() -> None:
    if message := names.unsupported():
        log.warning(message)


_hooks = Hooks(lambda: tuple(_active))
_DATA = ("dump_src_dir", "log_bytecode", "is_inside_prepare_debug")
_outside_any_session: dict[str, Any] = {}


def _update_legacy_state() -> None:
    """Updates the list of open sessions, and the global variables of depyf 0.20 for the innermost one."""
    open_sessions.active[:] = _active
    data = legacy_state.data
    if not _active:
        # The folder is not reset, as in depyf 0.20, because debug() needs it after the block.
        data.update({key: value for key, value in _outside_any_session.items() if key != "dump_src_dir"})
        _outside_any_session.clear()
        return
    if not _outside_any_session:
        _outside_any_session.update({key: data.get(key) for key in _DATA})
    session = _active[-1]
    open_sessions.latest[:] = [session]
    folder = session.folder.path if session.folder is not None else Path(session.dump_src_dir)
    _last_folder[:] = [folder]
    data.update(dynamo.unpatched())
    data.update(dump_src_dir=str(folder), log_bytecode=session.log_bytecode, is_inside_prepare_debug=True)


def _after_fork() -> None:
    global _state
    _state = threading.Lock()  # another thread of the parent may have held it
    for session in tuple(_active):
        session.move_to_child()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_after_fork)


def prepare_debug(
    dump_src_dir: str | os.PathLike[str],
    clean_wild_fx_code: bool = True,
    log_bytecode: bool = False,
    *,
    execution: Execution | str = Execution.LINE_MAPPED,
    report: bool = True,
    provenance: bool = False,
) -> Session:
    """Dump what torch.compile does in a `with` block, or in each call of a decorated function.

    In coroutine functions and generator functions, the block lasts from the beginning to the end of the body.

    Files from an earlier run are replaced, unless they were edited. If another running process has used the folder, in
    a block that may have ended, the files are in the subfolder `rank_N/` or `process_PID/`. Errors of depyf do not
    reach the program: they are recorded in the index, and a warning is logged.

    Args:
        dump_src_dir: The folder for the files.
        clean_wild_fx_code: Accepted for compatibility with depyf 0.20. It has no effect, because no stray files are
            created.
        log_bytecode: Whether to also dump the code objects (requires dill).
        execution: The code that runs. `"line-mapped"` is Dynamo's bytecode with the line numbers of the dumped files,
            so that debuggers can step through them; `"recompiled"` is the decompiled text where it is exact or proved;
            `"original"` is Dynamo's unchanged bytecode.
        report: Whether to write `report.html`, a page that shows the dump next to the source of the program.
        provenance: Whether to ask Inductor which lines and nodes each kernel computes. This is part of the key of
            Inductor's cache, so that Inductor compiles again what it has cached without it.

    Returns:
        A context manager that yields the session: `session.run` has the facts, as in `index.json`, and
        `session.folder.path` is the folder.

    Raises:
        ValueError: `execution` is not one of the three values, or the folder's name contains a null character.

    Examples:
        >>> import depyf, torch
        >>> with depyf.prepare_debug("dump") as session:
        ...     result = torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2))
        >>> print(session)
        frame     status    entries  guards  graphs
        <lambda>  compiled  0/0      ...      1
        0 graph breaks, 0 recompiles, 0 failures

    """
    return Session(dump_src_dir, execution, log_bytecode, report=report, provenance=provenance)


def debug() -> Debug:
    """Pause in the caller's frame with recompilation off, to step through files of the latest `prepare_debug` block.

    Returns:
        A context manager that pauses when the block is entered. Inside the block nothing is compiled: calls that match
        no entry run eagerly. When the block ends, so does the debugger, unless you step out of the block: breakpoints
        are only hit inside, and the rest of the program runs at full speed.

    Raises:
        RuntimeError: It is called inside a `prepare_debug` block.

    Examples:
        >>> import depyf
        >>> block = depyf.debug()  # `with depyf.debug(): ...` pauses at its beginning
        >>> hasattr(block, "__enter__")
        True

    """
    if _active:
        raise RuntimeError("depyf.debug cannot be used inside depyf.prepare_debug: leave that block first")
    return Debug(_last_folder[0] if _last_folder else None)
