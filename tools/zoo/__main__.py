# SPDX-License-Identifier: MIT
"""`./dev zoo`: runs the models, each in its own process, and writes the table.

Resumable: models with results in the JSON file are not run again (--fresh starts over). The exit status is 1 if a model
has a problem.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

from tools.zoo import every_model, report, workers
from tools.zoo.report import SCENARIOS

ROOT = Path(__file__).resolve().parents[2]


def died(name: str, backend: str, why: str) -> dict[str, Any]:
    """Returns the row that stands for the scenarios that a process did not reach."""
    model = every_model()[name]
    head = {"model": name, "suite": model.suite, "stands_for": model.stands_for, "successor": model.successor}
    return {**head, "backend": backend, "problems": [f"the process ended early: {why}"]}


def chosen(options: argparse.Namespace) -> list[str]:
    """Returns the names of the selected models."""
    names = [
        name
        for name, model in every_model().items()
        if (not options.only or re.search(options.only, name)) and (not options.suite or model.suite in options.suite)
    ]
    return names[options.offset :: options.every]


def parse() -> argparse.Namespace:
    """Parses the command line."""
    parser = argparse.ArgumentParser(prog="./dev zoo", description=__doc__)
    parser.add_argument("--only", metavar="REGEX", help="only models whose name matches")
    parser.add_argument("--suite", action="append", help="transformers, timm, torchvision, plain or today; repeatable")
    parser.add_argument("--backend", default="eager", help="eager (default), aot_eager or inductor")
    parser.add_argument("--device", default="cpu", help="device of modules and inputs: cpu (default) or cuda")
    parser.add_argument(
        "--json", type=Path, default=ROOT / "build" / "zoo.json", help="file of results, to resume from"
    )
    parser.add_argument("--markdown", type=Path, help="also write the table to this file")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the dumps in this folder")
    parser.add_argument("--no-scripts", action="store_true", help="do not run the dumped graph files as scripts")
    parser.add_argument("--no-times", action="store_true", help="do not measure times of torch.compile without depyf")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth model")
    parser.add_argument("--offset", type=int, default=0, help="with --every: index of the first model (0)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=900, help="seconds for one model (900)")
    parser.add_argument("--junit", type=Path, help="also write the scenarios as tests, in JUnit's format")
    parser.add_argument("--quiet", action="store_true", help="print only the problems")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    parser.add_argument("--no-run", action="store_true", help="only print the results in the JSON file")
    parser.add_argument("--again", action="store_true", help="run models that had problems again")
    parser.add_argument("--list", action="store_true", help="list the models and what they stand for")
    return parser.parse_args()


def main() -> int:
    """Runs the selected models, prints the table and returns the exit status."""
    options = parse()
    names = chosen(options)
    if options.list:
        for name in names:
            print(f"{name:42} {every_model()[name].suite:13} {every_model()[name].stands_for}")
        return 0
    if not names:
        print("zoo: no model matches; --list prints their names", file=sys.stderr)
        return 2
    if options.no_run:
        known = json.loads(options.json.read_text("utf-8")).get(options.backend, {})
        names = [name for name in names if name in known]
    results = run_missing(
        names, options.json, options.fresh, options.again, backend=options.backend, device=options.device,
        keep=options.keep, jobs=options.jobs, timeout=options.timeout, times=not options.no_times,
        scripts=not options.no_scripts,
    )  # fmt: skip
    rows = [row for name in names for row in results[name]]
    text = report.table(rows, len(every_model()))
    print("\n".join(report.problems(rows)) if options.quiet else text)
    if options.junit is not None:
        report.write_junit(options.junit, rows)
    if options.markdown is not None:
        options.markdown.write_text(text, "utf-8")
    return int(any(row["problems"] for row in rows))


def run_missing(
    names: list[str], file: Path, fresh: bool, again: bool = False, **job_options: Any
) -> dict[str, list[dict[str, Any]]]:
    """Returns the rows of the models, measuring those without rows in the file; `again`: also those with problems."""
    job = workers.Job(**job_options)
    results: dict[str, list[dict[str, Any]]] = {}
    if file.exists() and not fresh:
        results = json.loads(file.read_text("utf-8")).get(job.backend, {})
    todo = [name for name in names if name not in results or (again and not report.passed(results[name]))]
    if not todo:
        return results
    from tqdm import tqdm

    tqdm.monitor_interval = 0  # tqdm must not start a thread, because the workers are forked
    workers.prepare(job.device)
    with tqdm(total=len(todo), unit="model", file=sys.stderr) as bar:
        for name, rows, why in workers.run(todo, job):
            missing = why or ("" if len(rows) == SCENARIOS else "no message")
            results[name] = rows + ([died(name, job.backend, missing)] if missing else [])
            _save(file, job.backend, results)
            count = sum(bool(row["problems"]) for row in results[name])
            bar.set_postfix_str(f"{name}{f': {count} with problems' if count else ''}")
            bar.update()
    return results


def _save(path: Path, backend: str, results: dict[str, list[dict[str, Any]]]) -> None:
    """Writes the results so far, atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    known[backend] = results
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
    os.replace(temporary, path)


if __name__ == "__main__":
    sys.exit(main())
