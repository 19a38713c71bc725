# SPDX-License-Identifier: MIT
"""The answer of `depyf where`: all facts in a collected dump that refer to one line of the program.

These are the facts that `report.html` shows for a line. Does not import torch.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any

from depyf.torch.write.report import difference

_RECOMPILE_FIELDS = ("source", "what", "then", "now", "torch_text", "advice")


def facts_of_line(data: dict[str, Any], path: str, line: int) -> dict[str, list[Any]]:
    """Returns the facts in a collected dump that refer to a line of the program, by kind."""

    def here(place: dict[str, Any] | None) -> bool:
        return place is not None and (place.get("path"), place.get("line")) == (path, line)

    operations, kernels_of_graphs = _graph_facts(data, path, line)
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
            {"entry": r["compile_id"], **{name: x.get(name) or "" for name in _RECOMPILE_FIELDS}}
            for r in data["recompiles"] for x in r["reasons"] if here(x.get("location"))
        ],
        "recompiles_of_calls": [
            {"entry": r["compile_id"], **{name: x.get(name) or "" for name in (*_RECOMPILE_FIELDS, "location")}}
            for r in data["recompiles"] for x in r["reasons"]
            if x.get("location") and not here(x["location"]) and any(map(here, x.get("stack", ())))
        ],
        "operations": operations,
        "kernels": kernels,
        "kept_for_backward": [{k: s[k] for k in ("id", "node", "bytes")} for s in data["saved"] if here(s["location"])],
        "kernels_of_its_graph": [] if data["kernels"] else kernels_of_graphs,
        "guards": [
            {"entry": f["id"], "check": g["check"]} for f in data["frames"] for g in f["guards"] if here(g["location"])
        ],
        "guards_of_calls": [
            {"entry": f["id"], "check": g["check"], "path": g["location"]["path"], "line": g["location"]["line"]}
            for f in data["frames"] for g in f["guards"] if g["location"] and here(g.get("called_from"))
        ],
    }  # fmt: skip


def _graph_facts(data: dict[str, Any], path: str, line: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Returns operations of graphs that come from a line, and kernels of graphs that are known only to contain it."""
    operations: list[dict[str, Any]] = []
    kernels: list[dict[str, Any]] = []
    for file in data["files"]:
        graph = file.get("graph")
        if graph is None:
            continue
        title = {"entry": graph["id"], "stage": graph["stage"], "file": file["name"]}
        numbers = [number for number, p, n in file.get("lines", ()) if (p, n) == (path, line)]
        text = data["texts"][file["text"]].split("\n")
        operations += [{**title, "line": n, "text": text[n - 1].strip()} for n in numbers]
        if [path, line] in file.get("from", ()):
            kernels += [{"entry": graph["id"], "file": file["name"], "kernel": k} for k in graph["kernels"]]
    return operations, kernels


def _nodes_by_graph(operations: list[dict[str, Any]]) -> dict[str, set[str]]:
    """Returns the nodes that come from the line, by the file of their graph."""
    nodes: dict[str, set[str]] = {}
    for operation in operations:
        nodes.setdefault(operation["file"], set()).add(re.split(r"[: ]", operation["text"], maxsplit=1)[0])
    return nodes


def _kernel(kernel: dict[str, Any], of_line: set[str]) -> dict[str, Any]:
    """Returns the facts about a kernel that computes a line.

    `of_line` are the nodes of its graph that come from the line.
    """
    title = {"entry": kernel["compile_id"], "kernel": f"{kernel['name']}:{kernel['handle']}"}
    fields = ("file", "line", "source_file", "graph", "nodes", "captured_nodes", "triton_file")
    return (
        title | {name: kernel[name] for name in fields} | {"nodes_here": [n for n in kernel["nodes"] if n in of_line]}
    )


def lines_about(facts: dict[str, list[Any]], data: dict[str, Any], path: str, line: int) -> list[str]:
    """Returns the facts of a line as text; if there are none, the status of the function that contains the line."""
    lines = list(_lines(facts))
    if not lines:
        status = _enclosing_frame(data, path, line)
        lines = [f"nothing is recorded for this line{status and '; '}{status}"]
    return lines


def _lines(facts: dict[str, list[Any]]) -> Iterator[str]:
    """Yields the facts of a line as text, in the order of compilation."""
    for frame in facts["frames"]:
        files = ", ".join(frame[name] for name in ("transformed", "full_code") if frame[name])
        yield f"[{frame['entry']}] {frame['name']} begins here: {frame['verdict']}{files and f'; {files}'}"
    yield from (
        f"{eager['name']}: {eager['words']}{eager['reason'] and ': '}{eager['reason']}" for eager in facts["eager"]
    )
    for failure in facts["failures"]:
        yield f"compilation [{failure['entry']}] of {failure['name']} failed: {failure['reason']}"
        yield from (f"  {line}" for line in advice_on(failure))
    for graph_break in facts["breaks"]:
        yield f"graph break: {graph_break['reason']}"
        yield from (f"  {line}" for line in graph_break["told"])
    for graph_break in facts["breaks_of_calls"]:
        place = f"{graph_break['path']}:{graph_break['line']}"
        yield f"graph break in a function called here, {place}: {graph_break['reason']}"
    for name in dict.fromkeys(call["name"] for call in facts["calls"]):
        ids = ", ".join(f"[{call['entry']}]" for call in facts["calls"] if call["name"] == name)
        yield f"calls here compiled {name} as {ids}"
    yield from _recompiles((*facts["recompiles"], *facts["recompiles_of_calls"]))
    for kernel in facts["kernels"]:
        name, _, number = kernel["kernel"].rpartition(":")
        launch = f"{kernel['file']}:{kernel['line']}"
        yield f"[{kernel['entry']}] kernel {name}, launched at {launch} (launch {number} in profiles)"
        if kernel["nodes"]:
            shown, total = kernel["nodes_here"] or kernel["nodes"], len(kernel["nodes"])
            fused = f", of {total} fused nodes" if total > len(shown) else ""
            yield f"    computes {', '.join(shown)}{fused}{', in ' + kernel['graph'] if kernel['graph'] else ''}"
        yield from (f"    source {kernel[name]}" for name in ("source_file", "triton_file") if kernel[name])
    for saved in facts["kept_for_backward"]:
        yield f"[{saved['id']}] saved for backward: {saved['node']}, {saved['bytes']} bytes"
    for kernel in facts["kernels_of_its_graph"]:
        yield f"[{kernel['entry']}] kernel of its graph: {kernel['kernel']} in {kernel['file']}"
    if facts["kernels_of_its_graph"]:
        yield "`depyf run` and prepare_debug(..., provenance=True) record which of these kernels compute the line"
    last = ""
    for operation in facts["operations"]:
        title = f"[{operation['entry']}] {operation['stage']}: {operation['file']}"
        if title != last:
            yield title
        last = title
        yield f"  {operation['line']:5}  {operation['text']}"
    yield from _guards((*facts["guards"], *facts["guards_of_calls"]))


def _guards(guards: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yields the guards of a line: once if several entries have the same, and one line for all marks of a tensor."""
    entries: dict[str, dict[str, None]] = {}
    for guard in guards:
        place = f" added in a function called here, {guard['path']}:{guard['line']}" if "path" in guard else ""
        check = _MARKS.sub(r"\1 has no marks of dynamic dimensions", _IDENTITY.sub("", guard["check"]))
        entries.setdefault(f"guard{place}: {check}", {})[f"[{guard['entry']}]"] = None
    yield from (f"{' '.join(ids)} {text}" for text, ids in entries.items())


_IDENTITY = re.compile(r", same_process_id\(\d+\)")  # the number differs between entries
_MARKS = re.compile(r"^hasattr\((.+), '_dynamo_\w+'\) == False$")


def _recompiles(reasons: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yields the reasons of recompiles with advice; once if the reasons of several earlier entries read the same."""
    advice_by_line: dict[str, list[str]] = {}
    for reason in reasons:
        place = reason.get("location")
        added = f", guard added in a function called here, {place['path']}:{place['line']}" if place else ""
        advice = advice_by_line.setdefault(f"recompiled as [{reason['entry']}]{added}: {difference(reason)}", [])
        if reason["advice"] and (text := f"  what to do: {reason['advice']}") not in advice:
            advice.append(text)
    for line, advice in advice_by_line.items():
        yield line
        yield from advice


def _enclosing_frame(data: dict[str, Any], path: str, line: int) -> str:
    """Returns the status of the innermost compiled function that contains a line; "" if it is not known.

    Used for lines without facts. The syntax tree of the file tells where functions end.
    """
    text = next((data["texts"][s["text"]] for s in data["sources"] if s["path"] == path and s["numbers"] is None), "")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return ""
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    enclosing = [f for f in functions if _first_line(f) <= line <= (f.end_lineno or f.lineno)]
    for function in sorted(enclosing, key=lambda f: f.lineno, reverse=True):
        inner = [_extent(node) for node in ast.walk(function) if isinstance(node, _FUNCTIONS) and node is not function]
        others = [lines for lines in inner if line not in lines]
        frames = [
            (frame["location"]["line"], frame)
            for frame in (*data["frames"], *data["eager"])
            if (frame.get("location") or {}).get("path") == path
            and _first_line(function) <= frame["location"]["line"] <= line
            and not any(frame["location"]["line"] in lines for lines in others)
        ]
        if frames:  # a resume function begins at a later line than the function itself
            begin = max(number for number, _ in frames)
            return _status([frame for number, frame in frames if number == begin])
    return ""


def _status(frames: list[dict[str, Any]]) -> str:
    """Returns the status of a function or a resume function with these frames: its entries, or why it runs eagerly."""
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
    """Returns the first line of the function's code object, which is that of its first decorator, if there is one."""
    return min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])


def advice_on(failure: dict[str, Any]) -> Iterator[str]:
    """Yields torch's explanation of a failed compilation, and its hints."""
    first, *rest = (failure.get("explanation") or "").splitlines() or [""]
    if first:
        yield f"why: {first}"
    yield from (f"    {line}" for line in rest)
    yield from (f"what to do: {hint}" for hint in failure.get("hints", ()))
