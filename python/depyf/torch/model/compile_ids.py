# SPDX-License-Identifier: MIT
"""Compile ids, as torch prints them ("0/1", "!0/2/0"), kept apart where torch counts from zero again.

`torch.compiler.reset()` sets Dynamo's frame counter back, so one run may hold several compilations with one id.
"""

from __future__ import annotations

import enum
import re
from typing import Any

OUTSIDE = "-"  # what belongs to no compilation
_AFTER = " after reset "


def compile_id_of(metadata: dict[str, Any]) -> str:
    """The compile id of an event of the structured trace; `OUTSIDE` for events outside a compilation."""
    autograd = metadata.get("compiled_autograd_id")
    prefix = f"!{autograd}" if autograd is not None else ""
    if metadata.get("frame_id") is None:
        return prefix or OUTSIDE
    frame = f"{metadata['frame_id']}/{metadata.get('frame_compile_id')}"
    return f"{prefix}/{frame}" if prefix else frame


def frame_of(compile_id: str) -> str:
    """What the compile ids of one frame share: "0" of "0/1", "0 after reset 2" of "0/1 after reset 2".

    Of what is compiled for no call of a frame ("aot0", "export1", `OUTSIDE`), the id itself.
    """
    given, after, resets = compile_id.partition(_AFTER)
    return (given.rpartition("/")[0] or given) + after + resets


def maker_of(compile_id: str) -> str:
    """What made a compilation that is for no call of a frame; "" of others."""
    return _MAKERS.get(compile_id.rstrip("0123456789"), "")


_MAKERS = {"aot": "aot_compile", "aoti": "AOTInductor", "export": "torch.export"}


def identifier_of(compile_id: str) -> str:
    """An id as part of a name: `0_1`."""
    return re.sub(r"\W", "_", compile_id.replace("!", "autograd"))


def autograd_pass(compile_id: str) -> str:
    """The backward pass of compiled autograd that a compilation is of: "!0" of "!0/5/0"; "" of others."""
    given, slash, _ = compile_id.partition("/")
    return given if slash and given.startswith("!") else ""


def torchs_id(compile_id: str) -> str:
    """An id, of a compilation or of a frame, as torch prints it: "0/1" of "0/1 after reset 2"."""
    return compile_id.partition(_AFTER)[0]


def compile_id_in(frame: str, number: int) -> str:
    """The id of a frame's compilation with a number: "0/1 after reset 2" of "0 after reset 2" and 1."""
    given, after, resets = frame.partition(_AFTER)
    return f"{given}/{number}{after}{resets}"


class _State(enum.Enum):
    """How far the latest compilation with an id has come, by what the trace told of it."""

    ANNOUNCED = enum.auto()  # its recompile reasons or its time span came: they precede its start
    STARTED = enum.auto()
    ENDED = enum.auto()


class CompileIds:
    """Names for the compilations of one run. An id of torch's that begins again tells that Dynamo was reset."""

    def __init__(self) -> None:
        self._resets = 0
        self._begun: dict[str, int] = {}  # torch's id -> how many resets there had been when it last began
        self._states: dict[str, _State] = {}

    def announce(self, given: str) -> str:
        """Called for what comes before the start of a compilation; the name of torch's id from now on.

        Until torch 2.7 the time span of a frame begins after its start: then it is the same compilation.
        """
        state = self._states.get(given)
        has_started = state is _State.STARTED and self._begun[given] == self._resets
        if state is not _State.ANNOUNCED and not has_started:
            self._begin(given, _State.ANNOUNCED)
        return self.name(given)

    def begin(self, given: str) -> str:
        """Called when the compilation of a frame begins; the name of torch's id from now on."""
        if self._states.get(given) is _State.ANNOUNCED:
            self._states[given] = _State.STARTED
        else:
            self._begin(given, _State.STARTED)
        return self.name(given)

    def end(self, given: str) -> str:
        """Called when the compilation of a frame is over, whatever came of it; its name."""
        self._states[given] = _State.ENDED
        return self.name(given)

    def _begin(self, given: str, state: _State) -> None:
        if self._begun.get(given) == self._resets:
            self._resets += 1
        self._begun[given] = self._resets
        self._states[given] = state

    def name(self, given: str) -> str:
        """What the compilation with this id of torch's is called: the id itself until Dynamo is reset."""
        resets = self._begun.get(given, 0)
        return f"{given}{_AFTER}{resets}" if resets else given
