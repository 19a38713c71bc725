# SPDX-License-Identifier: MIT
"""Where compile time goes: spans of torch's timeline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from depyf.torch.model.compile_ids import OUTSIDE
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


def seconds_outside(phases: Iterable[Phase]) -> float:
    """How long what belongs to no compilation took, as what a backend compiles when its result is first called."""
    found = end = 0.0
    for phase in sorted(phases, key=lambda phase: (phase.start, -phase.seconds)):
        if phase.compile_id == OUTSIDE and phase.start >= end and phase.name != CUDA_GRAPH_RECORDING:
            found += phase.seconds
        end = max(end, phase.start + phase.seconds)
    return round(found, 6)


def seconds_by_phase(phases: Iterable[Phase]) -> dict[str, dict[str, float]]:
    """Compile id to name to seconds, spans of one name added up."""
    found: dict[str, dict[str, float]] = {}
    for phase in phases:
        spent = found.setdefault(phase.compile_id, {})
        spent[phase.name] = round(spent.get(phase.name, 0.0) + phase.seconds, 6)  # torch measures in microseconds
    return found
