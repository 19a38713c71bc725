# SPDX-License-Identifier: MIT
"""`depyf why`, `where` and `diff`: questions to dumps, answered from `index.json` and the files that it lists.

What decides a difference: which frames have entries, their transformed code, graphs operation by operation, guards,
kernels, which ranks and child processes there are. Times, arguments' values, paths, the unique parts of torch's names
and keys of caches never do.
"""

from __future__ import annotations

import itertools
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import unified_diff
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any

from depyf.cli import terminal
from depyf.cli.errors import BadInput, said
from depyf.cli.line_facts import advice_on, facts_of_line, told
from depyf.torch.model.caches import CacheEvent, differing_keys
from depyf.torch.model.compile_ids import frame_of
from depyf.torch.model.facts import Run
from depyf.torch.model.folders import dumps_in
from depyf.torch.model.location import Location
from depyf.torch.model.printed_graphs import without_folders
from depyf.torch.model.words import and_so_for
from depyf.torch.write.report import collect, difference, named

_PLACE = re.compile(r"(?P<path>.+):(?P<line>\d+)$")
_UNIQUE = re.compile(r"(?<=[a-z0-9])_[0-9a-f]{8}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{12}\b")
# Trailing comments that tie lines, nodes and kernels, where one side had Inductor tell it.
_TIED = re.compile(r"  # (?:runs at .*|(?:[^ ,][^,]*:\d+(?:-\d+)?(?:, |$))+(?:and \d+ more)?)$")
_CONTEXT = 2  # lines of a graph around each difference


def why(folder: Path, as_json: bool) -> int:
    """Prints what is not compiled, breaks or recompiles in a dump, and what to do about it.

    Raises:
        BadInput: The folder is no dump.

    """
    dumps = _dumps(folder)
    if as_json:
        facts = _tagged(dumps, [{name: dump.data[name] for name in (*_TOLD, _PROBLEMS)} for dump in dumps])
        titles = [f"{dump.title}: " if len(dumps) > 1 else "" for dump in dumps]
        summary = [title + line for title, dump in zip(titles, dumps, strict=True) for line in dump.data["summary"]]
        print(json.dumps({"summary": summary, **facts}, indent=2))
        return 0
    for line in _by_process(dumps, [list(_reasons(dump.data)) for dump in dumps]):
        terminal.say(line)
    return 0


def where(place: str, folder: Path, as_json: bool) -> int:
    """Prints what became of one line of the program; 0, or 1 where nothing did.

    Raises:
        BadInput: The place is no FILE:LINE, or the folder is no dump.

    """
    match = _PLACE.fullmatch(place)
    if match is None:
        raise BadInput(f"{place}: wanted FILE:LINE")
    dumps = _dumps(folder)
    paths = _paths_of(match["path"], {path for dump in dumps for path in _paths(dump.data)})
    if not paths:
        raise BadInput(f"{match['path']}: no file of that name has a part in {folder}")
    if len(paths) > 1:
        raise BadInput(f"{match['path']}: several files end so: {', '.join(sorted(paths))}")
    line = int(match["line"])
    of_each = [facts_of_line(dump.data, paths[0], line) for dump in dumps]
    found = _tagged(dumps, of_each)
    if as_json:
        print(json.dumps({"path": paths[0], "line": line, **found}, indent=2))
    else:
        terminal.say(f"{paths[0]}:{line}")
        lines = [told(facts, dump.data, paths[0], line) for facts, dump in zip(of_each, dumps, strict=True)]
        for text in _by_process(dumps, lines):
            terminal.say(f"  {text}")
    return 0 if any(found.values()) else 1


def diff(a: Path, b: Path, as_json: bool) -> int:
    """Prints how two dumps differ; 0 where nothing that decides does, else 1.

    Raises:
        BadInput: One of the folders is no dump.

    """
    sides = [_dumps(a), _dumps(b)]
    pairs = list(_pairs(*sides))
    found, keys = [], []
    for one, other in pairs:
        title = "" if len(pairs) == 1 else f"{' / '.join(dict.fromkeys(d.title for d in (one, other) if d))}: "
        of = {"dumps": [dump.folder if dump is not None else None for dump in (one, other)]}
        if one is None or other is None:
            found.append({"what": f"{title}only in {'b' if one is None else 'a'}", "lines": [], **of})
            continue
        found += [{**each, "what": title + each["what"], **of} for each in _differences(one.side, other.side)]
        keys += [
            f"{title}{event.frame} [{event.compile_id}] {event.cache}: {', '.join(map(str, changes))}"
            for event, changes in differing_keys(one.cache_events, other.cache_events)
        ]
    if as_json:
        print(json.dumps({"same": not found, "differences": found, "cache_keys": keys}, indent=2))
    else:
        for name, folder, dumps in zip("ab", (a, b), sides, strict=True):
            first, seconds = dumps[0].side, sum(dump.side.seconds for dump in dumps)
            print(f"{name}: {folder}  torch {first.torch}, Python {first.python}, {seconds:.1f} s compiling")
        for each in found:
            terminal.say(f"\n{each['what']}")
            for line in each["lines"]:
                terminal.say(f"  {line}")
        if keys:
            terminal.say("\nkeys of caches (no difference by themselves)")
            for line in keys:
                terminal.say(f"  {line}")
        print("\nthe same" if not found else f"\n{len(found)} difference{'s' if len(found) > 1 else ''}")
    return 1 if found else 0


@dataclass(frozen=True)
class _Dump:
    """What one process left. `folder`: relative to the one that was asked about. `rank`: of it or what started it."""

    folder: str
    rank: int | None
    pid: int | None
    data: dict[str, Any]
    cache_events: tuple[CacheEvent, ...]

    @property
    def depth(self) -> int:
        """How many processes, each started by the last, lie between it and the one that the program began as."""
        return sum(part.startswith("process_") for part in PurePath(self.folder).parts)

    @property
    def title(self) -> str:
        rank = f"rank {self.rank}" if self.rank is not None else ""
        return rank if rank and not self.depth else f"process {self.pid}{rank and ' of '}{rank}"

    @cached_property
    def side(self) -> Side:
        return Side.of(self.data)


def _dumps(folder: Path) -> list[_Dump]:
    """Every dump of a run: of the process that has the folder, of its ranks, and of the processes they started."""
    return [_dump(folder, below) for below in dumps_in(folder) or [folder]]


def _dump(folder: Path, below: Path) -> _Dump:
    try:
        with terminal.working(f"reading {below}"):
            run = Run.load(below)
            data = collect(below, json.loads((below / "index.json").read_bytes()))
    except (OSError, ValueError) as error:
        raise BadInput(said(error)) from error
    rank, pid = (run.run.rank, run.run.pid) if run.run is not None else (None, None)
    return _Dump(below.relative_to(folder).as_posix(), rank, pid, data, run.cache_events)


def _pairs(a: list[_Dump], b: list[_Dump]) -> Iterator[tuple[_Dump | None, _Dump | None]]:
    """The dumps of two runs that stand for one another; None where there is none.

    Ranks by their number, unless each run has one only. Of the processes that a rank or a process started, whose
    numbers mean nothing, first those that did the same, then the others in their order.
    """
    has_ranks = any(len({dump.rank or 0 for dump in dumps}) > 1 for dumps in (a, b))

    def kin(dump: _Dump) -> tuple[int, int]:
        return ((dump.rank or 0) if has_ranks else 0, dump.depth)

    for each in dict.fromkeys(map(kin, (*a, *b))):
        left, right = ([dump for dump in dumps if kin(dump) == each] for dumps in (a, b))
        for one in tuple(left):
            same = next((other for other in right if one.side.decides == other.side.decides), None)
            if same is not None:
                left.remove(one)
                right.remove(same)
                yield one, same
        yield from itertools.zip_longest(left, right)


def _tagged(dumps: list[_Dump], facts: list[dict[str, list[Any]]]) -> dict[str, list[dict[str, Any]]]:
    """The facts of all dumps by kind, each with the folder of the dump that it is of."""
    return {
        kind: [{"dump": dump.folder, **fact} for dump, own in zip(dumps, facts, strict=True) for fact in own[kind]]
        for kind in facts[0]
    }


def _by_process(dumps: list[_Dump], lines: list[list[str]]) -> Iterator[str]:
    """What is said of each dump, once where the same is said of several; of which, where there is more than one."""
    said: dict[tuple[str, ...], list[str]] = {}
    for dump, own in zip(dumps, lines, strict=True):
        said.setdefault(tuple(own), []).append(dump.title)
    for text, titles in said.items():
        if len(dumps) > 1:
            yield f"{', '.join(titles)}:"
        yield from text


# -- why

_TOLD = ("eager", "failures", "breaks", "recompiles", "cuda_graph_skips")
_PROBLEMS = "problems"  # what depyf could not do; the program was not affected


def _reasons(data: dict[str, Any]) -> Iterator[str]:
    if not any(data[name] for name in _TOLD):
        count = len(data["frames"])
        entries = f"{count} entr{'y' if count == 1 else 'ies'}; every frame is compiled"
        others = dict.fromkeys(f"[{file['graph']['id']}]" for file in data["files"] if file.get("graph") is not None)
        nothing = f"no frame is compiled, but graphs of {', '.join(others)}" if others else "nothing was compiled"
        yield f"{entries if count else nothing}: no graph break, no recompile"
        if not count and not others:
            yield "    what to do: torch.compiler.reset() before, if the program had compiled it already"
    for frame in data["eager"]:
        since = "; torch has forgotten it since (torch.compiler.reset())" if frame.get("forgotten") else ""
        of_frame = (f for f in reversed(data["failures"]) if f["compile_id"] in frame.get("compile_ids", ()))
        failure: dict[str, Any] = next((f for f in of_frame if f["reason"] == frame.get("reason")), {})
        place = _shown(failure.get("location")) or _shown(frame.get("location"))
        yield f"{place}{frame['name']}: {frame['words']}{since}"
        if frame.get("reason"):
            yield f"    {frame['reason']}"
        yield from (f"    {line}" for line in advice_on(failure))
    for failure in data["failures"]:
        if failure["is_told"]:
            continue
        what = f"compilation [{failure['compile_id']}] failed"
        if failure.get("effect") == "recompile limit":
            what = f"recompile limit reached at [{failure['compile_id']}], recompiled since then"
        yield f"{_shown(failure.get('location') or failure.get('origin'))}{failure['name']}: {what}"
        yield f"    {failure['reason']}"
        yield from (f"    {line}" for line in advice_on(failure))
    for found in data["breaks"]:
        times = f", met {found['times']} times" if found.get("times", 1) > 1 else ""
        inner = found.get("inner")
        within = f" in PyTorch's {Location(inner['path'], inner['line'])}" if inner else ""
        yield f"{_shown(found.get('location'))}graph break{within}{times}: {found['reason']}"
        if found["called_from"]:
            yield f"    called from {_shown(found['called_from']).removesuffix(': ')}"
        yield from (f"    {line}" for line in found["told"])
    for skip in data["cuda_graph_skips"]:
        which = "backward" if skip["is_backward"] else "forward"
        place = _shown(skip.get("location"))
        yield f"{place}[{skip['compile_id']}] {which} runs without a CUDA graph: {skip['reason']}"
    for found in data.get("cuda_graph_recordings", ()):
        if found["times"] > 1:
            which = "backward" if found["is_backward"] else "forward"
            times = f"{found['times']} times, {found['seconds']:.3f} s"
            yield f"[{found['compile_id']}] {which} was recorded as a CUDA graph {times}"
    yield from _recompiles(data)
    for problem in data[_PROBLEMS]:
        yield f"problem of depyf's: {problem['what']}: {problem['error']}"


def _recompiles(data: dict[str, Any]) -> Iterator[str]:
    """Each reason once, with all the recompiles of its frame that it was met in.

    It is told at the line that made Dynamo guard it, or else where the frame's code begins. A reset begins anew.
    """
    met: dict[tuple[str, ...], dict[str, str]] = {}  # reason -> compile id -> what is said of it
    for recompile in data["recompiles"]:
        compile_id = recompile["compile_id"]
        frame, has_entry = _frame_of_recompile(data, compile_id)
        own = "" if has_entry else recompile.get("name")  # a frame that several share is called after the first
        name = own or frame.get("title") or frame.get("name") or "a frame"
        became = "recompiled as" if has_entry else "has no entry from the recompile"
        _, _, since = compile_id.partition(" ")
        alike: dict[tuple[str, ...], list[str]] = {}  # the same of several values, parameters of a module say
        for reason in recompile["reasons"]:
            sources = alike.setdefault(_said_of(reason), [])
            sources += [] if reason["source"] in sources else [reason["source"]]
        for reason in recompile["reasons"]:
            if reason["source"] != (sources := alike[_said_of(reason)])[0]:
                continue
            what = named(reason)
            others = f", and so of {len(sources) - 1} more" if len(sources) > 1 else ""
            said = difference(reason, others)
            place = _shown(reason.get("location")) or _shown(frame.get("location"))
            kind = what if reason.get("then") else said
            advice = reason.get("advice") or ""
            advice += and_so_for(sources[1:]) if advice != _advice_of_any(reason) else ""
            key = (f"{place}{name} {became}", kind, since, _shown(reason["called_from"]), advice)
            met.setdefault(key, {}).setdefault(compile_id, said)
    for (subject, _, _, caller, advice), said_of in met.items():
        first, *again = said_of
        yield f"{subject} [{first}]: {said_of[first]}"
        if caller:
            yield f"    called from {caller.removesuffix(': ')}"
        if again:
            yield f"    again: {', '.join(f'[{compile_id}]' for compile_id in again)}"
        if advice:
            yield f"    what to do: {advice}"


def _said_of(reason: dict[str, Any]) -> tuple[str, ...]:
    """What is said of a value, whichever it is."""
    words = ("what", "then", "now") if reason.get("then") else ("what", "torch_text")
    return *(str(reason.get(name) or "") for name in ("entry", *words)), _advice_of_any(reason)


def _advice_of_any(reason: dict[str, Any]) -> str:
    """The advice without the name of the value that it is for."""
    advice = reason.get("advice") or ""
    return advice.replace(f"({reason['source']}, ", "(…, ") if reason["source"] else advice


def _frame_of_recompile(data: dict[str, Any], compile_id: str) -> tuple[dict[str, Any], bool]:
    """The frame that was recompiled, as far as it is known, and whether an entry came of it."""
    of_frame = [f for f in data["frames"] if frame_of(f["id"]) == frame_of(compile_id)]
    compiled = sorted(of_frame, key=lambda f: f["id"] != compile_id)
    eager = (f for f in data["eager"] if compile_id in f.get("compile_ids", ()))
    return next(itertools.chain(compiled, eager), {}), any(f["id"] == compile_id for f in compiled)


def _shown(place: dict[str, Any] | None) -> str:
    """`path:line: `, which terminals make a link of."""
    return f"{place['path']}:{place['line']}: " if place and place.get("path") else ""


# -- where


def _paths(data: dict[str, Any]) -> set[str]:
    found = {source["path"] for source in data["sources"]}
    return found | {path for file in data["files"] for _, path, _ in file.get("lines", ())}


def _paths_of(wanted: str, known: set[str]) -> list[str]:
    """The known paths that end so; if none does, those of the same file, which links name otherwise."""
    ending = [path for path in known if _ends_with(path, wanted)]
    return ending or [path for path in known if os.path.realpath(path) == os.path.realpath(wanted)]


def _ends_with(path: str, wanted: str) -> bool:
    parts, ending = PurePath(path).parts, PurePath(wanted).parts
    return parts[-len(ending) :] == ending


# -- diff


@dataclass
class Side:
    """What of a dump decides whether it is the same as another."""

    torch: str
    python: str
    seconds: float
    frames: dict[str, dict[str, Any]] = field(default_factory=dict)
    graphs: dict[str, list[str]] = field(default_factory=dict)
    breaks: list[str] = field(default_factory=list)

    @property
    def decides(self) -> tuple[Any, ...]:
        """What is equal where two dumps are the same."""
        return self.frames, self.graphs, self.breaks

    @classmethod
    def of(cls, data: dict[str, Any]) -> Side:
        """The side of a collected dump."""
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
            if graph["kernels"]:
                side.graphs[f"{title}: kernels"] = list(graph["kernels"])
        side.breaks = sorted(f"{PurePath(b['location']['path']).name}:{b['location']['line']}: {b['reason']}"
                             for b in data["breaks"] if b.get("location"))  # fmt: skip
        return side


def _neutral(text: str) -> str:
    """A text without what differs from run to run."""
    return without_folders(_UNIQUE.sub("", text))


def _code_lines(text: str) -> list[str]:
    """Lines of a dumped file that say what it does: without its header."""
    lines = [_TIED.sub("", line) for line in _neutral(text).splitlines() if "[Provenance debug handles]" not in line]
    start = next((i for i, line in enumerate(lines) if not line.startswith("#")), 0)
    end = next((i for i, line in enumerate(lines) if line.startswith("def tensor(")), len(lines))
    return lines[start:end]


def _differences(a: Side, b: Side) -> Iterator[dict[str, Any]]:
    if a.breaks != b.breaks:
        yield {"what": "graph breaks", "lines": _marked(a.breaks, b.breaks)}
    for name in _both(a.frames, b.frames):
        if name not in b.frames or name not in a.frames:
            yield {"what": f"{name}: only in {'a' if name in a.frames else 'b'}", "lines": []}
            continue
        for part, mine in a.frames[name].items():
            if mine != (other := b.frames[name][part]):
                yield {"what": f"{name}: {part}", "lines": _marked(mine, other)}
    for name in _both(a.graphs, b.graphs):
        mine, other = a.graphs.get(name), b.graphs.get(name)
        if mine is None or other is None:
            yield {"what": f"{name}: only in {'a' if other is None else 'b'}", "lines": []}
        elif mine != other:
            yield {"what": name, "lines": _marked(mine, other)}


def _both(a: dict[str, Any], b: dict[str, Any]) -> list[str]:
    return [*a, *(name for name in b if name not in a)]


def _marked(a: list[str], b: list[str]) -> list[str]:
    """Lines of `a` and `b` that differ, marked - and +, with a little around them."""
    return list(unified_diff(a, b, "a", "b", lineterm="", n=_CONTEXT))[2:]
