# SPDX-License-Identifier: MIT
"""Converts the events of torch's structured trace into records and graph files.

The trace is used because it contains the same graphs with cold and warm caches, which patching compiler phases would
not give. Invariant: `TraceHandler.emit` never raises, never calls user code, and keeps only text and numbers.
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

_RANGE = re.compile(r"\[(\S+), (\S+)\]")  # the range of a symbol, as torch prints it
_AFTER_INDUCTOR = ("AFTER_POST_GRAD",)
_AFTER_AOT = ("Joint_graph", "Forward_graph", "Backward_graph", *_AFTER_INDUCTOR)


class TraceHandler(logging.Handler):
    """Passes the records of torch's structured trace that depyf reads to functions that must not raise."""

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
        """Returns whether torch must build an event for this handler; handles events that need not be built."""
        if event == "chromium_event":
            span = payload()
            if not isinstance(span, dict):
                return True
            if (event_of_span := trace_decode.span(span)) is not None:
                self._observe_span(event_of_span)
            return False
        if event == "artifact":
            name = str(metadata().get("name", ""))
            if trace_decode.is_cache_event(name):
                content = payload()
                text = content if isinstance(content, str) else json.dumps(content, default=str)
                self._observe({**trace_log.trace_ids(compile_id), "artifact": {"name": name}}, text)
                return False
            self._note_unknown(f"artifact {name}")
            return trace_decode.is_read(name)
        self._note_unknown(event)
        return event in trace_decode.EVENTS

    def emit(self, record: logging.LogRecord) -> None:
        """Handles a record; called by logging, inside a compilation."""
        metadata = getattr(record, "metadata", None)
        if isinstance(metadata, dict):
            self._note_unknown(next(iter(metadata), ""))
            payload = getattr(record, "payload", None)
            text = payload if isinstance(payload, str) else None
            is_span = "chromium_event" in metadata
            if trace_decode.is_phase(text or "") if is_span else not trace_decode.EVENTS.isdisjoint(metadata):
                self._observe(metadata, text)


class Recorder:
    """Assigns graphs and facts of the trace to the compilations that they belong to."""

    def __init__(self, folder: DumpFolder, record: Record, live: bool = True) -> None:
        """`live` is whether the events are from this process, while it compiles."""
        self.folder = folder
        self.record = record
        self._live = live
        self._lock = threading.RLock()
        self._names = frame_names.FrameNames()
        self._strings: dict[int, str] = {}
        self._provenance = provenance.Provenance(record, nodes_of_kernels if live else None)
        self._wrappers: dict[str, dict[str, str]] = {}  # compile id -> text -> name of the artifact
        self._written_facts: dict[Path, tuple[bool, ...]] = {}  # graph's file -> runs, is cached, is guarded
        self._logged_by: dict[Path, set[str]] = {}  # graph's file -> events that logged the graph so far
        self._cached_lines = CachedLines()
        self._attempts: dict[str, int] = {}  # compile id -> Dynamo's latest attempt to trace the frame
        self._untracked = itertools.count()  # captures without a frame, which torch all calls 0/0
        self._of_thread = threading.local()

    @contextlib.contextmanager
    def ahead_of_time(self, prefix: str) -> Iterator[None]:
        """A block whose events belong to one compilation without a frame, which gets an id of its own."""
        outer = self.aot_compile_id
        self._of_thread.aot_compile_id = f"{prefix}{next(self._untracked)}"
        try:
            yield
        finally:
            self._of_thread.aot_compile_id = outer

    @property
    def aot_compile_id(self) -> str:
        """Id of the ahead-of-time compilation in progress in this thread, "" outside of one."""
        return getattr(self._of_thread, "aot_compile_id", "")

    def compile_id_of(self, event: Event) -> str:
        """Returns the unique id of the compilation that an event belongs to."""
        return self.aot_compile_id or self.record.ids.name(event.torch_id)

    def _noted_id(self, event: Event) -> str:
        ids, torch_id = self.record.ids, event.torch_id
        match event:
            case FrameStart():
                return ids.begin(torch_id)
            case NoEntryFits():
                return ids.announce(torch_id)
            case Measured() if event.is_of_a_frame:
                return ids.end(torch_id)  # a backward graph is compiled later, under the id of its forward graph
        return ids.name(torch_id)

    def decoded(self, metadata: dict[str, Any], payload: str | None) -> Event | None:
        """Returns the event of a record of the trace, or None."""
        return trace_decode.decode(metadata, payload, self.file_name)

    def on_event(self, event: Event) -> None:
        """Processes one event."""
        if isinstance(event, Interned):
            self._strings[event.number] = event.text
            return
        compile_id = self.aot_compile_id or self._noted_id(event)
        if _is_captured(event) and not self.aot_compile_id and self._live and not dynamo.converts_frame():
            compile_id = f"export{next(self._untracked)}"
        with self._lock:
            if event.attempt > self._attempts.get(compile_id, 0):  # later backward graphs are logged as of the first
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
                case NoEntryFits():  # beyond the recompile limit, no start follows
                    self._on_code(compile_id)
                case SymbolMade() if event.number is not None:
                    self.record.symbols.setdefault(compile_id, {})[event.name] = event.number
                case Measured() | BackwardMeasured():
                    if isinstance(event, Measured) and event.failure is not None and compile_id != OUTSIDE:
                        self._run_nothing_of(compile_id)
                    self.record.measured_seconds = round(self.record.measured_seconds + event.seconds, 6)

    def function_of(self, compile_id: str) -> str:
        """Returns the `__compiled_fn_N` after which files of a compilation are named."""
        name = self.record.compiled_fns.get(compile_id)
        match = texts.COMPILED_FN.match(name) if name else None
        if match is not None:
            return f"__compiled_fn_{match.group(1)}"
        part = "no_frame" if compile_id == OUTSIDE else compile_id.replace("/", "_").replace("!", "autograd_")
        return f"__compiled_fn_for_{safe_name(part)}"

    def write_graph(self, kind: str, compile_id: str, text: str, logged_by: str) -> Graph:
        """Writes and records a graph. `logged_by` is an event that logs each graph exactly once, even equal ones."""
        same = self._equal_graphs(kind, compile_id, without_addresses(text))
        graph = next((g for g in same if logged_by not in self._logged_by.get(g.path, ())), None)
        if graph is None:
            graph = self._write_new(kind, compile_id, text, [g.path for g in same])
        self._logged_by.setdefault(graph.path, set()).add(logged_by)
        return graph

    def _write_new(self, kind: str, compile_id: str, text: str, of_others: Collection[Path]) -> Graph:
        graph = self._new_graph(kind, compile_id, without_addresses(text))
        graph.plan = graph_texts.planned(graph.text, self.record.symbols.get(compile_id, {}))
        named = graph_file.named_lines(graph.text)
        graph.source_lines = tuple(place for place in named if not is_torchs_own(place.path)) or named
        content = graph_texts.content(graph)
        graph.path = self.folder.write_numbered(f"{self.function_of(compile_id)}.{kind}.%s.py", content, of_others)
        self.record.graphs.append(graph)
        return graph

    def _give_up_graphs(self, compile_id: str) -> None:
        """Marks the graphs of earlier attempts as abandoned, because Dynamo traces the frame again."""
        self._wrappers.pop(compile_id, None)
        for graph in self.record.graphs:
            if graph.compile_id == compile_id and not graph.is_abandoned:
                graph.is_abandoned, graph.runs = True, False
                self.folder.replace(graph.path, graph_texts.content(graph))

    def _run_nothing_of(self, compile_id: str) -> None:
        """Notes that the graphs of a failed compilation do not run, even if code was generated."""
        for graph in self.record.graphs:
            if graph.compile_id == compile_id:
                graph.runs = False

    def rewrite_graph(self, graph: Graph, text: str) -> str:
        """Replaces a graph's file by the executed text, which takes its inputs as one list; returns the content."""
        graph.boxed = without_addresses(text)
        content = graph_texts.content(graph)
        self.folder.replace(graph.path, content)
        return content

    def complete_graph_files(self, ended: bool) -> None:
        """Completes each graph's file: whether its text is executed, and the global state in its entry's guards.

        `ended` is whether the block has ended. Before that, backward graphs may still be compiled, at their first call.
        """
        with self._lock:
            guarded = {entry.compile_id for entry in self.record.entries if entry.guards}
            for graph in self.record.graphs:
                waits = graph.kind == "Backward_graph" and not graph.runs and not ended
                facts = (graph.runs, graph.is_cached, graph.compile_id in guarded)
                if not waits and self._written_facts.get(graph.path) != facts:
                    self._written_facts[graph.path] = facts
                    self._complete_file(graph)

    def _complete_file(self, graph: Graph) -> None:
        """Writes the facts known now into a graph's file; Inductor's files are not changed."""
        if graph.kind != "kernel":
            text = graph.path.read_text("utf-8")
            completed = graph_texts.completed(graph, self.record, text)
            if completed != text:
                self.folder.replace(graph.path, completed)

    def complete(self) -> None:
        """Writes facts that are known only at the end: the wrappers of AOTAutograd, and which graphs are cached.

        The wrappers are logged in pieces, some with the backward pass. A cache hit is logged after its graphs.
        """
        with self._lock:
            self.mark_cached()
            for graph in () if self._live else self.record.graphs:  # `complete_graph_files` does this for live sessions
                self._complete_file(graph)
            for name, content in provenance_comments.commented(self.record.graphs, self._content_of):
                self.folder.replace(self.folder.path / name, content)
            for compile_id, texts in self._wrappers.items():
                text = "\n\n".join(f"# {name}\n{text.strip()}" for text, name in texts.items())
                graph = self._new_graph(INDUCTOR_WRAPPERS, compile_id, without_addresses(text))
                template = f"{self.function_of(compile_id)}.{INDUCTOR_WRAPPERS}.%s.py"
                graph.path = self.folder.write_numbered(template, graph_texts.content(graph))
                self.record.graphs.append(graph)
            self._wrappers.clear()

    def _content_of(self, name: str) -> str:
        return (self.folder.path / name).read_text("utf-8")

    def mark_cached(self) -> None:
        """Notes which graphs are from a cache, according to the events so far; writes nothing and takes no lock."""
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
        """Writes a file of Inductor (unchanged, because its lines run) and the native kernels in it."""
        with self._lock:
            written = self._equal_graphs("kernel", compile_id, source)
            if written:
                return written[0].path
            graph = self._new_graph("kernel", compile_id, source)
            graph.runs = True
            graph.path = self.folder.write_numbered(f"{self.function_of(compile_id)}.kernel_%s{suffix}", source)
            sources = graph_texts.kernel_sources(source)
            graph.kernels = tuple(kernel.name for kernel in sources)
            stem = graph.path.stem
            graph.native = tuple(
                self.folder.write_numbered(f"{stem}.{safe_name(k.name)}.%s{k.suffix}", k.text).name for k in sources
            )
            self.record.graphs.append(graph)
            return graph.path

    def on_formatted(self, name: str, gm: torch.fx.GraphModule) -> None:
        """Records a graph that torch's formatter prints, which is the only source for libraries such as vLLM."""
        text = gm.print_readable(print_output=False)
        with self._lock:
            self.write_graph(
                safe_name(name.replace(" ", "_")),
                self.record.ids.name(dynamo.compile_id() or OUTSIDE),
                text,
                "formatter",
            )

    def on_exported(self, program: torch.export.ExportedProgram) -> None:
        """Records an exported program, which the trace does not contain without `strict=True`."""
        text = program.graph_module.print_readable(print_output=False, include_stride=True, include_device=True)
        with self._lock:
            self.write_graph("Exported_program", self.aot_compile_id or "export", text, "export")

    def file_name(self, number: Any) -> str:
        """Returns the file to which an interned number refers."""
        if not isinstance(number, int):
            return str(number)
        if number not in self._strings and self._live:
            self._strings.update(trace_log.interned_strings())
        return self._strings.get(number, "?")

    def _equal_graphs(self, kind: str, compile_id: str, text: str) -> list[Graph]:
        of_attempt = (g for g in self.record.graphs if g.compile_id == compile_id and not g.is_abandoned)
        return [g for g in of_attempt if g.kind == kind and g.text == text]

    def _new_graph(self, kind: str, compile_id: str, text: str) -> Graph:
        """Returns a graph with the facts known about its compilation now; its file is not written yet."""
        called_as = stable(self.record.compiled_fns.get(compile_id) or "")
        start = self.record.starts.get(compile_id, NOWHERE)
        return Graph(kind, compile_id, Path(), text=text, frame=start, called_as=called_as)

    def _on_graph(self, event: GraphPrinted, compile_id: str) -> None:
        if _is_captured(event) and self._live:
            name = dynamo.compiled_fn_name()
            if name is None:
                name = dynamo.current_compiled_fn_name()
            self.record.compiled_fns[compile_id] = name
        graph = self.write_graph(event.kind, compile_id, event.text, event.logged_as)
        self._provenance.on_file(compile_id, event.kind, graph.path)

    def _on_guards(self, compile_id: str, payload: str) -> None:
        entry = self.record.entry(compile_id)
        if entry is None:
            return
        self.add_guards(entry, payload, dynamo.frame_globals() if self._live else None)

    def add_guards(self, entry: Entry, text: str, scope: dict[str, Any] | None) -> None:
        """Parses an entry's guards from torch's text. `scope` are the globals of its frame."""
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
        """Notes name and start of the frame that Dynamo is converting; returns False if it is unknown."""
        code = dynamo.frame_code() if self._live else None
        if code is None:
            return False
        self.record.starts[compile_id] = frame_names.start_of(code)
        self.record.names[compile_id] = self._names.name_of_code(code, dynamo.frame_locals())
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
    """Returns the range of a symbol that an entry's guards accept: the logged range, narrowed by comparisons since."""
    bounds = _RANGE.fullmatch(symbol.range)
    if bounds is None:
        return symbol.range
    low, high = bounds.groups()
    comparison = re.compile(rf"(?:(-?\d+) <= )?{re.escape(symbol.source)}(?: <= (-?\d+))?")
    for bound in filter(None, (comparison.fullmatch(guard.text) for guard in guards)):
        low, high = bound[1] or low, bound[2] or high
    return f"[{low}, {high}]"


def _is_captured(event: Event) -> bool:
    return isinstance(event, GraphPrinted) and event.kind == "Captured_Graph"
