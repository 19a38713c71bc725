# SPDX-License-Identifier: MIT
"""Converts the record of a session to the content of `index.md` and `index.json`.

Invariant: only the record is read; files are named relative to the folder, so that a dump can be moved.
"""

from __future__ import annotations

import dataclasses
import json
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from depyf.torch.guards.stable_text import Numbers
from depyf.torch.internals import names
from depyf.torch.internals.stable_names import stable
from depyf.torch.model import facts, symbols
from depyf.torch.model.compilations import Compilation, EagerFrame, TransformedCode
from depyf.torch.model.enums import CacheOutcome, Stage
from depyf.torch.model.facts import SCHEMA_VERSION, Run
from depyf.torch.model.frames import Frame
from depyf.torch.model.location import Location, Paths
from depyf.torch.model.pieces import pieces_of
from depyf.torch.model.record import (
    Entry,
    FailedCompilation,
    Function,
    Graph,
    GraphBreak,
    Recompile,
    Record,
    UncompiledFrame,
    in_order,
)
from depyf.torch.model.titles import STAGE_OF
from depyf.torch.write.index_markdown import Index, describe_graph
from depyf.torch.write.summary import summary

_EXPECTED_KINDS = ("Captured_Graph", "Joint_graph", "Forward_graph", "Backward_graph", "AFTER_POST_GRAD", "kernel")
_INDUCTOR_GRAPHS = ("BEFORE_PRE_GRAD", "AFTER_POST_GRAD")


def as_run(record: Record, full_code: dict[str, str]) -> Run:
    """Returns the frozen facts of a run. `full_code` maps the key of a frame's code to its full-code file."""
    record = record.snapshot()
    index = Index(record, full_code)
    paths = index.paths
    return Run(
        schema_version=SCHEMA_VERSION,
        source=record.source,
        torch=str(torch.__version__),
        python=platform.python_version(),
        summary=tuple(line.removeprefix("- ") for line in summary(record, index.frames, paths)),
        compile_seconds=record.compile_seconds,
        frames=tuple(_frame(f, paths) for f in index.frames),
        entries=tuple(_entry(record, e, full_code, paths) for e in record.entries),
        graphs=tuple(_graph(g) for g in record.graphs),
        kernels=tuple(kernel for g in record.graphs for kernel in g.launches),
        functions=tuple(_function(f, paths) for f in record.functions),
        graph_breaks=tuple(_break(b, paths) for b in record.graph_breaks),
        recompiles=tuple(_recompile(record, r, paths) for r in record.recompiles),
        failures=tuple(_failure(f, paths) for f in record.failures),
        symbols=tuple(symbols.Symbol(**_with_location(s, s.where, paths)) for s in record.symbolic_sizes),
        specializations=tuple(
            symbols.Specialization(**_with_location(s, s.where, paths)) for s in record.specializations
        ),
        caches=dict(sorted(record.caches.items())),
        cache_events=tuple(record.cache_events),
        cuda_graph_skips=tuple(record.cuda_graph_skips),
        cuda_graph_recordings=tuple(record.cuda_graph_recordings),
        phases=tuple(sorted(record.phases, key=lambda phase: (phase.start, -phase.seconds))),
        metrics=json.loads(json.dumps(record.metrics)),
        not_produced=tuple(_not_produced(record)),
        problems=tuple(facts.Problem(p.what, p.error) for p in record.problems),
        missing_capabilities=names.missing(),
        globals=_globals(record),
        compilations=tuple(compilations(record)),
        statuses=dict(record.statuses),
        eager_frames={key: _eager_frame(frame) for key, frame in record.uncompiled.items()},
        files=files(record, full_code),
        failed_entries=tuple(_entry(record, e, {}, paths) for e in record.failed_entries),
        captures=dict(record.captures),
        program=record.program,
    )


def _globals(record: Record) -> dict[str, str]:
    """Returns the names of torch's global variables in dumped files, with their real names."""
    names = dict.fromkeys(
        name
        for entry in (*record.entries, *record.failed_entries)
        for name in (record.compiled_fns.get(entry.compile_id, ""), entry.compiled_fn, *entry.live_names)
    )
    return {short: name for name in names if (short := stable(name)) != name}


def files(record: Record, full_code: dict[str, str]) -> dict[str, str]:
    """Returns a one-line description of each file of the dump, in reading order."""
    lines: dict[str, str] = {}
    pieces = pieces_of(record.graphs)
    for entry in record.entries:
        if entry.code_key in full_code:
            lines[full_code[entry.code_key]] = (
                f"everything a call of {entry.title} does, as Python: guards, entries, code"
            )
        if entry.path is not None:
            lines[entry.path.name] = _transformed(record, entry)
        for graph in record.graphs_in(entry.compile_id):
            _add_graph(lines, graph, pieces)
    for graph in record.graphs:
        _add_graph(lines, graph, pieces)
    for entry in record.failed_entries:
        if entry.path is not None:
            lines.setdefault(entry.path.name, f"{_transformed(record, entry)}; the compilation failed then")
    return lines


def _transformed(record: Record, entry: Entry) -> str:
    name = record.name_of(entry.compile_id) if entry.is_resume else entry.title
    return f"transformed code of {name} [{entry.compile_id}], decompiled: {entry.verdict}"


def _add_graph(lines: dict[str, str], graph: Graph, pieces: dict[Path, str]) -> None:
    piece = f", {pieces[graph.path]}" if graph.path in pieces else ""
    lines.setdefault(graph.path.name, describe_graph(graph) + piece)
    for name in graph.native:
        lines.setdefault(name, f"source of a kernel in {graph.path.name}")


def _entry(record: Record, entry: Entry, full_code: dict[str, str], paths: Paths) -> facts.CacheEntry:
    numbers = Numbers()
    return facts.CacheEntry(
        compile_id=entry.compile_id,
        name=entry.name,
        title=record.name_of(entry.compile_id),
        origin=paths.show(entry.origin),
        location=entry.origin,
        backend=entry.backend or None,
        dropped=entry.dropped,
        verdict=entry.verdict,
        verdict_kind=entry.verdict_kind,
        lifetime_note=entry.lifetime_note or None,
        transformed_code=entry.path.name if entry.path else None,
        full_code=full_code.get(entry.code_key),
        compiled_fn=stable(entry.compiled_fn) or None,
        resume_functions=tuple(entry.resume_fns),
        eager_from=entry.eager_from or None,
        side_effects=tuple(entry.side_effects),
        guards=tuple(g.text for g in entry.guards),
        guards_known=entry.guards_known,
        checks=tuple(
            facts.Guard(
                g.kind,
                g.text,
                g.source,
                g.where,
                g.location or None,
                g.stack,
                numbers.check(g),
                g.comment,
                g.public,
                g.hint,
            )
            for g in entry.guards
        ),
        identities=tuple(numbers.known),
        inputs=dict(entry.inputs),
        call=record.call_of(entry.compile_id) or None,
        graphs=tuple(g.path.name for g in record.graphs_in(entry.compile_id)),
        code=_code(record, entry),
    )


def _code(record: Record, entry: Entry) -> TransformedCode:
    same = in_order(record.entries_of(entry.code_key))
    return TransformedCode(
        key=entry.code_key,
        rank=next((i for i, e in enumerate(same) if e is entry), len(same)),
        module=entry.module,
        signature=entry.signature,
        parameters=entry.parameters,
        arguments=tuple(entry.arguments),
        free_variables=tuple(entry.free_variables),
        compiled_fn=entry.compiled_fn,
        resume_codes=dict(entry.resume_codes),
        continues={name: place for name, place in entry.continues.items() if place},
        modules=dict(entry.modules),
        live_names=tuple(entry.live_names),
        values=dict(entry.values),
        free_values=dict(entry.free_values),
        opaque=dict(entry.opaque),
        on_stack=dict(entry.on_stack),
        has_breakpoints=entry.has_breakpoints,
        wraps=entry.wraps if entry.wraps.function else None,
        failure=entry.failure,
    )


def compilations(record: Record) -> Iterator[Compilation]:
    """Yields the compilations in the record, in the order in which they began."""
    tables = (record.starts, record.names, record.calls, record.callers, record.compiled_fns, record.symbols)
    for compile_id in dict.fromkeys(i for table in (*tables, record.keys) for i in table):
        yield Compilation(
            compile_id,
            record.names.get(compile_id),
            record.keys.get(compile_id),
            record.starts.get(compile_id),
            record.calls.get(compile_id),
            record.callers.get(compile_id) or None,
            record.compiled_fns.get(compile_id),
            dict(record.symbols.get(compile_id, {})),
        )


def _eager_frame(frame: UncompiledFrame) -> EagerFrame:
    return EagerFrame(
        frame.name, frame.origin, frame.signature, frame.arguments, frame.free_variables, frame.verdict, frame.status
    )


def _function(function: Function, paths: Paths) -> facts.Function:
    return facts.Function(
        key=function.key,
        name=function.name,
        origin=paths.show(function.origin),
        location=function.origin,
        entries=tuple(e.compile_id for e in function.entries),
        resumes=tuple(function.resumes),
    )


def _graph(graph: Graph) -> facts.Graph:
    return facts.Graph(
        compile_id=graph.compile_id,
        kind=graph.kind,
        stage=STAGE_OF.get(graph.kind, Stage.OTHER),
        file=graph.path.name,
        is_what_runs=graph.runs,
        is_cached=graph.is_cached,
        is_abandoned=graph.is_abandoned,
        is_backward=graph.is_backward,
        kernels=tuple(graph.kernels),
        source_lines=tuple(graph.source_lines),
        frame=graph.frame or None,
        called_as=graph.called_as or None,
        is_boxed=bool(graph.boxed),
        native_files=tuple(graph.native),
    )


def _with_location(fact: Any, where: Location, paths: Paths) -> dict[str, Any]:
    """Returns the fields of a fact with its location, in short and in full."""
    fields = {field.name: getattr(fact, field.name) for field in dataclasses.fields(fact)}
    return {**fields, "where": paths.show(where), "location": where or None}


def _break(graph_break: GraphBreak, paths: Paths) -> facts.GraphBreak:
    copied: dict[str, Any] = {
        "compile_ids": tuple(graph_break.compile_ids),
        "stack": tuple(graph_break.stack),
        "skips": dict(graph_break.skips),
        "inner": graph_break.inner or None,
    }
    return facts.GraphBreak(**_with_location(graph_break, graph_break.where, paths) | copied)


def _recompile(record: Record, recompile: Recompile, paths: Paths) -> facts.Recompile:
    return facts.Recompile(
        compile_id=recompile.compile_id,
        name=record.name_of(recompile.compile_id),
        reason=str(recompile.reasons[0]) if recompile.reasons else "",
        reasons=tuple(
            facts.GuardFailure(**_with_location(reason, reason.where, paths)) for reason in recompile.reasons
        ),
        call=tuple(record.calls.get(recompile.compile_id, ())),
    )


def _failure(failure: FailedCompilation, paths: Paths) -> facts.Failure:
    derived: dict[str, Any] = {name: getattr(failure, name) for name in ("reason", "explanation", "hints")}
    return facts.Failure(
        **_with_location(failure, failure.where, paths)
        | {"origin": failure.origin or None, "backend": failure.backend or None}
        | derived
    )


def _frame(frame: Frame, paths: Paths) -> facts.Frame:
    return facts.Frame(
        key=frame.key,
        name=frame.name,
        origin=paths.show(frame.origin),
        location=frame.origin or None,
        status=frame.status,
        reason=frame.reason,
        compile_ids=tuple(frame.ids),
        entries=tuple(e.compile_id for e in frame.entries),
        forgotten=frame.is_forgotten,
    )


def _not_produced(record: Record) -> list[str]:
    """Returns lines about the kinds of graphs that torch did not produce or log, with the reason if it is known."""
    kinds = {g.kind for g in record.graphs}
    cached = {kind: ids for kind in _INDUCTOR_GRAPHS if (ids := _left_out(record, kind))}
    absent = [kind for kind in _EXPECTED_KINDS if kind not in kinds and kind not in cached]
    backends = sorted({e.backend for e in record.entries if e.backend})
    with_backend = f" with the backend {', '.join(backends)}" if backends else ""
    lines = []
    if {"Joint_graph", "Backward_graph"} <= {*absent} and "Forward_graph" in kinds and not record.failures:
        absent = [kind for kind in absent if kind not in ("Joint_graph", "Backward_graph")]
        lines.append("Joint_graph, Backward_graph: no call needed gradients")
    lines += [f"{', '.join(absent)}: torch produced none{with_backend}"] if absent else []
    for kind, ids in cached.items():
        lines.append(f"{kind}: cache hit (torch does not log it then): {', '.join(f'[{i}]' for i in ids)}")
    return lines


def _left_out(record: Record, kind: str) -> list[str]:
    """Returns compile ids with Inductor's code but no graph of a kind, because the code is from a cache."""
    hits = {event.compile_id for event in record.cache_events if event.outcome is CacheOutcome.HIT}
    compiled = dict.fromkeys(g.compile_id for g in record.graphs if g.kind == "kernel")
    logged = {g.compile_id for g in record.graphs if g.kind == kind}
    return [i for i in compiled if i in hits and i not in logged]


def as_markdown(record: Record, run: Run) -> str:
    """Returns the index for a reader. `run` has the same facts, with those known when it is written."""
    text = Index(record.snapshot(), full_code_files(run)).render(run)
    if run.run is not None and not run.run.complete:
        text = text.replace("\n\n", f"\n\n{_INCOMPLETE}\n\n", 1)
    if run.other_files:  # from earlier blocks, or from a library that writes into the folder
        text += "\n## Other files of this process\n\n"
        text += "".join(f"- [{name}]({name})\n" for name in run.other_files)
    return text


def full_code_files(run: Run) -> dict[str, str]:
    """Returns the full-code files of a run, by the key of the frame's code."""
    return {entry.code.key: entry.full_code for entry in run.entries if entry.full_code is not None}


_INCOMPLETE = (
    "**Incomplete.** The `prepare_debug` block has not ended yet, or the process was killed inside it. "
    "Full code is written when the block ends."
)
