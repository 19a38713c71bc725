# SPDX-License-Identifier: MIT
"""Several processes, one dump: a folder per rank, and one index that says where ranks diverge.

Invariant: ranks write only below their own folder; the merged index is written whole, under a lock, by each rank that
ends, so the last one's is complete.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from depyf.torch.artifacts import DumpFolder


def rank() -> int | None:
    """The rank of this process as torchrun and its like tell it, or None outside of them."""
    number, size = os.environ.get("RANK", ""), os.environ.get("WORLD_SIZE", "1")
    return int(number) if number.isdigit() and size.isdigit() and int(size) > 1 else None


def folder_of_this_process(path: str | os.PathLike[str]) -> Path:
    """Where this process dumps: the folder itself, or its rank's folder below it."""
    number = rank()
    return Path(path) if number is None else Path(path) / f"rank_{number}"


def merge(path: Path) -> None:
    """Writes the index of all ranks that have ended; nothing outside of a multi-rank run."""
    if rank() is None:
        return
    folder = DumpFolder(path)
    with _locked(folder.path):
        found = _indexes(folder.path)
        differences = divergences(found)
        data = {"ranks": sorted(found), "divergences": differences}
        folder.replace(folder.path / "index.json", json.dumps(data, indent=1) + "\n")
        folder.replace(folder.path / "index.md", _markdown(found, differences))


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    with open(path / ".merge.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _indexes(path: Path) -> dict[int, dict[str, Any]]:
    found = {}
    for file in path.glob("rank_*/index.json"):
        with contextlib.suppress(ValueError, OSError):
            found[int(file.parent.name.removeprefix("rank_"))] = json.loads(file.read_text("utf-8"))
    return dict(sorted(found.items()))


def divergences(found: dict[int, dict[str, Any]]) -> list[str]:
    """Where the ranks did not do the same: frames in order, graphs of each, graph breaks, recompiles, cache hits."""
    lines: list[str] = []
    if len(found) < 2:
        return lines
    base, *others = found
    for other in others:
        for what, items in _SEQUENCES.items():
            a, b = items(found[base]), items(found[other])
            if a == b:
                continue
            at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
            lines.append(
                f"{what} {at + 1}: rank {base} has {a[at] if at < len(a) else 'none'}, "
                f"rank {other} has {b[at] if at < len(b) else 'none'}"
            )
    return lines


_SEQUENCES: dict[str, Callable[[dict[str, Any]], list[str]]] = {
    "frame": lambda index: [f"{e['name']} ({e['origin']}) [{e['compile_id']}]" for e in index["entries"]],
    "graph": lambda index: [f"{g['kind']} of [{g['compile_id']}]" for g in index["graphs"]],
    "graph break": lambda index: [f"{b['where']}: {b['reason']}" for b in index["graph_breaks"]],
    "recompile": lambda index: [f"[{b['compile_id']}] {b['reason']}" for b in index["recompiles"]],
    "cache event": lambda index: [f"{name}: {count}" for name, count in index["caches"].items()],
}


def _markdown(found: dict[int, dict[str, Any]], differences: list[str]) -> str:
    lines = [f"# What torch.compile did on {len(found)} ranks", ""]
    for number, index in found.items():
        lines.append(
            f"- [rank {number}](rank_{number}/index.md): {len(index['entries'])} frames, "
            f"{len(index['graph_breaks'])} graph breaks, {len(index['recompiles'])} recompiles, "
            f"compile {index['compile_seconds']} s"
        )
    lines += ["", "## Where ranks diverge", ""]
    lines += [f"- {line}" for line in differences] or ["Nowhere: same frames, graphs, graph breaks and recompiles."]
    return "\n".join(lines) + "\n"
