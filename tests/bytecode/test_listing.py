# SPDX-License-Identifier: MIT
"""The raw reader, line tables, exception tables and effect() agree with dis over the standard library.

For a seeded sample of each version's library (DEPYF_BYTECODE_FILES says how many files, 0 for all), every instruction's
number, argument, target and position, every handler, and the net stack effect on both edges must be what dis says.
"""

from __future__ import annotations

import itertools
import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

LISTING = Path(__file__).with_name("listing.py")
FILES = int(os.environ.get("DEPYF_BYTECODE_FILES", "40"))
SEED = 20240607


def library(python: list[str]) -> list[Path]:
    """The modules of an interpreter's standard library, or the sample of them."""
    where = subprocess.check_output([*python, "-c", "import os; print(os.path.dirname(os.__file__))"], text=True)
    files = sorted(p for p in Path(where.strip()).rglob("*.py") if "site-packages" not in p.parts)
    return random.Random(SEED).sample(files, FILES) if 0 < FILES < len(files) else files


def same(expected: str, got: str) -> bool:
    """Whether two lines say the same; a star stands for what dis does not know."""
    if expected == got:
        return True
    left, right = expected.split(), got.split()
    return len(left) == len(right) and all(a in (b, "*") for a, b in zip(left, right, strict=True))


def differences(expected: str, got: str) -> Iterator[str]:
    """The lines that differ, with the code object they are in."""
    code = ""
    for a, b in itertools.zip_longest(expected.splitlines(), got.splitlines(), fillvalue="<end>"):
        if a.startswith("code "):
            code = a
        if not same(a, b):
            yield f"{code}: dis {a!r}, depyf {b!r}"


@pytest.fixture
def listings(python: list[str], dump_bytecode: str, tmp_path: Path) -> tuple[str, str]:
    """What dis and what depyf say of the sample."""
    names = "\n".join(map(str, library(python)))
    dis = subprocess.run([*python, str(LISTING), str(tmp_path)], input=names.encode(), capture_output=True, check=True)
    pycs = sorted(map(str, tmp_path.glob("*.pyc")))
    depyf = subprocess.run([dump_bytecode, *pycs], capture_output=True, check=True)
    return dis.stdout.decode(errors="surrogateescape"), depyf.stdout.decode(errors="surrogateescape")


def test_agrees_with_dis(listings: tuple[str, str]) -> None:
    """No line differs, and there is something to compare."""
    expected, got = listings
    assert expected.count("\n") > 5000
    found = list(itertools.islice(differences(expected, got), 5))
    assert not found, "\n".join(found)


def test_judge_sees_a_wrong_line(listings: tuple[str, str]) -> None:
    """The comparison is not blind: one wrong number in one line is found."""
    expected, got = listings
    lines = got.splitlines()
    at = next(i for i, line in enumerate(lines) if len(line.split()) == 7 and line.split()[3] != "-")
    fields = lines[at].split()
    fields[3] = str(int(fields[3]) + 2)
    lines[at] = " ".join(fields)
    assert len(list(differences(expected, "\n".join(lines)))) == 1
