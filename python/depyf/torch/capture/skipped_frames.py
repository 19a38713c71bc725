# SPDX-License-Identifier: MIT
"""Frames that Dynamo skipped before a compilation began, which torch's trace does not contain.

Only frames that the program asked to compile are kept (`Conversion.is_asked_for`). A frame that Dynamo skips by its
rules for files, and during whose call it compiled another frame, is removed, because it had nothing of its own to
compile. Invariant: code objects are referenced weakly.
"""

from __future__ import annotations

import sys
from collections.abc import MutableMapping
from types import CodeType, FrameType

from torch.utils.weak import WeakIdKeyDictionary

from depyf.torch.internals import conversions


class SkippedFrames:
    """The skipped frames of one session."""

    def __init__(self) -> None:
        self._codes: MutableMapping[CodeType, None] = WeakIdKeyDictionary()

    def on_conversion(self, code: CodeType, conversion: conversions.Conversion) -> None:
        """Notes the result of Dynamo's frame callback for a frame."""
        if conversion.is_asked_for:
            self._codes[code] = None
        elif conversion.has_code and self._codes:
            frame: FrameType | None = sys._getframe(1)
            while frame is not None:
                if conversions.is_skipped(frame.f_code):
                    self._codes.pop(frame.f_code, None)
                frame = frame.f_back

    def codes(self) -> list[CodeType]:
        """Returns the code objects of the skipped frames."""
        return list(self._codes)
