# SPDX-License-Identifier: MIT
"""What came of Dynamo's attempts to convert frames: which it leaves to Python for good, and to which it adds no entry.

Dynamo tells of its last few attempts only, so an open session notes each of them here. Invariant: code objects are held
weakly, and told apart by identity (their constants may not hash). After torch.compiler.reset() no note holds any more:
what is said of a frame with entries is therefore noted of these entries, which do not survive it.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from types import CodeType
from typing import Any

from torch.utils.weak import WeakIdKeyDictionary

from depyf.torch import seams

_latest: MutableMapping[CodeType, seams.Attempt] = WeakIdKeyDictionary()
"""By code object, and by the code of each entry that it had then."""


def note(measured: Mapping[str, Any]) -> None:
    """Notes what Dynamo measured of the attempt in progress, at its end."""
    found = seams.attempt_in_progress(measured)
    if found is not None:
        code, attempt = found
        _latest[code] = attempt
        for entry in _valid(seams.entries_of_attempt(code)):
            _latest[entry.code] = attempt  # its own update() would hash code objects


def latest(code: CodeType, wrapper: Any = None) -> seams.Attempt | None:
    """The latest attempt at a code object that is known of. `wrapper`: the compiled function that was called."""
    entries = _valid(seams.cache_entries(code))
    return _unseen(code, wrapper) or _latest.get(entries[0].code if entries else code)


def failure(code: CodeType) -> str:
    """Why the latest attempt at a code object came to nothing, in Dynamo's own words; "" when it does not tell."""
    found = latest(code)
    return found.failure if found is not None else ""


def in_use(code: CodeType, entries: list[Any], wrapper: Any = None) -> list[Any]:
    """Those of a code object's entries that its frames still take: none once Dynamo has left the frame to Python.

    The entries stay where they are then, but nothing looks at them (ConvertFrameReturn in torch/_dynamo/types.py).
    """
    unseen = _unseen(code, wrapper) if entries else None
    attempts = [(e, unseen or _latest.get(e.code)) for e in _valid(entries)]
    return [e for e, attempt in attempts if attempt is None or attempt.outcome != "left"]


def is_left(code: CodeType) -> bool:
    """Whether Dynamo has left the frames of a code object to Python: earlier releases drop its entries then."""
    entries, found = _valid(seams.cache_entries(code)), latest(code)
    return not in_use(code, entries) if entries else found is not None and found.outcome == "left"


def _valid(entries: list[Any]) -> list[Any]:
    """Without those that Dynamo invalidated, for what they guard on is gone: they have no code."""
    return [e for e in entries if e.code is not None]


def _unseen(code: CodeType, wrapper: Any) -> seams.Attempt | None:
    """The latest attempt that Dynamo tells of, when no session saw it."""
    recent, seen = seams.latest_attempt(code, wrapper), _latest.get(code)
    return recent if recent is None or seen is None or seen.began != recent.began else None
