# SPDX-License-Identifier: MIT
"""Which sessions there are: the open ones, and the latest. Those who ask for them need not know what a session does."""

from __future__ import annotations

from typing import Protocol

from depyf.torch.capture.recorder import Recorder
from depyf.torch.model.record import Record
from depyf.torch.write.folder import DumpFolder


class Watched(Protocol):
    """What a session knows."""

    record: Record
    folder: DumpFolder | None
    recorder: Recorder | None

    def on_problem(self, what: str, error: Exception) -> None:
        """Takes what failed."""


active: list[Watched] = []  # innermost last; they may end in any order
latest: list[Watched] = []  # the innermost open session, else the latest one


def current() -> Watched | None:
    """The innermost open session, if there is one."""
    return active[-1] if active else None


def latest_record() -> tuple[Record | None, tuple[str, ...]]:
    """What the innermost open session, or else the latest one, knows, and the full-code files it wrote."""
    if not latest:
        return None, ()
    session = latest[0]
    written = session.folder.written if session.folder is not None else ()
    return session.record, tuple(sorted(str(p) for p in written if p.name.startswith("full_code_for_")))
