# SPDX-License-Identifier: MIT
"""The guards that the checks of a full-code file are of: from the model of the run, never from the file's text.

Invariant: what is not known gives no guards, never those of another file.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from depyf.torch.model.facts import Run
from depyf.torch.model.guard import Guard, guards_of
from depyf.torch.write.folder import digest_of

_of_this_process: dict[str, Mapping[str, Sequence[Guard]]] = {}  # file, links resolved -> compile id -> its guards


def note(file: str, guards: Mapping[str, Sequence[Guard]]) -> None:
    """Notes the guards of the entries in a file that this process wrote, by compile id."""
    _of_this_process[os.path.realpath(file)] = guards


def forget(file: str) -> None:
    """Forgets what `note` was told of a file, or read beside it."""
    _of_this_process.pop(os.path.realpath(file), None)
    _listed.cache_clear()


def of(file: str, compile_id: str) -> Sequence[Guard]:
    """The guards of an entry in a file: of this process, else as `index.json` beside the unchanged file lists them."""
    path = os.path.realpath(file)
    noted = _of_this_process.get(path)
    return (_listed(path) if noted is None else noted).get(compile_id, ())


@functools.lru_cache(maxsize=64)
def _listed(path: str) -> Mapping[str, Sequence[Guard]]:
    file = Path(path)
    try:
        run = Run.load(file.with_name("index.json"))
        unchanged = digest_of(file.read_bytes()) == (run.digests or {}).get(file.name)
    except (OSError, ValueError):  # moved without it, or written by another version
        return {}
    return {entry.compile_id: guards_of(entry) for entry in run.entries} if unchanged else {}
