# SPDX-License-Identifier: MIT
"""Dispatch loops with each kind of operation (operations.txt) compile, and are proved except those in unproved.txt."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMPILE = """
import py_compile, sys, warnings
warnings.simplefilter("ignore")
for line in sys.stdin:
    source, pyc = line.rstrip("\\n").split("\\t")
    py_compile.compile(source, pyc, doraise=True)
"""


def number(version: str) -> tuple[int, ...]:
    """Returns a version as a tuple that can be compared."""
    return tuple(map(int, version.split(".")))


def operations(version: str) -> dict[str, str]:
    """Returns the modules that a version can compile, by name."""
    parts = re.split(r"^== (\w+) ([\d.]+)\n", (HERE / "operations.txt").read_text(), flags=re.M)[1:]
    cases = zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    return {name: text for name, first, text in cases if number(first) <= number(version)}


def unproved(version: str) -> set[str]:
    """Returns the modules that are known to have no proof (lines: name, first and last version, reason)."""
    rows = [line.split(None, 3) for line in (HERE / "unproved.txt").read_text().splitlines() if line[:1] != "#"]
    return {name for name, first, last, _ in rows if number(first) <= number(version) <= number(last)}


def test_operations_are_proved(python: list[str], version: str, depyfc: str, tmp_path: Path) -> None:
    cases = operations(version)
    for name, text in cases.items():
        (tmp_path / f"{name}.py").write_text(text)
    pairs = "".join(f"{tmp_path / name}.py\t{tmp_path / name}.pyc\n" for name in cases)
    subprocess.run([*python, "-c", COMPILE], input=pairs, text=True, check=True)
    pairs_of_texts = "".join(f"{tmp_path / name}.pyc\t{tmp_path / name}.txt\n" for name in cases)
    command = [depyfc, "--skip=structure", "--verdict", "--python", shlex.join(python), "--list", "-"]
    done = subprocess.run(command, input=pairs_of_texts, capture_output=True, text=True, check=False)
    verdicts = re.findall(r"/(\w+)\.pyc: (\w+) ?(.*)", done.stderr)
    assert {name for name, *_ in verdicts} == set(cases), done.stderr
    failures = {name: why for name, kind, why in reversed(verdicts) if kind not in ("exact", "proved")}
    assert set(failures) == unproved(version), failures
    without = [name for name in cases if "tmp_pc" not in (tmp_path / f"{name}.txt").read_text()]
    assert len(without) < len(cases) / 2, without
