# SPDX-License-Identifier: MIT
"""Compares the .pyc reader with CPython's own: every field and constant of seeded files of each version."""

from __future__ import annotations

import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARY_FILES = 40
SEED = 20


def test_reads_what_cpython_reads(depyfc: str, python: list[str], tmp_path: Path) -> None:
    """``--stop-after=code`` equals the same dump made from marshal.loads() under the interpreter."""
    subprocess.run([*python, str(HERE / "make_pycs.py"), str(tmp_path), str(LIBRARY_FILES), str(SEED)], check=True)
    pycs = sorted(tmp_path.glob("*.pyc"))
    assert len(pycs) >= LIBRARY_FILES + 4
    pairs = [str(name) for pyc in pycs for name in (pyc, pyc.with_suffix(".wanted"))]
    subprocess.run([*python, str(HERE / "code_dump_reference.py"), *pairs], check=True)
    listing = tmp_path / "list"
    listing.write_text("".join(f"{pyc}\t{pyc.with_suffix('.found')}\n" for pyc in pycs))
    subprocess.run([depyfc, "--stop-after=code", "-j2", "--list", str(listing)], check=True)
    for pyc in pycs:
        found = pyc.with_suffix(".found").read_text("ascii").splitlines()
        wanted = pyc.with_suffix(".wanted").read_text("ascii").splitlines()
        first = next((pair for pair in zip(found, wanted) if pair[0] != pair[1]), None)
        assert first is None, f"{pyc.name}: {first}"
        assert len(found) == len(wanted), pyc.name
