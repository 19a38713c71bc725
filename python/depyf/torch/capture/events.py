# SPDX-License-Identifier: MIT
"""Records graph breaks, recompiles, failures, symbols, caches and time from the events of torch's trace.

Invariant: only text and numbers are kept. For a trace of this process, the guards of a recompile are evaluated again
while the frame is available; for a trace of another process, only torch's own text is known.
"""

from __future__ import annotations

import json
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import FrameType, ModuleType
from typing import Any

from depyf.torch.capture.frame_names import callers, of_program
from depyf.torch.capture.torch_prose import graph_break, is_users, torch_reasons
from depyf.torch.capture.trace_decode import (
    BackwardMeasured,
    BreakMet,
    CacheAnswer,
    Event,
    Failure,
    FrameStart,
    Measured,
    NoEntryFits,
    PassCaptured,
    Span,
    Specialized,
    SymbolMade,
    cuda_graph_skip,
)
from depyf.torch.guards.advice import fixed_size, fixed_value, marked_sizes
from depyf.torch.guards.checks import METADATA
from depyf.torch.guards.functions import friendly_text
from depyf.torch.internals import cache_entries, conversions, dynamo
from depyf.torch.internals.names import is_torchs, shortened
from depyf.torch.internals.texts import EPHEMERAL, MARK_DYNAMIC, MARKS, OWN_METADATA, WARNED_OF
from depyf.torch.model.caches import CacheEvent, CacheKeys, CudaGraphRecording
from depyf.torch.model.compile_ids import OUTSIDE, frame_of
from depyf.torch.model.enums import CacheOutcome, FailureEffect, FrameStatus
from depyf.torch.model.frames import LOADED
from depyf.torch.model.location import NOWHERE, Location, with_callers
from depyf.torch.model.phases import Phase
from depyf.torch.model.record import (
    FailedCompilation,
    GraphBreak,
    Recompile,
    RecompileReason,
    Record,
    Specialization,
    Symbol,
)
from depyf.torch.model.status import StatusReport
from depyf.torch.model.titles import CUDA_GRAPH_RECORDING, WHOLE_FRAME

# Evaluates the guards of known entries of the frame being recompiled, and returns the failures.
Ask = Callable[[], list[RecompileReason]]
# Torch's text if an entry accepts the call when its guards are evaluated again, and advice for this case.
_PASSES_NOW = "Unexpected recompilation: runtime guards failed even though they passed"
_COMPILED_MEANWHILE = "nothing, if several threads made the first calls: one compiled this entry while this call waited"
_DEALLOCATED = re.compile(r"Cache line invalidated because (?P<source>.+) got deallocated")
_SAME_OBJECT = "use the same object in each call: the entry compares by identity, and its object no longer exists"
# For an operand on the stack, which the line of the graph break evaluated before the break, such as `items.append`.
_OWN_STATEMENT = (
    "put the value that breaks the graph into a variable in a statement before: operands that its line has evaluated "
    "until then (for example a bound method) are new objects in each call"
)
_ENTRY_SEPARATOR = re.compile(r"\n(?=!?\d+(?:/\d+)+: )")  # separates the entries in the text of a RecompileError
NOT_RESUMED = "Dynamo compiled nothing of the frame; this torch does not record why it cannot continue after the break"
_RECORDED_METRICS = ("co_name", "guard_count", "graph_op_count", "cache_size", "fail_reason")


class Events:
    """Adds the facts of the trace to a record."""

    def __init__(
        self,
        record: Record,
        ask: Ask | None = None,
        last_answers: Callable[[], Iterable[CacheEvent]] = tuple,
    ) -> None:
        """`ask` is for a trace of this process; `last_answers` returns cache events of the folder's previous run."""
        self._record = record
        self._ask = ask
        self._last_answers = last_answers
        self._keys: CacheKeys | None = None
        self._open: dict[tuple[str, str], float] = {}
        self._zero: float | None = None  # start of the first span

    def on_event(self, compile_id: str, event: Event) -> None:
        """Processes an event of the compilation with this id in the record."""
        record = self._record
        match event:
            case BreakMet() if event.text.startswith(WARNED_OF):
                pass  # the break itself is logged after it
            case BreakMet():
                program_lines = {(place.path, place.line): line for place, line in callers()}
                new_break = graph_break(compile_id, event.text, program_lines)
                new_break.stack = of_program(new_break.stack)
                self._add_break(new_break)
            case NoEntryFits():
                record.recompiles.append(self._recompile(compile_id, event.text))
                self._complete_stacks(compile_id)
            case CacheAnswer(outcome=CacheOutcome() as outcome):
                record.cache_events.append(self._cache_event(compile_id, event, outcome))
            case PassCaptured():
                record.captures[compile_id] = event.reasons
            case FrameStart():
                self._on_start(compile_id, event)
            case Span():
                self.on_span(event)
            case SymbolMade():
                self._on_symbol(compile_id, event)
            case Specialized():
                self._on_specialization(compile_id, event)
            case Measured():
                self._on_metrics(compile_id, event)
                self._on_skip(compile_id, event.cuda_graph_skip, event.values.get("is_forward") is False)
            case BackwardMeasured():
                self._on_skip(compile_id, event.cuda_graph_skip, True)
                if event.failure is not None:
                    failure = self._failure(compile_id, event.failure)
                    record.failures.append(replace(failure, name=f"backward of {failure.name}"))

    def _on_start(self, compile_id: str, event: FrameStart) -> None:
        """Notes the stack at the call; in this process it is Python's own stack, which is complete."""
        record = self._record
        if self._ask is None:
            record.calls[compile_id] = event.stack
            return
        if dynamo.loads_package():  # nothing is compiled, and the call that needs the code is not known yet
            record.statuses[frame_of(compile_id)] = StatusReport(FrameStatus.COMPILED, LOADED)
            return
        waiting = [place for _, place in callers() if not is_torchs(place.path)]
        stack = of_program((*reversed(waiting), event.start))
        record.callers[compile_id] = stack[-2] if len(stack) > 1 else NOWHERE
        record.calls[compile_id] = tuple(place for place in stack if is_users(place.path))
        self._complete_stacks(compile_id)

    def _complete_stacks(self, compile_id: str) -> None:
        """Prepends the lines that call the frame to the stacks of guards that were introduced in a library.

        Not for traces of other processes, because they omit the innermost of these lines.
        """
        stack = self._record.calls.get(compile_id, ()) if self._ask is not None else ()
        outer = stack[:-1]  # without the frame itself
        recompiles = (recompile for recompile in self._record.recompiles if recompile.compile_id == compile_id)
        for reason in [reason for recompile in recompiles for reason in recompile.reasons]:
            stack = with_callers(reason.where, reason.stack or (reason.where,), outer)
            reason.stack = stack if len(stack) > 1 else reason.stack

    # ---- caches and CUDA graphs

    def _cache_event(self, compile_id: str, event: CacheAnswer, outcome: CacheOutcome) -> CacheEvent:
        if self._keys is None:
            self._keys = CacheKeys(self._last_answers())
        frame = self._record.name_of(compile_id)
        return self._keys.event(compile_id, frame, event.cache, outcome, event.key, dict(event.parts), event.reason)

    def on_cuda_graph_given_up(self, torch_id: str, reason: str, is_backward: bool) -> None:
        """Notes that a compiled graph runs without a CUDA graph from now on, for a reason found at run time."""
        self._on_skip(self._record.ids.name(torch_id), reason, is_backward)

    def _on_skip(self, compile_id: str, reason: str, is_backward: bool) -> None:
        if reason:
            self._record.cuda_graph_skips.append(cuda_graph_skip(compile_id, reason, is_backward))

    # ---- graph breaks and recompiles

    def _add_break(self, new: GraphBreak) -> None:
        """Adds a graph break, or if it is known (from a caller's frame, or another entry), its compile id.

        It is counted once per compilation: torch logs it again if it restarts the trace and then skips the frame.
        """
        for recorded in self._record.graph_breaks:
            if (recorded.where, recorded.reason) == (new.where, new.reason):
                new_ids = [i for i in new.compile_ids if i not in recorded.compile_ids]
                recorded.compile_ids += new_ids
                recorded.skips.update(new.skips)
                recorded.times += bool(new_ids) or not new.compile_ids
                return
        self._record.graph_breaks.append(new)

    def _recompile(self, compile_id: str, text: str) -> Recompile:
        """Returns a recompile with the failures of guards evaluated here, or torch's own reasons for other entries."""
        from_torch = torch_reasons(text)
        for reason in from_torch:
            reason.entry = self._record.ids.name(reason.entry) if reason.entry else ""
        evaluated = self._ask() if self._ask is not None else []
        for reason, where in zip(evaluated, self._with_full_paths([reason.where for reason in evaluated]), strict=True):
            reason.where = where
        for torch_reason in from_torch:
            same = _same_reason(torch_reason, evaluated)
            if same is not None:
                same.torch_text, same.where = torch_reason.torch_text, torch_reason.where or same.where
                same.stack = torch_reason.stack or same.stack
        for reason in from_torch:
            reason.advice = reason.advice or _advice_on(reason.torch_text)
        matched = {r.entry for r in evaluated if r.torch_text}
        for fixed in self._record.specializations:
            _advise_on_fixed(fixed, (r for r in evaluated if r.entry == fixed.compile_id))
        return Recompile(compile_id, [*evaluated, *(r for r in from_torch if r.entry not in matched)])

    def _with_full_paths(self, places: list[Location]) -> Iterator[Location]:
        """Yields locations with full paths in place of torch's shortened ones, if exactly one known file matches."""
        paths = {start.path for start in self._record.starts.values()}
        if (code := dynamo.frame_code()) is not None:  # its start is not logged yet
            paths.add(code.co_filename)
        imported = _files_of_modules()
        for where in places:
            matching = [*imported.get(where.path, set()) | {path for path in paths if shortened(path) == where.path}]
            yield replace(where, path=matching[0]) if where and len(matching) == 1 else where

    # ---- symbols

    def _on_symbol(self, compile_id: str, event: SymbolMade) -> None:
        if event.source.startswith(EPHEMERAL):  # the size of a tensor that torch creates for tracing
            return
        symbol = Symbol(compile_id, event.name, event.source, event.value, event.range, event.where)
        recorded = {(s.compile_id, s.name, s.source) for s in self._record.symbolic_sizes}
        if (symbol.compile_id, symbol.name, symbol.source) not in recorded:  # a restarted attempt logs them again
            self._record.symbolic_sizes.append(symbol)

    def _on_specialization(self, compile_id: str, event: Specialized) -> None:
        fixed = Specialization(compile_id, event.name, event.sources, event.value, event.reason, event.where)
        if fixed in self._record.specializations:
            return
        self._record.specializations.append(fixed)
        for recompile in self._record.recompiles:
            if recompile.compile_id == compile_id:
                _advise_on_fixed(fixed, recompile.reasons)

    # ---- time

    def on_span(self, event: Span, ahead_of_time: str = "") -> None:
        """Processes the beginning or the end of a span of the timeline.

        `ahead_of_time` is the id of a compilation without a frame. torch's own id is ambiguous there: torch.export uses
        0/0, which is also the id of the first frame.
        """
        ids = self._record.ids
        is_first = event.name == WHOLE_FRAME and event.begins  # the first event of a compilation
        compile_id = ahead_of_time or (ids.announce(event.torch_id) if is_first else ids.name(event.torch_id))
        key = (event.name, compile_id)
        if event.begins:
            self._zero = event.microseconds if self._zero is None else self._zero
            self._open.setdefault(key, event.microseconds)
        elif key in self._open and self._zero is not None:
            start = self._open.pop(key)
            since, seconds = round((start - self._zero) / 1e6, 6), round((event.microseconds - start) / 1e6, 6)
            self._record.phases.append(Phase(compile_id, event.name, since, seconds))  # torch measures in microseconds
            if event.name == CUDA_GRAPH_RECORDING:
                self._on_recording(compile_id, event.is_backward, seconds)

    def _on_recording(self, compile_id: str, is_backward: bool, seconds: float) -> None:
        """Adds a recording of a CUDA graph to the earlier ones of the same graph."""
        recordings = self._record.cuda_graph_recordings
        for index, recording in enumerate(recordings):
            if (recording.compile_id, recording.is_backward) == (compile_id, is_backward):
                recordings[index] = replace(
                    recording, times=recording.times + 1, seconds=round(recording.seconds + seconds, 6)
                )
                return
        recordings.append(CudaGraphRecording(compile_id, is_backward, 1, seconds))

    def _on_metrics(self, compile_id: str, event: Measured) -> None:
        """Records the metrics of a compilation, and the failure that ended it, if there is one."""
        if event.is_backward:
            return
        if event.torch_id != OUTSIDE:
            metrics = {key: value for key in _RECORDED_METRICS if (value := event.values.get(key)) is not None}
            self._record.metrics[compile_id] = metrics
            if not event.has_code:
                self._record.remove_entry(compile_id)
                if event.failure is None:
                    self._note_skip(compile_id)
        if (failure := event.failure) is not None:
            if failure.kind == "RecompileError":  # it is raised instead of logging the reasons
                listing = failure.text.partition("guard failure(s):\n")[2]
                lines = "\n".join(line.strip().removeprefix("- ") for line in listing.split("\n"))
                reasons = json.dumps(_ENTRY_SEPARATOR.split(f"\n{lines}")[1:])
                self._record.recompiles.append(self._recompile(compile_id, reasons))
            self._record.failures.append(self._failure(compile_id, failure))
            if not failure.is_limit and failure.kind != "RecompileError":
                self._withdraw_marks(compile_id)

    def _note_skip(self, compile_id: str) -> None:
        """Notes the graph break after which Dynamo compiled nothing of a frame, if torch does not say it itself."""
        met = [graph_break for graph_break in self._record.graph_breaks if compile_id in graph_break.compile_ids]
        if met and not any(compile_id in graph_break.skips for graph_break in met):
            met[-1].skips[compile_id] = NOT_RESUMED

    def _withdraw_marks(self, compile_id: str) -> None:
        """Removes advice to mark sizes, because the compilation with dynamic sizes has failed."""
        for recompile in self._record.recompiles:
            for reason in recompile.reasons if recompile.compile_id == compile_id else ():
                if reason.advice.startswith(MARK_DYNAMIC):
                    reason.advice = ""

    def on_failure_ahead_of_time(self, compile_id: str, error: Exception) -> None:
        """Records the exception that ended a compilation without a frame, unless torch has logged it."""
        record = self._record
        if all(failure.compile_id != compile_id for failure in record.failures):
            lines = [(frame, line) for frame, line in traceback.walk_tb(error.__traceback__) if not _is_depyfs(frame)]
            stack = [Location(frame.f_code.co_filename, line) for frame, line in lines]
            where = next((place for place in reversed(stack) if is_users(place.path)), NOWHERE)
            kind, name, raises = type(error).__qualname__, record.name_of(compile_id), FailureEffect.RAISES
            record.failures.append(FailedCompilation(compile_id, name, NOWHERE, kind, str(error), where, raises))

    def _failure(self, compile_id: str, failure: Failure) -> FailedCompilation:
        """Returns a failed compilation with what is known about its frame, and the line of the program that failed."""
        record = self._record
        broken = next((b.where for b in record.graph_breaks if compile_id in b.compile_ids), NOWHERE)
        stack = dynamo.failing_stack() if self._ask is not None else []
        raising = next((Location(*place) for place in reversed(stack) if is_users(place[0])), NOWHERE)
        lines = dynamo.narrowing_lines() if self._ask is not None and failure.kind == "ConstraintViolationError" else ()
        narrowing = [*self._with_full_paths([Location(*line) for line in lines])]
        return FailedCompilation(
            compile_id,
            record.names.get(compile_id) or failure.name or record.name_of(compile_id),
            record.starts.get(compile_id) or (failure.origin if failure.name else record.origin_of(compile_id)),
            failure.kind,
            failure.text,
            narrowing[0] if len(narrowing) == 1 else failure.where or raising or broken,
            self._effect(compile_id, failure),
            cache_entries.backend_name() if self._ask is not None else "",
        )

    def _effect(self, compile_id: str, failure: Failure) -> FailureEffect | None:
        """Returns what happens to the frame, as far as the trace shows; None if unknown."""
        if failure.is_limit:
            return FailureEffect.HITS_LIMIT
        if failure.is_suppressed:
            return FailureEffect.SKIPS
        skipped = any(compile_id in b.skips for b in self._record.graph_breaks)
        if skipped:
            return FailureEffect.SKIPS
        converted = conversions.converted_code() if self._ask is not None else None
        is_raised = converted is not None and converted[1]
        return FailureEffect.RAISES if is_raised or failure.kind not in ("Unsupported", "UserError") else None


def _is_depyfs(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).partition(".")[0] == "depyf"


def _advise_on_fixed(fixed: Specialization, reasons: Iterable[RecompileReason]) -> None:
    """Sets the advice for symbols that the program specializes, for which marking them dynamic does not help."""
    sources, place = {friendly_text(source) for source in fixed.sources}, str(fixed.where) if fixed.where else ""
    for reason in reasons:
        if sources & marked_sizes(reason.advice):
            reason.advice = fixed_size(place)
        elif reason.source in sources and reason.what.partition(" of ")[0] == "value" and not reason.advice:
            reason.advice = fixed_value(place)


def mentions(text: str, source: str) -> bool:
    """Returns whether torch's text of a failing guard contains a source."""
    return (
        bool(source) and re.search(rf"(?<![\w.])(?<!\[['\"]){re.escape(source)}(?!\w)", friendly_text(text)) is not None
    )


def _same_reason(torch_reason: RecompileReason, evaluated: Iterable[RecompileReason]) -> RecompileReason | None:
    """Returns the failure of a guard evaluated here that one of torch's reasons is about; None if it is not clear."""
    text = torch_reason.torch_text
    of_entry = [r for r in evaluated if r.entry == torch_reason.entry and not r.torch_text]
    named = (r for r in of_entry if mentions(text, r.source))
    of_metadata = (r for r in of_entry if r.what.startswith(METADATA) and OWN_METADATA.fullmatch(text))
    marks = MARKS.match(text)
    of_marks = (r for r in of_entry if marks is not None and _is_of_marks(r, marks))
    nameless = (r for r in of_entry if not r.source or len(of_entry) == 1)  # torch's text can mean no other one
    return next((r for candidates in (named, of_metadata, of_marks, nameless) for r in candidates), None)


def _is_of_marks(reason: RecompileReason, marks: re.Match[str]) -> bool:
    """Returns whether a failing guard compares the marks of a tensor that torch's text names."""
    match = MARKS.search(reason.what + reason.then)
    return match is not None and (marks["any"] is not None or match[0] == marks[0])


def frame_of_recompile() -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the local variables (contents of cells) and the globals of the frame that Dynamo is compiling."""
    local = {}
    for name, value in dynamo.frame_locals().items():
        try:
            local[name] = value.cell_contents if type(value).__name__ == "cell" else value
        except ValueError:  # an empty cell
            continue
    return local, dynamo.frame_globals() or {}


def _files_of_modules() -> dict[str, set[str]]:
    """Returns the files of all modules, by their paths as torch prints them."""
    printed: dict[str, set[str]] = {}
    for module in [*sys.modules.values()]:
        if isinstance(module, ModuleType):
            path = str(vars(module).get("__file__"))
            printed.setdefault(shortened(path), set()).add(path)
    return printed


def _advice_on(torch_text: str) -> str:
    """Returns advice on a reason of torch that names no value of the call; "" if there is none."""
    if torch_text.startswith(_PASSES_NOW):
        return _COMPILED_MEANWHILE
    freed = _DEALLOCATED.fullmatch(torch_text)
    return "" if freed is None else _OWN_STATEMENT if "___stack" in freed["source"] else _SAME_OBJECT
