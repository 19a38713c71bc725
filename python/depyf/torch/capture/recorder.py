# SPDX-License-Identifier: MIT
"""Turns torch's structured trace into records and graph files.

The trace carries the same graphs with cold and with warm caches, which no monkeypatch of a compiler phase does.
Invariant: `TraceHandler.emit` never raises, never calls into user code, keeps only text and numbers.
"""

from __future__ import annotations

import contextlib
import logging
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from depyf.torch.capture import frame_names, provenance
from depyf.torch.capture.canaries import is_known
from depyf.torch.capture.events import is_cache_event, is_phase
from depyf.torch.guards import annotate, parse
from depyf.torch.internals import dynamo, guard_state, texts, trace_log
from depyf.torch.internals.provenance import nodes_of_kernels
from depyf.torch.internals.stable_names import stable
from depyf.torch.model.compile_ids import OUTSIDE, compile_id_of
from depyf.torch.model.location import Location
from depyf.torch.model.record import Entry, Graph, Record
from depyf.torch.model.titles import INDUCTOR_WRAPPERS, PHASES, TITLES
from depyf.torch.write import graph_file, provenance_comments, runnable
from depyf.torch.write.folder import DumpFolder, safe_name

# Events whose payload is a graph, and the middle part of its file name.
_GRAPH_EVENTS = {
    "dynamo_output_graph": "Captured_Graph",
    "aot_joint_graph": "Joint_graph",
    "aot_forward_graph": "Forward_graph",
    "aot_inference_graph": "Forward_graph",
    "aot_backward_graph": "Backward_graph",
    "inductor_post_grad_graph": "AFTER_POST_GRAD",
    "compiled_autograd_graph": "Compiled_autograd_graph",
    "optimize_ddp_split_graph": "DDP_split_graph",
    "optimize_ddp_split_child": "DDP_split_child",
}
_ARTIFACT_GRAPHS = {"inductor_post_grad_graph": "AFTER_POST_GRAD", "before_pre_grad_graph": "BEFORE_PRE_GRAD"}
# Artifacts that hold Python which AOTAutograd generates around the compiled graphs; one file holds those of a graph.
_AOT_WRAPPERS = (
    "aot_autograd_runtime_wrappers",
    "backward_epilogue",
    "backward_prologue",
    "compiled_fn_wrapper",
    "compiled_function_backward",
    "compiled_function_forward",
    "runtime_wrapper_orchestration",
)
_AFTER_INDUCTOR = ("AFTER_POST_GRAD",)
_AFTER_AOT = ("Joint_graph", "Forward_graph", "Backward_graph", *_AFTER_INDUCTOR)
_FROM_CACHE = (
    "Out of a cache of torch's: its comments name source lines of the program that filled the cache, "
    "which may be another one or have changed since."
)
_KERNEL_DEF = re.compile(
    r"^(\w+) = async_compile\.(\w+)\((?:'\w+', |\[[^\]]*\], )?(?:r|R)?('''|\"\"\")(.*?)\3", re.MULTILINE | re.DOTALL
)
_EVENTS = frozenset(_GRAPH_EVENTS) | {
    "artifact",
    "compilation_metrics",
    "create_symbol",
    "dynamo_cpp_guards_str",
    "dynamo_start",
    "inductor_output_code",
    "str",
    "symbolic_shape_specialization",
}
_ARTIFACTS = frozenset(
    (*_ARTIFACT_GRAPHS, *_AOT_WRAPPERS, *provenance.ARTIFACTS, "dynamo_graph_break_reason", "recompile_reasons")
)
_KEPT_CONTEXT = {"frame_id", "frame_compile_id", "attempt", "compiled_autograd_id", "rank", "subgraph_name"}


class TraceHandler(logging.Handler):
    """Hands the records of torch's structured trace that matter to functions that must not raise."""

    def __init__(
        self,
        observe: Callable[[dict[str, Any], str | None], None],
        observe_span: Callable[[dict[str, Any]], None],
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
            if span.get("name") in PHASES:
                self._observe_span(span)
            return False
        if event == "artifact":
            name = str(metadata().get("name", ""))
            if is_cache_event(name):
                self._observe({**trace_log.trace_ids(compile_id), "artifact": {"name": name}}, None)
                return False
            self._note_unknown(f"artifact {name}")
            return name in _ARTIFACTS
        self._note_unknown(event)
        return event in _EVENTS

    def emit(self, record: logging.LogRecord) -> None:
        """Called by logging, inside a compilation."""
        metadata = getattr(record, "metadata", None)
        if isinstance(metadata, dict):
            self._note_unknown(next(iter(metadata), ""))
            payload = getattr(record, "payload", None)
            text = payload if isinstance(payload, str) else None
            if is_phase(text or "") if "chromium_event" in metadata else not _EVENTS.isdisjoint(metadata):
                self._observe(metadata, text)


class Recorder:
    """Files graphs and facts of the trace under the compilation they belong to."""

    def __init__(self, folder: DumpFolder, record: Record, live: bool = True) -> None:
        """`live`: the events come from this process, while it compiles."""
        self.folder = folder
        self.record = record
        self._live = live
        self._lock = threading.RLock()
        self._strings: dict[int, str] = {}
        self._provenance = provenance.Provenance(record, nodes_of_kernels if live else None)
        self._wrappers: dict[str, dict[str, str]] = {}  # compile id -> text -> the artifact it is
        self._told: dict[Path, tuple[bool, bool]] = {}  # graph's file -> what its first line says: runs, out of a cache
        self._outside = 0  # captures that convert no running frame: their ids in the trace all are 0/0
        self.ahead = ""  # id of the ahead-of-time compilation in progress

    @contextlib.contextmanager
    def ahead_of_time(self, how: str) -> Iterator[None]:
        """What is traced in the block belongs to one compilation that no call asked for, with an id of its own."""
        before = self.ahead
        self.ahead = f"{how}{self._outside}"
        self._outside += 1
        try:
            yield
        finally:
            self.ahead = before

    def _named(self, metadata: dict[str, Any]) -> str:
        ids, given = self.record.ids, compile_id_of(metadata)
        if "dynamo_start" in metadata:
            return ids.begin(given)
        if (metadata.get("artifact") or {}).get("name") == "recompile_reasons":
            return ids.announce(given)
        if (metadata.get("compilation_metrics") or {}).get("is_forward", False) is not False:
            return ids.end(given)  # a backward is compiled later, under the id of its forward
        return ids.name(given)

    def on_trace(self, metadata: dict[str, Any], payload: str | None) -> None:
        """One event."""
        if "str" in metadata:
            text, number = metadata["str"]
            self._strings[number] = text
            return
        compile_id = self.ahead or self._named(metadata)
        if "dynamo_output_graph" in metadata and not self.ahead and self._live and not dynamo.converts_frame():
            compile_id = f"export{self._outside}"
            self._outside += 1
        for event in metadata:
            if event in _KEPT_CONTEXT:
                continue
            with self._lock:
                if event in _GRAPH_EVENTS:
                    self._on_graph(event, compile_id, payload or "")
                elif event == "artifact":
                    self._on_artifact(str(metadata[event].get("name", "")), compile_id, payload or "")
                elif event == "inductor_output_code":
                    self._provenance.on_file(compile_id, "kernel", self.write_kernel(payload or "", compile_id))
                elif event == "dynamo_cpp_guards_str":
                    self._on_guards(compile_id, payload or "")
                elif event == "dynamo_start":
                    self._on_start(compile_id, metadata[event])
                elif event == "create_symbol":
                    self._on_symbol(compile_id, metadata[event])
                elif event == "compilation_metrics":
                    self._on_metrics(metadata[event])
            return

    def function_of(self, compile_id: str) -> str:
        """The `__compiled_fn_N` that files of a compilation are named after."""
        name = self.record.compiled_fns.get(compile_id)
        match = texts.COMPILED_FN.match(name) if name else None
        if match is not None:
            return f"__compiled_fn_{match.group(1)}"
        return f"__compiled_fn_for_{safe_name(compile_id.replace('/', '_').replace('!', 'autograd_'))}"

    def write_graph(self, kind: str, compile_id: str, text: str) -> Graph:
        """Writes one graph's file and records it."""
        known = self._known(kind, compile_id, text)
        if known is not None:
            return known
        planned = runnable.plan(graph_file.named(text), self.record.symbols.get(compile_id, {}), graph_file.IMPORTED)
        tail = runnable.script(planned, boxed=False)
        content = graph_file.graph_file(self._header(kind, compile_id), text, tail, valid=planned is not None)
        path = self.folder.write_numbered(f"{self.function_of(compile_id)}.{kind}.%s.py", content)
        graph = Graph(kind, compile_id, path, text=text, plan=planned)
        graph.source_lines = graph_file.user_lines(text)
        self.record.graphs.append(graph)
        return graph

    def rewrite_graph(self, graph: Graph, text: str) -> str:
        """Replaces a graph's file by the text that runs, which takes its inputs as one list; the content written."""
        tail = runnable.script(graph.plan, boxed=True)
        content = graph_file.graph_file(self._header(graph.kind, graph.compile_id), text, tail)
        self.folder.replace(graph.path, content)
        graph.text = text
        return content

    def tell_what_runs(self, ended: bool) -> None:
        """Says in the first line of each graph's file whether it is the code that runs: only there breakpoints are hit.

        `ended`: the block has. Before, a backward graph may still be compiled, when it is first called.
        """
        with self._lock:
            for graph in self.record.graphs:
                waits = graph.kind == "Backward_graph" and not graph.runs and not ended
                told = (graph.runs, graph.is_cached)
                if graph.kind == "kernel" or waits or self._told.get(graph.path) == told:
                    continue
                self._told[graph.path] = told
                title, *_ = self._header(graph.kind, graph.compile_id)
                entry = self.record.entry(graph.compile_id)
                under = f" under backend {entry.backend}" if entry is not None and entry.backend else ""
                runs = "this file is what runs" if graph.runs else f"no breakpoint in this file is hit{under}"
                _, rest = graph.path.read_text("utf-8").split("\n", 1)
                cached = f" {_FROM_CACHE}" if graph.is_cached else ""
                self.folder.replace(
                    graph.path, f"# {title.partition(';')[0].removesuffix('.')}; {runs}.{cached}\n{rest}"
                )

    def complete(self) -> None:
        """Writes what is known at the end only: the wrappers of AOTAutograd, and what came out of a cache.

        The wrappers come in pieces, some with the backward pass; torch tells of a cache's hit after the graphs in it.
        """
        with self._lock:
            self._say_what_is_cached()
            for path, content in provenance_comments.commented(self.record.graphs):
                self.folder.replace(path, content)
            for compile_id, texts in self._wrappers.items():
                text = "\n\n".join(f"# {name}\n{text.strip()}" for text, name in texts.items())
                # torch logs the texts that it compiles
                content = graph_file.graph_file(self._header(INDUCTOR_WRAPPERS, compile_id), text, valid=True)
                path = self.folder.write_numbered(f"{self.function_of(compile_id)}.{INDUCTOR_WRAPPERS}.%s.py", content)
                self.record.graphs.append(Graph(INDUCTOR_WRAPPERS, compile_id, path, text=text))
            self._wrappers.clear()

    def mark_cached(self) -> None:
        """Notes which graphs came out of a cache, by what torch told so far; writes nothing and waits for nothing."""
        hits: dict[str, set[str]] = {}
        for event in self.record.cache_events:
            if event.outcome == "hit":
                hits.setdefault(event.compile_id, set()).add(event.cache)
        for graph in self.record.graphs:
            caches = hits.get(graph.compile_id, set())
            kinds = _AFTER_AOT if any("aot" in cache for cache in caches) else _AFTER_INDUCTOR
            graph.is_cached = bool(caches) and graph.kind in kinds
            if not graph.is_cached or not graph.source_lines:
                continue
            traced = {
                (place.path, place.line)
                for g in self.record.graphs
                if g.compile_id == graph.compile_id and g.kind == "Captured_Graph"
                for place in g.source_lines
            }
            if not {(place.path, place.line) for place in graph.source_lines} <= traced:
                graph.source_lines = ()  # another version's, or another program's

    def _say_what_is_cached(self) -> None:
        """Says in the first line of a graph that came out of a cache whose lines its comments name."""
        with_lines = [graph for graph in self.record.graphs if graph.source_lines]
        self.mark_cached()
        for graph in () if self._live else with_lines:  # `tell_what_runs` says it of what is live
            if not graph.is_cached:
                continue
            first, _, rest = graph.path.read_text("utf-8").partition("\n")
            if _FROM_CACHE not in first:
                self.folder.replace(graph.path, f"{first} {_FROM_CACHE}\n{rest}")

    def write_kernel(self, source: str, compile_id: str) -> Path:
        """Writes one Python file of Inductor (unchanged: its lines are what runs) and the native kernels in it."""
        with self._lock:
            known = self._known("kernel", compile_id, source)
            if known is not None:
                return known.path
            function = self.function_of(compile_id)
            path = self.folder.write_numbered(f"{function}.kernel_%s.py", source)
            graph = Graph("kernel", compile_id, path, text=source)
            names, native = [], []
            for match in _KERNEL_DEF.finditer(source):
                name, language, body = match.group(1), match.group(2), match.group(4)
                suffix = ".cpp" if language.startswith("cpp") else f".{safe_name(language)}.txt"
                native.append(self.folder.write_numbered(f"{path.stem}.{safe_name(name)}.%s{suffix}", body).name)
                names.append(name)
            graph.kernels, graph.native = tuple(names), tuple(native)
            self.record.graphs.append(graph)
            return path

    def on_formatted(self, name: str, gm: Any) -> None:
        """A graph that goes through torch's formatter: libraries such as vLLM announce theirs only there."""
        text = gm.print_readable(print_output=False)
        with self._lock:
            self.write_graph(
                safe_name(name.replace(" ", "_")), self.record.ids.name(dynamo.compile_id() or OUTSIDE), text
            )

    def on_exported(self, program: Any) -> None:
        """What torch.export gives: without `strict=True` no trace tells of it."""
        text = program.graph_module.print_readable(print_output=False, include_stride=True, include_device=True)
        with self._lock:
            self.write_graph("Exported_program", self.ahead or "export", text)

    def file_name(self, number: Any) -> str:
        """The file an interned number refers to."""
        if not isinstance(number, int):
            return str(number)
        if number not in self._strings and self._live:
            self._strings.update(trace_log.interned_strings())
        return self._strings.get(number, "?")

    def _known(self, kind: str, compile_id: str, text: str) -> Graph | None:
        return next(
            (g for g in self.record.graphs if g.kind == kind and g.compile_id == compile_id and g.text == text), None
        )

    def _header(self, kind: str, compile_id: str) -> list[str]:
        start, title = self.record.starts.get(compile_id), TITLES.get(kind, "graph")
        subject = f"of {start.function} [{compile_id}]" if start else f"[{compile_id}]"
        lines = [f"{kind.replace('_', ' ')} {subject}: {title}."]
        name = self.record.compiled_fns.get(compile_id)
        if name:
            lines.append(f"Called as {stable(name)}" + (f"; frame from {start}." if start else "."))
        return lines

    def _write_told(self, kind: str, compile_id: str, text: str) -> None:
        self._provenance.on_file(compile_id, kind, self.write_graph(kind, compile_id, text).path)

    def _on_graph(self, event: str, compile_id: str, payload: str) -> None:
        if event == "dynamo_output_graph" and self._live:
            name = dynamo.compiled_fn_name()
            if name is None:
                name = dynamo.current_compiled_fn_name()
            self.record.compiled_fns[compile_id] = name
        self._write_told(_GRAPH_EVENTS[event], compile_id, payload)

    def _on_artifact(self, name: str, compile_id: str, payload: str) -> None:
        if name in _ARTIFACT_GRAPHS:
            self._write_told(_ARTIFACT_GRAPHS[name], compile_id, payload)
        elif name in provenance.ARTIFACTS:
            self._provenance.on_artifact(name, compile_id, payload)
        elif name in _AOT_WRAPPERS:
            self._wrappers.setdefault(compile_id, {})[payload] = name
        elif is_cache_event(name):
            self.record.caches[name] = self.record.caches.get(name, 0) + 1

    def _on_guards(self, compile_id: str, payload: str) -> None:
        entry = self.record.entry(compile_id)
        if entry is None:
            return
        self.add_guards(entry, payload, dynamo.frame_globals() if self._live else None)

    @staticmethod
    def add_guards(entry: Entry, text: str, scope: dict[str, Any] | None) -> None:
        """Reads an entry's guards from torch's text. `scope`: the globals of its frame."""
        entry.guard_tree = text
        entry.guards = parse.parse_tree(text)
        entry.function_modes = tuple(guard_state.function_modes() or ())
        if scope is not None:
            modules, names = annotate.find_public_names(entry.guards, scope)
            entry.modules.update(modules)
            entry.live_names = tuple(sorted({*entry.live_names, *names}))

    def _on_start(self, compile_id: str, event: dict[str, Any]) -> None:
        stack = event.get("stack") or [{}]
        frame = stack[-1]
        file = self.file_name(frame.get("filename"))
        where = Location(file, int(frame.get("line") or 0), str(frame.get("name") or ""))
        self.record.starts[compile_id] = where
        code = dynamo.frame_code() if self._live else None
        self.record.names[compile_id] = (
            frame_names.name_of_frame(code, dynamo.frame_locals())
            if code is not None
            else frame_names.name_of(where.function)
        )
        if not self._live:
            entry = Entry(compile_id, where.function, where, verdict="bytecode is not in a trace")
            entry.failure, entry.order = entry.verdict, len(self.record.entries)
            self.record.entries.append(entry)

    def _on_symbol(self, compile_id: str, event: dict[str, Any]) -> None:
        text = str(event.get("val", ""))
        with contextlib.suppress(ValueError):
            value = int(text) if re.fullmatch(r"-?\d+", text) else float(text)
            self.record.symbols.setdefault(compile_id, {})[str(event.get("symbol"))] = value

    def _on_metrics(self, event: dict[str, Any]) -> None:
        seconds = event.get("entire_frame_compile_time_s")
        if isinstance(seconds, int | float):
            self.record.compile_seconds += seconds
