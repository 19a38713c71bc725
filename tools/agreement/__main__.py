# SPDX-License-Identifier: MIT
"""Asks depyf and torch the same questions about the catalogue's programs, and prints how often the answers agree.

Usage: python -m tools.agreement [--backend NAME]... [--every N] [--offset K] [--json FILE]
Resumable: what the JSON file holds is not run again (--fresh starts over). Exit 1 where one answer differs, or where a
program compared nothing.
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
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.agreement", description=__doc__)
    parser.add_argument("--backend", action="append", choices=BACKENDS, help="repeatable; all three if none is given")
    parser.add_argument("--only", metavar="REGEX", default="", help="programs whose name matches")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth program only")
    parser.add_argument("--offset", type=int, default=0, help="with --every: the first one")
    parser.add_argument("--json", type=Path, default=ROOT / "build" / "agreement.json", help="results, to resume from")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    parser.add_argument("--no-run", action="store_true", help="only tell what the JSON file holds")
    return parser.parse_args()


def save(path: Path, results: dict[str, dict[str, Any]]) -> None:
    """The results so far, whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    os.replace(temporary, path)


def main() -> int:
    """Runs what is missing, prints the table and every disagreement."""
    options = parse()
    sys.path.insert(0, str(ROOT / "tests" / "torch"))
    from tools.agreement import programs, report

    held = {} if options.fresh or not options.json.exists() else json.loads(options.json.read_text("utf-8"))
    if not options.no_run:
        for backend in options.backend or BACKENDS:
            chosen = [case for case in programs.catalogue() if re.search(options.only, case.name)]
            for case in chosen[options.offset :: options.every]:
                for mode in programs.MODES:
                    key = f"{backend} {mode} {case.name}"
                    if key not in held:
                        held[key] = {"backend": backend, "mode": mode, **programs.run(case, backend, mode)}
                        save(options.json, held)
    print(report.table(held.values()))
    print("Functions of which torch holds no entry, by the reason that torch gives:\n")
    print("\n".join(report.without_entry(held.values())) + "\n")
    told = report.problems(held)
    print("\n".join(told))
    return int(bool(told) or not held)


if __name__ == "__main__":
    sys.exit(main())
