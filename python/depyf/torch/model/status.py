# SPDX-License-Identifier: MIT
"""The status of a frame, with torch's own reason for it."""

from __future__ import annotations

from dataclasses import dataclass

from depyf.torch.model.enums import FrameStatus


@dataclass(frozen=True)
class StatusReport:
    """The status of a frame and torch's own reason for it.

    Attributes:
        status: What happens to a call that enters the frame.
        reason: Why some or all calls of the frame run eagerly, in torch's words, "" if it gave no reason. For a
            compiled frame, the failure of its latest compilation, if that failed.

    """

    status: FrameStatus
    reason: str = ""

    @property
    def uses_entries(self) -> bool:
        """Whether calls try the frame's cache entries."""
        return self.status is not FrameStatus.SKIPPED

    def __str__(self) -> str:
        return f"{self.status.value}: {self.reason}" if self.reason else self.status.value
