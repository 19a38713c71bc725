# SPDX-License-Identifier: MIT
"""Constructs combined systematically (products/generate.py) survive the round trip exactly, but for those listed.

A sample of all pairs of an expression and a place, and of all triples of compound statements, with a fixed seed.
products/known_failures.txt lists the code objects that are not exact (lines "VERSION NAME VERDICT"), strictly: one that
is listed and passes fails. `python tests/exact/test_products.py X.Y EXPRESSIONS NESTINGS SEED` judges others.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent / "products"
SAMPLE = (1200, 1200, 1)
KNOWN = [line.split() for line in (HERE / "known_failures.txt").read_text().splitlines() if not line.startswith("#")]
VERDICT = re.compile(r"^\S+\.pyc: (?P<kind>\w+) (?P<name>\S+)", re.MULTILINE)


def verdicts(python: list[str], depyfc: str, folder: Path, sample: tuple[int, int, int]) -> dict[str, str]:
    """Those of all code objects of a sample, by name."""
    command = [*python, str(HERE / "generate.py"), str(folder), *map(str, sample)]
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
    """The sample of one version."""
    known = {name: kind for of, name, kind in KNOWN if of == version}
    assert verdicts(python, depyfc, tmp_path, SAMPLE) == known


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parents[2] / "tools"))
    import interpreters

    chosen = interpreters.find(sys.argv[1])
    if chosen is None:
        sys.exit(f"no interpreter of {sys.argv[1]}")
    with tempfile.TemporaryDirectory() as scratch:
        tool = str(Path(sys.executable).with_name("depyfc"))
        first, second, seed = map(int, sys.argv[2:])
        for name, kind in sorted(verdicts(chosen, tool, Path(scratch), (first, second, seed)).items()):
            print(sys.argv[1], name, kind)
