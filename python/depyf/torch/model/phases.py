# SPDX-License-Identifier: MIT
"""Compile time: spans of torch's timeline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from depyf.torch.model.compile_ids import OUTSIDE, maker_of
from depyf.torch.model.titles import CUDA_GRAPH_RECORDING


@dataclass(frozen=True)
class Phase:
    """A span of time within a compilation, as torch measured it.

    Attributes:
        compile_id: Compile id of the compilation; "-" outside of any.
        name: Torch's name of the phase: entire_frame_compile, inductor_compile, ….
        start: Seconds since the start of the first span of the run.
        seconds: Duration, including phases within it.

    """

    compile_id: str
    name: str
    start: float
    seconds: float


def seconds_outside(phases: Iterable[Phase]) -> tuple[float, float]:
    """Returns the time spent compiling ahead of time, and the time that belongs to no compilation.

    The latter includes, for example, what a backend compiles when its result is first called.
    """
    ahead = outside = end = 0.0
    for phase in sorted(phases, key=lambda phase: (phase.start, -phase.seconds)):
        if phase.start >= end and phase.name != CUDA_GRAPH_RECORDING:
            ahead += phase.seconds if maker_of(phase.compile_id) else 0.0
            outside += phase.seconds if phase.compile_id == OUTSIDE else 0.0
        end = max(end, phase.start + phase.seconds)
    return round(ahead, 6), round(outside, 6)


def seconds_by_phase(phases: Iterable[Phase]) -> dict[str, dict[str, float]]:
    """Returns seconds by compile id and name; spans with the same name are added up."""
    seconds: dict[str, dict[str, float]] = {}
    for phase in phases:
        spent = seconds.setdefault(phase.compile_id, {})
        spent[phase.name] = round(spent.get(phase.name, 0.0) + phase.seconds, 6)  # torch measures in microseconds
    return seconds
