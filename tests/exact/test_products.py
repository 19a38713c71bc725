# SPDX-License-Identifier: MIT
"""Systematic combinations of constructs, and random functions, are decompiled exactly.

products/generate.py: a sample of all pairs of an expression and a place, and of all triples of compound statements,
with a fixed seed; products/few_words.py: functions whose statements compile to the same code; products/many_words.py:
functions with more of the language. Exceptions are listed in products/known_failures.txt (lines "VERSION NAME
VERDICT"); a function that is listed but exact fails. `python tests/exact/test_products.py X.Y SCRIPT NUMBER... SEED`
judges other samples.
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
    """Returns the verdicts of the code objects of a sample that are not exact, by name."""
    command = [*python, str(HERE / script), str(folder), *map(str, sample)]
    count = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    done = subprocess.run(
        [depyfc, "-o", str(folder / "texts"), "--verdict", "--python", shlex.join(python), str(folder)],
        check=False, capture_output=True, encoding="utf-8",
    )  # fmt: skip
    kinds = {match["name"]: match["kind"] for match in VERDICT.finditer(done.stderr)}
    if len(kinds) <= count:  # the modules have verdicts, too
        raise RuntimeError(f"{count} functions, {len(kinds)} verdicts: {done.stderr[-500:]}")
    return {name: kind for name, kind in kinds.items() if kind != "exact"}


def test_samples_have_only_known_failures(version: str, python: list[str], depyfc: str, tmp_path: Path) -> None:
    """Judges the samples on one version."""
    known = {name: kind for v, name, kind in KNOWN if v == version}
    inexact: dict[str, str] = {}
    for script, *sample in SAMPLES:
        inexact |= verdicts(python, depyfc, tmp_path / script, script, *sample)
    assert inexact == known


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parents[2] / "tools"))
    import interpreters

    python = interpreters.find(sys.argv[1])
    if python is None:
        sys.exit(f"no CPython {sys.argv[1]}")
    with tempfile.TemporaryDirectory() as scratch:
        tool = str(Path(sys.executable).with_name("depyfc"))
        failures = verdicts(python, tool, Path(scratch), sys.argv[2], *map(int, sys.argv[3:]))
        for name, kind in sorted(failures.items()):
            print(sys.argv[1], name, kind)
