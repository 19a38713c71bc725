# SPDX-License-Identifier: MIT
"""Writes `index.md` and `index.json`: everything a session dumped, in order, keyed by compile id.

Invariant: reads the record only; names files relative to the folder, so that a dump can be moved.
"""

from __future__ import annotations

import dataclasses
import platform
from typing import Any

import torch

from depyf.torch import seams
from depyf.torch.frames import Frame
from depyf.torch.guards import render
from depyf.torch.index_text import Index, describe_graph
from depyf.torch.internals.stable_names import stable
from depyf.torch.location import Location, Paths
from depyf.torch.model import Entry, FailedCompilation, Function, Graph, GraphBreak, Recompile, Record
from depyf.torch.summary import summary

_EXPECTED = ("Captured_Graph", "Joint_graph", "Forward_graph", "Backward_graph", "AFTER_POST_GRAD", "kernel")
_OF_INDUCTOR = ("BEFORE_PRE_GRAD", "AFTER_POST_GRAD")


def as_json(record: Record, full_code: dict[str, str]) -> dict[str, Any]:
    """The index as data."""
    index = Index(record, full_code)
    paths = index.paths
    return {
        "torch": torch.__version__,
        "python": platform.python_version(),
        "summary": [line.removeprefix("- ") for line in summary(record, index.frames, paths)],
        "compile_seconds": round(record.compile_seconds, 3),
        "frames": [_frame_json(f, paths) for f in index.frames],
        "entries": [_entry_json(record, e, full_code, paths) for e in record.entries],
        "graphs": [_graph_json(g) for g in record.graphs],
        "functions": [_function_json(f, paths) for f in record.functions],
        "graph_breaks": [_break_json(b, paths) for b in record.graph_breaks],
        "recompiles": [_recompile_json(record, r, paths) for r in record.recompiles],
        "failures": [_failure_json(f, paths) for f in record.failures],
        "symbols": [_located_json(s, s.where, paths) for s in record.open_symbols],
        "specializations": [_located_json(s, s.where, paths) for s in record.specializations],
        "caches": dict(sorted(record.caches.items())),
        "cache_events": [dataclasses.asdict(e) for e in record.cache_events],
        "phases": {i: {n: round(t, 6) for n, t in spent.items()} for i, spent in record.phases.items()},
        "metrics": record.metrics,
        "not_produced": _not_produced(record),
        "problems": [vars(p) for p in record.problems],
        "missing_seams": seams.missing(),
        "globals": _globals(record),
        "files": files(record, full_code),
    }


def _globals(record: Record) -> dict[str, str]:
    """The names that dumped files have for torch's globals, and the globals themselves."""
    names = dict.fromkeys(
        name
        for entry in record.entries
        for name in (record.compiled_fns.get(entry.compile_id, ""), entry.compiled_fn, *entry.live_names)
    )
    return {short: name for name in names if (short := stable(name)) != name}


def files(record: Record, full_code: dict[str, str]) -> dict[str, str]:
    """One line on each file of the dump, in the order to read them."""
    lines: dict[str, str] = {}
    for entry in record.entries:
        if entry.code_key in full_code:
            lines[full_code[entry.code_key]] = (
                f"everything a call of {entry.name} does, as Python: guards, entries, code"
            )
        if entry.path is not None:
            lines[entry.path.name] = (
                f"what Dynamo made of {entry.name} [{entry.compile_id}], decompiled: {entry.verdict}"
            )
        for graph in record.graphs:
            if graph.compile_id == entry.compile_id:
                _add_graph(lines, graph)
    for graph in record.graphs:
        _add_graph(lines, graph)
    return lines


def _add_graph(lines: dict[str, str], graph: Graph) -> None:
    lines.setdefault(graph.path.name, describe_graph(graph))
    for name in graph.native:
        lines.setdefault(name, f"source of a kernel in {graph.path.name}")


def _entry_json(record: Record, entry: Entry, full_code: dict[str, str], paths: Paths) -> dict[str, Any]:
    return {
        "compile_id": entry.compile_id,
        "name": entry.name,
        "title": record.name_of(entry.compile_id),
        "origin": paths.show(entry.origin),
        "location": entry.origin.as_json(),
        "backend": entry.backend or None,
        "dropped": entry.dropped,
        "verdict": entry.verdict,
        "held": entry.held or None,
        "transformed_code": entry.path.name if entry.path else None,
        "full_code": full_code.get(entry.code_key),
        "compiled_fn": stable(entry.compiled_fn) or None,
        "resume_functions": list(entry.resume_fns),
        "side_effects": list(entry.side_effects),
        "guards": [g.text for g in entry.guards],
        "checks": [
            {
                "kind": g.kind,
                "text": g.text,
                "source": g.source,
                "where": g.where,
                "location": g.location.as_json() if g.location else None,
                "python": render(g),
            }
            for g in entry.guards
        ],
        "inputs": entry.inputs,
        "call": call.as_json() if (call := record.call_of(entry.compile_id)) else None,
        "graphs": [g.path.name for g in record.graphs if g.compile_id == entry.compile_id],
    }


def _function_json(function: Function, paths: Paths) -> dict[str, Any]:
    return {
        "key": function.key,
        "name": function.name,
        "origin": paths.show(function.origin),
        "location": function.origin.as_json(),
        "entries": [e.compile_id for e in function.entries],
        "resumes": function.resumes,
    }


def _graph_json(graph: Graph) -> dict[str, Any]:
    return {
        "compile_id": graph.compile_id,
        "kind": graph.kind,
        "file": graph.path.name,
        "is_what_runs": graph.runs or graph.kind == "kernel",
        "is_cached": graph.is_cached,
        "kernels": list(graph.kernels),
        "source_lines": [place.as_json() for place in graph.source_lines],
    }


def _located_json(fact: Any, where: Location, paths: Paths) -> dict[str, Any]:
    """A fact with its place: short to read, and whole."""
    return {
        **{field.name: getattr(fact, field.name) for field in dataclasses.fields(fact)},
        "where": paths.show(where),
        "location": where.as_json() if where else None,
    }


def _break_json(found: GraphBreak, paths: Paths) -> dict[str, Any]:
    return {**_located_json(found, found.where, paths), "stack": [place.as_json() for place in found.stack]}


def _recompile_json(record: Record, found: Recompile, paths: Paths) -> dict[str, Any]:
    return {
        "compile_id": found.compile_id,
        "name": record.name_of(found.compile_id),
        "reason": str(found.reasons[0]) if found.reasons else "",
        "reasons": [_located_json(reason, reason.where, paths) for reason in found.reasons],
        "call": [place.as_json() for place in record.calls.get(found.compile_id, ())],
    }


def _failure_json(found: FailedCompilation, paths: Paths) -> dict[str, Any]:
    return {
        **_located_json(found, found.where, paths),
        "origin": found.origin.as_json() if found.origin else None,
        "reason": found.reason,
    }


def _frame_json(frame: Frame, paths: Paths) -> dict[str, Any]:
    return {
        "key": frame.key,
        "name": frame.name,
        "origin": paths.show(frame.origin),
        "location": frame.origin.as_json() if frame.origin else None,
        "status": frame.status.value,
        "reason": frame.reason,
        "compile_ids": frame.ids,
        "entries": [e.compile_id for e in frame.entries],
    }


def _not_produced(record: Record) -> list[str]:
    kinds = {g.kind for g in record.graphs}
    cached = {kind: ids for kind in _OF_INDUCTOR if (ids := _left_out(record, kind))}
    absent = [kind for kind in _EXPECTED if kind not in kinds and kind not in cached]
    lines = [", ".join(absent)] if absent else []
    for kind, ids in cached.items():
        lines.append(f"{kind}: cache hit (torch does not emit it then): {', '.join(f'[{i}]' for i in ids)}")
    return lines


def _left_out(record: Record, kind: str) -> list[str]:
    """Compile ids with Inductor's code but no graph of a kind, since the code came from a cache."""
    hits = {event.compile_id for event in record.cache_events if event.outcome == "hit"}
    compiled = dict.fromkeys(g.compile_id for g in record.graphs if g.kind == "kernel")
    given = {g.compile_id for g in record.graphs if g.kind == kind}
    return [i for i in compiled if i in hits and i not in given]


def as_markdown(record: Record, full_code: dict[str, str]) -> str:
    """The index for a reader."""
    return Index(record, full_code).render(_not_produced(record))
