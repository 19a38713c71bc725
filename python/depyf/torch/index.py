# SPDX-License-Identifier: MIT
"""Writes `index.md` and `index.json`: everything a session dumped, in order, keyed by compile id.

Invariant: reads the record only; names files relative to the folder, so that a dump can be moved.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch

from depyf.torch import seams
from depyf.torch.capture import TITLES
from depyf.torch.model import Entry, Graph, Record

_EXPECTED = ("Captured_Graph", "Joint_graph", "Forward_graph", "Backward_graph", "AFTER_POST_GRAD", "kernel")


def as_json(record: Record, full_code: dict[str, str]) -> dict[str, Any]:
    """The index as data."""
    return {
        "torch": torch.__version__,
        "python": platform.python_version(),
        "compile_seconds": round(record.compile_seconds, 3),
        "entries": [_entry_json(record, e, full_code) for e in record.entries],
        "graphs": [_graph_json(g) for g in record.graphs],
        "graph_breaks": [vars(b) for b in record.breaks if b.kind == "graph break"],
        "recompiles": [vars(b) for b in record.breaks if b.kind == "recompile"],
        "caches": dict(sorted(record.caches.items())),
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
        "origin": entry.origin,
        "verdict": entry.verdict,
        "transformed_code": entry.path.name if entry.path else None,
        "full_code": full_code.get(entry.code_key),
        "compiled_fn": entry.compiled_fn or None,
        "resume_functions": list(entry.resume_fns),
        "side_effects": list(entry.side_effects),
        "guards": [g.text for g in entry.guards],
        "graphs": [g.path.name for g in record.graphs if g.compile_id == entry.compile_id],
    }


def _graph_json(graph: Graph) -> dict[str, Any]:
    return {
        "compile_id": graph.compile_id,
        "kind": graph.kind,
        "file": graph.path.name,
        "is_what_runs": graph.runs or graph.kind == "kernel",
        "kernels": list(graph.kernels),
        "source_lines": list(graph.source_lines),
    }


def as_markdown(record: Record, full_code: dict[str, str]) -> str:
    """The index for a reader."""
    breaks = [b for b in record.breaks if b.kind == "graph break"]
    recompiles = [b for b in record.breaks if b.kind == "recompile"]
    captured = [g for g in record.graphs if g.kind == "Captured_Graph"]
    out = [
        "# What torch.compile did",
        "",
        f"torch {torch.__version__} · Python {platform.python_version()} · {_count(len(record.entries), 'frame')}, "
        f"{_count(len(captured), 'graph')}, {_count(len(breaks), 'graph break')}, "
        f"{_count(len(recompiles), 'recompile')} · compile {record.compile_seconds:.1f} s",
        "",
    ]
    for number, entry in enumerate(record.entries, start=1):
        out += _entry_lines(number, record, entry, full_code)
    out += _section("Graph breaks", (f"- [{b.compile_id}] {b.where}: {b.reason}" for b in breaks))
    out += _section("Recompiles", (f"- [{b.compile_id}] {b.reason}" for b in recompiles))
    out += _section("Caches", (f"- {name}: {count}" for name, count in sorted(record.caches.items())))
    listed = {e.compile_id for e in record.entries}
    stray = [g for g in record.graphs if g.compile_id not in listed]
    out += _section("Graphs of no frame", (f"- [{g.compile_id}] {_link(g.path)} {g.kind}" for g in stray))
    out += _section("Not produced", (f"- {line}" for line in _not_produced(record)))
    out += _section("Problems", (f"- {p.what}: {p.error}" for p in record.problems))
    out += _section("Missing in this torch", (f"- {line}" for line in seams.missing().values()))
    return "\n".join(out).rstrip("\n") + "\n"


def _entry_lines(number: int, record: Record, entry: Entry, full_code: dict[str, str]) -> list[str]:
    lines = [f"## {number}. {entry.name} [{entry.compile_id}]", "", f"From {entry.origin}; {entry.verdict}.", ""]
    if entry.path is not None:
        lines.append(f"- transformed code: {_link(entry.path)}")
    if entry.code_key in full_code:
        lines.append(f"- full code: [{full_code[entry.code_key]}]({full_code[entry.code_key]})")
    for graph in record.graphs:
        if graph.compile_id == entry.compile_id:
            lines.append(f"- {_text(graph)}: {_link(graph.path)}")
    if entry.resume_fns:
        lines.append(f"- continues in {', '.join(entry.resume_fns)}")
    lines += [f"- {len(entry.guards)} guards", ""]
    return lines


def _text(graph: Graph) -> str:
    if graph.kind == "kernel":
        return "Inductor's Python file, which runs" + (f"; kernels {', '.join(graph.kernels)}" if graph.kernels else "")
    text = TITLES.get(graph.kind, graph.kind.replace("_", " ")).split(";")[0]
    if graph.runs:
        text += ", this very text runs"
    if graph.source_lines:
        text += f" ({', '.join(graph.source_lines)})"
    return text


def _not_produced(record: Record) -> list[str]:
    kinds = {g.kind for g in record.graphs}
    absent = [kind for kind in _EXPECTED if kind not in kinds]
    lines = [", ".join(absent)] if absent else []
    if "kernel" in kinds and "BEFORE_PRE_GRAD" not in kinds and any("hit" in name for name in record.caches):
        lines.append("BEFORE_PRE_GRAD: cache hit (torch does not emit it then)")
    return lines


def _section(title: str, lines: Iterable[str]) -> list[str]:
    body = list(lines)
    return [f"## {title}", "", *body, ""] if body else []


def _link(path: Path) -> str:
    return f"[{path.name}]({path.name})"


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def write(folder: Path, record: Record, full_code: dict[str, str]) -> tuple[str, str]:
    """(markdown, json) of the index, ready to be written."""
    return as_markdown(record, full_code), json.dumps(as_json(record, full_code), indent=1, ensure_ascii=False) + "\n"
