# SPDX-License-Identifier: MIT
"""Asks depyf and torch the same questions about the catalogue's programs, and prints how often the answers agree.

Usage: python -m tools.agreement [--backend NAME]... [--every N] [--offset K] [--json FILE]
Resumable: programs with results in the JSON file are not run again (--fresh starts over). The exit status is 1 if an
answer differs, or if nothing was compared for a program.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BACKENDS = ("eager", "aot_eager", "inductor")


def parse() -> argparse.Namespace:
    """Parses the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.agreement", description=__doc__)
    parser.add_argument("--backend", action="append", choices=BACKENDS, help="may be repeated (default: all three)")
    parser.add_argument("--only", metavar="REGEX", default="", help="only programs whose name matches")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth program")
    parser.add_argument("--offset", type=int, default=0, help="with --every: index of the first program (0)")
    parser.add_argument("--json", type=Path, default=ROOT / "build" / "agreement.json", help="file of results")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    parser.add_argument("--no-run", action="store_true", help="only print the results in the JSON file")
    return parser.parse_args()


def save(path: Path, results: dict[str, dict[str, Any]]) -> None:
    """Writes the results so far, atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    os.replace(temporary, path)


def main() -> int:
    """Runs what is missing, prints the table and every disagreement; returns the exit status."""
    options = parse()
    sys.path.insert(0, str(ROOT / "tests" / "torch"))
    from tools.agreement import programs, report

    results = {} if options.fresh or not options.json.exists() else json.loads(options.json.read_text("utf-8"))
    if not options.no_run:
        for backend in options.backend or BACKENDS:
            chosen = [case for case in programs.catalogue() if re.search(options.only, case.name)]
            for case in chosen[options.offset :: options.every]:
                for mode in programs.MODES:
                    key = f"{backend} {mode} {case.name}"
                    if key not in results:
                        results[key] = {"backend": backend, "mode": mode, **programs.run(case, backend, mode)}
                        save(options.json, results)
    print(report.table(results.values()))
    print("Functions for which torch holds no entry, by the reason that torch gives:\n")
    print("\n".join(report.without_entry(results.values())) + "\n")
    problems = report.problems(results)
    print("\n".join(problems))
    return int(bool(problems) or not results)


if __name__ == "__main__":
    sys.exit(main())
