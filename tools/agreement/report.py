# SPDX-License-Identifier: MIT
"""What a run of the comparison says: a table, and every disagreement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

_COUNTS = ("calls", "frames", "recorded", "entries", "verdicts", "choices", "eager", "backwards")
_HEAD = (
    "| backend | mode | programs | calls asked | of frames inside | entries recorded | verdicts | calls watched "
    "| of skipped frames | backwards | differ |"
)


def table(rows: Iterable[Mapping[str, Any]]) -> str:
    """One line for each backend and mode."""
    sums: dict[tuple[str, str], Counter[str]] = {}
    for row in rows:
        found = sums.setdefault((row["backend"], row["mode"]), Counter())
        found.update({name: row[name] for name in _COUNTS})
        found["programs"] += 1
        found["differ"] += len(row["problems"])
    lines = [_HEAD, "|---|---|" + "---:|" * 9]
    for (backend, mode), n in sums.items():
        recorded = f"{n['recorded']} of {n['entries']}" if mode != "late" else "no session"
        lines.append(
            f"| {backend} | {mode} | {n['programs']} | {n['calls']} | {n['frames']} "
            f"| {recorded} | {n['verdicts']} | {n['choices']} | {n['eager']} | {n['backwards']} | {n['differ']} |"
        )
    return "\n".join(lines) + "\n"


def problems(rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Every disagreement, and every program that compared nothing, a line each."""
    return [f"- {key}: {problem}" for key, row in rows.items() for problem in row["problems"]]
