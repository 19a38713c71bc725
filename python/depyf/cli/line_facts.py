# SPDX-License-Identifier: MIT
"""What `depyf where` says of one line of the program: everything in a collected dump that has its place there.

What `report.html` shows at a line is told here too. Nothing here imports torch.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any

from depyf.torch.write.report import difference

_OF_RECOMPILE = ("source", "what", "then", "now", "torch_text", "advice")


def facts_of_line(data: dict[str, Any], path: str, line: int) -> dict[str, list[Any]]:
    """What hangs on a line of the program in a collected dump, by kind."""

    def here(place: dict[str, Any] | None) -> bool:
        return place is not None and (place.get("path"), place.get("line")) == (path, line)

    operations, of_graph = [], []
    for file in data["files"]:
        graph = file.get("graph")
        numbers = [number for number, p, n in file.get("lines", ()) if (p, n) == (path, line)]
        if graph is None:
            continue
        text = data["texts"][file["text"]].split("\n")
        operations += [
            {
                "entry": graph["id"],
                "stage": graph["stage"],
                "file": file["name"],
                "line": n,
                "text": text[n - 1].strip(),
            }
            for n in numbers
        ]
        if [path, line] in file.get("from", ()):
            of_graph += [{"entry": graph["id"], "file": file["name"], "kernel": k} for k in graph["kernels"]]
    nodes = _nodes_by_graph(operations)
    kernels = [
        _kernel(k, nodes.get(k["graph"], set()))
        for k in data["kernels"] if any(map(here, (*k["source_lines"], *k["callers"])))
    ]  # fmt: skip
    return {
        "frames": [
            {"entry": f["id"], "name": f["title"], "verdict": f["verdict"], "transformed": f["transformed"],
             "full_code": f["full_code"]}
            for f in data["frames"] if here(f["location"])
        ],
        "eager": [
            {"name": f["name"], "status": f["status"], "words": f["words"], "reason": f.get("reason", "")}
            for f in data["eager"] if here(f.get("location"))
        ],
        "calls": [{"entry": f["id"], "name": f["title"]} for f in data["frames"] if here(f["call"])],
        "failures": [
            {"entry": f["compile_id"], "name": f["name"], **{k: f.get(k) for k in ("reason", "explanation", "hints")}}
            for f in data["failures"] if here(f.get("location")) and not f["is_break"]
        ],
        "breaks": [
            {"inner": b.get("inner"), **{name: b[name] for name in ("reason", "hints", "told_hints", "told")}}
            for b in data["breaks"] if here(b.get("location"))
        ],
        "breaks_of_calls": [
            {"reason": b["reason"], "path": b["location"]["path"], "line": b["location"]["line"]}
            for b in data["breaks"]
            if b.get("location") and not here(b["location"]) and any(map(here, b.get("stack", ())))
        ],
        "recompiles": [
            {"entry": r["compile_id"], **{name: x.get(name) or "" for name in _OF_RECOMPILE}}
            for r in data["recompiles"] for x in r["reasons"] if here(x.get("location"))
        ],
        "recompiles_of_calls": [
            {"entry": r["compile_id"], **{name: x.get(name) or "" for name in (*_OF_RECOMPILE, "location")}}
            for r in data["recompiles"] for x in r["reasons"]
            if x.get("location") and not here(x["location"]) and any(map(here, x.get("stack", ())))
        ],
        "operations": operations,
        "kernels": kernels,
        "kept_for_backward": [{k: s[k] for k in ("id", "node", "bytes")} for s in data["saved"] if here(s["location"])],
        "kernels_of_its_graph": [] if data["kernels"] else of_graph,
        "guards": [
            {"entry": f["id"], "check": g["check"]} for f in data["frames"] for g in f["guards"] if here(g["location"])
        ],
        "guards_of_calls": [
            {"entry": f["id"], "check": g["check"], "path": g["location"]["path"], "line": g["location"]["line"]}
            for f in data["frames"] for g in f["guards"] if g["location"] and here(g.get("called_from"))
        ],
    }  # fmt: skip


def _nodes_by_graph(operations: list[dict[str, Any]]) -> dict[str, set[str]]:
    """File of each graph to the nodes in it that come from the line."""
    found: dict[str, set[str]] = {}
    for each in operations:
        found.setdefault(each["file"], set()).add(re.split(r"[: ]", each["text"], maxsplit=1)[0])
    return found


def _kernel(kernel: dict[str, Any], of_line: set[str]) -> dict[str, Any]:
    """What is told of a kernel that computes a line. `of_line`: the nodes of its graph that come from the line."""
    of = {"entry": kernel["compile_id"], "kernel": f"{kernel['name']}:{kernel['handle']}"}
    kept = ("file", "line", "source_file", "graph", "nodes", "captured_nodes", "triton_file")
    return of | {name: kernel[name] for name in kept} | {"nodes_here": [n for n in kernel["nodes"] if n in of_line]}


def told(found: dict[str, list[Any]], data: dict[str, Any], path: str, line: int) -> list[str]:
    """The facts of a line, to be read; where there are none, what became of the function that it is in."""
    lines = list(_lines(found))
    if not lines:
        around = _enclosing_frame(data, path, line)
        lines = [f"nothing is recorded of this line{around and '; '}{around}"]
    return lines


def _lines(found: dict[str, list[Any]]) -> Iterator[str]:
    for each in found["frames"]:
        files = ", ".join(each[name] for name in ("transformed", "full_code") if each[name])
        yield f"[{each['entry']}] {each['name']} begins here: {each['verdict']}{files and f'; {files}'}"
    yield from (f"{each['name']}: {each['words']}{each['reason'] and ': '}{each['reason']}" for each in found["eager"])
    for each in found["failures"]:
        yield f"compilation [{each['entry']}] of {each['name']} failed: {each['reason']}"
        yield from (f"  {line}" for line in advice_on(each))
    for each in found["breaks"]:
        yield f"graph break: {each['reason']}"
        yield from (f"  {line}" for line in each["told"])
    for each in found["breaks_of_calls"]:
        yield f"graph break in what it calls, {each['path']}:{each['line']}: {each['reason']}"
    for name in dict.fromkeys(each["name"] for each in found["calls"]):
        ids = ", ".join(f"[{each['entry']}]" for each in found["calls"] if each["name"] == name)
        yield f"calls here had {name} compiled as {ids}"
    yield from _recompiles((*found["recompiles"], *found["recompiles_of_calls"]))
    for each in found["kernels"]:
        name, _, number = each["kernel"].rpartition(":")
        launch = f"{each['file']}:{each['line']}"
        yield f"[{each['entry']}] kernel {name}, launched at {launch} (launch {number} in profiles)"
        if each["nodes"]:
            shown, all_ = each["nodes_here"] or each["nodes"], len(each["nodes"])
            fused = f", of {all_} nodes fused" if all_ > len(shown) else ""
            yield f"    computes {', '.join(shown)}{fused}{', in ' + each['graph'] if each['graph'] else ''}"
        yield from (f"    source {each[name]}" for name in ("source_file", "triton_file") if each[name])
    for each in found["kept_for_backward"]:
        yield f"[{each['id']}] kept for backward: {each['node']}, {each['bytes']} bytes"
    for each in found["kernels_of_its_graph"]:
        yield f"[{each['entry']}] kernel of its graph: {each['kernel']} in {each['file']}"
    if found["kernels_of_its_graph"]:
        yield "which of these kernels compute the line is told by `depyf run` and prepare_debug(..., provenance=True)"
    last = ""
    for each in found["operations"]:
        title = f"[{each['entry']}] {each['stage']}: {each['file']}"
        if title != last:
            yield title
        last = title
        yield f"  {each['line']:5}  {each['text']}"
    yield from _guards((*found["guards"], *found["guards_of_calls"]))


def _guards(found: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The guards asked for; once, where several entries have the same, and one line for all marks of a tensor."""
    entries: dict[str, dict[str, None]] = {}
    for each in found:
        asked = f" asked for in what it calls, {each['path']}:{each['line']}" if "path" in each else ""
        check = _MARKS.sub(r"\1 has no marks of dynamic dimensions", _IDENTITY.sub("", each["check"]))
        entries.setdefault(f"guard{asked}: {check}", {})[f"[{each['entry']}]"] = None
    yield from (f"{' '.join(ids)} {text}" for text, ids in entries.items())


_IDENTITY = re.compile(r", same_process_id\(\d+\)")  # numbered by entry
_MARKS = re.compile(r"^hasattr\((.+), '_dynamo_\w+'\) == False$")


def _recompiles(found: Iterable[dict[str, Any]]) -> Iterator[str]:
    """What had a frame compiled anew; once, where several earlier entries say the same."""
    said: dict[str, list[str]] = {}
    for each in found:
        place = each.get("location")
        asked = f", asked for in what it calls, {place['path']}:{place['line']}" if place else ""
        advice = said.setdefault(f"recompiled as [{each['entry']}]{asked}: {difference(each)}", [])
        if each["advice"] and (text := f"  what to do: {each['advice']}") not in advice:
            advice.append(text)
    for line, advice in said.items():
        yield line
        yield from advice


def _enclosing_frame(data: dict[str, Any], path: str, line: int) -> str:
    """What became of the innermost function that a line is in, "" where that is not known.

    For lines of which nothing is recorded: Python's own syntax tree of the file tells where its functions end.
    """
    text = next((data["texts"][s["text"]] for s in data["sources"] if s["path"] == path and s["numbers"] is None), "")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return ""
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    around = [f for f in functions if _first_line(f) <= line <= (f.end_lineno or f.lineno)]
    for function in sorted(around, key=lambda f: f.lineno, reverse=True):
        inner = [_extent(node) for node in ast.walk(function) if isinstance(node, _FUNCTIONS) and node is not function]
        others = [lines for lines in inner if line not in lines]
        frames = [
            (frame["location"]["line"], frame)
            for frame in (*data["frames"], *data["eager"])
            if (frame.get("location") or {}).get("path") == path
            and _first_line(function) <= frame["location"]["line"] <= line
            and not any(frame["location"]["line"] in lines for lines in others)
        ]
        if frames:  # what continues after a graph break begins further down than the function
            begin = max(number for number, _ in frames)
            return _became([frame for number, frame in frames if number == begin])
    return ""


def _became(frames: list[dict[str, Any]]) -> str:
    """What became of a function, of which these are the entries, or of what continues in it: or which runs eagerly."""
    eager = next((frame for frame in frames if "status" in frame), None)
    ids = ", ".join(f"[{frame['id']}]" for frame in frames if "status" not in frame)
    where = f"it is in {(eager or frames[0]).get('title') or frames[0]['name']}"
    if eager is None:
        return f"{where}, compiled as {ids}"
    reason = f": {eager['reason']}" if eager.get("reason") else ""
    return f"{where}{ids and ', compiled as '}{ids}: {eager['words']}{reason}"


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def _extent(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> range:
    first = function.lineno if isinstance(function, ast.Lambda) else _first_line(function)
    return range(first, (function.end_lineno or function.lineno) + 1)


def _first_line(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Where its code object begins: at the first decorator, if there is one."""
    return min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])


def advice_on(failure: dict[str, Any]) -> Iterator[str]:
    """What torch says of a failed compilation besides its name."""
    first, *rest = (failure.get("explanation") or "").splitlines() or [""]
    if first:
        yield f"why: {first}"
    yield from (f"    {line}" for line in rest)
    yield from (f"what to do: {hint}" for hint in failure.get("hints", ()))
