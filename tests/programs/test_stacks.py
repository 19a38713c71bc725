# SPDX-License-Identifier: MIT
"""Random programs of the stack machine (stacks.py), which no compiler generates, do the same as text."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

STACKS = Path(__file__).with_name("stacks.py")
COUNT, SEED = 400, 1


@pytest.mark.parametrize("options", [[], ["--skip", "structure"]], ids=["normal", "fallback"])
def test_stack_programs_do_the_same_as_text(python: list[str], depyfc: str, tmp_path: Path, options: list[str]) -> None:
    """The same operations in the same order, and the same result."""
    command = [*python, "-W", "ignore", str(STACKS), depyfc, str(tmp_path), str(SEED), str(COUNT), *options]
    assert json.loads(subprocess.check_output(command, text=True)) == []


DEEP = """
import pathlib, sys
sys.path.insert(0, sys.argv[1])
import stacks
stacks.write_module(pathlib.Path(sys.argv[2]), {"k": "LOAD_FAST c" + "; UNPACK_SEQUENCE 1" * 5000 + "; ret"})
"""


@pytest.mark.parametrize("version", ["3.10"])
def test_deep_unpacking_needs_little_stack(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """Runs depyfc with a small C stack."""
    subprocess.run([*python, "-c", DEEP, str(STACKS.parent), str(tmp_path / "deep.pyc")], check=True)
    command = ["sh", "-c", 'ulimit -s 1024; exec "$0" "$1"', depyfc, str(tmp_path / "deep.pyc")]
    assert subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode == 0


TALL = """
import pathlib, sys
sys.path.insert(0, sys.argv[1])
import stacks
program = "LOAD_FAST c" + "; LOAD_FAST c" * 20000 + "; BINARY_ADD" * 20000 + "; ret"
stacks.write_module(pathlib.Path(sys.argv[2]), {"k": program})
"""


@pytest.mark.parametrize("version", ["3.8"])
def test_time_does_not_grow_with_stack_depth(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """If each instruction took time proportional to the stack's depth, this would take a minute."""
    subprocess.run([*python, "-c", TALL, str(STACKS.parent), str(tmp_path / "tall.pyc")], check=True)
    command = ["sh", "-c", 'ulimit -t 15; exec "$0" "$1"', depyfc, str(tmp_path / "tall.pyc")]
    assert subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode == 0


MANY_CLAUSES = """
import importlib.util, marshal, sys
code = compile("x = [a" + " for a in b if c" * 300 + "]", "clauses", "exec")
with open(sys.argv[1], "wb") as file:
    file.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
"""
PRINT_X = """
import sys
names = {"b": [1], "c": True}
with open(sys.argv[1]) as file:
    exec(file.read(), names)
print(names["x"])
"""


@pytest.mark.parametrize("version", ["3.8"])
def test_comprehension_with_many_clauses(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """It nests deeper than statements may, and needs little C stack."""
    compiled, text = tmp_path / "clauses.pyc", tmp_path / "clauses.py"
    subprocess.run([*python, "-c", MANY_CLAUSES, str(compiled)], check=True)
    with text.open("wb") as stream:
        command = ["sh", "-c", 'ulimit -s 256; exec "$0" "$1"', depyfc, str(compiled)]
        assert subprocess.run(command, stdout=stream, check=False).returncode == 0
    assert subprocess.check_output([*python, "-c", PRINT_X, str(text)], text=True) == "[1]\n"
