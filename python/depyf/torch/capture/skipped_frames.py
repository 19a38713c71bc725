# SPDX-License-Identifier: MIT
"""The frames that Dynamo skipped before it began a compilation: torch's trace tells nothing of them.

Kept are those that the program asked for (`Conversion.is_asked_for`). One that Dynamo skips by its rules for files, and
in whose calls it compiled another frame, had nothing of its own to compile. Invariant: code objects are held weakly.
"""

from __future__ import annotations

import sys
from collections.abc import MutableMapping
from types import CodeType, FrameType

from torch.utils.weak import WeakIdKeyDictionary

from depyf.torch.internals import conversions


class SkippedFrames:
    """Those of one session."""

    def __init__(self) -> None:
        self._codes: MutableMapping[CodeType, None] = WeakIdKeyDictionary()

    def on_conversion(self, code: CodeType, answer: conversions.Conversion) -> None:
        """Dynamo's frame callback answered for a frame."""
        if answer.is_asked_for:
            self._codes[code] = None
        elif answer.has_code and self._codes:
            frame: FrameType | None = sys._getframe(1)
            while frame is not None:
                if conversions.is_skipped(frame.f_code):
                    self._codes.pop(frame.f_code, None)
                frame = frame.f_back

    def codes(self) -> list[CodeType]:
        """Their code objects."""
        return list(self._codes)
