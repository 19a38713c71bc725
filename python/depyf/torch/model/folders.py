# SPDX-License-Identifier: MIT
"""Where the processes of one run have their dumps: in the folder that was asked for, and in folders below it.

Invariant: a folder is one of a process by its name alone, a dump by its `index.json`; nothing is read here.
"""

from __future__ import annotations

import re
from pathlib import Path

_OF_PROCESS = re.compile(r"(?:rank|process)_\d+")


def process_folders(folder: Path) -> list[Path]:
    """What lies below a folder and is named as the folder of a process."""
    return [path for path in folder.glob("*_*") if _OF_PROCESS.fullmatch(path.name)]


def rank_folders(folder: Path) -> list[Path]:
    """Of these, the folders of ranks, by number."""
    return sorted((path for path in process_folders(folder) if path.name.startswith("rank_")), key=_by_number)


def dumps_in(folder: Path) -> list[Path]:
    """Every dump of a run: of the process that has the folder, of its ranks, and of the processes they started."""
    found, waiting = [], [folder]
    while waiting:
        here = waiting.pop(0)
        if (here / "index.json").exists():
            found.append(here)
        others = [path for path in process_folders(here) if not path.name.startswith("rank_")]
        waiting += [*rank_folders(here), *sorted(others, key=_by_number)]
    return found


def _by_number(path: Path) -> int:
    return int(path.name.rpartition("_")[2])
