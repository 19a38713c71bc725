# SPDX-License-Identifier: MIT
"""`./dev zoo`: runs the models, each in a process of its own, and writes the table.

Resumable: what the JSON file holds is not run again (--fresh starts over). Exit 1 when a model has a problem.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tools.zoo import every_model

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = 4  # inference and training, each as it is and with a forced graph break


def measure(name: str, options: argparse.Namespace) -> list[dict[str, Any]]:
    """All scenarios of one model; a process that dies is a problem of the scenarios it did not reach."""
    command = [sys.executable, "-W", "ignore", "-m", "tools.zoo.measure", name, "--backend", options.backend]
    command += ["--scripts"] if options.scripts else []
    command += ["--keep", str(options.keep)] if options.keep else []
    said = ""
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=options.timeout, env=_environment(), check=False
        )
        output, said = done.stdout, done.stderr[-300:]
    except subprocess.TimeoutExpired as late:
        output = late.stdout.decode() if isinstance(late.stdout, bytes) else late.stdout or ""
        said = f"not done after {options.timeout} s"
    found = [json.loads(line[4:]) for line in output.splitlines() if line.startswith("ZOO ")]
    if len(found) < SCENARIOS:
        model = every_model()[name]
        died = {"model": name, "suite": model.suite, "stands_for": model.stands_for, "successor": model.successor}
        found.append({**died, "backend": options.backend, "problems": [f"the process ended early: {said}"]})
    return found


def _environment() -> dict[str, str]:
    return {**os.environ, "HF_HUB_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "error", "TOKENIZERS_PARALLELISM": "false"}


def chosen(options: argparse.Namespace) -> list[str]:
    """Names of the models asked for."""
    names = [
        name
        for name, model in every_model().items()
        if (not options.only or re.search(options.only, name)) and (not options.suite or model.suite in options.suite)
    ]
    return names[options.offset :: options.every]


def table(rows: Iterable[dict[str, Any]]) -> str:
    """The results as a table in Markdown, a line a model."""
    by_model: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_model.setdefault(row["model"], []).append(row)
    good = sum(all(not r["problems"] for r in found) and len(found) == SCENARIOS for found in by_model.values())
    lines = [
        f"{good} of {len(by_model)} models without a problem: inference and training, as they are and with a graph "
        "break forced in a nested module.",
        "",
        "| model | stands for | frames | graphs | breaks | exact or proved | files | compile time with / without |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, found in by_model.items():
        total = {key: sum(r.get(key, 0) for r in found) for key in ("frames", "graphs", "breaks", "files")}
        sure = sum(n for r in found for kind, n in r.get("verdicts", {}).items() if kind in ("exact", "proved"))
        without = sum(r.get("seconds_without", 0.0) for r in found)
        ratio = f"{sum(r.get('seconds_with', 0.0) for r in found) / without:.2f}" if without else "-"
        mark = "" if all(not r["problems"] for r in found) and len(found) == SCENARIOS else " ✗"
        note = found[0]["stands_for"] + (" (successor)" if found[0]["successor"] else "")
        lines.append(
            f"| {name}{mark} | {note} | {total['frames']} | {total['graphs']} | {total['breaks']} "
            f"| {sure} of {total['frames']} | {total['files']} | {ratio} |"
        )
    problems = [
        f"- {r['model']} ({_scenario(r)}): {p}" for found in by_model.values() for r in found for p in r["problems"]
    ]
    return "\n".join([*lines, *(["", "## Problems", "", *problems] if problems else [])]) + "\n"


def _scenario(row: dict[str, Any]) -> str:
    if "train" not in row:
        return "process"
    return ("training" if row["train"] else "inference") + (f", break in {row['broken']}" if row["broken"] else "")


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="./dev zoo", description=__doc__)
    parser.add_argument("--only", metavar="REGEX", help="models whose name matches")
    parser.add_argument("--suite", action="append", help="transformers, timm, torchvision, plain or today; repeatable")
    parser.add_argument("--backend", default="eager", help="eager (default), aot_eager or inductor")
    parser.add_argument(
        "--json", type=Path, default=ROOT / "build" / "zoo.json", help="results, and what to resume from"
    )
    parser.add_argument("--markdown", type=Path, help="also write the table here")
    parser.add_argument("--keep", type=Path, help="keep the dumps below this folder")
    parser.add_argument("--scripts", action="store_true", help="run every dumped graph file as a script")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth model only")
    parser.add_argument("--offset", type=int, default=0, help="with --every: the first one")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=900, help="seconds a model may take")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    parser.add_argument("--list", action="store_true", help="name the models and what they stand for")
    return parser.parse_args()


def main() -> int:
    """Runs what is asked for."""
    options = parse()
    names = chosen(options)
    if options.list:
        for name in names:
            print(f"{name:42} {every_model()[name].suite:13} {every_model()[name].stands_for}")
        return 0
    if not names:
        print("zoo: no model has such a name; --list names them", file=sys.stderr)
        return 2
    results: dict[str, list[dict[str, Any]]] = {}
    if options.json.exists() and not options.fresh:
        results = json.loads(options.json.read_text("utf-8")).get(options.backend, {})
    todo = [name for name in names if name not in results]
    from tqdm import tqdm

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = {pool.submit(measure, name, options): name for name in todo}
        for done in tqdm(concurrent.futures.as_completed(waiting), total=len(todo), unit="model", file=sys.stderr):
            results[waiting[done]] = done.result()
            _save(options.json, options.backend, results)
    rows = [row for name in names for row in results[name]]
    text = table(rows)
    print(text)
    if options.markdown is not None:
        options.markdown.write_text(text, "utf-8")
    return int(any(row["problems"] for row in rows))


def _save(path: Path, backend: str, results: dict[str, list[dict[str, Any]]]) -> None:
    """The results so far, whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    held = json.loads(path.read_text("utf-8")) if path.exists() else {}
    held[backend] = results
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(held, indent=1) + "\n", "utf-8")
    os.replace(temporary, path)


if __name__ == "__main__":
    sys.exit(main())
