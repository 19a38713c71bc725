# SPDX-License-Identifier: MIT
"""Why things happened: graph breaks, recompiles, symbols, caches and time, out of the events of torch's trace.

Invariant: keeps text and numbers only. Works on a trace of this process, where a recompile's guards are asked again
while the frame is at hand, and on one from elsewhere, where torch's own text is all there is.
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
from depyf.torch.model.compile_ids import OUTSIDE
from depyf.torch.model.enums import CacheOutcome, FailureEffect
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
from depyf.torch.model.titles import CUDA_GRAPH_RECORDING, WHOLE_FRAME

# Asks the guards of known entries of the frame being recompiled: which fail, what they expected and found.
Ask = Callable[[], list[RecompileReason]]
# What torch says of an entry that takes the call when it is asked again, and what makes one such.
_PASSES_NOW = "Unexpected recompilation: runtime guards failed even though they passed"
_MEANWHILE = "where several threads call the function at first, nothing: one compiled this entry while the call waited"
_FREED = re.compile(r"Cache line invalidated because (?P<source>.+) got deallocated")
_SAME_OBJECT = "have the same object in each call: the entry compared it by identity, and it is gone"
# On the stack of a resume function: what the line with the graph break has evaluated before it, as `items.append`.
_OWN_STATEMENT = (
    "put the value that breaks the graph into a variable in a statement before: what its line has evaluated until then "
    "(a bound method, say) is another object in each call"
)
_EACH_ENTRY = re.compile(r"\n(?=!?\d+(?:/\d+)+: )")  # of what a RecompileError says
_KEPT = ("co_name", "guard_count", "graph_op_count", "cache_size", "fail_reason")


class Events:
    """Files the trace's reasons under a record."""

    def __init__(
        self,
        record: Record,
        ask: Ask | None = None,
        last_answers: Callable[[], Iterable[CacheEvent]] = tuple,
    ) -> None:
        """`ask`: of a trace of this process. `last_answers`: of caches, in the last run into the same folder."""
        self._record = record
        self._ask = ask
        self._last_answers = last_answers
        self._keys: CacheKeys | None = None
        self._open: dict[tuple[str, str], float] = {}
        self._zero: float | None = None  # when the first span began

    def on_event(self, compile_id: str, event: Event) -> None:
        """One event of the compilation that is called so in the record."""
        record = self._record
        match event:
            case BreakMet() if event.text.startswith(WARNED_OF):
                pass  # the break follows, in words of its own
            case BreakMet():
                own = {(place.path, place.line): line for place, line in callers()}
                found = graph_break(compile_id, event.text, own)
                found.stack = of_program(found.stack)
                self._add_break(found)
            case NoEntryFits():
                record.recompiles.append(self._recompile(compile_id, event.text))
                self._complete_stacks(compile_id)
            case CacheAnswer(outcome=CacheOutcome() as outcome):
                record.cache_events.append(self._answered(compile_id, event, outcome))
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
                    failed = self._failure(compile_id, event.failure)
                    record.failures.append(replace(failed, name=f"backward of {failed.name}"))

    def _on_start(self, compile_id: str, event: FrameStart) -> None:
        """Keeps the stack at the call: where it is of this process Python's own, which is whole."""
        record = self._record
        if self._ask is None:
            record.calls[compile_id] = event.stack
            return
        waiting = [own for _, own in callers() if not is_torchs(own.path)]
        stack = of_program((*reversed(waiting), event.start))
        record.callers[compile_id] = stack[-2] if len(stack) > 1 else NOWHERE
        record.calls[compile_id] = tuple(place for place in stack if is_users(place.path))
        self._complete_stacks(compile_id)

    def _complete_stacks(self, compile_id: str) -> None:
        """Where a guard is of a library's frame, the program's line that leads there is what calls the frame.

        A trace leaves the innermost of these lines out, and so tells none.
        """
        stack = self._record.calls.get(compile_id, ()) if self._ask is not None else ()
        outer = stack[:-1]  # without the frame itself
        reasons = [r for found in self._record.recompiles if found.compile_id == compile_id for r in found.reasons]
        for reason in reasons:
            stack = with_callers(reason.where, reason.stack or (reason.where,), outer)
            reason.stack = stack if len(stack) > 1 else reason.stack

    # ---- caches and CUDA graphs

    def _answered(self, compile_id: str, event: CacheAnswer, outcome: CacheOutcome) -> CacheEvent:
        if self._keys is None:
            self._keys = CacheKeys(self._last_answers())
        frame = self._record.name_of(compile_id)
        return self._keys.event(compile_id, frame, event.cache, outcome, event.key, dict(event.parts), event.reason)

    def on_cuda_graph_given_up(self, given: str, reason: str, is_backward: bool) -> None:
        """A compiled graph runs without a CUDA graph from now on, for a reason that came up while it ran."""
        self._on_skip(self._record.ids.name(given), reason, is_backward)

    def _on_skip(self, compile_id: str, reason: str, is_backward: bool) -> None:
        if reason:
            self._record.cuda_graph_skips.append(cuda_graph_skip(compile_id, reason, is_backward))

    # ---- graph breaks and recompiles

    def _add_break(self, found: GraphBreak) -> None:
        """The same break met again (from a caller's frame, or in a second entry) is one, with more compile ids.

        A compilation meets it once: torch tells it again where it begins the trace anew and then skips the frame.
        """
        for known in self._record.graph_breaks:
            if (known.where, known.reason) == (found.where, found.reason):
                met = [i for i in found.compile_ids if i not in known.compile_ids]
                known.compile_ids += met
                known.skips.update(found.skips)
                known.times += bool(met) or not found.compile_ids
                return
        self._record.graph_breaks.append(found)

    def _recompile(self, compile_id: str, text: str) -> Recompile:
        torchs = torch_reasons(text)
        for reason in torchs:
            reason.entry = self._record.ids.name(reason.entry) if reason.entry else ""
        asked = self._ask() if self._ask is not None else []
        for reason, where in zip(asked, self._located([reason.where for reason in asked]), strict=True):
            reason.where = where
        for torchs_own in torchs:
            of_entry = [r for r in asked if r.entry == torchs_own.entry and not r.torch_text]
            named = (r for r in of_entry if speaks_of(torchs_own.torch_text, r.source))
            of_metadata = (
                r for r in of_entry if r.what.startswith(METADATA) and OWN_METADATA.fullmatch(torchs_own.torch_text)
            )
            marks = MARKS.match(torchs_own.torch_text)
            of_marks = (r for r in of_entry if marks is not None and _is_of_marks(r, marks))
            nameless = (r for r in of_entry if not r.source or len(of_entry) == 1)  # so torch's text tells no other one
            same = next((r for found in (named, of_metadata, of_marks, nameless) for r in found), None)
            if same is not None:
                same.torch_text, same.where = torchs_own.torch_text, torchs_own.where or same.where
                same.stack = torchs_own.stack or same.stack
        for reason in torchs:
            reason.advice = reason.advice or _advice_on(reason.torch_text)
        told = {r.entry for r in asked if r.torch_text}
        for known in self._record.specializations:
            _tell_of_fixed(known, (r for r in asked if r.entry == known.compile_id))
        return Recompile(compile_id, [*asked, *(r for r in torchs if r.entry not in told)])

    def _located(self, places: list[Location]) -> Iterator[Location]:
        """The whole paths of places that torch prints shortened, where just one of the files seen is that one."""
        met = {start.path for start in self._record.starts.values()}
        if (code := dynamo.frame_code()) is not None:  # of which no start is told yet
            met.add(code.co_filename)
        imported = _files_of_modules()
        for where in places:
            found = [*imported.get(where.path, set()) | {path for path in met if shortened(path) == where.path}]
            yield replace(where, path=found[0]) if where and len(found) == 1 else where

    # ---- symbols

    def _on_symbol(self, compile_id: str, event: SymbolMade) -> None:
        if event.source.startswith(EPHEMERAL):  # of no value of the program's: of a tensor that torch makes to trace
            return
        symbol = Symbol(compile_id, event.name, event.source, event.value, event.range, event.where)
        seen = {(s.compile_id, s.name, s.source) for s in self._record.symbolic_sizes}
        if (symbol.compile_id, symbol.name, symbol.source) not in seen:  # an attempt made anew names them again
            self._record.symbolic_sizes.append(symbol)

    def _on_specialization(self, compile_id: str, event: Specialized) -> None:
        found = Specialization(compile_id, event.name, event.sources, event.value, event.reason, event.where)
        if found in self._record.specializations:
            return
        self._record.specializations.append(found)
        for recompile in self._record.recompiles:
            if recompile.compile_id == compile_id:
                _tell_of_fixed(found, recompile.reasons)

    # ---- time

    def on_span(self, event: Span, ahead_of_time: str = "") -> None:
        """The beginning or the end of a span of the timeline; `ahead_of_time`: of what is compiled for no call.

        Under torch's ids such a one is another: torch.export calls what it traces 0/0, as the first frame is called.
        """
        ids = self._record.ids
        whole = event.name == WHOLE_FRAME and event.begins  # it opens before anything else is told of the compilation
        compile_id = ahead_of_time or (ids.announce(event.given) if whole else ids.name(event.given))
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
        """Counts it with the earlier ones of the same graph."""
        known = self._record.cuda_graph_recordings
        for at, found in enumerate(known):
            if (found.compile_id, found.is_backward) == (compile_id, is_backward):
                known[at] = replace(found, times=found.times + 1, seconds=round(found.seconds + seconds, 6))
                return
        known.append(CudaGraphRecording(compile_id, is_backward, 1, seconds))

    def _on_metrics(self, compile_id: str, event: Measured) -> None:
        if event.is_backward:
            return
        if event.given != OUTSIDE:
            found = {key: value for key in _KEPT if (value := event.values.get(key)) is not None}
            self._record.metrics[compile_id] = found
            if not event.has_code:
                self._record.remove_entry(compile_id)
        if (failure := event.failure) is not None:
            if failure.kind == "RecompileError":  # it is raised in the place of the event with the reasons
                said = failure.text.partition("guard failure(s):\n")[2]
                lines = "\n".join(line.strip().removeprefix("- ") for line in said.split("\n"))
                reasons = json.dumps(_EACH_ENTRY.split(f"\n{lines}")[1:])
                self._record.recompiles.append(self._recompile(compile_id, reasons))
            self._record.failures.append(self._failure(compile_id, failure))
            if not failure.is_limit and failure.kind != "RecompileError":
                self._withdraw_marks(compile_id)

    def _withdraw_marks(self, compile_id: str) -> None:
        """Marking sizes would make a compilation that failed with them dynamic the first one: it is no advice."""
        for recompile in self._record.recompiles:
            for reason in recompile.reasons if recompile.compile_id == compile_id else ():
                if reason.advice.startswith(MARK_DYNAMIC):
                    reason.advice = ""

    def on_failure_ahead_of_time(self, compile_id: str, error: Exception) -> None:
        """What ended a compilation for no call, at the program's innermost line, where torch has not told of it."""
        record = self._record
        if all(failure.compile_id != compile_id for failure in record.failures):
            lines = [(frame, line) for frame, line in traceback.walk_tb(error.__traceback__) if not _is_depyfs(frame)]
            stack = [Location(frame.f_code.co_filename, line) for frame, line in lines]
            where = next((place for place in reversed(stack) if is_users(place.path)), NOWHERE)
            kind, name, raises = type(error).__qualname__, record.name_of(compile_id), FailureEffect.RAISES
            record.failures.append(FailedCompilation(compile_id, name, NOWHERE, kind, str(error), where, raises))

    def _failure(self, compile_id: str, found: Failure) -> FailedCompilation:
        record = self._record
        broken = next((b.where for b in record.graph_breaks if compile_id in b.compile_ids), NOWHERE)
        stack = dynamo.failing_stack() if self._ask is not None else []
        raising = next((Location(*place) for place in reversed(stack) if is_users(place[0])), NOWHERE)
        lines = dynamo.narrowing_lines() if self._ask is not None and found.kind == "ConstraintViolationError" else ()
        narrowing = [*self._located([Location(*line) for line in lines])]
        return FailedCompilation(
            compile_id,
            record.names.get(compile_id) or found.name or record.name_of(compile_id),
            record.starts.get(compile_id) or (found.origin if found.name else record.origin_of(compile_id)),
            found.kind,
            found.text,
            narrowing[0] if len(narrowing) == 1 else found.where or raising or broken,
            self._effect(compile_id, found),
            cache_entries.backend_name() if self._ask is not None else "",
        )

    def _effect(self, compile_id: str, found: Failure) -> FailureEffect | None:
        """What becomes of the frame, as far as the trace tells: torch announces it when it skips one."""
        if found.is_limit:
            return FailureEffect.HITS_LIMIT
        if found.is_suppressed:
            return FailureEffect.SKIPS
        skipped = any(compile_id in b.skips for b in self._record.graph_breaks)
        if skipped:
            return FailureEffect.SKIPS
        converted = conversions.converted_code() if self._ask is not None else None
        is_raised = converted is not None and converted[1]
        return FailureEffect.RAISES if is_raised or found.kind not in ("Unsupported", "UserError") else None


def _is_depyfs(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).partition(".")[0] == "depyf"


def _tell_of_fixed(fixed: Specialization, reasons: Iterable[RecompileReason]) -> None:
    """Advises on what was made a symbol, which the program forces to one value all the same: a mark changes nothing."""
    sources, place = {friendly_text(source) for source in fixed.sources}, str(fixed.where) if fixed.where else ""
    for reason in reasons:
        if sources & marked_sizes(reason.advice):
            reason.advice = fixed_size(place)
        elif reason.source in sources and reason.what == "value" and not reason.advice:
            reason.advice = fixed_value(place)


def speaks_of(text: str, source: str) -> bool:
    """Whether torch's text of a failing guard is about what another guard of the entry looks at."""
    return (
        bool(source) and re.search(rf"(?<![\w.])(?<!\[['\"]){re.escape(source)}(?!\w)", friendly_text(text)) is not None
    )


def _is_of_marks(reason: RecompileReason, marks: re.Match[str]) -> bool:
    """Whether the guard that fails looks at the marks of a tensor that torch's text names."""
    found = MARKS.search(reason.what + reason.then)
    return found is not None and (marks["any"] is not None or found[0] == marks[0])


def frame_of_recompile() -> tuple[dict[str, Any], dict[str, Any]]:
    """Locals (cells opened) and globals of the frame that Dynamo is compiling."""
    local = {}
    for name, value in dynamo.frame_locals().items():
        try:
            local[name] = value.cell_contents if type(value).__name__ == "cell" else value
        except ValueError:  # an empty cell
            continue
    return local, dynamo.frame_globals() or {}


def _files_of_modules() -> dict[str, set[str]]:
    """The files of all modules, by their paths as torch prints them."""
    printed: dict[str, set[str]] = {}
    for module in [*sys.modules.values()]:
        if isinstance(module, ModuleType):
            path = str(vars(module).get("__file__"))
            printed.setdefault(shortened(path), set()).add(path)
    return printed


def _advice_on(torch_text: str) -> str:
    """What to do about a reason of torch's that names no value of the call; "" where there is nothing to say."""
    if torch_text.startswith(_PASSES_NOW):
        return _MEANWHILE
    freed = _FREED.fullmatch(torch_text)
    return "" if freed is None else _OWN_STATEMENT if "___stack" in freed["source"] else _SAME_OBJECT
