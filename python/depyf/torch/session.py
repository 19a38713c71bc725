# SPDX-License-Identifier: MIT
"""`prepare_debug`: watches torch.compile for the length of a block and writes what it did.

Invariant: nothing here raises into the program. Each hook runs under one guard (no re-entry, Dynamo off, errors
recorded and told once); every patch is undone on exit, whatever happened inside; KeyboardInterrupt passes.
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
_active: list[Session] = []  # as in `sessions.active`
_last_folder: list[Path] = []  # of the latest session, for debug()


class Session(contextlib.ContextDecorator):
    """One `prepare_debug` block. `record` stays readable afterwards; entered again, it is a block anew.

    Attributes:
        run: The facts as `index.json` has them, None before it is first written.
        folder: Where the dump lies: `folder.path`.

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
        """`when_used`: the folder is made when there is something to write.

        `ranks_in`: where the ranks' dumps are compared, if that is not `dump_src_dir`. `report`: write `report.html`.
        `provenance`: has Inductor tell which lines its kernels come from.
        """
        if isinstance(execution, str) and execution not in (names := [each.value for each in Execution]):
            raise ValueError(f"execution must be one of {', '.join(names)}, not {execution!r}")
        self.dump_src_dir = os.fspath(dump_src_dir)
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
        self.run: Run | None = None  # the facts, as index.json has them since it was last written
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
        """A function that is decorated may call itself, or run in several threads: each call is a block of its own."""
        return Session(
            self.dump_src_dir, self.execution, self.log_bytecode, self.when_used, self._given_ranks_in, self.report,
            self.provenance,
        )  # fmt: skip

    def __enter__(self) -> Session:
        if self in _active:
            raise RuntimeError("this depyf.prepare_debug block is already open: call prepare_debug once for each block")
        self.record, self.run, self._canaries = Record(), None, Canaries()  # of this block, if it is entered again
        try:
            if self.when_used:
                folder = DumpFolder(self.dump_src_dir, when_used=ownership.hold)
            else:
                folder = DumpFolder(ownership.claim(self.dump_src_dir))
        except OSError as error:
            self.on_problem("dump folder", error)
            return self
        self._open(folder)
        _say_unsupported()
        with _state:
            _active.append(self)
            try:
                if len(_active) == 1:
                    _hooks.install()
            except BaseException:
                _active.remove(self)
                raise
            _show_globals()
        if self.provenance:
            self._undo_provenance = self._isolated("provenance", provenance.track)
        atexit.register(self.__exit__, None, None, None)  # a block that is entered by hand may never be left
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
            _show_globals()

    @property
    def unseen(self) -> list[Problem]:
        """What torch did not tell of what it did: facts of the block are missing."""
        return self._canaries.unseen(self.record.entries)

    def move_to_child(self) -> None:
        """After a fork: the child writes into a folder of its own, about what it does itself."""
        if self.folder is None:
            return
        self._local = threading.local()
        self.record = Record()
        self._canaries = Canaries()
        self._open(DumpFolder(self.folder.path / f"process_{os.getpid()}", when_used=ownership.hold))
        self._in_child = True

    # ---- what the hooks call

    def on_trace(self, metadata: dict[str, Any], payload: str | None) -> None:
        """A record of the structured trace."""
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
            self._isolated("reasons", reasons.on_event, self._named(event), event)
        if isinstance(event, GuardTree):
            self._isolated("details of guards", self._without_dynamo, self._on_guards, self._named(event))
        if isinstance(event, Measured):
            self._isolated("what runs", recorder.tell_what_runs, False)
            self._changed()

    def _changed(self) -> None:
        """A compilation has ended: whatever becomes of the process, the index shall tell of it."""
        if self._running_index is not None:
            self._running_index.changed()

    def on_conversion(self, code: CodeType, region: int, answer: conversions.Conversion) -> None:
        """Dynamo's frame callback answered for a frame."""
        self._isolated("status of frames", frame_status.note_conversion, code, region, answer)
        self._isolated("status of frames", self._skipped.on_conversion, code, answer)

    def _note_compilation(self, event: Measured) -> None:
        code = frame_status.note_compilation(event)
        if event.failure is not None and self.record.entry(self._named(event)) is not None:
            self._canaries.on_failed_code()
        if code is not None and self._hook is not None:
            self.record.keys[self._named(event)] = self._hook.key_of(code)  # also of frames without an entry

    def _named(self, event: Event) -> str:
        return self.recorder.named(event) if self.recorder is not None else self.record.ids.name(event.given)

    def on_span(self, span: Span) -> None:
        """The beginning or the end of a phase of a compilation."""
        self._canaries.on_span()
        if self._events is not None:
            ahead = self.recorder.aot_compile_id if self.recorder is not None else ""
            self._isolated("time", self._events.on_span, span, ahead)

    def on_unknown(self, name: str) -> None:
        """The structured trace tells of something under a name that depyf does not know."""
        self._canaries.on_unknown(name)

    def on_cuda_graph_given_up(self, given: str, reason: str, is_backward: bool) -> None:
        """A compiled graph runs without a CUDA graph from now on."""
        if self._events is not None:
            self._isolated("CUDA graphs", self._events.on_cuda_graph_given_up, given, reason, is_backward)

    def on_code(self, code: CodeType, new_code: CodeType) -> CodeType | None:
        """Writes a transformed frame; the same code with lines that point at the file, or None."""
        if self._hook is None:
            return None
        if self._in_child and "multiprocessing.util" in sys.modules:
            # Its children leave through os._exit: only its own finalizers run, and those registered since the fork.
            self._in_child = False
            sys.modules["multiprocessing.util"].Finalize(None, self._finish, exitpriority=0)
        return self._isolated("bytecode hook", self._without_dynamo, self._show_code, self._hook, code, new_code)

    def on_formatted(self, name: str, gm: torch.fx.GraphModule) -> None:
        """Writes a graph that only torch's formatter saw."""
        if self.recorder is not None:
            self._isolated("graph formatter", self._without_dynamo, self.recorder.on_formatted, name, gm)

    def on_recompile(self, gm: torch.fx.GraphModule) -> None:
        """Points a graph module that runs as Python at its file."""
        self._isolated("graph recompile", self._without_dynamo, self._show_boxed, gm)

    def on_exported(self, program: torch.export.ExportedProgram) -> None:
        """Writes a program that torch.export made."""
        if self.recorder is not None:
            self._isolated("torch.export", self._without_dynamo, self.recorder.on_exported, program)
            self._changed()

    @contextlib.contextmanager
    def ahead_of_time(self, how: str) -> Iterator[None]:
        """What is traced in the block belongs to one function compiled ahead of time, or exported."""
        recorder, reasons = self.recorder, self._events
        if recorder is None or reasons is None:
            yield
            return
        with recorder.ahead_of_time(how):
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
            if self.recorder.aot_compile_id:  # it is being compiled, under the modes that its guard asks for
                annotate.name_function_modes(entry.guards, guard_state.function_modes())

    def _isolated(self, what: str, action: Callable[..., _T], *args: Any) -> _T | None:
        """Runs a hook: never re-entered, never raising (KeyboardInterrupt and SystemExit pass)."""
        if getattr(self._local, "busy", False):
            return None
        self._local.busy = True
        try:
            return self._part(what, action, *args)
        finally:
            self._local.busy = False

    def _part(self, what: str, action: Callable[..., _T], *args: Any) -> _T | None:
        """Runs a part of what `_isolated` runs: its failure hides none of the other parts."""
        try:
            return action(*args)
        except Exception as error:
            self.on_problem(what, error)
            return None

    def _without_dynamo(self, action: Callable[..., _T], *args: Any) -> _T:
        with dynamo.dynamo_disabled():
            return action(*args)

    def on_problem(self, what: str, error: Exception) -> None:
        """Something of depyf's failed: the index tells it, and a warning, once of each kind."""
        self.record.problems.append(Problem(what, f"{type(error).__name__}: {error}"))
        if what not in self._warned:
            self._warned.add(what)
            log.warning("depyf: %s failed (the program goes on): %s: %s", what, type(error).__name__, error)
            log.debug("depyf: details", exc_info=error)

    def _show_code(self, hook: BytecodeHook, code: CodeType, new_code: CodeType) -> CodeType | None:
        self._canaries.on_code(dynamo.converts_frame())
        known = len(self.record.entries)
        self.record.program = stored_values.program()
        result = hook.on_code(code, new_code)
        scope, local = dynamo.frame_globals() or {}, dynamo.frame_locals()
        function = caches.function_of_frame(code, scope, local)
        for entry in self.record.entries[known:]:
            snapshot.globals_read(entry, new_code, scope)
            if function is not None:
                snapshot.of_function(entry, function)
            snapshot.of_frame(entry, scope, local)
        return result

    def _on_guards(self, compile_id: str) -> None:
        """What the program alone knows of an entry's guards, read while its frame is at hand."""
        entry, scope = self.record.entry(compile_id), dynamo.frame_globals()
        if entry is not None and scope is not None:
            annotate.find_public_names(entry.guards, scope, dynamo.frame_locals())
            annotate.name_function_modes(entry.guards, guard_state.function_modes())
            annotate.note_global_state(entry.guards, guard_state.global_state())
            snapshot.of_globals(entry, scope)

    def _ask_guards(self) -> list[RecompileReason]:
        """Why the known entries of the frame that Dynamo compiles anew do not take this call."""
        with dynamo.dynamo_disabled():
            code = dynamo.frame_code()
            if code is None:
                return []
            local, scope = frame_of_recompile()
            held = caches.held(self.record, code, scope, conversions.current_region())
            return [reason for entry in held for reason in dispatch.reasons_of(entry, local, scope)]

    def _show_boxed(self, gm: torch.fx.GraphModule) -> None:
        """aot_eager and its like give the AOT graphs a boxed `forward` and run it: the file must show that one."""
        given = dynamo.compile_id()  # None while AOTAutograd compiles a forward graph: then the latest alike is it
        compile_id = self.record.ids.name(given) if given is not None else None
        function = vars(type(gm)).get("forward")
        if self.recorder is None or not fx.is_boxed(gm.graph):
            return
        if not isinstance(function, FunctionType) or fx.is_lazy_forward(function):
            return
        for graph in reversed(self.record.graphs):
            if graph.kind not in ("Forward_graph", "Backward_graph") or graph.runs:
                continue
            ids = (None, graph.compile_id, autograd_pass(graph.compile_id))  # that pass is begun outside any frame
            if compile_id in ids and graph_file.same_nodes(graph.text, gm.graph):
                text = gm.print_readable(print_output=False, include_stride=True, include_device=True)
                content = self.recorder.rewrite_graph(graph, text)
                graph.runs = graph_file.point_at_file(function, content, graph.path)
                return

    # ---- leaving

    def _finish(self) -> None:
        folder, hook = self.folder, self._hook
        if self._running_index is not None:
            self._running_index.close()
        if folder is None or hook is None or folder.is_unused:
            return
        self._report_notes(hook)
        if self.recorder is not None:
            self._isolated("wrappers of AOTAutograd", self.recorder.complete)
            self._isolated("what runs", self.recorder.tell_what_runs, True)
        self._isolated("full code and index", self._write_summary, folder)
        self._isolated("index of all ranks", ranks.merge, self._ranks_in)

    def _write_running_index(self) -> None:
        if self.folder is not None and not self.folder.is_unused:
            if self.recorder is not None:
                self._isolated("cached graphs", self.recorder.mark_cached)
            self._isolated("index", self._without_dynamo, self._write_index, self.folder, {}, False)

    def _write_index(self, folder: DumpFolder, written: dict[str, str], complete: bool) -> None:
        run = index_data.as_run(self.record, written)
        self.run = ownership.write_index(folder, run, lambda run: index_data.as_markdown(self.record, run), complete)

    def _write_summary(self, folder: DumpFolder) -> None:
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
        if self.report:
            self._part("report.html", self._write_report, folder, written)
        self._write_index(folder, written, complete=True)

    def _write_payloads(self, folder: DumpFolder) -> None:
        payloads = Payloads.of(self.record)
        if not payloads.is_empty:
            folder.replace(folder.path / ownership.PAYLOADS, payloads.as_json())

    def _write_report(self, folder: DumpFolder, written: dict[str, str]) -> None:
        run = index_data.as_run(self.record, written)
        folder.replace(folder.path / ownership.REPORT, report_html(folder.path, run.as_data()))

    def _write_full_code(self, folder: DumpFolder, key: str, name: str, written: dict[str, str]) -> None:
        file = full_code.FullCode(self.record, key)
        content, reason = file.content()
        if reason:
            self.record.problems.append(Problem(f"full code of {name}", reason))
        path = folder.write_numbered(f"full_code_for_{safe_name(name)}_%s.py", content)
        checks.note_identities(str(path), file.identities)
        known_guards.forget(str(path))  # index.json will list them
        written[key] = path.name

    def _report_notes(self, hook: BytecodeHook) -> None:
        for note in hook.notes:
            self.record.problems.append(Problem("log_bytecode", note))
        if hook.notes:
            log.warning("depyf: %s", hook.notes[0])


@functools.cache  # once in a process
def _say_unsupported() -> None:
    if said := names.unsupported():
        log.warning(said)


_hooks = Hooks(lambda: tuple(_active))
_DATA = ("dump_src_dir", "log_bytecode", "is_inside_prepare_debug")
_outside_any_session: dict[str, Any] = {}


def _show_globals() -> None:
    """depyf 0.20's table of globals tells of the innermost session."""
    open_sessions.active[:] = _active
    data = legacy_state.data
    if not _active:
        # debug() comes after the block and needs the folder: that stays, as it did in depyf 0.20.
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
    _state = threading.Lock()  # another thread may have held it
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
    """Dumps, for the length of a `with` block, what torch.compile does, into `dump_src_dir`.

    `with prepare_debug(folder) as session` gives the session: `session.run` holds the facts, as `index.json` does,
    `session.folder.path` is where it lies.
    Files of the last run that nobody has edited are replaced; where another live process has the folder, files lie in
    `rank_N/` or `process_PID/` below it.

    `execution` says what runs: `"line-mapped"`, Dynamo's bytecode with lines of the dumped files, so that debuggers
    step through them; `"recompiled"`, the decompiled text where it is proved equal; `"original"`, Dynamo's bytecode
    untouched. `log_bytecode` adds the code objects themselves (needs dill). `report=False` leaves out `report.html`,
    the page that shows the dump beside the program's own source. `provenance=True` has Inductor tell which lines and
    nodes each kernel computes; that is part of the key of Inductor's cache, so that it compiles anew what it cached
    without. `clean_wild_fx_code` is accepted for compatibility: no stray files are made.

    Raises:
        ValueError: `execution` is none of the three. What goes wrong later raises nothing: the index tells it,
            and a folder that cannot be written is a warning.

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
    """Pause in the caller's frame, with recompilation off, to step through what `prepare_debug` dumped.

    Raises:
        RuntimeError: It is called inside `prepare_debug`.

    Examples:
        >>> import depyf
        >>> block = depyf.debug()  # `with depyf.debug(): ...` pauses at its beginning
        >>> hasattr(block, "__enter__")
        True

    """
    if _active:
        raise RuntimeError("depyf.debug cannot be used inside depyf.prepare_debug: leave that block first")
    return Debug(_last_folder[0] if _last_folder else None)
