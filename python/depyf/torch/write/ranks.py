# SPDX-License-Identifier: MIT
"""`ranks.md` and `ranks.json`, which compare the ranks of a run, in the folder of the rank that owns the dump.

They name the places where ranks diverge; the report of that rank shows the same. Invariant: each rank writes the files
completely when it ends, under a lock, so those of the last rank cover all. Nothing is written if ranks dump into
unrelated folders.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from depyf.torch.model.folders import process_folders, rank_folders
from depyf.torch.model.words import count
from depyf.torch.write import ownership
from depyf.torch.write.folder import DumpFolder, digest_of, digests
from depyf.torch.write.report import with_ranks


def merge(base: Path) -> None:
    """Writes the comparison of the ranks that dumped into `base` and its subfolders; nothing for a single process."""
    if ownership.rank() is not None:
        ownership.remove_ranks_of_earlier_runs(base)
        write(base)


def write(base: Path, run: dict[str, Any] | None = None) -> set[Path]:
    """Writes the comparison of the ranks of one launch in `base` and its subfolders; nothing for fewer than two.

    Args:
        base: The folder.
        run: The launch and the time of writing; by default the launch of this process, and now.

    Returns:
        The files written.

    """
    run = run or {"launch": ownership.launch(), "written": ownership.now()}
    if len(_indexes(base, run["launch"])) < 2:
        return set()
    folder = DumpFolder(base)
    with ownership.locked(base / ".ranks.lock"):
        while True:
            files_before = _index_files(base)
            indexes = _indexes(base, run["launch"])
            differences = divergences({number: index for number, (_, index) in indexes.items()})
            files = {"ranks.md": _markdown(indexes, differences)}
            if (page := _page(base, differences)) is not None:
                files[ownership.REPORT] = page
            if _index_files(base) != files_before:
                continue  # another rank has ended meanwhile and may have written: waiting for the lock is limited
            for name, content in files.items():
                folder.replace(base / name, content)
            listed = {name: digests(base)[name] for name in files}
            data = {"ranks": sorted(indexes), "divergences": differences, "run": run, "digests": listed}
            folder.replace(base / "ranks.json", json.dumps(data, indent=1) + "\n")
            break
    return folder.written


def _page(base: Path, differences: list[str]) -> str | None:
    """Returns the report of the rank that owns the folder, with all ranks; None if it does not exist or was edited."""
    report = base / ownership.REPORT
    listings = (ownership.listing(base / name) for name in ("index.json", "ranks.json"))
    ours = [listing["digests"].get(report.name) for listing in listings if listing is not None]
    ours.append(digests(base).get(report.name))
    try:
        page = report.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return with_ranks(page, base, differences) if digest_of(page.encode("utf-8")) in ours else None


def _indexes(base: Path, launch: str) -> dict[int, tuple[str, dict[str, Any]]]:
    """Returns the folder, relative to `base`, and the index of each rank of a launch."""
    indexes: dict[int, tuple[str, dict[str, Any]]] = {}
    for file in _index_files(base):
        index = ownership.listing(file)
        run = index["run"] if index is not None else {}
        if index is not None and run.get("launch") == launch and isinstance(run.get("rank"), int):
            indexes.setdefault(run["rank"], (os.path.relpath(file.parent, base), index))
    return dict(sorted(indexes.items()))


def _index_files(base: Path) -> dict[Path, int]:
    """Returns the existing index files with their times; those of processes, which may be ranks, come last."""
    times = {}
    for folder in dict.fromkeys((base, *rank_folders(base), *process_folders(base))):
        with contextlib.suppress(OSError):  # none yet
            times[folder / "index.json"] = (folder / "index.json").stat().st_mtime_ns
    return times


def divergences(indexes: dict[int, dict[str, Any]]) -> list[str]:
    """Returns the first differences between ranks in frames, graphs, graph breaks, recompiles and cache events."""
    lines: list[str] = []
    if len(indexes) < 2:
        return lines
    base, *others = indexes
    for other in others:
        for kind, sequence in _SEQUENCES.items():
            a, b = sequence(indexes[base]), sequence(indexes[other])
            if a == b:
                continue
            position = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
            lines.append(
                f"{kind} {position + 1}: rank {base} has {a[position] if position < len(a) else 'none'}, "
                f"rank {other} has {b[position] if position < len(b) else 'none'}"
            )
    return lines


_SEQUENCES: dict[str, Callable[[dict[str, Any]], list[str]]] = {
    "frame": lambda index: [f"{e['name']} ({e['origin']}) [{e['compile_id']}]" for e in index["entries"]],
    "graph": lambda index: [f"{g['kind']} of [{g['compile_id']}]" for g in index["graphs"]],
    "graph break": lambda index: [f"{b['where']}: {b['reason']}" for b in index["graph_breaks"]],
    "recompile": lambda index: [f"[{b['compile_id']}] {b['reason']}" for b in index["recompiles"]],
    "cache event": lambda index: [f"{name}: {count}" for name, count in index["caches"].items()],
}


def _markdown(indexes: dict[int, tuple[str, dict[str, Any]]], differences: list[str]) -> str:
    """Returns the content of `ranks.md`: a line for each rank, then the places where ranks diverge."""
    lines = [f"# What torch.compile did on {len(indexes)} ranks", ""]
    for number, (folder, index) in indexes.items():
        path = "index.md" if folder == "." else f"{folder}/index.md"
        lines.append(
            f"- [rank {number}]({path}): {count(len(index['frames']), 'frame')}, "
            f"{count(len(index['entries']), 'compiled entry', 'compiled entries')}, "
            f"{count(len(index['graph_breaks']), 'graph break')}, {count(len(index['recompiles']), 'recompile')}, "
            f"compile {index['compile_seconds']:.3f} s"
        )
    lines += ["", "## Where ranks diverge", ""]
    lines += [f"- {line}" for line in differences] or ["Nowhere: same frames, graphs, graph breaks and recompiles."]
    return "\n".join(lines) + "\n"
