# SPDX-License-Identifier: MIT
"""Compile ids, as torch prints them ("0/1", "!0/2/0"), kept apart where torch counts from zero again.

`torch.compiler.reset()` sets Dynamo's frame counter back, so one run may hold several compilations with one id.
"""

from __future__ import annotations

from typing import Any

OUTSIDE = "-"  # what belongs to no compilation


def compile_id_of(metadata: dict[str, Any]) -> str:
    """The compile id of an event of the structured trace; `OUTSIDE` for events outside a compilation."""
    autograd = metadata.get("compiled_autograd_id")
    prefix = f"!{autograd}" if autograd is not None else ""
    if metadata.get("frame_id") is None:
        return prefix or OUTSIDE
    frame = f"{metadata['frame_id']}/{metadata.get('frame_compile_id')}"
    return f"{prefix}/{frame}" if prefix else frame


class CompileIds:
    """Names for the compilations of one run. A frame's id that begins again tells that Dynamo was reset."""

    def __init__(self) -> None:
        self._resets = 0
        self._begun: dict[str, int] = {}  # torch's id -> how many resets there had been when it last began

    def begin(self, given: str) -> str:
        """Called when the compilation of a frame begins; the name of torch's id from now on."""
        if self._begun.get(given) == self._resets:
            self._resets += 1
        self._begun[given] = self._resets
        return self.name(given)

    def name(self, given: str) -> str:
        """What the compilation with this id of torch's is called: the id itself until Dynamo is reset."""
        resets = self._begun.get(given, 0)
        return f"{given} after reset {resets}" if resets else given
