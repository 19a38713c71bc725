# SPDX-License-Identifier: MIT
"""`depyf.expect`: a budget for what torch.compile does in a block, which a test can hold.

Invariant: counts what a session records, compares nothing else, and changes neither the program's code nor its lines;
an exception of the block passes, and the budget is not looked at then.
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

from depyf.torch.internals import cache_entries, conversions
from depyf.torch.internals.texts import told_beside
from depyf.torch.model import Execution
from depyf.torch.model.enums import FrameStatus
from depyf.torch.model.frames import Frame, frames_of
from depyf.torch.model.location import Location, calling_line
from depyf.torch.model.record import GraphBreak, RecompileReason, Record
from depyf.torch.session import Session

Key = tuple[str, str, str]  # file, function and reason of a graph break
_CAPTURED = "Captured_Graph"
_LISTED = 10  # frames from before a block that a failure names
_RUNS_EAGERLY = (FrameStatus.SKIPPED, FrameStatus.RECOMPILE_LIMIT, FrameStatus.ERROR)


@dataclass
class Seen:
    """What torch.compile did in a block of `expect`; filled when the block ends.

    Attributes:
        graphs: How many graphs Dynamo captured.
        breaks: The graph breaks, one for each place and reason.
        recompiles: How many entries were compiled because no earlier one took a call.
        eager_frames: Frames that run eagerly, always or when no entry takes a call, although there was something to
            compile in them.
        most_guards: The number of guards of the entry that has most.

    """

    graphs: int = 0
    breaks: list[GraphBreak] = field(default_factory=list)
    recompiles: int = 0
    eager_frames: list[Frame] = field(default_factory=list)
    most_guards: int = 0


@dataclass(frozen=True)
class _Limits:
    """What `expect` was asked for, None where it was not."""

    graphs: int | None
    breaks: int | None
    recompiles: int | None
    eager_frames: int | None
    guards_below: int | None

    @property
    def need_compilations(self) -> bool:
        """Whether all that was asked for is of what is compiled, which there must be then."""
        holds_without = self.recompiles is not None or self.graphs is not None
        return not holds_without and any(limit is not None for limit in vars(self).values())


BUDGETS = tuple(each.name for each in fields(_Limits))


def wrong_limits(given: Mapping[str, object]) -> str:
    """What is wrong with the numbers of a budget, in one line; "" where nothing is."""
    for name, limit in given.items():
        least = 1 if name == "guards_below" else 0
        if name in BUDGETS and limit is not None and not _is_number_from(least, limit):
            return f"{name}: wanted a whole number from {least} on, found {limit!r}"
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
    """Hold what torch.compile does in a `with` block to a budget.

    Only what is compiled *in the block* counts. A call that an entry from before takes compiles nothing: that entry's
    graph breaks and guards are not looked at, so that `breaks=0` says nothing of it. A block in which nothing was
    compiled while torch holds entries that no block saw compiled fails therefore, and names them, unless `recompiles`
    or `graphs=0` was asked for, too: these hold of such calls. Call `torch.compiler.reset()` before the block where it
    shall hold whatever ran earlier; pytest's marker `torch_compile` and its fixture `torch_compile_budget` do so.
    `graphs=N` fails where less was compiled, and names the entries from before.

    Args:
        graphs: The number of graphs that Dynamo shall capture, exactly.
        breaks: The most graph breaks there may be, counted by place and reason; approved ones do not count.
        recompiles: The most recompiles there may be.
        eager_frames: The most frames that may run eagerly although there is something to compile in them.
        guards_below: Each entry shall have fewer guards than this.
        approved: A JSON file of graph breaks that are known. It names file, function and reason, no line, so that it
            survives edits; and the tests, where pytest's `--approve-graph-breaks` wrote it.
        update: Write the block's breaks to `approved` instead of comparing with it.

    Returns:
        A context manager that gives what was seen, filled when the block ends.

    Raises:
        AssertionError: Something is over the budget, torch did not tell what it compiled, or nothing was compiled that
            the budget could hold. Its text names line, reason and cure of each offence.
        ValueError: A limit that is no whole number or too small, `update` without `approved`, or a file that holds no
            list of breaks.

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
    __tracebackhide__ = True  # pytest shows the line that asks for the budget, and none of depyf's
    limits = _Limits(graphs, breaks, recompiles, eager_frames, guards_below)
    if wrong := wrong_limits(vars(limits)):
        raise ValueError(wrong)
    if update and approved is None:
        raise ValueError("update=True needs approved=FILE, the file to write")
    return _Budget(limits, Path(approved) if approved is not None else None, update)


class _Budget(contextlib.ContextDecorator, contextlib.AbstractContextManager[Seen]):
    """One block of `expect`: a class, since a generator's frames would stand in pytest's traceback of a failure."""

    def __init__(self, limits: _Limits, approved: Path | None, update: bool) -> None:
        self._limits = limits
        self._approved = approved
        self._update = update

    def _recreate_cm(self) -> _Budget:
        """Each call of a function that is decorated is a block of its own."""
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
        known: Container[Key] = self._known
        if self._update:
            assert self._approved is not None
            known = {key_of(b) for b in seen.breaks}
            _write(self._approved, {key: set() for key in known})
        _judge(code for code in _codes_held() if not _is_in(self._unseen, code))
        offences = [f"cannot tell: {problem.error}" for problem in self._session.unseen]
        offences += _offences(seen, record, known, self._limits, self._before)
        if self._unseen and self._limits.need_compilations and not record.starts:
            offences += ["nothing that the budget could hold", *_compiled_before(record, self._before)]
        if offences:
            raise AssertionError("\n".join(offences))


# Code of the entries that a block saw compiled: a later block that runs them has been told of them, as in a loop.
_judged: dict[int, weakref.ref[CodeType]] = {}


def _codes_held() -> Iterator[CodeType]:
    for met in conversions.met_codes():
        yield from (e.code for e in cache_entries.cache_entries(met) if e.code is not None)


def _is_in(codes: Mapping[int, weakref.ref[CodeType]], code: CodeType) -> bool:
    """By identity, since what Dynamo has as constants need not be hashable; no code is kept alive."""
    known = codes.get(id(code))
    return known is not None and known() is code


def _judge(codes: Iterable[CodeType]) -> None:
    for key in [key for key, known in _judged.items() if known() is None]:
        del _judged[key]
    _judged.update((id(code), weakref.ref(code)) for code in codes)


def _entries_held() -> list[str]:
    """The entries that torch holds, a line for each frame that has some."""
    found = []
    for code in conversions.met_codes():
        entries = [e.compile_id for e in cache_entries.cache_entries(code) if e.code is not None]
        if entries:
            compiled = ", ".join(f"[{compile_id}]" for compile_id in sorted(entries))
            found.append(f"{code.co_name}, {code.co_filename}:{code.co_firstlineno}: {compiled}")
    return found


def _fill(seen: Seen, record: Record) -> None:
    seen.graphs = sum(g.kind == _CAPTURED and not g.is_abandoned for g in record.graphs)
    seen.breaks = list(record.graph_breaks)
    seen.recompiles = len(record.recompiles)
    seen.eager_frames = [f for f in frames_of(record) if f.status in _RUNS_EAGERLY and not f.has_no_operations]
    seen.most_guards = max((len(e.guards) for e in record.entries), default=0)


def _offences(seen: Seen, record: Record, known: Container[Key], limits: _Limits, before: list[str]) -> Iterator[str]:
    graphs, breaks, recompiles = limits.graphs, limits.breaks, limits.recompiles
    eager_frames, guards_below = limits.eager_frames, limits.guards_below
    if graphs is not None and seen.graphs != graphs:
        yield f"expected {graphs} graphs, found {seen.graphs}"
        yield from (f"  [{e.compile_id}] {e.title}, {_place(e.start)}" for e in record.entries)
        if seen.graphs < graphs:
            yield from _compiled_before(record, before)
    counted = [b for b in seen.breaks if key_of(b) not in known]
    if breaks is not None and len(counted) > breaks:
        yield f"expected at most {breaks} graph breaks, found {len(counted)}"
        for found in counted:
            yield f"  {_place(found.where)}{_called(found)}: {found.reason}"
            told = told_beside(found.hints, found.explanation, is_pytorchs_line=bool(found.inner))
            yield from (f"    {line}" for line in told)
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
        yield f"expected fewer than {guards_below} guards an entry, found {seen.most_guards}"
        for entry in record.entries:
            if len(entry.guards) >= guards_below:
                yield f"  [{entry.compile_id}] {entry.title}, {_place(entry.start)}: {len(entry.guards)} guards"


def _compiled_before(record: Record, before: list[str]) -> Iterator[str]:
    """Why there may be fewer graphs than were expected: calls that entries from before take compile nothing."""
    if not record.entries:
        yield "  nothing was compiled in the block"
    if before:
        yield "  compiled before the block, and not counted where a call in it took them:"
        yield from (f"    {line}" for line in before[:_LISTED])
        if len(before) > _LISTED:
            yield f"    and {len(before) - _LISTED} more frames"
        yield "    what to do: call torch.compiler.reset() before the block"


def _place(place: Location) -> str:
    if not place:
        return "at no known line"
    return f"{place.path}:{place.line}" + (f" in {place.function}" if place.function else "")


def _called(found: GraphBreak | RecompileReason) -> str:
    caller = calling_line(found.where, found.stack)
    return f", called from {_place(caller)}" if caller else ""


def key_of(found: GraphBreak) -> Key:
    """What tells a break in a file of approved ones: no line, so that edits elsewhere change nothing."""
    file, function = (Path(found.where.path).name, found.where.function) if found.where else ("", "")
    return file, function, found.reason


def _read(path: Path) -> dict[Key, set[str]]:
    """The breaks of a file of approved ones, each with the tests that it is of."""
    if not path.exists():
        return {}
    try:
        listed = json.loads(path.read_text("utf-8"))["breaks"]
        return {(b["file"], b["function"], b["reason"]): set(b.get("tests", ())) for b in listed}
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: wanted a file that depyf.expect(update=True) wrote: {error}") from error


def _write(path: Path, breaks: Mapping[Key, set[str]]) -> None:
    listed = [
        {"file": file, "function": function, "reason": reason} | ({"tests": sorted(tests)} if tests else {})
        for (file, function, reason), tests in sorted(breaks.items())
    ]
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(json.dumps({"breaks": listed}, indent=1, ensure_ascii=False) + "\n", "utf-8")
    os.replace(temporary, path)


def approve(path: Path, found: Mapping[str, Iterable[Key]], passed: Set[str]) -> None:
    """Approves what broke in the tests of a run; what is approved for a test that did not run, or failed, stays.

    A file that cannot be read, as with the marks of a merge conflict, is written anew, with a warning: the rest of a
    run's approvals shall not be lost to it.

    `found`: of each test that holds a budget. `passed`: the tests that ran to their end.
    """
    try:
        before = _read(path)
    except ValueError as error:
        before = {}
        logging.getLogger("depyf").warning("%s; it has the breaks of this run's tests alone now", error)
    known = {key: tests - passed for key, tests in before.items() if not tests or tests - passed}
    for test, keys in found.items():
        for key in keys:
            known.setdefault(key, set()).add(test)
    _write(path, known)
