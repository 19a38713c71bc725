# SPDX-License-Identifier: MIT
"""Determines the status of the frames of a code object, from facts only.

The facts are torch's cache entries; the results of Dynamo's frame callback and Dynamo's metrics of each forward
compilation, both noted while a session is open; torch's own records of its latest compilations, which identify a frame
by its compile id; and torch's rules for skipped files. If none of these decides, the status is unknown. Invariant: code
objects are referenced weakly and distinguished by identity; a note is valid until torch.compiler.reset().
"""

from __future__ import annotations

import time
from collections.abc import MutableMapping
from dataclasses import dataclass, replace
from types import CodeType
from typing import Any

from torch.utils.weak import WeakIdKeyDictionary

from depyf.torch.capture.trace_decode import Measured
from depyf.torch.internals import cache_entries, conversions
from depyf.torch.model.compile_ids import frame_of
from depyf.torch.model.enums import FrameStatus
from depyf.torch.model.frames import NO_OPERATIONS, says_no_operations
from depyf.torch.model.location import Location
from depyf.torch.model.status import StatusReport

# For releases that record neither missing operations nor a graph break after which Dynamo cannot continue.
NO_REASON = "Dynamo captured no graph for this frame; this torch does not record why"
GLOBAL_REGION = -1  # the cache shared by compiled functions without `isolate_recompiles`


@dataclass(frozen=True)
class _Note:
    """A status that was observed for a code object, within one isolated region."""

    report: StatusReport
    epoch: object  # see conversions.reset_epoch: a different object after a reset
    when: int  # microseconds since the epoch
    failure: str = ""  # failure of a compilation whose frame callback has not returned yet


_notes: MutableMapping[CodeType, dict[int, _Note]] = WeakIdKeyDictionary()


# ---- notes of an open session


def note_compilation(metrics: Measured) -> CodeType | None:
    """Notes the metrics of a compilation at its end; returns the code that was compiled, or None."""
    converted = conversions.converted_code()
    if metrics.is_backward or converted is None:
        return None
    code, is_raised, region = converted
    report = _status_after(metrics, is_raised)
    if report.status is FrameStatus.ERROR:  # the exception reaches the caller, so the callback returns nothing
        conversions.note_untraceable()
    _note_status(code, region, report, str(metrics.failure or ""))
    return code


def note_conversion(code: CodeType, region: int, conversion: conversions.Conversion) -> None:
    """Notes the result of Dynamo's frame callback: how the frames of a code object run from now on."""
    if not conversion.is_for_code:
        return
    failure = (_notes.get(code) or {}).get(region)
    reason = (failure.failure if failure is not None else "") or conversion.reason
    reason = NO_OPERATIONS if says_no_operations(reason) else reason  # torch's text describes its implementation
    status = {"skip": FrameStatus.SKIPPED, "run_only": FrameStatus.RECOMPILE_LIMIT}.get(conversion.action)
    if status is not None:
        _note_status(code, region, StatusReport(status, reason))
    elif conversion.has_code:
        _note_status(code, region, StatusReport(FrameStatus.COMPILED))


def _note_status(code: CodeType, region: int, report: StatusReport, failure: str = "") -> None:
    note = _Note(report, conversions.reset_epoch(), time.time_ns() // 1000, failure)
    _notes[code] = {**_notes_since_reset(code), region: note}


def _status_after(metrics: Measured, is_raised: bool) -> StatusReport:
    """Returns the status after a forward compilation. `is_raised`: whether a failure reaches the caller (fullgraph)."""
    failure = metrics.failure
    if metrics.has_code:
        return StatusReport(FrameStatus.COMPILED)
    if failure is None:
        return StatusReport(FrameStatus.SKIPPED, NO_OPERATIONS if conversions.tells_why_it_skips() else NO_REASON)
    if failure.is_limit and not is_raised:
        return StatusReport(FrameStatus.RECOMPILE_LIMIT, str(failure))
    if failure.is_suppressible and not is_raised:
        return StatusReport(FrameStatus.SKIPPED, str(failure))
    return StatusReport(FrameStatus.ERROR, str(failure))


# ---- the status


def status_of(code: CodeType, wrapper: Any = None) -> StatusReport:
    """Returns what happens to a call that enters the frame of a code object.

    Args:
        code: The original code object of the frame.
        wrapper: The compiled function that is called, if known: compiled functions with `isolate_recompiles=True`
            have their own caches, limits and skipped frames.

    Returns:
        The status, with torch's reason. Without a wrapper, it is the status in the shared cache or, if that has no
        entry, in an isolated region that is compiled, if there is one.

    """
    entries = _valid(cache_entries.cache_entries(code))
    region = cache_entries.region_of(wrapper)
    if region is None and wrapper is not None and not cache_entries.has_regions():
        region = GLOBAL_REGION  # this torch has one cache for all
    if region is not None:
        return _status_in(code, region, entries, wrapper)
    notes = _notes_since_reset(code)
    regions = {GLOBAL_REGION, *notes, *(e.region for e in entries)}
    reports = [_status_in(code, r, entries, None) for r in sorted(regions)]
    return min(reports, key=lambda report: _PREFERENCE.index(report.status))


_PREFERENCE = (
    FrameStatus.COMPILED,
    FrameStatus.RECOMPILE_LIMIT,
    FrameStatus.SKIPPED,
    FrameStatus.ERROR,
    FrameStatus.UNKNOWN,
    FrameStatus.NOT_MET,
)


def has_met(code: CodeType) -> bool:
    """Returns whether Dynamo has met the code object since the latest reset, or skips it by rule."""
    return conversions.was_seen(code) or conversions.is_skipped(code)


def _valid(entries: list[Any]) -> list[Any]:
    """Returns the entries that Dynamo has not invalidated; invalidated ones have no code."""
    return [e for e in entries if e.code is not None]


def _notes_since_reset(code: CodeType) -> dict[int, _Note]:
    """Returns the notes of a code object since the latest reset, by isolated region."""
    epoch = conversions.reset_epoch()
    return {region: note for region, note in (_notes.get(code) or {}).items() if note.epoch is epoch}


def _status_in(code: CodeType, region: int, entries: list[Any], wrapper: Any) -> StatusReport:
    """Returns the status in one isolated region, from the notes of sessions, torch's records and the cache entries."""
    notes = _notes_since_reset(code)
    shared, note_of_region = notes.get(GLOBAL_REGION), notes.get(region)
    is_new = note_of_region is None and all(e.region != region for e in entries)
    if (is_new or conversions.is_skipped_in_all_regions()) and _is_skip(shared):
        note_of_region = shared
    valid = [e for e in entries if e.region in (region, GLOBAL_REGION)]
    noted_until = max((note.when for note in notes.values()), default=0)
    report = _status_without_session(code, region, entries, wrapper, noted_until)
    if report is None:
        report = note_of_region.report if note_of_region is not None else StatusReport(FrameStatus.UNKNOWN)
    if report.status is FrameStatus.ERROR and valid:
        return replace(report, status=FrameStatus.COMPILED)
    if report.status is FrameStatus.COMPILED and not valid:  # invalidated: the next call recompiles
        return StatusReport(FrameStatus.UNKNOWN, "torch has dropped the entries of this frame")
    if report.status is FrameStatus.UNKNOWN and not report.reason:
        return StatusReport(FrameStatus.COMPILED) if valid else _without_entry(code)
    return report


def _is_skip(note: _Note | None) -> bool:
    return note is not None and note.report.status is FrameStatus.SKIPPED


def _status_without_session(
    code: CodeType, region: int, entries: list[Any], wrapper: Any, noted_until: int
) -> StatusReport | None:
    """Returns the status after a compilation that torch recorded, which began after `noted_until` (without a session).
    The record contains neither the isolated region nor, for failures that are raised only with fullgraph=True, the
    caller; the wrapper's own setting is used for it.
    """
    frames = {frame_of(str(entry.compile_id)) for entry in cache_entries.cache_entries(code)}
    records = [record for record in _recorded_compilations() if record.frame in frames] if frames else []
    if not records or records[-1].began <= noted_until:
        return None
    latest = records[-1]
    report = _status_after(latest, conversions.asks_for_full_graph(wrapper))
    if report.status in (FrameStatus.COMPILED, FrameStatus.ERROR):
        return report
    if wrapper is None and latest.failure:
        reason = f"torch recorded a compilation of this frame that ended with {report.reason}, not for which caller"
        return StatusReport(FrameStatus.UNKNOWN, reason)
    if any(e.region != GLOBAL_REGION for e in entries) or region != GLOBAL_REGION:
        reason = f"torch recorded a compilation of this frame that ended with {report.reason}, not for which region"
        return StatusReport(FrameStatus.UNKNOWN, reason)
    return report


def _without_entry(code: CodeType) -> StatusReport:
    """Returns the status of a frame without entries of which no session saw a compilation."""
    rule = conversions.skip_rule(code)
    if rule:
        return StatusReport(FrameStatus.SKIPPED, rule)
    if not conversions.was_seen(code):
        return StatusReport(FrameStatus.NOT_MET)
    failures = [record.failure for record in _recorded_compilations()]
    failed = [failure for failure in failures if failure is not None and failure.origin == Location.of(code)]
    note = f"; a compilation of {code.co_name} at this line ended with {failed[-1]}" if failed else ""
    return StatusReport(FrameStatus.UNKNOWN, f"Dynamo met this frame and has no entry for it{note}")


def _recorded_compilations() -> list[Measured]:
    """Returns the compilations of frames of which Dynamo still has records, oldest first."""
    records = (Measured(str(values.get("compile_id")), values) for values in conversions.measured())
    return [record for record in records if not record.is_backward]
