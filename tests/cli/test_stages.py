# SPDX-License-Identifier: MIT
"""``--stop-after``: every stage in --help works, for a function that each stage changes."""

from __future__ import annotations

import py_compile
import subprocess
from pathlib import Path

import pytest

SOURCE = "def f(a):\n    for i in a:\n        if not i: continue\n        print(i and 1)\n        print(2)\n"
SHOWN = {
    "code": "f",
    "bytecode": "FOR_ITER",
    "cfg": "FOR_ITER",
    "fresh": "== f\n",
    "deopt": "FOR_ITER",
    "lift": "<for target> i",
    "structure": "f: structured",
    "finish": "def f(a):\n    for i in a:\n",
}


@pytest.mark.parametrize("stage", SHOWN)
def test_stage_prints_its_result(depyfc: str, tmp_path: Path, stage: str) -> None:
    source, compiled = tmp_path / "m.py", tmp_path / "m.pyc"
    source.write_text(SOURCE)
    py_compile.compile(str(source), str(compiled), doraise=True)
    help_text = subprocess.run([depyfc, "--help"], capture_output=True, text=True, check=True).stdout
    assert f" {stage}" in help_text[help_text.index("--stop-after") :]
    done = subprocess.run([depyfc, "--stop-after", stage, compiled], capture_output=True, text=True, check=True)
    assert SHOWN[stage] in done.stdout, done.stdout


def test_stage_finish_has_no_readability_passes(depyfc: str, tmp_path: Path) -> None:
    source, compiled = tmp_path / "m.py", tmp_path / "m.pyc"
    source.write_text("def f(a, b):\n    while a:\n        if not a < b: return\n        a(); print('%s' % (b,))\n")
    py_compile.compile(str(source), str(compiled), doraise=True)
    skipped = "guard-clauses,source-layout,readable-expressions,name-temporaries"
    texts = [
        subprocess.run([depyfc, *options, compiled], capture_output=True, text=True, check=True).stdout
        for options in ([], ["--skip", skipped], ["--stop-after", "finish"])
    ]
    assert texts[0] != texts[1] == texts[2]
