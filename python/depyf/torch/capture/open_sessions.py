# SPDX-License-Identifier: MIT
"""The open sessions and the latest one. Modules that need them do not depend on `session`."""

from __future__ import annotations

from typing import Protocol

from depyf.torch.capture.recorder import Recorder
from depyf.torch.model.record import Record
from depyf.torch.write.folder import DumpFolder


class Watched(Protocol):
    """The interface of a session."""

    record: Record
    folder: DumpFolder | None
    recorder: Recorder | None

    def on_problem(self, what: str, error: Exception) -> None:
        """Notes a failure of depyf."""


active: list[Watched] = []  # innermost last; they may end in any order
latest: list[Watched] = []  # the innermost open session, or the last one that was open


def current() -> Watched | None:
    """Returns the innermost open session, or None."""
    return active[-1] if active else None


def latest_record() -> tuple[Record | None, tuple[str, ...]]:
    """Returns the record of the innermost open session, or of the latest one, and the full-code files that it wrote."""
    if not latest:
        return None, ()
    session = latest[0]
    written = session.folder.written if session.folder is not None else ()
    return session.record, tuple(sorted(str(p) for p in written if p.name.startswith("full_code_for_")))
