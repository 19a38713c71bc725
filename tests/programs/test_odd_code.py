# SPDX-License-Identifier: MIT
"""Texts of code that obfuscators make, such as names that source cannot spell, do the same as the code."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

MAKER = Path(__file__).resolve().parent / "odd_code.py"


def test_texts_do_what_the_code_does(python: list[str], depyfc: str, tmp_path: Path) -> None:
    subprocess.run([*python, str(MAKER), "make", str(tmp_path)], check=True)
    cases = sorted(tmp_path.glob("*.pyc"))
    assert len(cases) > 20
    subprocess.run([depyfc, *cases, "-o", tmp_path], check=True, timeout=60)
    for optimized in ([], ["-O"]):  # determines the value of __debug__
        command = [*python, *optimized, str(MAKER), "run", str(tmp_path)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        assert json.loads(done.stdout) == {}
