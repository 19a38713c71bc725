# SPDX-License-Identifier: MIT
"""The report of a comparison: a table, and every disagreement."""

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
    """Returns a table with one row for each backend and mode."""
    sums: dict[tuple[str, str], Counter[str]] = {}
    for row in rows:
        counts = sums.setdefault((row["backend"], row["mode"]), Counter())
        counts.update({name: row[name] for name in _COUNTS})
        counts["programs"] += 1
        counts["differ"] += len(row["problems"])
    lines = [_HEAD, "|---|---|" + "---:|" * 9]
    for (backend, mode), n in sums.items():
        recorded = f"{n['recorded']} of {n['entries']}" if mode != "late" else "no session"
        lines.append(
            f"| {backend} | {mode} | {n['programs']} | {n['calls']} | {n['frames']} "
            f"| {recorded} | {n['verdicts']} | {n['choices']} | {n['eager']} | {n['backwards']} | {n['differ']} |"
        )
    return "\n".join(lines) + "\n"


def without_entry(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Returns the functions for which torch holds no entry, by torch's reason, with the number of results of each."""
    names_by_reason: dict[str, Counter[str]] = {}
    for row in rows:
        for text in row["without_entry"]:
            name, _, reason = text.partition(": ")
            names_by_reason.setdefault(reason, Counter())[name] += 1
    return [
        f"- {reason} ({sum(names.values())}): {', '.join(f'`{name}`' for name in sorted(names))}"
        for reason, names in sorted(names_by_reason.items(), key=lambda item: -sum(item[1].values()))
    ]


def problems(rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Returns every disagreement, one per line; this includes programs for which nothing was compared."""
    return [f"- {key}: {problem}" for key, row in rows.items() for problem in row["problems"]]
