# SPDX-License-Identifier: MIT
"""`depyf.expect`: a budget for what torch.compile does in a block, for tests.

Invariant: it counts what a session records, and compares nothing else. It changes neither the code of the program nor
its line numbers. If the block raises an exception, the exception is passed on and the budget is not checked.
"""

from __future__ import annotations

import contextlib
import json
import logging
import operator
import os
import tempfile
import weakref
from collections.abc import Container, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import CodeType, TracebackType
from typing import SupportsIndex

from depyf.torch.blocks import Block
from depyf.torch.capture.frame_names import resumed_function
from depyf.torch.internals import cache_entries, conversions, dynamo
from depyf.torch.internals.texts import details_of_break
from depyf.torch.model import Execution
from depyf.torch.model.enums import FrameStatus
from depyf.torch.model.frames import Frame, frames_of
from depyf.torch.model.location import Location, calling_line
from depyf.torch.model.record import GraphBreak, RecompileReason, Record
from depyf.torch.session import Session
from depyf.torch.write.folder import write_whole

Key = tuple[str, str, str]  # file, function and reason of a graph break
_CAPTURED = "Captured_Graph"
_MAX_LISTED = 10  # number of frames compiled before the block that an error message lists
_RUNS_EAGERLY = (FrameStatus.SKIPPED, FrameStatus.RECOMPILE_LIMIT, FrameStatus.ERROR)


@dataclass
class Seen:
    """What torch.compile did in a block of `expect`; filled when the block ends.

    Attributes:
        graphs: The number of graphs that Dynamo captured.
        breaks: The graph breaks, one for each place and reason.
        recompiles: The number of entries compiled because the guards of all earlier ones failed for a call.
        eager_frames: Frames with operations to compile that run eagerly, either always or if no entry matches a call.
        most_guards: The largest number of guards that an entry has.

    """

    graphs: int = 0
    breaks: list[GraphBreak] = field(default_factory=list)
    recompiles: int = 0
    eager_frames: list[Frame] = field(default_factory=list)
    most_guards: int = 0


@dataclass(frozen=True)
class _Limits:
    """The arguments of `expect`; None for a limit that is not set."""

    graphs: int | None
    breaks: int | None
    recompiles: int | None
    eager_frames: int | None
    guards_below: int | None

    @property
    def need_compiled_code(self) -> bool:
        """Whether compiled code must run, because the budget limits its properties."""
        return self.graphs is None and any(limit is not None for limit in vars(self).values())

    @property
    def need_compilations(self) -> bool:
        """Whether something must be compiled: a call that uses an earlier entry has nothing that the budget limits."""
        return self.need_compiled_code and self.recompiles is None


BUDGETS = tuple(limit.name for limit in fields(_Limits))


def wrong_limits(limits: Mapping[str, object]) -> str:
    """Returns an error message for the first invalid limit of a budget; "" if all are valid."""
    for name, limit in limits.items():
        least = 1 if name == "guards_below" else 0
        if name in BUDGETS and limit is not None and not _is_number_from(least, limit):
            return f"{name}: wanted a whole number of at least {least}, found {limit!r}"
    return ""


def _is_number_from(least: int, limit: object) -> bool:
    return isinstance(limit, SupportsIndex) and not isinstance(limit, bool) and operator.index(limit) >= least


def expect(
    *,
    graphs: int | None = None,
    breaks: int | None = None,
    recompiles: int | None = None,
    eager_frames: int | None = None,
    guards_below: int | None = None,
    approved: str | os.PathLike[str] | None = None,
    update: bool = False,
) -> contextlib.AbstractContextManager[Seen]:
    """Set a budget for what torch.compile does in a `with` block, or in each call of a decorated function.

    In coroutine functions and generator functions, the block lasts from the beginning to the end of the body.

    Only what is compiled inside the block counts. A call that uses an entry from before the block compiles nothing: the
    graph breaks and guards of this entry are not checked, so `breaks=0` does not apply to it. Therefore a block fails
    if nothing is compiled in it while torch has entries whose compilation no block has observed. The message lists
    these entries. With `recompiles` or `graphs` it does not fail for this reason, because these limits are meaningful
    for such calls. If the budget must hold no matter what ran earlier, call `torch.compiler.reset()` before the block;
    the pytest marker `torch_compile` and the fixture `torch_compile_budget` do so. If `graphs=N` fails because fewer
    graphs were captured, the message lists the entries from before the block.

    A block without `graphs` also fails if nothing is compiled in it and torch has compiled nothing since the latest
    reset, or if torch.compile is off; the message names the setting, such as `TORCHDYNAMO_DISABLE=1`.

    Args:
        graphs: The exact number of graphs that Dynamo must capture.
        breaks: The maximum number of graph breaks, counted by place and reason. Approved breaks do not count.
        recompiles: The maximum number of recompiles.
        eager_frames: The maximum number of frames that run eagerly although they have operations to compile.
        guards_below: Each entry must have fewer guards than this.
        approved: A JSON file of known graph breaks. It contains file, function and reason, but not the line, so that it
            survives edits. If pytest's `--approve-graph-breaks` wrote it, it also contains the tests.
        update: Write the graph breaks of the block to `approved`, instead of comparing with it.

    Returns:
        A context manager that yields an object with the counts, which is filled when the block ends.

    Raises:
        AssertionError: The budget is exceeded, torch did not report what it compiled, or nothing was compiled to which
            the budget applies. The message has line, reason and cure for each excess.
        ValueError: A limit is not a whole number or is too small, `update` is given without `approved`, or the file has
            no list of graph breaks.

    Examples:
        >>> import depyf, torch
        >>> double = torch.compile(lambda x: x * 2, backend="eager", dynamic=False)
        >>> with depyf.expect(breaks=0, recompiles=0):
        ...     result = double(torch.ones(2))
        >>> try:
        ...     with depyf.expect(recompiles=0):
        ...         result = double(torch.ones(3))
        ... except AssertionError as error:
        ...     print("recompile" in str(error))
        True

    """
    __tracebackhide__ = True  # so that pytest shows the line of the test, not lines of depyf
    limits = _Limits(graphs, breaks, recompiles, eager_frames, guards_below)
    if wrong := wrong_limits(vars(limits)):
        raise ValueError(wrong)
    if update and approved is None:
        raise ValueError("update=True needs approved=FILE, the file to write")
    return _Budget(limits, Path(approved) if approved is not None else None, update)


class _Budget(Block, contextlib.AbstractContextManager[Seen]):
    """One block of `expect`. A class, because the frames of a generator would be in pytest's traceback of a failure."""

    def __init__(self, limits: _Limits, approved: Path | None, update: bool) -> None:
        self._limits = limits
        self._approved = approved
        self._update = update

    def _recreate_cm(self) -> _Budget:
        """Creates a block for a call of a decorated function."""
        return _Budget(self._limits, self._approved, self._update)

    def __enter__(self) -> Seen:
        __tracebackhide__ = True
        self._known = _read(self._approved) if self._approved is not None and not self._update else {}
        self._seen = Seen()
        self._before = _entries_held()
        self._unseen = {id(code): weakref.ref(code) for code in _codes_held() if not _is_in(_judged, code)}
        self._open = contextlib.ExitStack()
        with contextlib.ExitStack() as opened:
            folder = opened.enter_context(tempfile.TemporaryDirectory(prefix="depyf_expect_"))
            session = Session(folder, Execution.ORIGINAL, log_bytecode=False, report=False)
            self._session = opened.enter_context(session)
            self._open = opened.pop_all()
        return self._seen

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        __tracebackhide__ = True
        self._open.__exit__(kind, error, trace)
        if error is not None:
            return
        seen, record = self._seen, self._session.record
        _fill(seen, record)
        approved: Container[Key] = self._known
        if self._update:
            assert self._approved is not None
            approved = {key_of(b) for b in seen.breaks}
            _write(self._approved, {key: set() for key in approved})
        _mark_judged(code for code in _codes_held() if not _is_in(self._unseen, code))
        offences = [f"cannot tell: {problem.error}" for problem in self._session.unseen]
        offences += _offences(seen, record, approved, self._limits, self._before)
        if not (record.starts or record.graphs) and self._needs_more(seen):
            offences += ["nothing that the budget applies to", *_compiled_before(record, self._before)]
        if offences:
            raise AssertionError("\n".join(offences))

    def _needs_more(self, seen: Seen) -> bool:
        """Returns whether a block fails in which nothing is compiled: the budget may apply to nothing that it ran."""
        has_met = bool(conversions.met_codes() or seen.eager_frames)
        if dynamo.why_nothing_compiles() or not has_met:
            return self._limits.need_compiled_code
        return bool(self._unseen) and self._limits.need_compilations


# Code of the entries whose compilation a block has observed. A later block that only uses them, as in a loop, passes.
_judged: dict[int, weakref.ref[CodeType]] = {}


def _codes_held() -> Iterator[CodeType]:
    """Yields the transformed code of all entries in torch's caches."""
    for original in conversions.met_codes():
        yield from (e.code for e in cache_entries.cache_entries(original) if e.code is not None)


def _is_in(codes: Mapping[int, weakref.ref[CodeType]], code: CodeType) -> bool:
    """Returns whether a mapping has a code object, by identity: constants of Dynamo's code need not be hashable."""
    reference = codes.get(id(code))
    return reference is not None and reference() is code


def _mark_judged(codes: Iterable[CodeType]) -> None:
    """Adds code objects to `_judged`, and removes those that no longer exist."""
    for key in [key for key, reference in _judged.items() if reference() is None]:
        del _judged[key]
    _judged.update((id(code), weakref.ref(code)) for code in codes)


def _entries_held() -> list[str]:
    """Returns the entries in torch's caches as text, one line for each frame."""
    lines = []
    for code in conversions.met_codes():
        entries = [e.compile_id for e in cache_entries.cache_entries(code) if e.code is not None]
        if entries:
            compiled = ", ".join(f"[{compile_id}]" for compile_id in sorted(entries))
            lines.append(f"{code.co_name}, {code.co_filename}:{code.co_firstlineno}: {compiled}")
    return lines


def _fill(seen: Seen, record: Record) -> None:
    seen.graphs = sum(g.kind == _CAPTURED and not g.is_abandoned for g in record.graphs)
    seen.breaks = list(record.graph_breaks)
    seen.recompiles = len(record.recompiles)
    seen.eager_frames = [f for f in frames_of(record) if f.status in _RUNS_EAGERLY and not f.has_no_operations]
    seen.most_guards = max((len(e.guards) for e in record.entries), default=0)


def _offences(
    seen: Seen, record: Record, approved: Container[Key], limits: _Limits, entries_before: list[str]
) -> Iterator[str]:
    """Yields the lines of the error message: each limit that is exceeded, followed by what exceeds it."""
    graphs, breaks, recompiles = limits.graphs, limits.breaks, limits.recompiles
    eager_frames, guards_below = limits.eager_frames, limits.guards_below
    if graphs is not None and seen.graphs != graphs:
        yield f"expected {graphs} graphs, found {seen.graphs}"
        yield from (f"  [{e.compile_id}] {e.title}, {_place(e.start)}" for e in record.entries)
        if seen.graphs < graphs:
            yield from _compiled_before(record, entries_before)
    counted = [b for b in seen.breaks if key_of(b) not in approved]
    if breaks is not None and len(counted) > breaks:
        yield f"expected at most {breaks} graph breaks, found {len(counted)}"
        for graph_break in counted:
            yield f"  {_place(graph_break.where)}{_called(graph_break)}: {graph_break.reason}"
            details = details_of_break(
                graph_break.hints, graph_break.explanation, is_pytorchs_line=bool(graph_break.inner)
            )
            yield from (f"    {line}" for line in details)
    if recompiles is not None and seen.recompiles > recompiles:
        yield f"expected at most {recompiles} recompiles, found {seen.recompiles}"
        for recompile in record.recompiles:
            compile_id = recompile.compile_id
            for reason in recompile.reasons:
                place = _place(reason.where or record.origin_of(compile_id)) + _called(reason)
                yield f"  [{compile_id}] {record.name_of(compile_id)}: {reason}, {place}"
                if reason.advice:
                    yield f"    what to do: {reason.advice}"
    if eager_frames is not None and len(seen.eager_frames) > eager_frames:
        yield f"expected at most {eager_frames} eager frames, found {len(seen.eager_frames)}"
        yield from (f"  {f.name}, {_place(f.origin)}: {f.status.value}: {f.reason}" for f in seen.eager_frames)
    if guards_below is not None and seen.most_guards >= guards_below:
        yield f"expected fewer than {guards_below} guards per entry, found {seen.most_guards}"
        for entry in record.entries:
            if len(entry.guards) >= guards_below:
                yield f"  [{entry.compile_id}] {entry.title}, {_place(entry.start)}: {len(entry.guards)} guards"


def _compiled_before(record: Record, entries_before: list[str]) -> Iterator[str]:
    """Yields a hint why there may be fewer graphs than expected: calls may use entries from before the block."""
    if not record.entries:
        reason = dynamo.why_nothing_compiles()
        yield "  nothing was compiled in the block" + (f": {reason}" if reason else "")
    if entries_before:
        yield "  compiled before the block, and therefore not counted if a call in it used them:"
        yield from (f"    {line}" for line in entries_before[:_MAX_LISTED])
        if len(entries_before) > _MAX_LISTED:
            yield f"    and {len(entries_before) - _MAX_LISTED} more frames"
        yield "    what to do: call torch.compiler.reset() before the block"


def _place(place: Location) -> str:
    if not place:
        return "at an unknown line"
    function = resumed_function(place.function) or place.function
    return f"{place.path}:{place.line}" + (f" in {function}" if function else "")


def _called(fact: GraphBreak | RecompileReason) -> str:
    """Returns the line of the program from which the code was called, if it is in a library; else ""."""
    caller = calling_line(fact.where, fact.stack)
    return f", called from {_place(caller)}" if caller else ""


def key_of(graph_break: GraphBreak) -> Key:
    """Returns the key of a graph break in a file of approved ones.

    It has no line, so that edits elsewhere do not matter.
    """
    where = graph_break.where
    file, function = (Path(where.path).name, where.function) if where else ("", "")
    return file, function, graph_break.reason


def _read(path: Path) -> dict[Key, set[str]]:
    """Reads a file of approved breaks: the tests in which each occurs. Raises ValueError if it is not such a file."""
    if not path.exists():
        return {}
    try:
        breaks = json.loads(path.read_text("utf-8"))["breaks"]
        return {(b["file"], b["function"], b["reason"]): set(b.get("tests", ())) for b in breaks}
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: wanted a file that depyf.expect(update=True) wrote: {error}") from error


def _write(path: Path, breaks: Mapping[Key, set[str]]) -> None:
    items = [
        {"file": file, "function": function, "reason": reason} | ({"tests": sorted(tests)} if tests else {})
        for (file, function, reason), tests in sorted(breaks.items())
    ]
    write_whole(path, json.dumps({"breaks": items}, indent=1, ensure_ascii=False) + "\n")


def approve(path: Path, breaks: Mapping[str, Iterable[Key]], passed: Set[str]) -> None:
    """Writes a file of approved breaks for a test run. Breaks of tests that did not run, or failed, stay approved.

    If the file cannot be read, for example because of merge conflict markers, it is replaced and a warning is logged,
    so that the approvals of this run are not lost.

    Args:
        path: The file.
        breaks: The graph breaks in this run, by test.
        passed: The tests that passed.

    """
    try:
        earlier = _read(path)
    except ValueError as error:
        earlier = {}
        logging.getLogger("depyf").warning("%s; it now has only the breaks of the tests in this run", error)
    tests_of_break = {key: tests - passed for key, tests in earlier.items() if not tests or tests - passed}
    for test, keys in breaks.items():
        for key in keys:
            tests_of_break.setdefault(key, set()).add(test)
    _write(path, tests_of_break)
