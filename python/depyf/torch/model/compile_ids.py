# SPDX-License-Identifier: MIT
"""Compile ids as torch prints them ("0/1", "!0/2/0"), made unique for runs in which torch starts counting again.

`torch.compiler.reset()` resets Dynamo's frame counter, so a run can have several compilations with the same id.
"""

from __future__ import annotations

import enum
import re
from typing import Any

OUTSIDE = "-"  # in place of an id, for events that belong to no compilation
_AFTER_RESET = " after reset "


def compile_id_of(metadata: dict[str, Any]) -> str:
    """Returns the compile id of an event of the structured trace; `OUTSIDE` for events outside a compilation."""
    autograd = metadata.get("compiled_autograd_id")
    prefix = f"!{autograd}" if autograd is not None else ""
    if metadata.get("frame_id") is None:
        return prefix or OUTSIDE
    frame = f"{metadata['frame_id']}/{metadata.get('frame_compile_id')}"
    return f"{prefix}/{frame}" if prefix else frame


def frame_of(compile_id: str) -> str:
    """Returns the common part of the compile ids of a frame: "0" for "0/1", "0 after reset 2" for "0/1 after reset 2".

    For compilations without a frame ("aot0", "export1", `OUTSIDE`) it is the id itself.
    """
    torch_id, after, resets = compile_id.partition(_AFTER_RESET)
    return (torch_id.rpartition("/")[0] or torch_id) + after + resets


def maker_of(compile_id: str) -> str:
    """Returns the API that started a compilation without a frame ("torch.export"); "" for other compilations."""
    return _MAKERS.get(compile_id.rstrip("0123456789"), "")


_MAKERS = {"aot": "aot_compile", "aoti": "AOTInductor", "export": "torch.export"}


def identifier_of(compile_id: str) -> str:
    """Returns an id in a form that can be part of an identifier: `0_1`."""
    return re.sub(r"\W", "_", compile_id.replace("!", "autograd"))


def autograd_pass(compile_id: str) -> str:
    """Returns the backward pass of compiled autograd that a compilation belongs to: "!0" for "!0/5/0"; else ""."""
    torch_id, slash, _ = compile_id.partition("/")
    return torch_id if slash and torch_id.startswith("!") else ""


def torchs_id(compile_id: str) -> str:
    """Returns the id of a compilation or frame as torch prints it: "0/1" for "0/1 after reset 2"."""
    return compile_id.partition(_AFTER_RESET)[0]


def compile_id_in(frame: str, number: int) -> str:
    """Returns the id of the n-th compilation of a frame: "0/1 after reset 2" for "0 after reset 2" and 1."""
    torch_id, after, resets = frame.partition(_AFTER_RESET)
    return f"{torch_id}/{number}{after}{resets}"


class _State(enum.Enum):
    """State of the latest compilation with an id, according to the trace."""

    ANNOUNCED = enum.auto()  # its recompile reasons or time span were seen, which precede its start
    STARTED = enum.auto()
    ENDED = enum.auto()


class CompileIds:
    """Assigns unique ids to the compilations of a run. If an id begins again, Dynamo was reset."""

    def __init__(self) -> None:
        self._resets = 0
        self._begun: dict[str, int] = {}  # torch's id -> number of resets when it last began
        self._states: dict[str, _State] = {}

    def announce(self, torch_id: str) -> str:
        """Notes an event that precedes the start of a compilation; returns the unique id.

        Up to torch 2.7 the time span of a frame begins after its start. It then belongs to the started compilation.
        """
        state = self._states.get(torch_id)
        has_started = state is _State.STARTED and self._begun[torch_id] == self._resets
        if state is not _State.ANNOUNCED and not has_started:
            self._begin(torch_id, _State.ANNOUNCED)
        return self.name(torch_id)

    def begin(self, torch_id: str) -> str:
        """Notes the start of the compilation of a frame; returns the unique id."""
        if self._states.get(torch_id) is _State.ANNOUNCED:
            self._states[torch_id] = _State.STARTED
        else:
            self._begin(torch_id, _State.STARTED)
        return self.name(torch_id)

    def end(self, torch_id: str) -> str:
        """Notes the end of the compilation of a frame, successful or not; returns the unique id."""
        self._states[torch_id] = _State.ENDED
        return self.name(torch_id)

    def _begin(self, torch_id: str, state: _State) -> None:
        if self._begun.get(torch_id) == self._resets:
            self._resets += 1
        self._begun[torch_id] = self._resets
        self._states[torch_id] = state

    def name(self, torch_id: str) -> str:
        """Returns the unique id of the latest compilation with this id of torch's: the same until Dynamo is reset."""
        resets = self._begun.get(torch_id, 0)
        return f"{torch_id}{_AFTER_RESET}{resets}" if resets else torch_id
