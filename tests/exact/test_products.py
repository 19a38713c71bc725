# SPDX-License-Identifier: MIT
"""Constructs combined systematically, and random functions of few words, survive the round trip exactly.

products/generate.py: a sample of all pairs of an expression and a place, and of all triples of compound statements,
with a fixed seed; products/few_words.py: functions whose statements compile to the same code; products/many_words.py:
functions with more of the language. But for those that products/known_failures.txt lists (lines "VERSION NAME
VERDICT"), strictly: one that is listed and passes fails.
`python tests/exact/test_products.py X.Y SCRIPT NUMBER... SEED` judges others.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent / "products"
SAMPLES = [("generate.py", 1200, 1200, 1), ("few_words.py", 1000, 1), ("many_words.py", 600, 1)]
KNOWN = [line.split() for line in (HERE / "known_failures.txt").read_text().splitlines() if not line.startswith("#")]
VERDICT = re.compile(r"^\S+\.pyc: (?P<kind>\w+) (?P<name>\S+)", re.MULTILINE)


def verdicts(python: list[str], depyfc: str, folder: Path, script: str, *sample: int) -> dict[str, str]:
    """Those of all code objects of a sample, by name."""
    command = [*python, str(HERE / script), str(folder), *map(str, sample)]
    made = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    done = subprocess.run(
        [depyfc, "-o", str(folder / "texts"), "--verdict", "--python", shlex.join(python), str(folder)],
        check=False, capture_output=True, encoding="utf-8",
    )  # fmt: skip
    found = {match["name"]: match["kind"] for match in VERDICT.finditer(done.stderr)}
    if len(found) <= made:  # there are the modules, too
        raise RuntimeError(f"{made} functions, {len(found)} verdicts: {done.stderr[-500:]}")
    return {name: kind for name, kind in found.items() if kind != "exact"}


def test_products(version: str, python: list[str], depyfc: str, tmp_path: Path) -> None:
    """The samples of one version."""
    known = {name: kind for of, name, kind in KNOWN if of == version}
    found: dict[str, str] = {}
    for script, *sample in SAMPLES:
        found |= verdicts(python, depyfc, tmp_path / script, script, *sample)
    assert found == known


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parents[2] / "tools"))
    import interpreters

    chosen = interpreters.find(sys.argv[1])
    if chosen is None:
        sys.exit(f"no interpreter of {sys.argv[1]}")
    with tempfile.TemporaryDirectory() as scratch:
        tool = str(Path(sys.executable).with_name("depyfc"))
        judged = verdicts(chosen, tool, Path(scratch), sys.argv[2], *map(int, sys.argv[3:]))
        for name, kind in sorted(judged.items()):
            print(sys.argv[1], name, kind)
