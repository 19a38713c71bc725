# SPDX-License-Identifier: MIT
"""Turns the events of torch's structured trace into records and graph files.

The trace carries the same graphs with cold and with warm caches, which no monkeypatch of a compiler phase does.
Invariant: `TraceHandler.emit` never raises, never calls into user code, keeps only text and numbers.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import logging
import re
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import torch

from depyf.torch.capture import frame_names, provenance, trace_decode
from depyf.torch.capture.cached_lines import CachedLines
from depyf.torch.capture.canaries import is_known
from depyf.torch.capture.torch_prose import is_torchs_own
from depyf.torch.capture.trace_decode import (
    BackwardMeasured,
    CacheAnswer,
    Event,
    FrameStart,
    GraphPrinted,
    GuardTree,
    InductorCode,
    Interned,
    KernelNodes,
    KernelStacks,
    Measured,
    NoEntryFits,
    Span,
    SymbolMade,
    Wrapper,
)
from depyf.torch.guards import annotate, parse
from depyf.torch.internals import dynamo, guard_state, texts, trace_log
from depyf.torch.internals.provenance import nodes_of_kernels
from depyf.torch.internals.stable_names import stable, without_addresses
from depyf.torch.model.compile_ids import OUTSIDE
from depyf.torch.model.enums import CacheOutcome
from depyf.torch.model.guard import Guard
from depyf.torch.model.location import NOWHERE
from depyf.torch.model.record import Entry, Graph, Record, Symbol
from depyf.torch.model.titles import INDUCTOR_WRAPPERS
from depyf.torch.write import graph_file, graph_texts, provenance_comments
from depyf.torch.write.folder import DumpFolder, safe_name

_RANGE = re.compile(r"\[(\S+), (\S+)\]")  # of a symbol, as torch prints it
_AFTER_INDUCTOR = ("AFTER_POST_GRAD",)
_AFTER_AOT = ("Joint_graph", "Forward_graph", "Backward_graph", *_AFTER_INDUCTOR)


class TraceHandler(logging.Handler):
    """Hands the records of torch's structured trace that matter to functions that must not raise."""

    def __init__(
        self,
        observe: Callable[[dict[str, Any], str | None], None],
        observe_span: Callable[[Span], None],
        observe_unknown: Callable[[str], None],
    ) -> None:
        super().__init__(logging.DEBUG)
        self._observe = observe
        self._observe_span = observe_span
        self._observe_unknown = observe_unknown
        self._unknown: set[str] = set()

    def _note_unknown(self, name: str) -> None:
        if name not in self._unknown and not is_known(name):
            self._unknown.add(name)
            self._observe_unknown(name)

    def reads(self, event: str, metadata: Callable[[], Any], payload: Callable[[], Any], compile_id: Any) -> bool:
        """Whether torch shall build an event for this handler; what can be told without that is told here."""
        if event == "chromium_event":
            span = payload()
            if not isinstance(span, dict):
                return True
            if (found := trace_decode.span(span)) is not None:
                self._observe_span(found)
            return False
        if event == "artifact":
            name = str(metadata().get("name", ""))
            if trace_decode.is_cache_event(name):
                told = payload()
                text = told if isinstance(told, str) else json.dumps(told, default=str)
                self._observe({**trace_log.trace_ids(compile_id), "artifact": {"name": name}}, text)
                return False
            self._note_unknown(f"artifact {name}")
            return trace_decode.is_read(name)
        self._note_unknown(event)
        return event in trace_decode.EVENTS

    def emit(self, record: logging.LogRecord) -> None:
        """Called by logging, inside a compilation."""
        metadata = getattr(record, "metadata", None)
        if isinstance(metadata, dict):
            self._note_unknown(next(iter(metadata), ""))
            payload = getattr(record, "payload", None)
            text = payload if isinstance(payload, str) else None
            is_span = "chromium_event" in metadata
            if trace_decode.is_phase(text or "") if is_span else not trace_decode.EVENTS.isdisjoint(metadata):
                self._observe(metadata, text)


class Recorder:
    """Files graphs and facts of the trace under the compilation they belong to."""

    def __init__(self, folder: DumpFolder, record: Record, live: bool = True) -> None:
        """`live`: the events come from this process, while it compiles."""
        self.folder = folder
        self.record = record
        self._live = live
        self._lock = threading.RLock()
        self._names = frame_names.FrameNames()
        self._strings: dict[int, str] = {}
        self._provenance = provenance.Provenance(record, nodes_of_kernels if live else None)
        self._wrappers: dict[str, dict[str, str]] = {}  # compile id -> text -> the artifact it is
        self._told: dict[Path, tuple[bool, ...]] = {}  # graph's file -> what it says: runs, out of a cache, its state
        self._told_by: dict[Path, set[str]] = {}  # graph's file -> what told of the graph so far
        self._cached_lines = CachedLines()
        self._attempts: dict[str, int] = {}  # compile id -> Dynamo's latest attempt to trace the frame
        self._untracked = itertools.count()  # captures that convert no running frame: torch calls all 0/0
        self._of_thread = threading.local()

    @contextlib.contextmanager
    def ahead_of_time(self, how: str) -> Iterator[None]:
        """What is traced in the block belongs to one compilation that no call asked for, with an id of its own."""
        before = self.aot_compile_id
        self._of_thread.aot_compile_id = f"{how}{next(self._untracked)}"
        try:
            yield
        finally:
            self._of_thread.aot_compile_id = before

    @property
    def aot_compile_id(self) -> str:
        """Id of the ahead-of-time compilation in progress in this thread, "" outside one."""
        return getattr(self._of_thread, "aot_compile_id", "")

    def named(self, event: Event) -> str:
        """What the compilation that an event is of is called from now on."""
        return self.aot_compile_id or self.record.ids.name(event.given)

    def _noted(self, event: Event) -> str:
        ids, given = self.record.ids, event.given
        match event:
            case FrameStart():
                return ids.begin(given)
            case NoEntryFits():
                return ids.announce(given)
            case Measured() if event.is_of_a_frame:
                return ids.end(given)  # a backward is compiled later, under the id of its forward
        return ids.name(given)

    def decoded(self, metadata: dict[str, Any], payload: str | None) -> Event | None:
        """The event of a record of the trace."""
        return trace_decode.decode(metadata, payload, self.file_name)

    def on_event(self, event: Event) -> None:
        """One event."""
        if isinstance(event, Interned):
            self._strings[event.number] = event.text
            return
        compile_id = self.aot_compile_id or self._noted(event)
        if _is_captured(event) and not self.aot_compile_id and self._live and not dynamo.converts_frame():
            compile_id = f"export{next(self._untracked)}"
        with self._lock:
            if event.attempt > self._attempts.get(compile_id, 0):  # a backward, compiled later, is told as of the first
                self._attempts[compile_id] = event.attempt
                self._give_up_graphs(compile_id)
            match event:
                case GraphPrinted():
                    self._on_graph(event, compile_id)
                case Wrapper():
                    self._wrappers.setdefault(compile_id, {})[event.text] = event.artifact
                case CacheAnswer():
                    self.record.caches[event.artifact] = self.record.caches.get(event.artifact, 0) + 1
                case InductorCode():
                    self._provenance.on_file(
                        compile_id, "kernel", self.write_kernel(event.text, compile_id, event.suffix)
                    )
                case KernelNodes() | KernelStacks():
                    self._provenance.on_event(compile_id, event)
                case GuardTree():
                    self._on_guards(compile_id, event.text)
                case FrameStart():
                    self._on_start(compile_id, event)
                case NoEntryFits():  # where it exceeds the recompile limit, nothing starts
                    self._on_code(compile_id)
                case SymbolMade() if event.number is not None:
                    self.record.symbols.setdefault(compile_id, {})[event.name] = event.number
                case Measured() | BackwardMeasured():
                    if isinstance(event, Measured) and event.failure is not None and compile_id != OUTSIDE:
                        self._run_nothing_of(compile_id)
                    self.record.measured_seconds = round(self.record.measured_seconds + event.seconds, 6)

    def function_of(self, compile_id: str) -> str:
        """The `__compiled_fn_N` that files of a compilation are named after."""
        name = self.record.compiled_fns.get(compile_id)
        match = texts.COMPILED_FN.match(name) if name else None
        if match is not None:
            return f"__compiled_fn_{match.group(1)}"
        own = "no_frame" if compile_id == OUTSIDE else compile_id.replace("/", "_").replace("!", "autograd_")
        return f"__compiled_fn_for_{safe_name(own)}"

    def write_graph(self, kind: str, compile_id: str, text: str, told_by: str) -> Graph:
        """Writes one graph's file and records it. `told_by`: what tells of each graph once, even if two are equal."""
        same = self._known(kind, compile_id, without_addresses(text))
        graph = next((g for g in same if told_by not in self._told_by.get(g.path, ())), None)
        if graph is None:
            graph = self._written(kind, compile_id, text, [g.path for g in same])
        self._told_by.setdefault(graph.path, set()).add(told_by)
        return graph

    def _written(self, kind: str, compile_id: str, text: str, of_others: Collection[Path]) -> Graph:
        graph = self._made(kind, compile_id, without_addresses(text))
        graph.plan = graph_texts.planned(graph.text, self.record.symbols.get(compile_id, {}))
        named = graph_file.named_lines(graph.text)
        graph.source_lines = tuple(place for place in named if not is_torchs_own(place.path)) or named
        content = graph_texts.content(graph)
        graph.path = self.folder.write_numbered(f"{self.function_of(compile_id)}.{kind}.%s.py", content, of_others)
        self.record.graphs.append(graph)
        return graph

    def _give_up_graphs(self, compile_id: str) -> None:
        """Says of the graphs of earlier attempts that nothing calls them: Dynamo traces the frame anew."""
        self._wrappers.pop(compile_id, None)
        for graph in self.record.graphs:
            if graph.compile_id == compile_id and not graph.is_abandoned:
                graph.is_abandoned, graph.runs = True, False
                self.folder.replace(graph.path, graph_texts.content(graph))

    def _run_nothing_of(self, compile_id: str) -> None:
        """Says of the graphs of a compilation that failed, perhaps with its code made, that they do not run."""
        for graph in self.record.graphs:
            if graph.compile_id == compile_id:
                graph.runs = False

    def rewrite_graph(self, graph: Graph, text: str) -> str:
        """Replaces a graph's file by the text that runs, which takes its inputs as one list; the content written."""
        graph.boxed = without_addresses(text)
        content = graph_texts.content(graph)
        self.folder.replace(graph.path, content)
        return content

    def tell_what_runs(self, ended: bool) -> None:
        """Says in the first line of each graph's file whether it is the code that runs: only there breakpoints are hit.

        And has it run under the state that its entry's guards tell. `ended`: the block has. Before, a backward graph
        may still be compiled, when it is first called.
        """
        with self._lock:
            guarded = {entry.compile_id for entry in self.record.entries if entry.guards}
            for graph in self.record.graphs:
                waits = graph.kind == "Backward_graph" and not graph.runs and not ended
                told = (graph.runs, graph.is_cached, graph.compile_id in guarded)
                if not waits and self._told.get(graph.path) != told:
                    self._told[graph.path] = told
                    self._tell(graph)

    def _tell(self, graph: Graph) -> None:
        """Has a graph's file say what is known of the graph now; Inductor's files stay as they are."""
        if graph.kind != "kernel":
            text = graph.path.read_text("utf-8")
            told = graph_texts.told(graph, self.record, text)
            if told != text:
                self.folder.replace(graph.path, told)

    def complete(self) -> None:
        """Writes what is known at the end only: the wrappers of AOTAutograd, and what came out of a cache.

        The wrappers come in pieces, some with the backward pass; torch tells of a cache's hit after the graphs in it.
        """
        with self._lock:
            self.mark_cached()
            for graph in () if self._live else self.record.graphs:  # `tell_what_runs` does so of what is live
                self._tell(graph)
            for name, content in provenance_comments.commented(self.record.graphs, self._content_of):
                self.folder.replace(self.folder.path / name, content)
            for compile_id, texts in self._wrappers.items():
                text = "\n\n".join(f"# {name}\n{text.strip()}" for text, name in texts.items())
                graph = self._made(INDUCTOR_WRAPPERS, compile_id, without_addresses(text))
                template = f"{self.function_of(compile_id)}.{INDUCTOR_WRAPPERS}.%s.py"
                graph.path = self.folder.write_numbered(template, graph_texts.content(graph))
                self.record.graphs.append(graph)
            self._wrappers.clear()

    def _content_of(self, name: str) -> str:
        return (self.folder.path / name).read_text("utf-8")

    def mark_cached(self) -> None:
        """Notes which graphs came out of a cache, by what torch told so far; writes nothing and waits for nothing."""
        hits: dict[str, set[str]] = {}
        for event in self.record.cache_events:
            if event.outcome is CacheOutcome.HIT:
                hits.setdefault(event.compile_id, set()).add(event.cache)
        for graph in self.record.graphs:
            caches = hits.get(graph.compile_id, set())
            kinds = _AFTER_AOT if any("aot" in cache for cache in caches) else _AFTER_INDUCTOR
            graph.is_cached = bool(caches) and graph.kind in kinds
        for compile_id in hits:
            self._cached_lines.translate(g for g in self.record.graphs if g.compile_id == compile_id)

    def write_kernel(self, source: str, compile_id: str, suffix: str = ".py") -> Path:
        """Writes one file of Inductor (unchanged: its lines are what runs) and the native kernels in it."""
        with self._lock:
            known = self._known("kernel", compile_id, source)
            if known:
                return known[0].path
            graph = self._made("kernel", compile_id, source)
            graph.runs = True
            graph.path = self.folder.write_numbered(f"{self.function_of(compile_id)}.kernel_%s{suffix}", source)
            found = graph_texts.kernel_sources(source)
            graph.kernels = tuple(kernel.name for kernel in found)
            stem = graph.path.stem
            graph.native = tuple(
                self.folder.write_numbered(f"{stem}.{safe_name(k.name)}.%s{k.suffix}", k.text).name for k in found
            )
            self.record.graphs.append(graph)
            return graph.path

    def on_formatted(self, name: str, gm: torch.fx.GraphModule) -> None:
        """A graph that goes through torch's formatter: libraries such as vLLM announce theirs only there."""
        text = gm.print_readable(print_output=False)
        with self._lock:
            self.write_graph(
                safe_name(name.replace(" ", "_")),
                self.record.ids.name(dynamo.compile_id() or OUTSIDE),
                text,
                "formatter",
            )

    def on_exported(self, program: torch.export.ExportedProgram) -> None:
        """What torch.export gives: without `strict=True` no trace tells of it."""
        text = program.graph_module.print_readable(print_output=False, include_stride=True, include_device=True)
        with self._lock:
            self.write_graph("Exported_program", self.aot_compile_id or "export", text, "export")

    def file_name(self, number: Any) -> str:
        """The file an interned number refers to."""
        if not isinstance(number, int):
            return str(number)
        if number not in self._strings and self._live:
            self._strings.update(trace_log.interned_strings())
        return self._strings.get(number, "?")

    def _known(self, kind: str, compile_id: str, text: str) -> list[Graph]:
        of_attempt = (g for g in self.record.graphs if g.compile_id == compile_id and not g.is_abandoned)
        return [g for g in of_attempt if g.kind == kind and g.text == text]

    def _made(self, kind: str, compile_id: str, text: str) -> Graph:
        """A graph with what is known of its compilation now; its file has yet to be written."""
        called_as = stable(self.record.compiled_fns.get(compile_id) or "")
        start = self.record.starts.get(compile_id, NOWHERE)
        return Graph(kind, compile_id, Path(), text=text, frame=start, called_as=called_as)

    def _on_graph(self, event: GraphPrinted, compile_id: str) -> None:
        if _is_captured(event) and self._live:
            name = dynamo.compiled_fn_name()
            if name is None:
                name = dynamo.current_compiled_fn_name()
            self.record.compiled_fns[compile_id] = name
        graph = self.write_graph(event.kind, compile_id, event.text, event.told_as)
        self._provenance.on_file(compile_id, event.kind, graph.path)

    def _on_guards(self, compile_id: str, payload: str) -> None:
        entry = self.record.entry(compile_id)
        if entry is None:
            return
        self.add_guards(entry, payload, dynamo.frame_globals() if self._live else None)

    def add_guards(self, entry: Entry, text: str, scope: dict[str, Any] | None) -> None:
        """Reads an entry's guards from torch's text. `scope`: the globals of its frame."""
        entry.guards, entry.guards_known = parse.parse_tree(text), bool(text)
        if self._live:
            outer = self.record.calls.get(entry.compile_id, ())[:-1]
            annotate.note_callers(entry.guards, guard_state.origins(), outer)
        for symbol in self.record.symbolic_sizes:
            if symbol.compile_id == entry.compile_id:
                symbol.range = _narrowed(symbol, entry.guards)
        if scope is not None:
            modules, names = annotate.find_public_names(entry.guards, scope)
            entry.modules.update(modules)
            entry.live_names = tuple(sorted({*entry.live_names, *names}))

    def _on_code(self, compile_id: str) -> bool:
        """Names what Dynamo is converting; False where that is not known."""
        code = dynamo.frame_code() if self._live else None
        if code is None:
            return False
        self.record.starts[compile_id] = frame_names.start_of(code)
        self.record.names[compile_id] = self._names.of(code, dynamo.frame_locals())
        return True

    def _on_start(self, compile_id: str, event: FrameStart) -> None:
        if not self._on_code(compile_id):
            self.record.starts[compile_id] = event.start
            self.record.names[compile_id] = frame_names.name_of(event.start.function, event.start)
        if not self._live:
            entry = Entry(compile_id, event.start.function, event.start, verdict="bytecode is not in a trace")
            entry.failure, entry.order = entry.verdict, len(self.record.entries)
            self.record.entries.append(entry)


def _narrowed(symbol: Symbol, guards: Iterable[Guard]) -> str:
    """The range of a symbol that an entry's guards let through: torch told of it before the program compared it."""
    bounds = _RANGE.fullmatch(symbol.range)
    if bounds is None:
        return symbol.range
    low, high = bounds.groups()
    between = re.compile(rf"(?:(-?\d+) <= )?{re.escape(symbol.source)}(?: <= (-?\d+))?")
    for found in filter(None, (between.fullmatch(guard.text) for guard in guards)):
        low, high = found[1] or low, found[2] or high
    return f"[{low}, {high}]"


def _is_captured(event: Event) -> bool:
    return isinstance(event, GraphPrinted) and event.kind == "Captured_Graph"
