# SPDX-License-Identifier: MIT
"""`report.html`: a dump as one page that can be mailed, with the user's source in the middle.

Reads `index.json` and the files that it lists. The page contains everything that it shows, so it needs neither a server
nor a network. Invariants: text of the program is in the page as data only (JSON, compressed, in base64), never as
markup; a text that several files share is stored once; this module does not import torch.

It does not derive new facts about the run: the page shows what `index.json` contains.
"""

from __future__ import annotations

import base64
import json
import linecache
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from pathlib import Path, PurePath
from typing import Any

from depyf.torch.internals.stable_names import without_identities
from depyf.torch.internals.texts import details_of_break, hints_with_addressee
from depyf.torch.internals.vocabulary import NODE_ORIGIN
from depyf.torch.model.enums import FrameStatus
from depyf.torch.model.facts import Run
from depyf.torch.model.folders import rank_folders
from depyf.torch.model.frames import LOADED, UNUSED, says_no_operations
from depyf.torch.model.index_files import parsed
from depyf.torch.model.location import Location, calling_line
from depyf.torch.model.printed_graphs import lines_with_places
from depyf.torch.model.symbols import words_of_range
from depyf.torch.model.titles import ABANDONED, PASSES, PHASES
from depyf.torch.model.words import differed
from depyf.torch.write import ownership
from depyf.torch.write.saved_tensors import kept_for_backward
from depyf.torch.write.summary import no_resume_after, why_captured

Json = dict[str, Any]

TRIED = "tried.json"
"""The file that `depyf why --try -o DIR` writes into the dump folder DIR."""

STAGES = {
    "Captured_Graph": "captured by Dynamo",
    "BEFORE_PRE_GRAD": "as Inductor received it",
    "Joint_graph": "joint forward and backward",
    "Forward_graph": "forward",
    "Backward_graph": "backward",
    "AFTER_POST_GRAD": "after Inductor's passes",
    "kernel": "Inductor's code",
}
"""Titles of the stages of a graph, in the order of the compiler."""

# Parts of an index that contain texts of torch and of the program's objects.
_WORDS = ("summary", "frames", "graph_breaks", "recompiles", "failures", "cache_events", "cuda_graph_skips", "problems")
_INSTALLED = re.compile(r"[/\\](?:site|dist)-packages[/\\](?P<package>\w+)")
_OPERATION = re.compile(r'^\s+(?P<name>\w+)(?:: "[^"]*")? = ')


class ReportError(ValueError):
    """A folder without a dump, or a dump that cannot be read. The message names the file and what was wanted."""


def report_html(folder: Path, index: Json | None = None, sources: Mapping[str, str] | None = None) -> str:
    """Returns the page of a dump folder.

    Args:
        folder: A folder that `prepare_debug(folder)` or `depyf trace` wrote.
        index: The content of its `index.json`, if that is not written yet.
        sources: Texts of the program's files as they were in the run, if known. For an existing dump the default is the
            texts in its page.

    Returns:
        A complete HTML document.

    Raises:
        ReportError: The folder has no readable `index.json`.

    """
    return page_of(collect(folder, index, sources))


def page_of(collected: Json) -> str:
    """Returns the page that shows the result of `collect`."""
    page = asset("report.html")
    data = json.dumps(collected, ensure_ascii=False, separators=(",", ":"))
    packed = base64.b64encode(zlib.compress(data.encode("utf-8", "surrogatepass"), 9)).decode("ascii")
    parts = {"STYLE": asset("report.css"), "SCRIPT": asset("report.js"), "DATA": packed}
    return re.sub(r"<!--(STYLE|SCRIPT|DATA)-->", lambda m: parts[m[1]], page)


_DATA = re.compile(r'(?<=id="data">)[^<]*(?=<)')


def with_ranks(page: str, folder: Path, differences: list[str]) -> str | None:
    """Returns the page of a dump, extended by the ranks that dumped into the folder and its subfolders.

    Returns None if it is not a page of this version of depyf. `differences` are the places where ranks diverge.
    """
    data = _data_of_page(page)
    return page_of({**data, **_ranks_of(folder, differences)}) if "ranks" in data else None


def _data_of_page(page: str) -> Json:
    """Returns the data of a page; empty if the page is not from depyf."""
    packed = _DATA.search(page)
    try:
        text = zlib.decompress(base64.b64decode(packed[0])).decode("utf-8", "surrogatepass") if packed else "{}"
        data: Json = json.loads(text)
    except (ValueError, zlib.error):
        return {}
    return data


def sources_shown(folder: Path) -> dict[str, str]:
    """Returns the complete source files in the page of a dump, by path; empty without a page."""
    try:
        data = _data_of_page((folder / ownership.REPORT).read_text("utf-8"))
        return {s["path"]: data["texts"][s["text"]] for s in data["sources"] if s["numbers"] is None}
    except (OSError, ValueError, LookupError, TypeError):
        return {}


def _index(folder: Path) -> Json:
    path = folder / "index.json"
    try:
        index: Json = parsed(path.read_bytes())
        Run.from_data(index)
    except OSError as error:
        raise ReportError(f"{path}: wanted the index of a dump, {(error.strerror or str(error)).lower()}") from error
    except ValueError as error:
        raise ReportError(f"{path}: {error}") from error
    return index


def collect(folder: Path, index: Json | None = None, sources: Mapping[str, str] | None = None) -> Json:
    """Returns the content of the page as plain data. Arguments and errors are those of `report_html`."""
    dump_folder, folder = folder, _first_rank(folder) if index is None else folder
    sources_before = sources_shown(folder) if index is None and sources is None else sources or {}
    index = _index(folder) if index is None else index
    index = {name: _without_identities(value) if name in _WORDS else value for name, value in index.items()}
    texts = _Texts()
    files = [_file(folder, name, what, texts) for name, what in index.get("files", {}).items()]
    shown: list[Json] = [file for file in files if file is not None]
    graphs = {g["file"]: g for g in index.get("graphs", ())}
    for file in shown:
        _describe(file, graphs.get(file["name"]), texts)
    sources_of_page = _sources(index, shown, texts, sources_before)
    frames = [_frame(entry) for entry in index.get("entries", ())]
    eager = _eager_frames(index)
    breaks = _graph_breaks(index)
    _resolve_guards(frames, [source["path"] for source in sources_of_page])
    return {
        "torch": index.get("torch", ""),
        "python": index.get("python", ""),
        "summary": index.get("summary", []),
        "seconds": index.get("compile_seconds", 0.0),
        "compiled_frames": sum(bool(frame["entries"]) for frame in index.get("frames", ())),
        "graphs": _graph_count(index),
        "files": shown,
        "sources": sources_of_page,
        "frames": frames,
        "kernels": index.get("kernels", []),
        "saved": _saved(shown, texts),
        "eager": eager,
        "loaded": [f for f in index.get("frames", ()) if f.get("reason") == LOADED and not f["entries"]],
        "captured_again": [
            {"compile_id": name, "reason": why}
            for name, reasons in index.get("captures", {}).items()
            if (why := why_captured(reasons))
        ],
        "failures": [
            {**f, "is_told": _is_reported(f, eager, breaks), "is_break": _is_break(f, breaks)}
            for f in index.get("failures", ())
        ],
        "breaks": breaks,
        "recompiles": [
            {**r, "reasons": [{**x, "difference": difference(x), "called_from": _called_from(x)} for x in r["reasons"]]}
            for r in index.get("recompiles", ())
        ],
        "symbols": _symbols(index),
        "caches": index.get("caches", {}),
        "cache_events": [{k: v for k, v in e.items() if k != "parts"} for e in index.get("cache_events", ())],
        "cuda_graph_skips": index.get("cuda_graph_skips", []),
        "cuda_graph_recordings": index.get("cuda_graph_recordings", []),
        "phases": [{**p, "title": PHASES.get(p["name"], p["name"])} for p in index.get("phases", ())],
        "problems": index.get("problems", []),
        **_ranks(dump_folder),
        "tried": _trial_results(folder),
        "texts": texts.all,
    }


def _eager_frames(index: Json) -> list[Json]:
    """Returns the frames that are not compiled, with their status; those that lose nothing by it come last."""
    eager = [
        {**frame, "label": status.label, "words": status.words + _unused(frame, status)}
        for frame in index.get("frames", ())
        if (status := FrameStatus(frame["status"])) is not FrameStatus.COMPILED
    ]
    eager += _eager_rests(index)
    return sorted(eager, key=lambda frame: says_no_operations(frame.get("reason") or ""))


def _unused(frame: Json, status: FrameStatus) -> str:
    return UNUSED if status is FrameStatus.SKIPPED and frame.get("entries") else ""


def _eager_rests(index: Json) -> Iterator[Json]:
    """Yields the parts of compiled frames that run eagerly because no resume function continues after a graph break."""
    rests: dict[tuple[Any, ...], list[Json]] = {}
    for entry in index.get("entries", ()):
        if place := entry.get("eager_from"):
            rests.setdefault((entry.get("title"), place["path"], place["line"]), []).append(entry)
    for (title, path, line), entries in rests.items():
        ids = [entry["compile_id"] for entry in entries]
        broken = next((b for b in index.get("graph_breaks", ()) if {*ids} & {*b["compile_ids"]}), None)
        yield {
            "name": title or entries[0]["name"],
            "location": entries[0]["eager_from"],
            "compile_ids": ids,
            "status": FrameStatus.COMPILED.value,
            "label": FrameStatus.SKIPPED.label,
            "words": f"runs eagerly from {Location(path, line)} on",
            "reason": no_resume_after(broken["where"], broken["reason"]) if broken is not None else "",
        }


def _graph_breaks(index: Json) -> list[Json]:
    """Returns the graph breaks with torch's hints and the lines that lead to them."""
    return [
        {
            **b,
            "told_hints": hints_with_addressee(b["hints"], is_pytorchs_line=bool(b.get("inner"))),
            "told": details_of_break(b["hints"], b.get("explanation", ""), is_pytorchs_line=bool(b.get("inner"))),
            "called_from": _called_from(b),
        }
        for b in index.get("graph_breaks", ())
    ]


def _symbols(index: Json) -> list[Json]:
    """Returns symbolic sizes and numbers with the values that their entry accepts, followed by specialized ones."""
    fixed = index.get("specializations", ())
    specialized = {(s["compile_id"], s["name"]) for s in fixed}
    symbols = [{**s, "taken": words_of_range(s["range"])} for s in index.get("symbols", ())]
    shown = [{**s, "taken": ""} if (s["compile_id"], s["name"]) in specialized else s for s in symbols]
    return shown + [{**s, "source": ", ".join(s["sources"]), "is_fixed": True} for s in fixed]


def difference(reason: dict[str, Any], others: str = "") -> str:
    """Returns how the value of a recompile differs, followed by `others`; torch's words if nothing else is known."""
    if not reason.get("then"):
        return str(reason.get("torch_text") or reason["what"])
    return differed(guarded_property(reason), reason["then"], reason["now"], others)


def guarded_property(reason: dict[str, Any]) -> str:
    """Returns the guarded expression of a recompile and the property that differs."""
    return f"{reason['source']}: {reason['what']}" if reason["source"] else str(reason["what"])


def _without_identities(value: Any) -> Any:
    """Returns texts of torch and of the program's objects without object ids; locations are not changed."""
    if isinstance(value, str):
        return without_identities(value)
    if isinstance(value, list):
        return [_without_identities(item) for item in value]
    if isinstance(value, dict) and "path" not in value:
        return {name: _without_identities(item) for name, item in value.items()}
    return value


def _first_rank(folder: Path) -> Path:
    """Returns the folder itself, or that of the first rank if only ranks have dumps there."""
    ranks = [] if (folder / "index.json").exists() else rank_folders(folder)
    return next((rank for rank in ranks if (rank / "index.json").exists()), folder)


def _ranks(folder: Path) -> Json:
    """Returns the ranks with dumps in a folder and its subfolders, and where they diverge; empty without ranks."""
    try:
        differences = json.loads((folder / "ranks.json").read_text("utf-8"))["divergences"]
    except (OSError, ValueError, KeyError, TypeError):
        return {"ranks": [], "divergences": []}
    return _ranks_of(folder, differences)


def _ranks_of(folder: Path, differences: list[str]) -> Json:
    """Returns the ranks with dumps in a folder and its subfolders, with their counts, and the given differences."""
    ranks = []
    for place in (folder, *rank_folders(folder)):
        index = ownership.listing(place / "index.json")
        if index is None:  # ended before it wrote one
            continue
        ranks.append(
            {
                "rank": (index.get("run") or {}).get("rank"),
                "folder": place.relative_to(folder).as_posix(),
                "entries": len(index.get("entries", ())),
                "graphs": _graph_count(index),
                "breaks": len(index.get("graph_breaks", ())),
                "recompiles": len(index.get("recompiles", ())),
                "seconds": index.get("compile_seconds", 0.0),
            }
        )
    return {"ranks": sorted(ranks, key=lambda r: (r["rank"] is None, r["rank"])), "divergences": differences}


def _graph_count(index: Json) -> int:
    """Returns the number of entries that call a graph, like `Record.graph_count`."""
    captured_graphs = [
        g for g in index.get("graphs", ()) if g["kind"] == "Captured_Graph" and not g.get("is_abandoned")
    ]
    captured = {g["compile_id"] for g in captured_graphs}
    return sum(bool(e.get("compiled_fn")) or e["compile_id"] in captured for e in index.get("entries", ()))


def _saved(files: list[Json], texts: _Texts) -> list[Json]:
    """Returns the tensors that each forward graph saves for its backward graph, with lines of the program."""
    graphs = {(f["graph"]["id"], f["graph"]["kind"]): f for f in files if "graph" in f and not f["graph"]["cached"]}
    saved = []
    for (compile_id, kind), backward in graphs.items():
        forward = graphs.get((compile_id, "Forward_graph"))
        if kind == "Backward_graph" and forward is not None:
            pair = texts.all[forward["text"]], texts.all[backward["text"]]
            saved += [
                {"id": compile_id, "node": node, "location": {"path": path, "line": line}, "bytes": size}
                for node, path, line, size in kept_for_backward(*pair)
            ]
    return saved


def _trial_results(folder: Path) -> Json | None:
    """Returns the results of `depyf why --try`, if they were written into the folder."""
    try:
        results: Json = json.loads((folder / TRIED).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return results


class _Texts:
    """Numbered texts, without duplicates."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self._known: dict[str, int] = {}

    def add(self, text: str) -> int:
        """Returns the number of a text."""
        number = self._known.setdefault(text, len(self.all))
        if number == len(self.all):
            self.all.append(text)
        return number


def asset(name: str) -> str:
    """Returns the text of one of the files from which the page is made."""
    return resources.files(__package__).joinpath("assets").joinpath(name).read_text("utf-8")


def _file(folder: Path, name: str, what: str, texts: _Texts) -> Json | None:
    """Returns the data of a file of the dump; None if it no longer exists or is not text."""
    try:
        text = (folder / name).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return {
        "name": name,
        "what": what,
        "text": texts.add(text),
        "language": "cpp" if name.endswith(".cpp") else "python",
    }


def _describe(file: Json, graph: Json | None, texts: _Texts) -> None:
    """Adds the index's facts about a graph's file, and the line of the program for each of its lines."""
    if graph is None:
        return
    kind = graph["kind"]
    stage = PASSES[graph.get("is_backward")] + STAGES.get(kind, kind.replace("_", " "))
    file["graph"] = {
        "id": graph["compile_id"],
        "kind": kind,
        "stage": stage + (f", {ABANDONED}" if graph.get("is_abandoned") else ""),
        "runs": graph.get("is_what_runs", False),
        "kernels": graph.get("kernels", []),
        "cached": graph.get("is_cached", False),
    }
    if graph.get("is_cached"):  # its comments name lines of the run that filled the cache
        return
    lines = list(_lines_from(texts.all[file["text"]]))
    file["lines"] = lines
    if not lines:  # torch only tells that the whole graph computes these lines
        file["from"] = [[place["path"], place["line"]] for place in graph.get("source_lines", ()) if "path" in place]


def _lines_from(text: str) -> Iterator[list[Any]]:
    """Yields `[line of the file, path, line of the program]` for each operation in a graph as torch prints it."""
    for number, line, place in lines_with_places(text):
        if place.function != NODE_ORIGIN and _OPERATION.match(line):
            yield [number, place.path, place.line]


def _is_reported(failure: dict[str, Any], eager: list[dict[str, Any]], breaks: list[dict[str, Any]]) -> bool:
    """Returns whether a failed compilation is reported with the frame that is not compiled, or with a graph break."""
    compile_id, reason = failure["compile_id"], failure["reason"]
    frames = (f for f in eager if compile_id in f.get("compile_ids", ()))
    return any(f.get("reason") == reason for f in frames) or any(compile_id in b.get("skips", ()) for b in breaks)


def _is_break(failure: Json, breaks: list[dict[str, Any]]) -> bool:
    """Returns whether a failed compilation is only a graph break at the same line, for which torch skips the frame."""
    line = _line_of(failure)
    return any(failure["compile_id"] in b.get("skips", ()) and line and _line_of(b) == line for b in breaks)


def _line_of(fact: Json) -> tuple[str, int] | None:
    place = fact.get("location")
    return (place["path"], place["line"]) if place else None


def _called_from(fact: Json) -> Json | None:
    """Returns the program's line that leads to a graph break, or to a guard of a recompile, in a library."""
    if not fact.get("location"):
        return None
    innermost, *stack = (Location(p["path"], p["line"]) for p in (fact["location"], *fact.get("stack", ())))
    caller = calling_line(innermost, stack)
    return {"path": caller.path, "line": caller.line} if caller else None


def _frame(entry: Json) -> Json:
    """Returns an entry of the index as the page shows it."""
    return {
        "id": entry["compile_id"],
        "name": entry["name"],
        "title": entry.get("title") or entry["name"],
        "location": entry.get("location"),
        "backend": entry.get("backend", ""),
        "verdict": entry.get("verdict", ""),
        "dropped": entry.get("dropped", False),
        "transformed": entry.get("transformed_code"),
        "full_code": entry.get("full_code"),
        "call": entry.get("call"),
        "effects": entry.get("side_effects", []),
        "resumes": entry.get("resume_functions", []),
        "eager_from": entry.get("eager_from"),
        "guards": [
            {
                "check": g.get("python") or g.get("text", ""),
                "location": g.get("location"),
                "called_from": _called_from(g),
                "kind": g.get("kind", ""),
            }
            for g in entry.get("checks", ())
        ],
    }


def _resolve_guards(frames: list[Json], paths: list[str]) -> None:
    """Completes the paths of guards of which torch printed only the end, if exactly one source matches."""
    for frame in frames:
        for guard in frame["guards"]:
            place = guard["location"]
            if place is None or place["path"] in paths or PurePath(place["path"]).is_absolute():
                continue
            fitting = [path for path in paths if _may_be(path, place["path"])]
            guard["location"] = {**place, "path": fitting[0]} if len(fitting) == 1 else None


def _may_be(path: str, end: str) -> bool:
    """Returns whether a path may be the one whose last characters torch printed; part of a file name is not enough."""
    return path.endswith(end) and (len(PurePath(end).parts) > 1 or PurePath(path).name == end)


def _places(index: Json, files: Iterable[Json]) -> Iterator[tuple[str, int, str, str]]:
    """Yields every location of the program in the page: path, line, function, code."""
    for entry in index.get("entries", ()):
        yield from _fields(entry.get("location"))
        yield from _fields(entry.get("call"))
    for fact in (*index.get("frames", ()), *index.get("failures", ())):
        yield from _fields(fact.get("location"))
    for fact in index.get("graph_breaks", ()):
        yield from _fields(fact.get("location"))
        for place in fact.get("stack", ()):
            yield from _fields(place)
    for recompile in index.get("recompiles", ()):
        for reason in recompile["reasons"]:
            for place in reason.get("stack", ()):
                yield from _fields(place)
    for kernel in index.get("kernels", ()):
        for place in (*kernel["source_lines"], *kernel["callers"]):
            yield from _fields(place)
    for file in files:
        for _, path, line in file.get("lines", ()):
            yield path, line, "", ""
        for path, line in file.get("from", ()):
            yield path, line, "", ""


def _fields(place: Json | None) -> Iterator[tuple[str, int, str, str]]:
    """Yields path, line, function and code of a location; nothing if it is unknown."""
    if place and place.get("path"):
        yield place["path"], place["line"], place.get("function", ""), place.get("code", "")


def _sources(index: Json, files: list[Json], texts: _Texts, earlier_texts: Mapping[str, str]) -> list[Json]:
    """Returns the source files: the program's, then those of packages, then PyTorch's; by number of compiled lines.

    They are shown as in `earlier_texts` if that has their text, which is the case for generated code. If a file no
    longer exists, the lines that torch quotes are shown. Files of the dump itself, which line-mapped frames name, are
    omitted.
    """
    dump_files = index.get("files", {})
    lines: dict[str, dict[int, str]] = {}
    occurrences: dict[str, int] = {}
    for path, line, _, code in _places(index, files):
        code_of_line = lines.setdefault(path, {})
        code_of_line[line] = code_of_line.get(line) or code
        occurrences[path] = occurrences.get(path, 0) + 1
    of_entries = {entry["location"]["path"] for entry in index.get("entries", ()) if entry.get("location")}
    shown = []
    for path in sorted(lines, key=lambda p: (_distance(p), p not in of_entries, -occurrences[p], p)):
        if PurePath(path).name in dump_files:
            continue
        source = earlier_texts.get(path) or _read_source(path)
        quoted = sorted((line, code) for line, code in lines[path].items() if code)
        if source is None and not quoted:
            continue
        shown.append(
            {
                "path": path,
                "text": texts.add(source if source is not None else "\n".join(code for _, code in quoted)),
                "numbers": None if source is not None else [line for line, _ in quoted],
            }
        )
    return shown


def _distance(path: str) -> int:
    """Returns the rank of a file in the list of sources: 0 for the program, 1 for installed packages, 2 for PyTorch."""
    installed = _INSTALLED.search(path)
    return 0 if installed is None else 2 if installed["package"] == "torch" else 1


def _read_source(path: str) -> str | None:
    """Returns the text of a source file or of a notebook's cell; None if it is not available."""
    try:
        return Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError, ValueError):
        return "".join(linecache.getlines(path)) or None
