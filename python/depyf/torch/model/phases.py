# SPDX-License-Identifier: MIT
"""Where compile time goes: spans of torch's timeline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from depyf.torch.model.compile_ids import OUTSIDE, maker_of
from depyf.torch.model.titles import CUDA_GRAPH_RECORDING


@dataclass(frozen=True)
class Phase:
    """A span of time within a compilation, as torch measured it.

    Attributes:
        compile_id: Of the compilation; "-" outside of any.
        name: As torch calls it: entire_frame_compile, inductor_compile, ….
        start: Seconds from the beginning of the run's first span.
        seconds: How long it took, phases within it included.

    """

    compile_id: str
    name: str
    start: float
    seconds: float


def seconds_outside(phases: Iterable[Phase]) -> tuple[float, float]:
    """How long what is of no frame took: what is compiled ahead of time, and what belongs to no compilation.

    The latter is what a backend compiles when its result is first called, say.
    """
    ahead = outside = end = 0.0
    for phase in sorted(phases, key=lambda phase: (phase.start, -phase.seconds)):
        if phase.start >= end and phase.name != CUDA_GRAPH_RECORDING:
            ahead += phase.seconds if maker_of(phase.compile_id) else 0.0
            outside += phase.seconds if phase.compile_id == OUTSIDE else 0.0
        end = max(end, phase.start + phase.seconds)
    return round(ahead, 6), round(outside, 6)


def seconds_by_phase(phases: Iterable[Phase]) -> dict[str, dict[str, float]]:
    """Compile id to name to seconds, spans of one name added up."""
    found: dict[str, dict[str, float]] = {}
    for phase in phases:
        spent = found.setdefault(phase.compile_id, {})
        spent[phase.name] = round(spent.get(phase.name, 0.0) + phase.seconds, 6)  # torch measures in microseconds
    return found
