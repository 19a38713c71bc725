# SPDX-License-Identifier: MIT
"""Tables for people: rows of words, aligned; what a run prints as."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from depyf.torch.model.facts import Run

_SHOWN = 30  # lines of a run's table


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows as lines whose columns begin below each other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def table_of(run: Run) -> str:
    """One line a frame, the last frames left out where there are many, and how much was met."""
    rows = [("frame", "status", "entries", "guards", "graphs")]
    for frame in run.frames:
        held = [e for e in run.entries if e.compile_id in frame.entries]
        graphs = [g for g in run.graphs if g.compile_id in frame.compile_ids]
        guards = str(sum(len(e.checks) for e in held))
        rows.append((frame.name, frame.status.value, " ".join(frame.entries), guards, str(len(graphs))))
    counts = (
        (len(run.graph_breaks), "graph break"),
        (len(run.recompiles), "recompile"),
        (len(run.failures), "failure"),
    )
    lines = aligned(rows)
    lines.append(", ".join(f"{n} {what}{'' if n == 1 else 's'}" for n, what in counts))
    if len(lines) > _SHOWN:
        lines[_SHOWN - 2 : -1] = [f"… {len(lines) - _SHOWN + 1} more"]
    return "\n".join(lines)
