# SPDX-License-Identifier: MIT
"""`python -m tools.cures --every 10`: measures for how many graph breaks of the catalogue a proposed change works.

Runs programs of tests/torch/catalogue with the eager backend, each in a forked process: first unchanged, then once for
each change that `depyf why --try` would try; the change is made before the program is imported. A change is confirmed
for a break if the break is gone, there are fewer breaks, and the results are the same. Prints one line per break and
the totals. The exit status is 1 if no program broke.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import depyf
import torch
from depyf.cli import cures
from depyf.torch import trial
from depyf.torch.internals import changes

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "torch")]


def in_child(function: Callable[..., None], *arguments: Any) -> None:
    """Calls a function in a forked process: only there the catalogue is imported, each time after the change."""
    child = os.fork()
    if child == 0:
        try:
            function(*arguments)
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def outcome(name: str, change: changes.Change | None, folder: Path) -> tuple[dict[str, Any], Path]:
    """Runs a program in a forked process; returns its index (empty if there is none) and the file with its results."""
    folder.mkdir()
    in_child(_run, name, change, folder)
    file = folder / "dump" / "index.json"
    return (json.loads(file.read_text("utf-8")) if file.exists() else {}), folder / "results.pt"


def _run(name: str, change: changes.Change | None, folder: Path) -> None:
    warnings.simplefilter("ignore")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    results = trial.Results([], folder / "results.pt")
    torch.manual_seed(0)
    if change is not None:
        try:
            changes.apply(change)
        except Exception as error:
            results.failure = str(error)
    module, _, program = name.partition("-")
    case = getattr(importlib.import_module(f"catalogue.{module}"), program).case
    watched = depyf.prepare_debug(folder / "dump", execution="original", report=False)
    with torch._dynamo.config.patch(**_settings_without(case.config, change)), watched:
        compiled = torch.compile(case.program, backend="eager", **case.options)
        for arguments in case.calls():
            try:
                results.keep(case.name, compiled(*arguments))
            except Exception as error:  # some programs are meant to raise
                results.keep(case.name, f"{type(error).__name__}")
    results.write()


def _settings_without(config: dict[str, Any], change: changes.Change | None) -> dict[str, Any]:
    """Returns the settings that a program runs under, except the one that is changed."""
    changed = change.arguments.get("name") if change is not None and change.kind == "setting" else None
    return {name: value for name, value in config.items() if name != changed}


def _write_names(file: Path) -> None:
    from catalogue import cases

    file.write_text(json.dumps([case.name for case in cases() if case.breaks and not case.lacking]))


def judge(name: str, folder: Path) -> list[dict[str, Any]]:
    """Returns each graph break of a program, with the change that was confirmed for it, if any."""
    index, results = outcome(name, None, folder / "base")
    broken = {_key(b): b for b in index.get("graph_breaks", ())}
    rows = {key: {"program": name, "reason": b["reason"], "tried": 0, "cure": None} for key, b in broken.items()}
    for number, (change, _) in enumerate(cures.proposals({**index, "recompiles": []})):
        new_index, new_results = outcome(name, change, folder / f"try_{number}")
        left = {_key(b) for b in new_index.get("graph_breaks", ())}
        same = trial.compare(results, new_results)[0].startswith("the same")
        for key, row in rows.items():
            row["tried"] += any(change == c for c in changes.for_break(broken[key]))
            if new_index and same and key not in left and len(left) < len(broken):
                row["cure"] = row["cure"] or change.text
    return list(rows.values())


def _key(graph_break: dict[str, Any]) -> tuple[str, str]:
    return graph_break["where"], graph_break["reason"]


def main() -> int:
    """Tries the changes on a sample of the catalogue, and prints the result."""
    parser = argparse.ArgumentParser(prog="python -m tools.cures", description=__doc__)
    parser.add_argument("--every", type=int, default=10, metavar="N", help="take every N-th program that breaks (10)")
    parser.add_argument("--offset", type=int, default=0, metavar="K", help="skip the first K (0)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        in_child(_write_names, file := Path(folder, "names.json"))
        names = json.loads(file.read_text())[options.offset :: options.every]
    rows = []
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            for row in judge(name, Path(folder)):
                rows.append(row)
                print(json.dumps(row), flush=True)
    tried, cured = sum(row["tried"] > 0 for row in rows), sum(row["cure"] is not None for row in rows)
    print(f"{len(names)} programs, {len(rows)} breaks: a change was tried for {tried}, a cure confirmed for {cured}")
    return 0 if rows else 1


if __name__ == "__main__":
    sys.exit(main())
