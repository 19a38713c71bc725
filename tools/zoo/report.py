# SPDX-License-Identifier: MIT
"""The report of a run of the zoo: the table in Markdown, and the scenarios as tests in JUnit's format."""

from __future__ import annotations

import statistics
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from pathlib import Path
from typing import Any

SCENARIOS = 4  # inference and training, each as it is and with a forced graph break
Rows = list[dict[str, Any]]
_SUMS = ("frames", "graphs", "breaks", "files", "scripts", "full_code", "held", "seen", "guards", "asked", "hits")


def grouped(rows: Iterable[dict[str, Any]]) -> dict[str, Rows]:
    """Returns the rows by model, in order."""
    found: dict[str, Rows] = {}
    for row in rows:
        found.setdefault(row["model"], []).append(row)
    return found


def passed(rows: Rows) -> bool:
    """Returns whether all scenarios of a model ran without a problem."""
    return len(rows) == SCENARIOS and not any(row["problems"] for row in rows)


def total(rows: Rows, key: str) -> float:
    """Returns the sum of a figure over scenarios; a scenario that was not reached has no figures."""
    return sum(row.get(key, 0) for row in rows)


def verified_frames(rows: Rows) -> int:
    """Returns the number of frames whose text is exact or proved."""
    return sum(n for row in rows for kind, n in row.get("verdicts", {}).items() if kind in ("exact", "proved"))


def scenario_of(row: dict[str, Any]) -> str:
    """Describes a scenario."""
    if "train" not in row:
        return "process"
    return ("training" if row["train"] else "inference") + (f", break in {row['broken']}" if row["broken"] else "")


def times(rows: Rows, what: str) -> str:
    """Returns the ratio of the time with depyf to that without, over scenarios that were measured both ways."""
    both = [row for row in rows if row.get("seconds_without")]
    without = total(both, f"{what}_without")
    return f"{total(both, f'{what}_with') / without:.2f}" if without else "-"


def table(rows: Iterable[dict[str, Any]], every: int = 0) -> str:
    """Returns the results in Markdown: totals, a row per model, every problem. `every`: number of models in the zoo."""
    rows = list(rows)
    models = grouped(rows)
    good = sum(passed(found) for found in models.values())
    ran = [row for found in models.values() for row in found]
    torch = " and ".join(sorted({row["torch"] for row in ran if "torch" in row}))
    backend = (rows[0]["backend"] if rows else "-") + (f", torch {torch}" if torch else "")
    left = f" The zoo has {every} models; this run, {len(models)}." if every > len(models) else ""
    lines = [
        "# The model zoo",
        "",
        f"Made by `./dev zoo`, backend {backend}. {good} of {len(models)} models without a "
        "problem, each in inference and training, as it is and with a graph break forced in a nested module. No "
        "problem means: every frame's text is exact or proved; outputs and gradients with depyf in its default mode, "
        "with recompiled text in place, and of full code are bit for bit those of torch.compile without depyf; every "
        "file is valid, every graph file runs as a script; depyf recorded the cache entries that torch holds, and "
        "guards hold where torch's hold. Entries: recorded of those that torch holds; verdicts: of guards, compared "
        "with torch's for the model's call and the calls of frames inside it. First call: CPU time with depyf over "
        f"without, where no break is forced.{left}",
        "",
        *_sums(ran),
        "",
        "| model | stands for | frames | graphs | breaks | exact or proved | entries | verdicts | files | scripts "
        "| first call |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, found in models.items():
        note = found[0]["stands_for"] + (" (successor)" if found[0]["successor"] else "")
        counts = {key: int(total(found, key)) for key in _SUMS}
        lines.append(
            f"| {name}{'' if passed(found) else ' ✗'} | {note} | {counts['frames']} | {counts['graphs']} "
            f"| {counts['breaks']} | {verified_frames(found)} of {counts['frames']} "
            f"| {counts['seen']} of {counts['held']} | {counts['guards']} | {counts['files']} | {counts['scripts']} "
            f"| {times(found, 'seconds')} |"
        )
    told = problems(ran)
    reasons = ((row, frame.partition("\n")[0]) for row in ran for frame in row.get("skipped", []))
    skipped = list(dict.fromkeys(f"- {row['model']} ({scenario_of(row)}): {reason}" for row, reason in reasons))
    itself = [f"- {row['model']} ({scenario_of(row)}): {row['itself']}" for row in ran if row.get("itself")]
    lines += ["", "## torch.compile itself, without depyf, against eager", "", *itself] if itself else []
    lines += ["", "## Frames that torch runs eagerly, and why", "", *skipped] if skipped else []
    return "\n".join([*lines, *(["", "## Problems", "", *told] if told else [])]) + "\n"


def problems(rows: Iterable[dict[str, Any]]) -> list[str]:
    """Returns every problem, one per line."""
    return [f"- {row['model']} ({scenario_of(row)}): {problem}" for row in rows for problem in row["problems"]]


def _sums(rows: Rows) -> list[str]:
    counts = {key: int(total(rows, key)) for key in _SUMS}
    timed = [row for row in rows if "cpu_seconds" in row]
    rises = [row["mib_with"] - row["mib_without"] for row in rows if row.get("mib_without")]
    return [
        f"- {counts['frames']} frames, {counts['graphs']} graphs, {counts['breaks']} graph breaks; "
        f"{verified_frames(rows)} frames exact or proved",
        f"- {counts['seen']} cache entries recorded of {counts['held']} that torch holds; {counts['guards']} verdicts "
        f"of guards compared with torch's; {counts['hits']} of {counts['asked']} calls asked about take an entry",
        f"- {counts['files']} dumped Python files; {counts['scripts']} graph files run as scripts",
        f"- CPU time with depyf over without: {times(rows, 'seconds')} in the first call, which compiles; "
        f"{times(rows, 'again')} in the second",
        f"- {total(timed, 'cpu_seconds') / 60:.1f} minutes of CPU time for {len(timed)} of the models, all included",
        f"- peak memory of the first call with depyf less without, median: "
        f"{statistics.median(rises) if rises else 0:.0f} MiB",
    ]


def write_junit(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Writes the scenarios as tests."""
    suite = ElementTree.Element("testsuite", name="zoo")
    tests = failures = 0
    for row in rows:
        tests += 1
        case = ElementTree.SubElement(suite, "testcase", classname=row["model"], name=scenario_of(row))
        if row["problems"]:
            failures += 1
            ElementTree.SubElement(case, "failure", message="; ".join(row["problems"]))
    suite.set("tests", str(tests))
    suite.set("failures", str(failures))
    path.parent.mkdir(parents=True, exist_ok=True)
    ElementTree.ElementTree(suite).write(path, "utf-8", xml_declaration=True)
