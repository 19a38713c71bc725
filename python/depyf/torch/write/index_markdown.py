# SPDX-License-Identifier: MIT
"""The index as Markdown: a summary, then each frame with its entries, then graph breaks, recompiles and other facts.

Invariant: only the record is read; each file is linked once, relative to the folder, so that a dump can be moved.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

from depyf.torch.guards.functions import friendly_text
from depyf.torch.internals.stable_names import stable, without_identities
from depyf.torch.internals.texts import hints_with_addressee
from depyf.torch.internals.vocabulary import GRAPH_CODE
from depyf.torch.model.caches import CacheEvent
from depyf.torch.model.compile_ids import OUTSIDE, autograd_pass
from depyf.torch.model.enums import CacheOutcome, FrameStatus
from depyf.torch.model.facts import Run
from depyf.torch.model.frames import LOADED, UNUSED, Frame, frames_of, inlining_resume
from depyf.torch.model.location import calling_line
from depyf.torch.model.phases import seconds_by_phase
from depyf.torch.model.pieces import pieces_of
from depyf.torch.model.record import (
    DROPPED,
    Entry,
    FailedCompilation,
    Graph,
    GraphBreak,
    Recompile,
    RecompileReason,
    Record,
    Symbol,
)
from depyf.torch.model.symbols import words_of_range
from depyf.torch.model.table import failures_of_their_own
from depyf.torch.model.titles import ABANDONED, GUARDS, OF_FAILURE, PASSES, PHASES, TITLES
from depyf.torch.model.words import and_so_for, count
from depyf.torch.write import unbacked
from depyf.torch.write.summary import called_from, summary, why_captured, why_skipped
from depyf.torch.write.trailing_comments import ranges_of

_RETURNED = re.compile(r"^ *return (__resume_at_\w+)\(", re.MULTILINE)
_ASSERTED = re.compile(r"Runtime assertion failed for expression (.+?) on node '")
FORGOTTEN = "That was before torch.compiler.reset(): torch has forgotten it, and compiles at the next call"
_SHOWN_REASONS = 5  # per recompile; index.json has all
_SHOWN_CHANGES = 5  # per cache key; index.json has all
_SHOWN_FRAMES = 6  # innermost frames per stack; index.json has all
_SHOWN_WIDTH = 80  # characters of an expression of a graph


class Index:
    """The index of a run, for a reader. `full_code` maps the key of a frame's code to its full-code file."""

    def __init__(self, record: Record, full_code: dict[str, str]) -> None:
        self.record = record
        self.full_code = full_code
        self.paths = record.paths
        self.frames = frames_of(record)
        self._by_key = {frame.key: frame for frame in self.frames}
        self._frames = {compile_id: frame for frame in self.frames for compile_id in frame.ids}
        self._backends = {entry.backend for entry in record.entries}
        self._pieces = pieces_of(record.graphs)

    def render(self, run: Run) -> str:
        """Returns the text of the index."""
        record = self.record
        parts = [
            ["# What torch.compile did", "", self._head(run), ""],
            [*summary(record, self.frames, self.paths), ""],
            _section("Frames", self._frame_lines()),
            _section("Graph breaks", (line for b in record.graph_breaks for line in self._break(b))),
            _section("Recompiles", (line for r in record.recompiles for line in self._recompile(r))),
            _section("Failed compilations", (line for f in self._failed() for line in self._failure(f))),
            _section("Symbolic sizes and numbers", self._symbols()),
            _section("Time", self._time()),
            _section("Caches", self._caches()),
            _section("CUDA graphs", self._cuda_graphs()),
            _section("Graphs not attributed to a frame", self._stray()),
            _section("Not produced", (f"- {line}" for line in run.not_produced)),
            _section("Problems", (f"- {p.what}: {p.error}" for p in record.problems)),
            _section("Missing in this torch", (f"- {line}" for line in run.missing_capabilities.values())),
        ]
        lines = (re.sub(r"\s*\n\s*", " ", line) for part in parts for line in part)  # torch's texts may have several
        text = without_identities("\n".join(lines))
        return re.sub(r"\n{3,}", "\n\n", text).rstrip("\n") + "\n"

    def _head(self, run: Run) -> str:
        """Returns the line below the title: versions, backends and counts."""
        record = self.record
        names = [*(e.backend for e in record.entries), *(f.backend for f in record.failures)]
        backends = sorted(set(filter(None, names)))
        refused = sum(record.entry(recompile.compile_id) is None for recompile in record.recompiles)
        parts = [
            *([run.run.written.partition("T")[0]] if run.run is not None else []),
            f"torch {run.torch}",
            f"Python {run.python}",
            *([f"backend {', '.join(backends)}"] if backends else []),
            count(len(self.frames), "frame"),
            count(len(record.entries), "compiled entry", "compiled entries"),
            count(record.graph_count, "graph"),
            count(len(record.graph_breaks), "graph break"),
            count(len(record.recompiles), "recompile") + (f" ({refused} without an entry)" if refused else ""),
            *([count(len(failed), "failed compilation")] if (failed := self._failed()) else []),
        ]
        return " · ".join(parts)

    # ---- frames

    def _frame_lines(self) -> Iterator[str]:
        """Yields a section for each frame, in the order in which Dynamo met them."""
        listed: set[str] = set()  # passes of compiled autograd: each is listed with the first of its frames
        for number, frame in enumerate(self.frames, start=1):
            ids = " ".join(f"[{e.compile_id}]" for e in frame.entries)
            yield f"### {number}. {frame.name}" + (f" {ids}" if ids else "")
            yield ""
            passes = dict.fromkeys(filter(None, map(autograd_pass, frame.ids)))
            origin = self.paths.show(frame.origin)
            if frame.origin.path.startswith(GRAPH_CODE):
                origin = "backward pass as compiled autograd captured it" if passes else "code of a graph"
            since = f" {FORGOTTEN}." if frame.is_forgotten and frame.status is not FrameStatus.COMPILED else ""
            yield f"{origin + ': ' if origin else ''}{self._status(frame)}.{since}"
            yield ""
            if frame.key in self.full_code:
                yield f"- full code: {_link(self.full_code[frame.key])}"
            for entry in frame.entries:
                yield from self._entry(frame, entry)
            compiled = {e.compile_id for e in frame.entries}
            for compile_id in (i for i in dict.fromkeys((*passes, *frame.ids)) if i not in compiled | listed):
                for graph in self.record.graphs_in(compile_id):
                    yield f"- [{compile_id}] {self._graph(graph)}"
                if why := why_captured(self.record.captures.get(compile_id, ())):
                    yield f"  - captured again: {why}"
            listed.update(passes)
            yield ""

    def _status(self, frame: Frame) -> str:
        """Returns one sentence about the status, without its full stop."""
        if frame.status is FrameStatus.COMPILED:
            failed = "".join(f"; {self._what_failed(f)} failed: {f.reason.rstrip('.')}" for f in frame.failures)
            return f"compiled{failed}" + (f": {LOADED}" if frame.is_loaded else "")
        reason, label = frame.reason, frame.status.label
        if frame.status is FrameStatus.SKIPPED:
            reason = why_skipped(frame, self.paths)
        status = frame.status.words.replace(label, f"**{label}**", 1)
        if frame.status is FrameStatus.SKIPPED and frame.entries:
            status += UNUSED
        return f"{status}{'. ' if ':' in status else ': '}{reason}".rstrip(".: ") if reason else status

    def _what_failed(self, failure: FailedCompilation) -> str:
        """Names what failed: the compilation, or if that has an entry, its backward graph, which is compiled later."""
        has_entry = self.record.entry(failure.compile_id) is not None
        return f"the backward graph of [{failure.compile_id}]" if has_entry else f"[{failure.compile_id}]"

    def _call(self, compile_id: str) -> str:
        """Returns the line that made the call, and the program's line that leads to one in a library; "" if unknown."""
        call = self.record.call_of(compile_id)
        if call is None:
            return ""
        caller = calling_line(call, self.record.calls.get(compile_id, ())[:-1])  # the last is the frame's own
        return f"`{self.paths.describe(call)}`" + (f", called from {self.paths.show(caller)}" if caller else "")

    def _entry(self, frame: Frame, entry: Entry) -> Iterator[str]:
        """Yields the lines about one entry of a frame."""
        record = self.record
        yield f"- **[{entry.compile_id}]** {self._flow(entry)}"
        notes = [count(len(entry.guards), "guard")]
        if (name := record.name_of(entry.compile_id)) != frame.name:
            notes.insert(0, name)
        if entry.backend and len(self._backends) > 1:
            notes.append(f"backend {entry.backend}")
        if (call := self._call(entry.compile_id)) and not entry.is_resume:
            notes.append(f"compiled for the call at {call}")
        yield f"  - {'; '.join(notes)}"
        if entry.path is not None:
            yield f"  - transformed code, {entry.verdict}: {_link(entry.path.name)}"
        for graph in record.graphs_in(entry.compile_id):
            yield f"  - {self._graph(graph)}"
        if entry.dropped:
            yield f"  - {DROPPED}"
        if entry.lifetime_note:
            yield f"  - lifetime difference, if the transformed code's text were executed: {entry.lifetime_note}"
        if entry.side_effects:
            yield f"  - replays side effects on {', '.join(entry.side_effects)}"

    def _flow(self, entry: Entry) -> str:
        """Returns a line about what a call of the entry does: graph, graph break, resume function."""
        parts = []
        if entry.compiled_fn:
            parts.append(f"graph `{stable(entry.compiled_fn)}`")
        elif self.record.captured_graph(entry.compile_id) is not None:  # traces do not contain its name
            parts.append("graph")
        else:
            parts.append("no graph")
        parts += [f"break at {self.paths.show(b.where)} ({b.reason})" for b in self._breaks(entry)]
        resumes = []
        for name in entry.resume_fns:
            place = self.paths.show(entry.continues.get(name))
            resumes.append(f"`{name}`{f' at {place}' if place else ''} {self._reached(entry, name)}")
        if entry.eager_from:
            parts.append(f"runs eagerly from {self.paths.show(entry.eager_from)} on")
        are_alternatives = set(_RETURNED.findall(entry.text)) == set(entry.resume_fns)  # else one receives the others
        parts += [" or ".join(resumes)] if are_alternatives and resumes else resumes
        return " → ".join(parts)

    def _breaks(self, entry: Entry) -> list[GraphBreak]:
        """Returns the graph breaks of the entry, without those of attempts that Dynamo abandoned, if that is known."""
        breaks = [b for b in self._frames[entry.compile_id].breaks if entry.compile_id in b.compile_ids]
        continued = {(place.path, place.line) for place in entry.continues.values()}
        at_resumes = [b for b in breaks if continued & {(place.path, place.line) for place in (b.where, *b.stack)}]
        return at_resumes or breaks

    def _reached(self, entry: Entry, name: str) -> str:
        """Returns what happens in a resume function: its entries, or why there are none."""
        key = entry.resume_codes.get(name)
        frame = self._by_key.get(key or "")
        if frame is None:
            inlining = inlining_resume(self.record, entry, name)
            return f"(inlined into `{inlining}`)" if inlining else self._uncompiled_status(key)
        if frame.status is FrameStatus.SKIPPED:
            return "(runs eagerly)"
        return ", ".join(f"[{e.compile_id}]" for e in frame.entries) or f"({frame.status.value})"

    def _uncompiled_status(self, key: str | None) -> str:
        """Returns the status of a resume function that Dynamo did not start to compile, for example without tensors."""
        report = self.record.statuses.get(key) if key else None
        if report is None or report.status is FrameStatus.NOT_MET:
            return "(not called)" if key else "(not known to be called)"
        if report.status is FrameStatus.SKIPPED:
            return f"(runs eagerly: {' '.join(report.reason.split())})" if report.reason else "(runs eagerly)"
        return "(called; Dynamo has no entry for it)"

    def _graph(self, graph: Graph, *, is_alone: bool = False) -> str:
        """Returns a description of a graph's file; with its source lines if nothing else shows them (`is_alone`)."""
        notes = [self._pieces[graph.path]] if graph.path in self._pieces else []
        if graph.source_lines and (is_alone or notes or graph.kind == "Captured_Graph"):
            notes += ranges_of(graph.source_lines, self.paths)
        text = describe_graph(graph) + (f" ({', '.join(notes)})" if notes else "")
        return f"{text}: {_link(graph.path.name)}"

    def _stray(self) -> Iterator[str]:
        attributed = {i for frame in self.frames for frame_id in frame.ids for i in (frame_id, autograd_pass(frame_id))}
        for graph in self.record.graphs:
            if graph.compile_id not in attributed:
                yield f"- [{graph.compile_id}] {self._graph(graph, is_alone=True)}"

    # ---- reasons

    def _break(self, graph_break: GraphBreak) -> Iterator[str]:
        ids = ", ".join(f"[{i}]" for i in graph_break.compile_ids)
        times = f", met {graph_break.times} times" if graph_break.times > 1 else ""
        yield f"- {self.paths.show(graph_break.where)} {ids}{times}: **{graph_break.reason}**"
        if graph_break.inner:
            yield f"  - in PyTorch's own code: `{self.paths.show(graph_break.inner)}`"
        yield from _explained(graph_break.explanation)
        for compile_id, reason in graph_break.skips.items():
            yield f"  - `{self.record.name_of(compile_id)}` [{compile_id}] runs eagerly: {reason}"
        hints = hints_with_addressee(graph_break.hints, is_pytorchs_line=bool(graph_break.inner))
        yield from (f"  - {hint}" for hint in hints)
        if graph_break.stack:
            innermost = [f"`{self.paths.describe(place)}`" for place in reversed(graph_break.stack[-_SHOWN_FRAMES:])]
            yield f"  - stack: {' ← '.join(innermost)}" + (" ← …" if len(graph_break.stack) > _SHOWN_FRAMES else "")
        if graph_break.context not in ("", graph_break.explanation):
            yield f"  - for developers: {graph_break.context}"
        if graph_break.page:
            yield f"  - more: {graph_break.page}"

    def _recompile(self, recompile: Recompile) -> Iterator[str]:
        call = self._call(recompile.compile_id)
        caller = f", for the call at {call}" if call else ""
        without_entry = "" if self.record.entry(recompile.compile_id) is not None else ", which resulted in no entry"
        yield f"- [{recompile.compile_id}] {self.record.name_of(recompile.compile_id)}{caller}{without_entry}"
        told: set[tuple[str, str]] = set()  # what is the same for each earlier entry is not repeated
        groups = _same_reasons(recompile.reasons)
        for reason, *others in groups[:_SHOWN_REASONS]:
            more = f", and so of {len(others)} more" if others else ""
            where = self.paths.show(reason.where)
            yield f"  - {reason}{more}" + (f" ({where}{called_from(reason, self.paths)})" if where else "")
            also = and_so_for([other.source for other in others if other.advice != reason.advice])
            notes = [f"what to do: {reason.advice}{also}"] if reason.advice else []
            notes += filter(None, [self._dynamic(recompile, same) for same in (reason, *others[:_SHOWN_REASONS])])
            notes += [f"torch: {reason.torch_text}"] if reason.torch_text and reason.then else []
            yield from (f"    - {note}" for note in notes if (reason.source, note) not in told)
            told.update((reason.source, note) for note in notes)
        rest = sum(map(len, groups[_SHOWN_REASONS:]))
        if rest > 0:
            yield f"  - … and {rest} more, see index.json"

    def _dynamic(self, recompile: Recompile, reason: RecompileReason) -> str:
        """Returns a sentence if the new entry has a symbol in place of the guarded value, otherwise ""."""
        fixed = {s.name for s in self.record.specializations if s.compile_id == recompile.compile_id}
        names = [
            f"`{friendly_text(s.source)}` ({s.name}{s.range and f': {words_of_range(s.range)}'})"
            for s in self.record.symbolic_sizes
            if s.compile_id == recompile.compile_id
            and s.name not in fixed
            and (text := friendly_text(s.source)).startswith(reason.source)
            and (text == reason.source or reason.what.startswith("size"))
            and reason.source
        ]
        return f"[{recompile.compile_id}] is compiled for other values too: {', '.join(names)}" if names else ""

    def _failed(self) -> list[FailedCompilation]:
        """Returns the failed compilations that are not reported as graph breaks or as a recompile limit."""
        return failures_of_their_own(self.record.failures, self.record.graph_breaks)

    def _failure(self, failure: FailedCompilation) -> Iterator[str]:
        place = f" at {self.paths.show(failure.where)}" if failure.where else ""
        has_code = any((p.compile_id, p.name) == (failure.compile_id, GUARDS) for p in self.record.phases)
        effect = f" ({failure.effect.value})" if failure.effect is not None else ""
        effect += ", after its code was generated" if has_code else ""
        yield f"- [{failure.compile_id}] {failure.name}{place}: {failure.reason}{effect}"
        for entry in self.record.failed_entries:
            if entry.compile_id == failure.compile_id and entry.path is not None:
                yield f"  - transformed code, {entry.verdict}: {_link(entry.path.name)}"
        yield from _explained(failure.explanation)
        yield from (f"  - what to do: {hint}" for hint in failure.hints)

    def _symbols(self) -> Iterator[str]:
        """Yields a line for each symbolic size or number, then one for each that was specialized."""
        fixed = {(s.compile_id, s.name) for s in self.record.specializations}
        for s in self.record.symbolic_sizes:
            where = f", first at {self.paths.show(s.where)}" if s.where else ""
            if not s.source:
                statement = f"`{s.name}`{self._origin(s)} is known at run time only"
                yield f"- [{s.compile_id}] {statement}{self._asserted(s)}{where}"
                continue
            is_fixed = (s.compile_id, s.name) in fixed
            accepted = "" if is_fixed or not s.range else f"; range: {words_of_range(s.range)}"
            value = f"{s.value} in this call{accepted}"
            yield f"- [{s.compile_id}] `{s.name}` = `{friendly_text(s.source)}` ({value}){where}"
        for fix in self.record.specializations:
            sources = ", ".join(friendly_text(x) for x in fix.sources)
            where = f" at {self.paths.show(fix.where)}" if fix.where else ""
            reason = f" (torch: {fix.reason})" if fix.reason else ""
            yield f"- [{fix.compile_id}] `{fix.name}` ({sources}) is fixed to {fix.value}{where}{reason}"

    def _origin(self, symbol: Symbol) -> str:
        """Returns what an unbacked symbol stands for, if the graph shows it."""
        graph, entry = self.record.captured_graph(symbol.compile_id), self.record.entry(symbol.compile_id)
        arguments = entry.arguments if entry is not None else ()
        origin = unbacked.origin(graph.text, symbol.name, arguments) if graph is not None else ""
        if not origin:
            return " (unbacked)"
        return f" = `{textwrap.shorten(origin, _SHOWN_WIDTH, placeholder=' …')}`, unbacked,"

    def _asserted(self, symbol: Symbol) -> str:
        """Returns the assertions about a symbol that the graph makes when it runs."""
        graph = self.record.captured_graph(symbol.compile_id)
        assertions = dict.fromkeys(_ASSERTED.findall(graph.text if graph is not None else ""))
        of_symbol = [f"`{text}`" for text in assertions if re.search(rf"\b{re.escape(symbol.name)}\b", text)]
        return f", asserted: {', '.join(of_symbol)}" if of_symbol else ""

    # ---- time and caches

    def _time(self) -> list[str]:
        phases = seconds_by_phase(self.record.phases)
        if not phases:
            return []
        names = [n for n in PHASES if any(n in spent for spent in phases.values())]
        rows = ["| compile id | frame | " + " | ".join(PHASES[n] for n in names) + " |"]
        rows.append("| --- | --- |" + " --- |" * len(names))
        for compile_id, spent in phases.items():
            cells = " | ".join(f"{spent[n]:.3f}" if n in spent else "" for n in names)
            name = self.record.name_of(compile_id).replace("|", "\\|")
            rows.append(f"| {compile_id} | {name} | {cells} |")
        notes = ["Seconds. Phases are nested: a column includes the phases to its right that are parts of it."]
        if any(graph.is_backward for graph in self.record.graphs):
            notes.append("Inductor's phases include backward graphs, which are compiled after the whole frame.")
        if OUTSIDE in phases:
            notes.append(f"For `{OUTSIDE}` torch names no compilation: kernels are compiled in other threads.")
        return [" ".join(notes), "", *rows]

    def _caches(self) -> Iterator[str]:
        for name, times in sorted(self.record.caches.items()):
            yield f"- {name}: {times}"
        for outcome in CacheOutcome:
            events = [e for e in self.record.cache_events if e.outcome is outcome]
            caches = dict.fromkeys(f"[{e.compile_id}] {e.cache}" for e in events)
            if caches:
                yield f"- {outcome.value}: {', '.join(caches)}"
        yield from dict.fromkeys(line for event in self.record.cache_events for line in _lookup_details(event))

    def _cuda_graphs(self) -> Iterator[str]:
        for recording in self.record.cuda_graph_recordings:
            direction = "backward" if recording.is_backward else "forward"
            times = "once" if recording.times == 1 else f"{recording.times} times"
            yield f"- [{recording.compile_id}] {direction}: recorded {times}, {recording.seconds:.3f} s"
        for skip in self.record.cuda_graph_skips:
            direction = "backward" if skip.is_backward else "forward"
            where = f" ({self.paths.show(skip.location)})" if skip.location is not None else ""
            yield f"- [{skip.compile_id}] {direction}: {skip.reason}{where}"


def _explained(explanation: str) -> Iterator[str]:
    """Yields torch's explanation: its first line, and further lines as a block of code."""
    first, *rest = explanation.splitlines() or [""]
    if first:
        yield f"  - why: {first}"
    if rest:
        yield from ("", *(f"    {line}" for line in ("```", *rest, "```")), "")


def _lookup_details(event: CacheEvent) -> Iterator[str]:
    """Yields why a cache was bypassed, and the differences from the last run's key."""
    if event.reason:
        yield f"- [{event.compile_id}] {event.cache} was bypassed: {event.reason}"
    if event.changed:
        shown = [f"`{change}`" for change in event.changed[:_SHOWN_CHANGES]]
        more = len(event.changed) - len(shown)
        rest = f" and {more} more, see index.json" if more else ""
        yield f"- [{event.compile_id}] {event.cache}: its key differs from the last run's:  {', '.join(shown)}{rest}"


def describe_graph(graph: Graph) -> str:
    """Returns a short description of a graph's file, with the pass of the training step that it belongs to."""
    pass_name = PASSES[graph.is_backward]
    if graph.kind == "kernel":
        kernels = f"; kernels {', '.join(graph.kernels)}" if graph.kernels else ""
        origin = ABANDONED if graph.is_abandoned else "which runs" if graph.runs else OF_FAILURE
        language = "Python" if graph.path.suffix == ".py" else "C++"
        return f"{pass_name}Inductor's {language} file, {origin}{kernels}"
    text = pass_name + TITLES.get(graph.kind, graph.kind.replace("_", " ")).split(";")[0]
    text += ", executed as is" if graph.runs else ""
    text += f", {ABANDONED}" if graph.is_abandoned else ""
    return text + (", from one of torch's caches" if graph.is_cached else "")


def _same_reasons(reasons: Iterable[RecompileReason]) -> list[list[RecompileReason]]:
    """Returns reasons by groups that differ only in the guarded value, such as the parameters of a module."""
    groups: dict[tuple[str, ...], list[RecompileReason]] = {}
    for reason in reasons:
        advice = reason.advice.replace(f"({reason.source}, ", "(…, ") if reason.source else reason.advice
        property_of_any = (reason.what, reason.then, reason.now) if reason.then else (reason.what, reason.difference)
        groups.setdefault((reason.entry, *property_of_any, advice), []).append(reason)
    return list(groups.values())


def _section(title: str, lines: Iterable[str]) -> list[str]:
    body = list(lines)
    return [f"## {title}", "", *body, ""] if body else []


def _link(name: str | Path) -> str:
    return f"[{name}]({name})"
