# SPDX-License-Identifier: MIT
"""Writes `index.md` and `index.json`: everything a session dumped, in order, keyed by compile id.

Invariant: reads the record only; names files relative to the folder, so that a dump can be moved.
"""

from __future__ import annotations

import dataclasses
import datetime
import platform
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch

from depyf.torch import seams
from depyf.torch.capture import TITLES
from depyf.torch.events import PHASES
from depyf.torch.explain import friendly_text
from depyf.torch.guards import render
from depyf.torch.location import Paths
from depyf.torch.margin import ranges_of
from depyf.torch.model import (
    DROPPED,
    Entry,
    Function,
    Graph,
    GraphBreak,
    Recompile,
    RecompileReason,
    Record,
    Specialization,
    Symbol,
)

_EXPECTED = ("Captured_Graph", "Joint_graph", "Forward_graph", "Backward_graph", "AFTER_POST_GRAD", "kernel")
_OF_INDUCTOR = ("BEFORE_PRE_GRAD", "AFTER_POST_GRAD")


def as_json(record: Record, full_code: dict[str, str]) -> dict[str, Any]:
    """The index as data."""
    return {
        "torch": torch.__version__,
        "python": platform.python_version(),
        "compile_seconds": round(record.compile_seconds, 3),
        "entries": [_entry_json(record, e, full_code) for e in record.entries],
        "graphs": [_graph_json(g) for g in record.graphs],
        "functions": [_function_json(f, record.paths) for f in record.functions],
        "graph_breaks": [_break_json(record, b) for b in record.graph_breaks],
        "recompiles": [
            {
                "compile_id": r.compile_id,
                "name": record.name_of(r.compile_id),
                "reason": str(r.reasons[0]) if r.reasons else "",
                "reasons": [_located_json(reason, record.paths) for reason in r.reasons],
                "call": [place.as_json() for place in record.calls.get(r.compile_id, ())],
            }
            for r in record.recompiles
        ],
        "symbols": [_located_json(s, record.paths) for s in record.open_symbols],
        "specializations": [_located_json(s, record.paths) for s in record.specializations],
        "caches": dict(sorted(record.caches.items())),
        "cache_events": [dataclasses.asdict(e) for e in record.cache_events],
        "phases": {i: {n: round(t, 6) for n, t in spent.items()} for i, spent in record.phases.items()},
        "metrics": record.metrics,
        "not_produced": _not_produced(record),
        "problems": [vars(p) for p in record.problems],
        "missing_seams": seams.missing(),
        "files": files(record, full_code),
    }


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
    lines.setdefault(graph.path.name, _text(graph))
    for name in graph.native:
        lines.setdefault(name, f"source of a kernel in {graph.path.name}")


def _entry_json(record: Record, entry: Entry, full_code: dict[str, str]) -> dict[str, Any]:
    return {
        "compile_id": entry.compile_id,
        "name": entry.name,
        "origin": record.paths.show(entry.origin),
        "location": entry.origin.as_json(),
        "backend": entry.backend or None,
        "dropped": entry.dropped,
        "verdict": entry.verdict,
        "held": entry.held or None,
        "transformed_code": entry.path.name if entry.path else None,
        "full_code": full_code.get(entry.code_key),
        "compiled_fn": entry.compiled_fn or None,
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
        "kernels": list(graph.kernels),
        "source_lines": [place.as_json() for place in graph.source_lines],
    }


def _located_json(fact: RecompileReason | Symbol | Specialization, paths: Paths) -> dict[str, Any]:
    """A fact with its place: short to read, and whole."""
    return {
        **{field.name: getattr(fact, field.name) for field in dataclasses.fields(fact)},
        "where": paths.show(fact.where),
        "location": fact.where.as_json() if fact.where else None,
    }


def _break_json(record: Record, found: GraphBreak) -> dict[str, Any]:
    return {
        **{field.name: getattr(found, field.name) for field in dataclasses.fields(found)},
        "where": record.paths.show(found.where),
        "location": found.where.as_json() if found.where else None,
        "stack": [place.as_json() for place in found.stack],
    }


def as_markdown(record: Record, full_code: dict[str, str]) -> str:
    """The index for a reader."""
    captured = [g for g in record.graphs if g.kind == "Captured_Graph"]
    out = [
        "# What torch.compile did",
        "",
        f"run {datetime.date.today().isoformat()} · torch {torch.__version__} · Python {platform.python_version()} · "
        f"{_count(len(record.entries), 'frame')}, {_count(len(captured), 'graph')}, "
        f"{_count(len(record.graph_breaks), 'graph break')}, {_count(len(record.recompiles), 'recompile')} · "
        f"compile {record.compile_seconds:.1f} s",
        "",
    ]
    for number, entry in enumerate(record.entries, start=1):
        out += _entry_lines(number, record, entry, full_code)
    out += _section("Graph breaks", (line for b in record.graph_breaks for line in _break_lines(record, b)))
    out += _section("Recompiles", (line for r in record.recompiles for line in _recompile_lines(record, r)))
    out += _section("Symbols", _symbol_lines(record))
    out += _section("Time", _time_lines(record))
    out += _section("Caches", _cache_lines(record))
    listed = {e.compile_id for e in record.entries}
    stray = [g for g in record.graphs if g.compile_id not in listed]
    out += _section(
        "Graphs of frames without an entry",
        (f"- {record.name_of(g.compile_id)} [{g.compile_id}] {_link(g.path)} {g.kind}" for g in stray),
    )
    out += _section("Not produced", (f"- {line}" for line in _not_produced(record)))
    out += _section("Problems", (f"- {p.what}: {p.error}" for p in record.problems))
    out += _section("Missing in this torch", (f"- {line}" for line in seams.missing().values()))
    return "\n".join(out).rstrip("\n") + "\n"


def _entry_lines(number: int, record: Record, entry: Entry, full_code: dict[str, str]) -> list[str]:
    lines = [
        f"## {number}. {_title(entry)} [{entry.compile_id}]",
        "",
        f"From {record.paths.show(entry.origin)}; {entry.verdict}.",
        "",
    ]
    flow = _flow(record, entry)
    if flow:
        lines += [flow, ""]
    if entry.path is not None:
        lines.append(f"- transformed code: {_link(entry.path)}")
    if entry.code_key in full_code:
        lines.append(f"- full code: [{full_code[entry.code_key]}]({full_code[entry.code_key]})")
    for graph in record.graphs_of(entry):
        lines.append(f"- {_text(graph, record.paths)}: {_link(graph.path)}")
    if entry.backend:
        lines.append(f"- backend: {entry.backend}")
    if entry.dropped:
        lines.append(f"- {DROPPED}")
    if entry.held:
        lines.append(f"- lifetime difference, if this text were executed: {entry.held}")
    if entry.side_effects:
        lines.append(f"- replays side effects on {', '.join(entry.side_effects)}")
    call = record.call_of(entry.compile_id)
    if call and not entry.is_resume:
        lines.append(f"- compiled for the call at `{record.paths.describe(call)}`")
    lines += [f"- {len(entry.guards)} guards", ""]
    return lines


def _title(entry: Entry) -> str:
    match = _RESUME.match(entry.name)
    return f"resume in {match[1]} at line {match[2]} ({entry.name})" if match else entry.name


_RESUME = re.compile(r"^torch_dynamo_resume_in_(.+)_at_(\d+)$")


def _flow(record: Record, entry: Entry) -> str:
    """What a call of the entry does, in one line."""
    parts = []
    if entry.compiled_fn:
        lines = next((g.source_lines for g in record.graphs_of(entry) if g.source_lines), ())
        parts.append(
            f"graph `{entry.compiled_fn}`" + (f" ({', '.join(ranges_of(lines, record.paths))})" if lines else "")
        )
    parts += [
        f"break at {record.paths.show(b.where)} ({b.reason})"
        for b in record.graph_breaks
        if entry.compile_id in b.compile_ids and entry.resume_fns
    ]
    resumes = []
    for name in entry.resume_fns:
        ids = [f"[{e.compile_id}]" for e in record.entries if e.code_key == entry.resume_codes.get(name)]
        at = record.paths.show(entry.continues.get(name))
        place = f" at {at}" if at else ""
        resumes.append(f"`{name}`{place} {', '.join(ids) or '(not reached)'}")
    one_of_them = set(_RETURNED.findall(entry.text)) == set(entry.resume_fns)  # else one is handed to the other
    parts += [" or ".join(resumes)] if one_of_them and resumes else resumes
    return " → ".join(parts)


_RETURNED = re.compile(r"^ *return (__resume_at_\w+)\(", re.MULTILINE)


def _break_lines(record: Record, found: GraphBreak) -> list[str]:
    ids = ", ".join(f"[{i}]" for i in found.compile_ids)
    times = f", met {found.times} times" if found.times > 1 else ""
    lines = [f"- {record.paths.show(found.where)} {ids}{times}: **{found.reason}**"]
    if found.explanation:
        lines.append(f"  - why: {found.explanation}")
    lines += [f"  - what to do: {hint}" for hint in found.hints]
    if found.stack:
        stack = " ← ".join(f"`{record.paths.describe(place)}`" for place in reversed(found.stack))
        lines.append(f"  - stack: {stack}")
    if found.context:
        lines.append(f"  - for developers: {found.context}")
    if found.page:
        lines.append(f"  - more: {found.page}")
    return lines


def _recompile_lines(record: Record, found: Recompile) -> list[str]:
    call = record.call_of(found.compile_id)
    caller = f", for the call at `{record.paths.describe(call)}`" if call else ""
    lines = [f"- [{found.compile_id}] {record.name_of(found.compile_id)}{caller}"]
    for reason in found.reasons:
        lines.append(f"  - {reason}" + (f" ({record.paths.show(reason.where)})" if reason.where else ""))
        if reason.advice:
            lines.append(f"    - what to do: {reason.advice}")
        if reason.torch_text and reason.then:
            lines.append(f"    - torch: {reason.torch_text}")
    return lines


def _symbol_lines(record: Record) -> list[str]:
    lines = [
        f"- [{s.compile_id}] `{s.name}` = `{friendly_text(s.source)}` ({s.value} in this call, range {s.range})"
        + (f", first at {record.paths.show(s.where)}" if s.where else "")
        for s in record.open_symbols
    ]
    lines += [
        f"- [{s.compile_id}] `{s.name}` ({', '.join(friendly_text(x) for x in s.sources)}) is fixed to {s.value}"
        + (f" at {record.paths.show(s.where)}" if s.where else "")
        + (f": {s.reason}" if s.reason else "")
        for s in record.specializations
    ]
    return lines


def _time_lines(record: Record) -> list[str]:
    if not record.phases:
        return []
    names = [n for n in PHASES if any(n in spent for spent in record.phases.values())]
    rows = ["| compile id | " + " | ".join(PHASES[n] for n in names) + " |", "| --- |" + " --- |" * len(names)]
    for compile_id, spent in record.phases.items():
        cells = " | ".join(f"{spent[n]:.3f}" if n in spent else "" for n in names)
        rows.append(f"| {compile_id} | {cells} |")
    return ["Seconds. Phases are nested: a column includes those to its right that are parts of it.", "", *rows]


def _cache_lines(record: Record) -> list[str]:
    lines = [f"- {name}: {count}" for name, count in sorted(record.caches.items())]
    for outcome in ("hit", "miss", "bypass"):
        found = [f"[{e.compile_id}] {e.cache}" for e in record.cache_events if e.outcome == outcome]
        if found:
            lines.append(f"- {outcome}: {', '.join(found)}")
    return lines


def _text(graph: Graph, paths: Paths | None = None) -> str:
    if graph.kind == "kernel":
        return "Inductor's Python file, which runs" + (f"; kernels {', '.join(graph.kernels)}" if graph.kernels else "")
    text = TITLES.get(graph.kind, graph.kind.replace("_", " ")).split(";")[0]
    if graph.runs:
        text += ", which runs as it stands"
    if graph.source_lines:
        text += f" ({', '.join(ranges_of(graph.source_lines, paths))})"
    return text


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


def _section(title: str, lines: Iterable[str]) -> list[str]:
    body = list(lines)
    return [f"## {title}", "", *body, ""] if body else []


def _link(path: Path) -> str:
    return f"[{path.name}]({path.name})"


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"
