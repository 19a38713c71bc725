# SPDX-License-Identifier: MIT
"""Where compile time goes: spans of torch's timeline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


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


def seconds_by_phase(phases: Iterable[Phase]) -> dict[str, dict[str, float]]:
    """Compile id to name to seconds, spans of one name added up."""
    found: dict[str, dict[str, float]] = {}
    for phase in phases:
        spent = found.setdefault(phase.compile_id, {})
        spent[phase.name] = round(spent.get(phase.name, 0.0) + phase.seconds, 6)  # torch measures in microseconds
    return found
