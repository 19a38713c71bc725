# SPDX-License-Identifier: MIT
"""The status of a frame, with torch's own reason for it."""

from __future__ import annotations

from dataclasses import dataclass

from depyf.torch.model.enums import FrameStatus


@dataclass(frozen=True)
class StatusReport:
    """The status of a frame and torch's own reason for it.

    Attributes:
        status: What becomes of a call that enters the frame.
        reason: Torch's words for why the frame is not (only) compiled, "" where it gave none; of a compiled frame
            the failure of its latest compilation, if that failed.

    """

    status: FrameStatus
    reason: str = ""

    @property
    def uses_entries(self) -> bool:
        """Whether calls look at the frame's cache entries."""
        return self.status is not FrameStatus.SKIPPED

    def __str__(self) -> str:
        return f"{self.status.value}: {self.reason}" if self.reason else self.status.value
