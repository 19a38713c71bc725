# SPDX-License-Identifier: MIT
"""Finds the `Guard` objects of the checks in a full-code file: in the model of the run, not in the file's text.

Invariant: if the guards are unknown, the result is empty; it never contains guards of another file.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from depyf.torch.model.facts import Run
from depyf.torch.model.guard import Guard, guards_of
from depyf.torch.write.folder import digest_of

_of_this_process: dict[str, Mapping[str, Sequence[Guard]]] = {}  # real path of a file -> compile id -> its guards


def note(file: str, guards: Mapping[str, Sequence[Guard]]) -> None:
    """Notes the guards of the entries in a file that this process wrote, by compile id."""
    _of_this_process[os.path.realpath(file)] = guards


def forget(file: str) -> None:
    """Forgets the guards of a file, whether noted or read from its index."""
    _of_this_process.pop(os.path.realpath(file), None)
    _listed.cache_clear()


def guards_in(file: str, compile_id: str) -> Sequence[Guard]:
    """Returns the guards of an entry in a file, as noted in this process or listed in the `index.json` of its folder.

    The index is used only if the file is unchanged.
    """
    path = os.path.realpath(file)
    noted = _of_this_process.get(path)
    return (_listed(path) if noted is None else noted).get(compile_id, ())


@functools.lru_cache(maxsize=64)
def _listed(path: str) -> Mapping[str, Sequence[Guard]]:
    file = Path(path)
    try:
        run = Run.load(file.with_name("index.json"))
        unchanged = digest_of(file.read_bytes()) == (run.digests or {}).get(file.name)
    except (OSError, ValueError):  # moved without its index, or an index of another version
        return {}
    return {entry.compile_id: guards_of(entry) for entry in run.entries} if unchanged else {}
