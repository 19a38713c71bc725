# SPDX-License-Identifier: MIT
"""Folders of the dumps of a run: the folder that the user named, and below it one for each other process.

Invariant: the folder of a process is recognized by its name, a dump by the existence of its `index.json`. No file is
read.
"""

from __future__ import annotations

import re
from pathlib import Path

_PROCESS_FOLDER = re.compile(r"(?:rank|process)_\d+")


def process_folders(folder: Path) -> list[Path]:
    """Returns the subfolders whose names are those of folders of processes."""
    return [path for path in folder.glob("*_*") if _PROCESS_FOLDER.fullmatch(path.name)]


def rank_folders(folder: Path) -> list[Path]:
    """Returns the subfolders of ranks, sorted by number."""
    return sorted((path for path in process_folders(folder) if path.name.startswith("rank_")), key=_by_number)


def dumps_in(folder: Path) -> list[Path]:
    """Returns every dump of a run: of the process that owns the folder, its ranks, and processes that they started."""
    dumps, waiting = [], [folder]
    while waiting:
        current = waiting.pop(0)
        if (current / "index.json").exists():
            dumps.append(current)
        others = [path for path in process_folders(current) if not path.name.startswith("rank_")]
        waiting += [*rank_folders(current), *sorted(others, key=_by_number)]
    return dumps


def _by_number(path: Path) -> int:
    return int(path.name.rpartition("_")[2])
