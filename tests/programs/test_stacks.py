# SPDX-License-Identifier: MIT
"""Random programs of the stack machine, which no compiler wrote, do what their decompiled text does: stacks.py."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

STACKS = Path(__file__).with_name("stacks.py")
COUNT, SEED = 400, 1


@pytest.mark.parametrize("options", [[], ["--skip", "structure"]], ids=["normal", "fallback"])
def test_stack_programs(python: list[str], depyfc: str, tmp_path: Path, options: list[str]) -> None:
    """The same operations in the same order, and the same result."""
    command = [*python, "-W", "ignore", str(STACKS), depyfc, str(tmp_path), str(SEED), str(COUNT), *options]
    assert json.loads(subprocess.check_output(command, text=True)) == []


DEEP = """
import pathlib, sys
sys.path.insert(0, sys.argv[1])
import stacks
stacks.written(pathlib.Path(sys.argv[2]), {"k": "LOAD_FAST c" + "; UNPACK_SEQUENCE 1" * 5000 + "; ret"})
"""


@pytest.mark.parametrize("version", ["3.10"])
def test_deep_unpacking(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """Takes no stack."""
    subprocess.run([*python, "-c", DEEP, str(STACKS.parent), str(tmp_path / "deep.pyc")], check=True)
    command = ["sh", "-c", 'ulimit -s 1024; exec "$0" "$1"', depyfc, str(tmp_path / "deep.pyc")]
    assert subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode == 0
