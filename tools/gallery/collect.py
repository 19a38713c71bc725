# SPDX-License-Identifier: MIT
"""Reads a model's dump folders (one a scenario) into the data of its page.

Works from `index.json`, the files beside it and `originals.json`; knows nothing of HTML.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tools.gallery import tidy

SCENARIOS = {
    "inference": "Inference",
    "training": "Training",
    "inference_broken": "Inference, graph break",
    "training_broken": "Training, graph break",
}
# The order in which a graph goes through the compiler.
STAGES = {
    "Captured_Graph": "Captured by Dynamo",
    "BEFORE_PRE_GRAD": "As the backend got it",
    "Joint_graph": "Joint forward and backward",
    "Forward_graph": "Forward",
    "Backward_graph": "Backward",
    "AFTER_POST_GRAD": "After Inductor's passes",
}
_TWICE = {
    "AFTER_POST_GRAD": ("Forward after Inductor's passes", "Backward after Inductor's passes"),
    "kernel": ("Forward", "Backward"),
}
_RESUME = re.compile(r"^torch_dynamo_resume_in_(.+)_at_(\d+)$")


class Texts:
    """Texts by number, each held once."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self._known: dict[str, int] = {}

    def add(self, text: str) -> int:
        """The text's number."""
        if text not in self._known:
            self._known[text] = len(self.all)
            self.all.append(text)
        return self._known[text]


def model(folder: Path, rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The page of one model, from the folder of its dumps and its rows of the zoo's results; None without a dump."""
    texts = Texts()
    scenarios = []
    for name, title in SCENARIOS.items():
        if (folder / name / "index.json").exists():
            scenarios.append({"name": name, "title": title, **_scenario(folder / name, texts, _row(rows, name))})
    if not scenarios:
        return None
    first = rows[0] if rows else {}
    return {
        "model": folder.name,
        "suite": first.get("suite", ""),
        "stands_for": first.get("stands_for", ""),
        "backend": first.get("backend", ""),
        "torch": scenarios[0].pop("torch"),
        "python": scenarios[0].pop("python"),
        "scenarios": scenarios,
        "texts": texts.all,
    }


def _row(rows: list[dict[str, Any]], scenario: str) -> dict[str, Any]:
    train, broken = scenario.startswith("training"), scenario.endswith("_broken")
    return next((r for r in rows if r.get("train") == train and bool(r.get("broken")) == broken), {})


def _scenario(folder: Path, texts: Texts, row: dict[str, Any]) -> dict[str, Any]:
    index = json.loads((folder / "index.json").read_text("utf-8"))
    held = folder / "originals.json"
    originals = {o["compile_id"]: o for o in json.loads(held.read_text("utf-8"))} if held.exists() else {}
    graphs: dict[str, list[dict[str, Any]]] = {}
    for graph in index["graphs"]:
        graphs.setdefault(graph["compile_id"], []).append(graph)
    listed = {entry["compile_id"] for entry in index["entries"]}
    frames = [_frame(folder, texts, e, graphs.get(e["compile_id"], []), originals) for e in index["entries"]]
    # What is compiled in the backward pass alone may belong to no frame.
    stray = [_graph(folder, texts, g) for found, gs in graphs.items() if found not in listed for g in gs]
    return {
        "torch": index["torch"],
        "python": index["python"],
        "broken": row.get("broken", ""),
        "problems": row.get("problems", []),
        "breaks": [_break(b) for b in index["graph_breaks"]],
        "frames": frames,
        "stray": stray,
    }


def _break(found: dict[str, Any]) -> dict[str, Any]:
    kept = {key: found[key] for key in ("compile_ids", "where", "reason", "explanation", "page")}
    return {**kept, "hints": list(found["hints"]), "times": found["times"]}


def _frame(
    folder: Path,
    texts: Texts,
    entry: dict[str, Any],
    graphs: list[dict[str, Any]],
    originals: dict[str, dict[str, Any]],
) -> dict[str, Any]:
    original = originals.get(entry["compile_id"])
    verdict, _, remark = entry["verdict"].partition(" ")
    return {
        "id": entry["compile_id"],
        "name": entry["name"],
        "title": _title(entry["name"]),
        "origin": entry["origin"],
        "verdict": verdict,
        "remark": "; ".join(filter(None, (remark.strip("()"), entry.get("held")))),
        "original": original and {**original, "text": texts.add(tidy.text_of(_dedented(original["text"])))},
        "transformed": _file(folder, texts, entry["transformed_code"]),
        "full_code": _file(folder, texts, entry["full_code"]),
        "calls": tidy.text_of(entry["compiled_fn"] or ""),
        "resumes": [tidy.text_of(name) for name in entry["resume_functions"]],
        "effects": entry["side_effects"],
        "graphs": sorted(
            (_graph(folder, texts, g) for g in _both_ways(graphs) if g["kind"] in STAGES),
            key=lambda g: [*STAGES].index(g["kind"]),
        ),
        "others": [_graph(folder, texts, g) for g in graphs if g["kind"] not in STAGES and g["kind"] != "kernel"],
        "kernels": [_graph(folder, texts, g) for g in _both_ways(graphs) if g["kind"] == "kernel"],
        "guards": [[tidy.text_of(g["python"]), g["source"], g["where"], g["kind"]] for g in entry["checks"]],
    }


def _both_ways(graphs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What Inductor makes twice, for the forward graph and then for the backward one, says which it is."""
    trained = any(g["kind"] == "Backward_graph" for g in graphs)
    seen: dict[str, int] = {}
    found = []
    for graph in graphs:
        kind = graph["kind"]
        seen[kind] = seen.get(kind, 0) + 1
        if trained and kind in _TWICE and seen[kind] <= len(_TWICE[kind]):
            graph = {**graph, "title": _TWICE[kind][seen[kind] - 1]}
        found.append(graph)
    return found


def _title(name: str) -> str:
    match = _RESUME.match(name)
    return f"{match[1]}, after line {match[2]}" if match else name


def _graph(folder: Path, texts: Texts, graph: dict[str, Any]) -> dict[str, Any]:
    raw = (folder / graph["file"]).read_text("utf-8", "replace")
    is_graph = graph["kind"] in STAGES
    return {
        "kind": graph["kind"],
        "title": graph.get("title") or STAGES.get(graph["kind"], graph["kind"].replace("_", " ")),
        "file": graph["file"],
        "runs": graph["is_what_runs"],
        "kernels": graph["kernels"],
        "text": texts.add(tidy.graph_of(raw) if is_graph else tidy.text_of(raw)),
    }


def _file(folder: Path, texts: Texts, name: str | None) -> int | None:
    if not name or not (folder / name).exists():
        return None
    return texts.add(tidy.text_of((folder / name).read_text("utf-8", "replace")))


def _dedented(text: str) -> str:
    lines = text.splitlines(keepends=True)
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "".join(line[margin:] if line.strip() else line for line in lines)
