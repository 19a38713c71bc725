# SPDX-License-Identifier: MIT
"""The raw reader, line tables, exception tables and effect() agree with dis on the standard library.

For a seeded sample of each version's library (DEPYF_BYTECODE_FILES is the number of files, 0 for all), every
instruction's number, argument, target and position, every handler, and the net stack effect on both edges must be equal
to dis's.
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
    """Returns the modules of an interpreter's standard library, or a sample of them."""
    where = subprocess.check_output([*python, "-c", "import os; print(os.path.dirname(os.__file__))"], text=True)
    files = sorted(p for p in Path(where.strip()).rglob("*.py") if "site-packages" not in p.parts)
    return random.Random(SEED).sample(files, FILES) if 0 < FILES < len(files) else files


def same(expected: str, got: str) -> bool:
    """Returns whether two lines are equal; a star matches any value, because dis does not know it."""
    if expected == got:
        return True
    left, right = expected.split(), got.split()
    return len(left) == len(right) and all(a in (b, "*") for a, b in zip(left, right, strict=True))


def differences(expected: str, got: str) -> Iterator[str]:
    """Yields the lines that differ, with their code object."""
    code = ""
    for a, b in itertools.zip_longest(expected.splitlines(), got.splitlines(), fillvalue="<end>"):
        if a.startswith("code "):
            code = a
        if not same(a, b):
            yield f"{code}: dis {a!r}, depyf {b!r}"


@pytest.fixture
def listings(python: list[str], dump_bytecode: str, tmp_path: Path) -> tuple[str, str]:
    """The listings of the sample by dis and by depyf."""
    names = "\n".join(map(str, library(python)))
    dis = subprocess.run([*python, str(LISTING), str(tmp_path)], input=names.encode(), capture_output=True, check=True)
    pycs = sorted(map(str, tmp_path.glob("*.pyc")))
    depyf = subprocess.run([dump_bytecode, *pycs], capture_output=True, check=True)
    return dis.stdout.decode(errors="surrogateescape"), depyf.stdout.decode(errors="surrogateescape")


def test_listings_agree_with_dis(listings: tuple[str, str]) -> None:
    """No line differs, and there are enough lines."""
    expected, got = listings
    assert expected.count("\n") > 5000
    found = list(itertools.islice(differences(expected, got), 5))
    assert not found, "\n".join(found)


def test_wrong_line_is_found(listings: tuple[str, str]) -> None:
    """Tests the comparison itself: it finds one wrong number in one line."""
    expected, got = listings
    lines = got.splitlines()
    at = next(i for i, line in enumerate(lines) if len(line.split()) == 7 and line.split()[3] != "-")
    fields = lines[at].split()
    fields[3] = str(int(fields[3]) + 2)
    lines[at] = " ".join(fields)
    assert len(list(differences(expected, "\n".join(lines)))) == 1
