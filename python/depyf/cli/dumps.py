# SPDX-License-Identifier: MIT
"""`depyf why`, `where` and `diff`: questions about dumps, answered from `index.json` and the files that it lists.

`diff` compares which frames have entries, their transformed code, graphs (operation by operation), guards, kernels,
graph breaks, what is not compiled, and which ranks and child processes exist. It ignores times, values of arguments,
file names and line numbers of the program, the unique parts of torch's names, cache keys, and what torch does not log
if a result is in its cache.
"""

from __future__ import annotations

import collections
import itertools
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any

from depyf.cli import terminal
from depyf.cli.errors import BadInput, message_of
from depyf.cli.line_facts import advice_on, facts_of_line, lines_about
from depyf.torch.internals.vocabulary import FROM_FILE
from depyf.torch.model.caches import CacheEvent, differing_keys
from depyf.torch.model.compile_ids import frame_of
from depyf.torch.model.facts import Run
from depyf.torch.model.folders import dumps_in
from depyf.torch.model.location import Location
from depyf.torch.model.printed_graphs import without_folders
from depyf.torch.model.words import and_so_for, count, one_line
from depyf.torch.write.report import STAGES, collect, difference, guarded_property

_PLACE = re.compile(r"(?P<path>.+):(?P<line>\d+)$")
_UNIQUE = re.compile(r"(?<=[a-z0-9])_[0-9a-f]{8}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{12}\b")
# Trailing comments with the provenance of kernels, which only one side may have recorded.
_PROVENANCE = re.compile(r"  # (?:runs at .*|(?:[^ ,][^,]*:\d+(?:-\d+)?(?:, |$))+(?:and \d+ more)?)$")
_NOT_LOGGED = STAGES["BEFORE_PRE_GRAD"]  # by torch, if it finds the compiled graph in a cache
_CONTEXT = 2  # unchanged lines shown around each difference


def why(folder: Path, as_json: bool) -> int:
    """Prints what is not compiled, breaks or recompiles in a dump, and what to do about it.

    Raises:
        BadInput: The folder is not a dump.

    """
    dumps = _dumps(folder)
    if as_json:
        facts = _tagged(dumps, [{name: dump.data[name] for name in (*_REPORTED, _PROBLEMS)} for dump in dumps])
        titles = [f"{dump.title}: " if len(dumps) > 1 else "" for dump in dumps]
        summary = [title + line for title, dump in zip(titles, dumps, strict=True) for line in dump.data["summary"]]
        print(json.dumps({"summary": summary, **facts}, indent=2))
        return 0
    for line in _by_process(dumps, [list(_reasons(dump.data)) for dump in dumps]):
        terminal.say(line)
    return 0


def where(place: str, folder: Path, as_json: bool) -> int:
    """Prints the facts about one line of the program; returns 0, or 1 if there are none.

    Raises:
        BadInput: The place is not FILE:LINE, the dump has no such file or several, or the folder is not a dump.

    """
    match = _PLACE.fullmatch(place)
    if match is None:
        raise BadInput(f"{place}: wanted FILE:LINE")
    dumps = _dumps(folder)
    paths = _paths_of(match["path"], {path for dump in dumps for path in _paths(dump.data)})
    if not paths:
        raise BadInput(f"{match['path']}: {folder} has no file of this name")
    if len(paths) > 1:
        raise BadInput(f"{match['path']}: several files match: {', '.join(sorted(paths))}")
    line = int(match["line"])
    facts_by_dump = [facts_of_line(dump.data, paths[0], line) for dump in dumps]
    tagged = _tagged(dumps, facts_by_dump)
    if as_json:
        print(json.dumps({"path": paths[0], "line": line, **tagged}, indent=2))
    else:
        terminal.say(f"{paths[0]}:{line}")
        lines = [
            lines_about(facts, dump.data, paths[0], line) for facts, dump in zip(facts_by_dump, dumps, strict=True)
        ]
        for text in _by_process(dumps, lines):
            terminal.say(f"  {text}")
    return 0 if any(tagged.values()) else 1


def diff(a: Path, b: Path, as_json: bool) -> int:
    """Prints how two dumps differ; returns 0 if they do not, else 1. Differences in ignored facts do not count.

    Raises:
        BadInput: One of the folders is not a dump.

    """
    sides = [_dumps(a), _dumps(b)]
    pairs = list(_pairs(*sides))
    differences, keys = [], []
    for left, right in pairs:
        title = "" if len(pairs) == 1 else f"{' / '.join(dict.fromkeys(d.title for d in (left, right) if d))}: "
        folders = {"dumps": [dump.folder if dump is not None else None for dump in (left, right)]}
        if left is None or right is None:
            differences.append({"what": f"{title}only in {'b' if left is None else 'a'}", "lines": [], **folders})
            continue
        differences += [{**d, "what": title + d["what"], **folders} for d in _differences(left.side, right.side)]
        keys += [
            f"{title}{event.frame} [{event.compile_id}] {event.cache}: {', '.join(map(str, changes))}"
            for event, changes in differing_keys(left.cache_events, right.cache_events)
        ]
    if as_json:
        print(json.dumps({"same": not differences, "differences": differences, "cache_keys": keys}, indent=2))
    else:
        for name, folder, dumps in zip("ab", (a, b), sides, strict=True):
            first, seconds = dumps[0].side, sum(dump.side.seconds for dump in dumps)
            print(f"{name}: {folder}  torch {first.torch}, Python {first.python}, {seconds:.1f} s compiling")
        for row in differences:
            terminal.say(f"\n{row['what']}")
            for line in row["lines"]:
                terminal.say(f"  {line}")
        if keys:
            terminal.say("\ncache keys (not counted as differences)")
            for line in keys:
                terminal.say(f"  {line}")
        print(
            "\nthe same" if not differences else f"\n{len(differences)} difference{'s' if len(differences) > 1 else ''}"
        )
    return 1 if differences else 0


@dataclass(frozen=True)
class _Dump:
    """The dump of one process."""

    folder: str  # relative to the folder given by the user
    rank: int | None  # of the process, or of the one that started it
    pid: int | None
    data: dict[str, Any]
    cache_events: tuple[CacheEvent, ...]

    @property
    def depth(self) -> int:
        """The number of process starts between the first process of the program or rank and this one."""
        return sum(part.startswith("process_") for part in PurePath(self.folder).parts)

    @property
    def title(self) -> str:
        rank = f"rank {self.rank}" if self.rank is not None else ""
        return rank if rank and not self.depth else f"process {self.pid}{rank and ' of '}{rank}"

    @cached_property
    def side(self) -> Side:
        return Side.of(self.data)


def _dumps(folder: Path) -> list[_Dump]:
    """Returns all dumps of a run: of the process that owns the folder, of its ranks, and of their child processes."""
    return [_dump(folder, below) for below in dumps_in(folder) or [folder]]


def _dump(folder: Path, path: Path) -> _Dump:
    try:
        with terminal.working(f"reading {path}"):
            run = Run.load(path)
            data = collect(path, json.loads((path / "index.json").read_bytes()))
    except (OSError, ValueError) as error:
        raise BadInput(message_of(error)) from error
    rank, pid = (run.run.rank, run.run.pid) if run.run is not None else (None, None)
    return _Dump(path.relative_to(folder).as_posix(), rank, pid, data, run.cache_events)


def _pairs(a: list[_Dump], b: list[_Dump]) -> Iterator[tuple[_Dump | None, _Dump | None]]:
    """Yields pairs of corresponding dumps of two runs; None for a dump without counterpart.

    Ranks are paired by number, unless each run has only one. Child processes, whose numbers mean nothing, are paired
    first with a process that did the same, then in order.
    """
    has_ranks = any(len({dump.rank or 0 for dump in dumps}) > 1 for dumps in (a, b))

    def group_of(dump: _Dump) -> tuple[int, int]:
        return ((dump.rank or 0) if has_ranks else 0, dump.depth)

    for group in dict.fromkeys(map(group_of, (*a, *b))):
        left, right = ([dump for dump in dumps if group_of(dump) == group] for dumps in (a, b))
        for dump in tuple(left):
            same = next((other for other in right if dump.side.compared == other.side.compared), None)
            if same is not None:
                left.remove(dump)
                right.remove(same)
                yield dump, same
        yield from itertools.zip_longest(left, right)


def _tagged(dumps: list[_Dump], facts: list[dict[str, list[Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Returns the facts of all dumps by kind, each with the folder of its dump."""
    pairs = [*zip(dumps, facts, strict=True)]
    return {
        kind: [{"dump": dump.folder, **fact} for dump, facts_of_dump in pairs for fact in facts_of_dump[kind]]
        for kind in facts[0]
    }


def _by_process(dumps: list[_Dump], lines: list[list[str]]) -> Iterator[str]:
    """Yields the lines of each dump; equal lines of several dumps once. With several dumps, below their titles."""
    titles_by_text: dict[tuple[str, ...], list[str]] = {}
    for dump, lines_of_dump in zip(dumps, lines, strict=True):
        titles_by_text.setdefault(tuple(lines_of_dump), []).append(dump.title)
    for text, titles in titles_by_text.items():
        if len(dumps) > 1:
            yield f"{', '.join(titles)}:"
        yield from text


# -- why

_REPORTED = ("eager", "loaded", "failures", "breaks", "recompiles", "captured_again", "cuda_graph_skips")
_PROBLEMS = "problems"  # failures of depyf itself, which did not affect the program


def _reasons(data: dict[str, Any]) -> Iterator[str]:
    """Yields everything that `why` reports about one dump, or that there is nothing to report."""
    if not any(data[name] for name in _REPORTED):
        entries = f"{count(len(data['frames']), 'entry', 'entries')}; every frame is compiled"
        others = dict.fromkeys(f"[{file['graph']['id']}]" for file in data["files"] if file.get("graph") is not None)
        nothing = f"no frame is compiled, but graphs of {', '.join(others)}" if others else "nothing was compiled"
        yield f"{entries if data['frames'] else nothing}: no graph break, no recompile"
        if not data["frames"] and not others:
            yield "    what to do: call torch.compiler.reset() first if the program had already compiled its functions"
    yield from _eager_reasons(data)
    for frame in data["loaded"]:
        yield f"{_shown(frame.get('location'))}{frame['name']}: compiled"
        yield f"    {frame['reason']}"
    yield from _failures(data)
    yield from _graph_breaks(data)
    for capture in data["captured_again"]:
        yield f"[{capture['compile_id']}] compiled autograd captured the backward pass again: {capture['reason']}"
    yield from _cuda_graphs(data)
    yield from _recompiles(data)
    for problem in data[_PROBLEMS]:
        yield f"problem in depyf: {problem['what']}: {problem['error']}"


def _eager_reasons(data: dict[str, Any]) -> Iterator[str]:
    for frame in data["eager"]:
        since = "; torch has forgotten it since (torch.compiler.reset())" if frame.get("forgotten") else ""
        failures = (f for f in reversed(data["failures"]) if f["compile_id"] in frame.get("compile_ids", ()))
        failure: dict[str, Any] = next((f for f in failures if f["reason"] == frame.get("reason")), {})
        place = _shown(failure.get("location")) or _shown(frame.get("location"))
        yield f"{place}{frame['name']}: {frame['words']}{since}"
        if frame.get("reason"):
            yield f"    {frame['reason']}"
        yield from (f"    {line}" for line in advice_on(failure))


def _failures(data: dict[str, Any]) -> Iterator[str]:
    """Yields the failed compilations that are not reported with a frame or a graph break."""
    for failure in data["failures"]:
        if failure["is_told"]:
            continue
        what = f"compilation [{failure['compile_id']}] failed"
        if failure.get("effect") == "recompile limit":
            what = f"recompile limit reached at [{failure['compile_id']}], recompiled since then"
        yield f"{_shown(failure.get('location') or failure.get('origin'))}{failure['name']}: {what}"
        yield f"    {failure['reason']}"
        yield from (f"    {line}" for line in advice_on(failure))


def _graph_breaks(data: dict[str, Any]) -> Iterator[str]:
    for graph_break in data["breaks"]:
        times = f", met {graph_break['times']} times" if graph_break.get("times", 1) > 1 else ""
        inner = graph_break.get("inner")
        place = f" in PyTorch's {Location(inner['path'], inner['line'])}" if inner else ""
        yield f"{_shown(graph_break.get('location'))}graph break{place}{times}: {graph_break['reason']}"
        if graph_break["called_from"]:
            yield f"    called from {_shown(graph_break['called_from']).removesuffix(': ')}"
        yield from (f"    {line}" for line in graph_break["told"])


def _cuda_graphs(data: dict[str, Any]) -> Iterator[str]:
    for skip in data["cuda_graph_skips"]:
        direction = "backward" if skip["is_backward"] else "forward"
        place = _shown(skip.get("location"))
        yield f"{place}[{skip['compile_id']}] {direction} runs without a CUDA graph: {skip['reason']}"
    for recording in data.get("cuda_graph_recordings", ()):
        if recording["times"] > 1:
            direction = "backward" if recording["is_backward"] else "forward"
            times = f"{recording['times']} times, {recording['seconds']:.3f} s"
            yield f"[{recording['compile_id']}] {direction} was recorded as a CUDA graph {times}"


def _recompiles(data: dict[str, Any]) -> Iterator[str]:
    """Yields each reason once, with all recompiles of its frame for this reason.

    A later recompile counts if the reason kept the call from an entry that lacked least: without it, no recompile.
    The place is the line that introduced the guard, or else the beginning of the frame's code. Recompiles before and
    after a reset are listed separately.
    """
    texts_by_reason: dict[tuple[str, ...], dict[str, str]] = {}  # by reason and compile id
    for recompile in data["recompiles"]:
        compile_id = recompile["compile_id"]
        frame, has_entry = _frame_of_recompile(data, compile_id)
        own_name = "" if has_entry else recompile.get("name")  # functions that share a frame have the name of the first
        name = own_name or frame.get("title") or frame.get("name") or "a frame"
        result = "recompiled as" if has_entry else "has no entry from the recompile"
        _, _, since = compile_id.partition(" ")
        lacking = collections.Counter(reason["entry"] for reason in recompile["reasons"])
        closest = {entry for entry, number in lacking.items() if number == min(lacking.values())}
        sources_by_text: dict[tuple[str, ...], list[str]] = {}  # several values, for example the parameters of a module
        for reason in recompile["reasons"]:
            sources = sources_by_text.setdefault(_text_of_any(reason), [])
            sources += [] if reason["source"] in sources else [reason["source"]]
        for reason in recompile["reasons"]:
            if reason["source"] != (sources := sources_by_text[_text_of_any(reason)])[0]:
                continue
            guarded = guarded_property(reason)
            others = f", and so of {len(sources) - 1} more" if len(sources) > 1 else ""
            text = difference(reason, others)
            place = _shown(reason.get("location")) or _shown(frame.get("location"))
            kind = guarded if reason.get("then") else text
            advice = reason.get("advice") or ""
            advice += and_so_for(sources[1:]) if advice != _advice_of_any(reason) else ""
            key = (f"{place}{name} {result}", kind, since, _shown(reason["called_from"]), advice)
            if key not in texts_by_reason or reason["entry"] in closest:
                texts_by_reason.setdefault(key, {}).setdefault(compile_id, text)
    for (subject, _, _, caller, advice), texts in texts_by_reason.items():
        first, *later = texts
        yield f"{subject} [{first}]: {texts[first]}"
        if caller:
            yield f"    called from {caller.removesuffix(': ')}"
        if later:
            yield f"    again: {', '.join(f'[{compile_id}]' for compile_id in later)}"
        if advice:
            yield f"    what to do: {advice}"


def _text_of_any(reason: dict[str, Any]) -> tuple[str, ...]:
    """Returns the parts of a reason without the name of the value; equal for values with the same reason."""
    words = ("what", "then", "now") if reason.get("then") else ("what", "torch_text")
    return *(str(reason.get(name) or "") for name in ("entry", *words)), _advice_of_any(reason)


def _advice_of_any(reason: dict[str, Any]) -> str:
    """Returns the advice of a reason without the name of the value."""
    advice = reason.get("advice") or ""
    return advice.replace(f"({reason['source']}, ", "(…, ") if reason["source"] else advice


def _frame_of_recompile(data: dict[str, Any], compile_id: str) -> tuple[dict[str, Any], bool]:
    """Returns the frame that was recompiled, empty if it is not known, and whether the recompile created an entry."""
    frames = [f for f in data["frames"] if frame_of(f["id"]) == frame_of(compile_id)]
    compiled = sorted(frames, key=lambda f: f["id"] != compile_id)
    eager = (f for f in data["eager"] if compile_id in f.get("compile_ids", ()))
    return next(itertools.chain(compiled, eager), {}), any(f["id"] == compile_id for f in compiled)


def _shown(place: dict[str, Any] | None) -> str:
    """`path:line: `, which many terminals turn into a link; empty if the place is not known."""
    return f"{place['path']}:{place['line']}: " if place and place.get("path") else ""


# -- where


def _paths(data: dict[str, Any]) -> set[str]:
    """Returns the paths of the program's files in a collected dump."""
    paths = {source["path"] for source in data["sources"]}
    return paths | {path for file in data["files"] for _, path, _ in file.get("lines", ())}


def _paths_of(given: str, known: set[str]) -> list[str]:
    """Returns the known paths that end with `given`.

    If there are none, returns those of the same file (after resolving links).
    """
    ending = [path for path in known if _ends_with(path, given)]
    return ending or [path for path in known if os.path.realpath(path) == os.path.realpath(given)]


def _ends_with(path: str, end: str) -> bool:
    parts, ending = PurePath(path).parts, PurePath(end).parts
    return parts[-len(ending) :] == ending


# -- diff


@dataclass
class Side:
    """The facts of a dump that `diff` compares or prints."""

    torch: str
    python: str
    seconds: float
    frames: dict[str, dict[str, Any]] = field(default_factory=dict)
    graphs: dict[str, list[str]] = field(default_factory=dict)
    breaks: list[str] = field(default_factory=list)
    not_compiled: dict[str, list[str]] = field(default_factory=dict)  # lines by title
    from_cache: set[str] = field(default_factory=set)  # compile ids of the graphs that torch found in a cache

    @property
    def compared(self) -> list[Any]:
        """The facts that are compared."""
        parts = [*self.graphs.items(), *((key, *part) for key, parts in self.frames.items() for part in parts.items())]
        parts += [("graph breaks", self.breaks), *self.not_compiled.items()]
        return [(*names, list(map(_compared, lines))) for *names, lines in parts]

    @classmethod
    def of(cls, data: dict[str, Any]) -> Side:
        """Selects the facts from a collected dump."""
        side = cls(data["torch"], data["python"], data["seconds"])
        texts = {file["name"]: data["texts"][file["text"]] for file in data["files"]}
        for frame in data["frames"]:
            side.frames[f"{frame['name']} [{frame['id']}]"] = {
                "guards": sorted(_neutral(g["check"]) for g in frame["guards"]),
                "transformed code": _code_lines(texts.get(frame["transformed"] or "", "")),
            }
        seen: dict[tuple[str, str], int] = {}
        for file in data["files"]:
            if (graph := file.get("graph")) is None:
                continue
            key = (graph["id"], graph["stage"])
            number = seen[key] = seen.get(key, -1) + 1
            title = f"[{graph['id']}] {graph['stage']}" + (f" ({number + 1})" if number else "")
            side.graphs[title] = _code_lines(texts[file["name"]])
            if graph["cached"]:
                side.from_cache.add(graph["id"])
            if graph["kernels"]:
                side.graphs[f"{title}: kernels"] = list(graph["kernels"])
        broken = [(b["location"], b["reason"]) for b in data["breaks"] if b.get("location")]
        lines = (_break_line(place, reason) for place, reason in broken)
        side.breaks = sorted(lines, key=_compared)
        side.not_compiled = {
            title: sorted((_neutral(one_line(line)) for line in lines), key=_compared)
            for title, lines in _not_compiled(data).items()
        }
        return side


def _not_compiled(data: dict[str, Any]) -> dict[str, list[str]]:
    """Returns what a dump reports as not compiled, by title, as lines without places, which edits elsewhere move."""
    return {
        "frames that are not compiled": [
            ": ".join(filter(None, (f["name"], f["words"], f.get("reason")))) for f in data["eager"]
        ],
        "frames that are loaded": [f"{f['name']}: {f['reason']}" for f in data["loaded"]],
        "failed compilations": [f"[{f['compile_id']}] {f['name']}: {f['reason']}" for f in data["failures"]],
        "graphs without a CUDA graph": [
            f"[{s['compile_id']}] {'backward' if s['is_backward'] else 'forward'}: {s['reason']}"
            for s in data["cuda_graph_skips"]
        ],
    }


def _break_line(place: dict[str, Any], reason: str) -> str:
    code = f", code: {place['code']}" if place.get("code") else ""
    return f"{PurePath(place['path']).name}:{place['line']} in {place.get('function', '')}{code}: {reason}"


# A line of the program in a printed graph or before the reason of a graph break, and one in a sentence.
_FILE_AND_LINE = re.compile(rf"^(\s*{FROM_FILE})?[^\s/\\][^/\\\n]*?:\d+ in |(?<= )[^\s/\\:]+\.py:\d+")
_SUM = re.compile(r"(?<=Sym\()[\w*]+(?: \+ [\w*]+)+(?=\))|(?<=[\[ ])[\w*]+(?: \+ [\w*]+)+(?=[\],])")


def _compared(line: str) -> str:
    """Returns a line without file name and line number of the program, and with sums of symbols in one order."""
    line = _FILE_AND_LINE.sub(lambda match: match[1] or "", line)
    return _SUM.sub(lambda match: " + ".join(sorted(match[0].split(" + "))), line) if " + " in line else line


def _neutral(text: str) -> str:
    """Returns a text without the parts that differ from run to run."""
    return without_folders(_UNIQUE.sub("", text))


def _code_lines(text: str) -> list[str]:
    """Returns the lines of code in a dumped file, without its header, provenance and the functions for running it."""
    lines = [
        _PROVENANCE.sub("", line) for line in _neutral(text).splitlines() if "[Provenance debug handles]" not in line
    ]
    start = next((i for i, line in enumerate(lines) if not line.startswith("#")), 0)
    end = next((i for i, line in enumerate(lines) if line.startswith("def tensor(")), len(lines))
    return lines[start:end]


def _differences(a: Side, b: Side) -> Iterator[dict[str, Any]]:
    """Yields the differences between two dumps: what differs, and the lines of a diff."""
    if not _equal(a.breaks, b.breaks):
        yield {"what": "graph breaks", "lines": _marked(a.breaks, b.breaks)}
    for title, lines in a.not_compiled.items():
        if not _equal(lines, b.not_compiled[title]):
            yield {"what": title, "lines": _marked(lines, b.not_compiled[title])}
    for name in _union(a.frames, b.frames):
        if name not in b.frames or name not in a.frames:
            yield {"what": f"{name}: only in {'a' if name in a.frames else 'b'}", "lines": []}
            continue
        for part, left in a.frames[name].items():
            if not _equal(left, right := b.frames[name][part]):
                yield {"what": f"{name}: {part}", "lines": _marked(left, right)}
    for name in _union(a.graphs, b.graphs):
        left, right = a.graphs.get(name), b.graphs.get(name)
        if left is None or right is None:
            lacking = b if right is None else a
            if not (name.endswith(_NOT_LOGGED) and name[1:].partition("]")[0] in lacking.from_cache):
                yield {"what": f"{name}: only in {'a' if right is None else 'b'}", "lines": []}
        elif not _equal(left, right):
            yield {"what": name, "lines": _marked(left, right)}


def _union(a: dict[str, Any], b: dict[str, Any]) -> list[str]:
    return [*a, *(name for name in b if name not in a)]


def _marked(a: list[str], b: list[str]) -> list[str]:
    """Returns the lines that differ, marked with - and +, with some context."""
    lines = []
    matcher = SequenceMatcher(None, list(map(_compared, a)), list(map(_compared, b)))
    for group in matcher.get_grouped_opcodes(_CONTEXT):
        (_, a_start, _, b_start, _), (_, _, a_end, _, b_end) = group[0], group[-1]
        lines.append(f"@@ -{_range(a_start, a_end)} +{_range(b_start, b_end)} @@")
        for tag, i, i_end, j, j_end in group:
            if tag == "equal":
                lines += [f" {line}" for line in a[i:i_end]]
            else:
                lines += [f"-{line}" for line in a[i:i_end]] + [f"+{line}" for line in b[j:j_end]]
    return lines


def _range(start: int, end: int) -> str:
    """Returns a range of lines as in a unified diff."""
    length = end - start
    return f"{start + 1}" if length == 1 else f"{start + bool(length)},{length}"


def _equal(a: list[str], b: list[str]) -> bool:
    return a == b or list(map(_compared, a)) == list(map(_compared, b))
