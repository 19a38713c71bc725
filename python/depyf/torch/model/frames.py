# SPDX-License-Identifier: MIT
"""The frames of a run, compiled or not, with their status. The index is a list of them.

Invariant: only the record is read. If torch's facts do not determine the status of a frame, it is `UNKNOWN`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from depyf.torch.internals.vocabulary import NESTED_RESUMES
from depyf.torch.model.compile_ids import frame_of
from depyf.torch.model.enums import FailureEffect, FrameStatus
from depyf.torch.model.location import NOWHERE, Location
from depyf.torch.model.record import Entry, FailedCompilation, GraphBreak, Record
from depyf.torch.model.status import StatusReport
from depyf.torch.model.words import one_line

NO_OPERATIONS = "Dynamo traced no operations"
LOADED = "torch loaded its code from the results of another process (caching_precompile); depyf cannot read that code"
UNUSED = ", also in calls that its entries would accept"  # of a frame that Dynamo skips, but has compiled before
_NO_OPERATIONS = ("No ops traced", NO_OPERATIONS)  # torch's words, and ours if torch gives no reason


def says_no_operations(reason: str) -> bool:
    """Returns whether a frame runs eagerly because it has no operations."""
    return any(words in reason for words in _NO_OPERATIONS)


@dataclass
class Frame:
    """Everything known about the frames of one code object."""

    key: str
    name: str
    origin: Location
    ids: list[str] = field(default_factory=list)  # compile ids, including failed compilations
    entries: list[Entry] = field(default_factory=list)
    failures: list[FailedCompilation] = field(default_factory=list)
    breaks: list[GraphBreak] = field(default_factory=list)
    report: StatusReport = field(default_factory=lambda: StatusReport(FrameStatus.UNKNOWN))
    is_forgotten: bool = False  # torch.compiler.reset() was called since: the status is from before it

    @property
    def status(self) -> FrameStatus:
        """What happens to a call that enters the frame."""
        return self.report.status

    @property
    def skipping_break(self) -> GraphBreak | None:
        """The graph break because of which Dynamo skips the frame, or None."""
        return next((b for b in self.breaks if any(i in b.skips for i in self.ids)), None)

    @property
    def skip_reason(self) -> str:
        """Why Dynamo skips the frame, in its words; "" if it gave no reason."""
        graph_break = self.skipping_break
        if graph_break is not None:
            return next(graph_break.skips[i] for i in self.ids if i in graph_break.skips)
        if self.has_no_operations:
            return NO_OPERATIONS
        return self.failures[-1].reason if self.failures else one_line(self.report.reason)

    @property
    def reason(self) -> str:
        """Why some or all calls of the frame run eagerly, in torch's words."""
        if self.status is FrameStatus.SKIPPED:
            graph_break = self.skipping_break
            if graph_break is None:
                return self.skip_reason
            return f"graph break at {graph_break.where} ({graph_break.reason}). {self.skip_reason}"
        if self.status in (FrameStatus.RECOMPILE_LIMIT, FrameStatus.ERROR) and self.failures:
            return self.failures[-1].reason
        return one_line(self.report.reason)

    @property
    def is_loaded(self) -> bool:
        """Whether torch loaded the frame's code from the results of another process, and compiled nothing since."""
        return not self.entries and self.report.reason == LOADED

    @property
    def has_no_operations(self) -> bool:
        """Whether the frame has no operations to compile."""
        return says_no_operations(self.report.reason)


def frames_of(record: Record) -> list[Frame]:
    """Returns the frames of a run in the order in which Dynamo met them."""
    record = record.snapshot()
    frames: dict[str, Frame] = {}
    of_id: dict[str, Frame] = {}
    keys = {e.compile_id: e.code_key or frame_of(e.compile_id) for e in record.entries} | record.keys
    first_keys: dict[str, str] = {}
    for compile_id, key in keys.items():
        first_keys.setdefault(frame_of(compile_id), key)
    failed_ids = (failure.compile_id for failure in record.failures)
    failed = [i for i in failed_ids if frame_of(i) != i]  # without exports, which have no frame
    for compile_id in dict.fromkeys([*record.starts, *keys, *failed]):
        frame_id = frame_of(compile_id)
        key = keys.get(compile_id) or first_keys.get(frame_id, frame_id)
        if key not in frames:
            frames[key] = Frame(key, record.name_of(compile_id), record.origin_of(compile_id) or NOWHERE)
        frames[key].ids.append(compile_id)
        of_id[compile_id] = frames[key]
    for entry in record.entries:
        frames[keys[entry.compile_id]].entries.append(entry)
    for failure in record.failures:
        if failure.compile_id in of_id:
            of_id[failure.compile_id].failures.append(failure)
    for graph_break in record.graph_breaks:
        for key in dict.fromkeys(of_id[i].key for i in graph_break.compile_ids if i in of_id):
            frames[key].breaks.append(graph_break)
    for key, eager in record.uncompiled.items():
        if key not in frames:  # skipped before a compilation began
            frames[key] = Frame(key, eager.name, eager.origin, report=eager.status)
    for frame in frames.values():
        if not frame.ids:
            continue
        frame.name = " / ".join(dict.fromkeys(record.name_of(i) for i in frame.ids))
        frame.report = _report(record, frame)
        frame.is_forgotten = frame.key in record.forgotten
    return list(frames.values())


_EFFECTS = {
    FailureEffect.SKIPS: FrameStatus.SKIPPED,
    FailureEffect.HITS_LIMIT: FrameStatus.RECOMPILE_LIMIT,
    FailureEffect.RAISES: FrameStatus.ERROR,
}


def _report(record: Record, frame: Frame) -> StatusReport:
    """Returns the status at the end of the run; after a reset, or for a trace, the one that events imply."""
    report = record.statuses.get(frame.key)
    if report is not None and report.status is not FrameStatus.UNKNOWN:
        return report
    latest = frame.ids[-1]
    if any(e.compile_id == latest for e in frame.entries):
        return StatusReport(FrameStatus.COMPILED)
    failure = next((f for f in reversed(frame.failures) if f.compile_id == latest), None)
    if failure is not None and failure.effect is not None:
        return StatusReport(_EFFECTS[failure.effect], failure.reason)
    metrics = record.metrics.get(latest)
    has_graph = record.captured_graph(latest) is not None  # a trace does not record interruptions
    if failure is None and metrics is not None and "guard_count" not in metrics and not has_graph:
        return StatusReport(FrameStatus.SKIPPED, NO_OPERATIONS)
    return report if report is not None else StatusReport(FrameStatus.UNKNOWN)


_RECEIVED_COUNT = re.compile(rf"len\(L\['{NESTED_RESUMES}'\]\) == (\d+)")
_INLINED_POSITION = re.compile(rf"L\['{NESTED_RESUMES}'\]\[(\d+)\]\.__code__")


def inlining_resume(record: Record, entry: Entry, name: str) -> str:
    """Returns the resume function of an entry into which Dynamo inlined another one of the entry, or "".

    With nested graph breaks, a resume function receives others as an argument. Its entries guard on their number and
    on the code of those that they inlined.
    """
    for number, outer in enumerate(entry.resume_fns):
        for other in record.entries_of(entry.resume_codes.get(outer, "")):
            guards = "\n".join(guard.text for guard in other.guards)
            received = (
                entry.resume_fns[number - int(length[1]) : number] if (length := _RECEIVED_COUNT.search(guards)) else []
            )
            if name in received and received.index(name) in map(int, _INLINED_POSITION.findall(guards)):
                return outer
    return ""
