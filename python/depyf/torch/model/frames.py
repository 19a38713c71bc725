# SPDX-License-Identifier: MIT
"""The frames of a run, compiled or not, each with what became of it: what the index is about.

Invariant: reads the record only. What torch's facts do not tell stays `UNKNOWN`, and says so.
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

NO_OPERATIONS = "Dynamo traced no operations"
_NO_OPERATIONS = ("No ops traced", NO_OPERATIONS)  # in torch's words, and where it says none


def says_no_operations(reason: str) -> bool:
    """Whether the reason for which a frame runs eagerly is that it has no operations."""
    return any(words in reason for words in _NO_OPERATIONS)


@dataclass
class Frame:
    """All that is known of the frames of one code object."""

    key: str
    name: str
    origin: Location
    ids: list[str] = field(default_factory=list)  # compile ids, those that failed too; none if none began
    entries: list[Entry] = field(default_factory=list)
    failures: list[FailedCompilation] = field(default_factory=list)
    breaks: list[GraphBreak] = field(default_factory=list)
    report: StatusReport = field(default_factory=lambda: StatusReport(FrameStatus.UNKNOWN))
    is_forgotten: bool = False  # torch.compiler.reset() has been called since: the status is of before

    @property
    def status(self) -> FrameStatus:
        """What becomes of a call that enters the frame."""
        return self.report.status

    @property
    def skipping_break(self) -> GraphBreak | None:
        """The graph break for which Dynamo skips the frame."""
        return next((b for b in self.breaks if any(i in b.skips for i in self.ids)), None)

    @property
    def skip_reason(self) -> str:
        """Why Dynamo skips the frame, in its words; "" where it did not say."""
        found = self.skipping_break
        if found is not None:
            return next(found.skips[i] for i in self.ids if i in found.skips)
        if self.has_no_operations:
            return NO_OPERATIONS
        return self.failures[-1].reason if self.failures else " ".join(self.report.reason.split())

    @property
    def reason(self) -> str:
        """Why the frame is not, or not only, compiled, in torch's words."""
        if self.status is FrameStatus.SKIPPED:
            found = self.skipping_break
            at = f"graph break at {found.where} ({found.reason}). " if found is not None else ""
            return at + self.skip_reason
        if self.status in (FrameStatus.RECOMPILE_LIMIT, FrameStatus.ERROR) and self.failures:
            return self.failures[-1].reason
        return " ".join(self.report.reason.split())

    @property
    def has_no_operations(self) -> bool:
        """Whether there was nothing to compile in it."""
        return says_no_operations(self.report.reason)


def frames_of(record: Record) -> list[Frame]:
    """The frames of a run in the order in which Dynamo met them."""
    record = record.snapshot()
    found: dict[str, Frame] = {}
    of_id: dict[str, Frame] = {}
    keys = {e.compile_id: e.code_key or frame_of(e.compile_id) for e in record.entries} | record.keys
    first_keys: dict[str, str] = {}
    for compile_id, key in keys.items():
        first_keys.setdefault(frame_of(compile_id), key)
    failed = [i for i in (f.compile_id for f in record.failures) if frame_of(i) != i]  # not: to export a program
    for compile_id in dict.fromkeys([*record.starts, *keys, *failed]):
        frame_id = frame_of(compile_id)
        key = keys.get(compile_id) or first_keys.get(frame_id, frame_id)
        if key not in found:
            found[key] = Frame(key, record.name_of(compile_id), record.origin_of(compile_id) or NOWHERE)
        found[key].ids.append(compile_id)
        of_id[compile_id] = found[key]
    for entry in record.entries:
        found[keys[entry.compile_id]].entries.append(entry)
    for failure in record.failures:
        if failure.compile_id in of_id:
            of_id[failure.compile_id].failures.append(failure)
    for graph_break in record.graph_breaks:
        for key in dict.fromkeys(of_id[i].key for i in graph_break.compile_ids if i in of_id):
            found[key].breaks.append(graph_break)
    for key, eager in record.uncompiled.items():
        if key not in found:  # skipped before a compilation of it began
            found[key] = Frame(key, eager.name, eager.origin, report=eager.status)
    for frame in found.values():
        if not frame.ids:
            continue
        frame.name = " / ".join(dict.fromkeys(record.name_of(i) for i in frame.ids))
        frame.report = _report(record, frame)
        frame.is_forgotten = frame.key in record.forgotten
    return list(found.values())


_EFFECTS = {
    FailureEffect.SKIPS: FrameStatus.SKIPPED,
    FailureEffect.HITS_LIMIT: FrameStatus.RECOMPILE_LIMIT,
    FailureEffect.RAISES: FrameStatus.ERROR,
}


def _report(record: Record, frame: Frame) -> StatusReport:
    """What torch said at the end of the run; of what it has forgotten since (a reset), or of a trace, what was seen."""
    report = record.statuses.get(frame.key)
    if report is not None and report.status is not FrameStatus.UNKNOWN:
        return report
    latest = frame.ids[-1]
    if any(e.compile_id == latest for e in frame.entries):
        return StatusReport(FrameStatus.COMPILED)
    failure = next((f for f in reversed(frame.failures) if f.compile_id == latest), None)
    if failure is not None and failure.effect is not None:
        return StatusReport(_EFFECTS[failure.effect], failure.reason)
    measured = record.metrics.get(latest)
    has_graph = record.captured_graph(latest) is not None  # it was interrupted, which a trace does not tell
    if failure is None and measured is not None and "guard_count" not in measured and not has_graph:
        return StatusReport(FrameStatus.SKIPPED, NO_OPERATIONS)
    return report if report is not None else StatusReport(FrameStatus.UNKNOWN)


_HANDED = re.compile(rf"len\(L\['{NESTED_RESUMES}'\]\) == (\d+)")
_INLINED = re.compile(rf"L\['{NESTED_RESUMES}'\]\[(\d+)\]\.__code__")


def inlining_resume(record: Record, entry: Entry, name: str) -> str:
    """The resume function into which Dynamo inlined one that the entry hands to it, "" where there is none.

    With nested graph breaks, entries guard on how many they are handed, and on the code of those that they inlined.
    """
    for number, each in enumerate(entry.resume_fns):
        for other in record.entries_of(entry.resume_codes.get(each, "")):
            guards = "\n".join(guard.text for guard in other.guards)
            handed = entry.resume_fns[number - int(length[1]) : number] if (length := _HANDED.search(guards)) else []
            if name in handed and handed.index(name) in map(int, _INLINED.findall(guards)):
                return each
    return ""
