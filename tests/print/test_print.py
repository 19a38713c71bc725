# SPDX-License-Identifier: MIT
"""Tests the printer with CPython of each version: files of its library, unusual constants, random trees.

``python3.X tests/print/roundtrip_ast.py --program PROGRAM --all`` tests all of a version's library.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.native_tools import find_or_build

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="session")
def program() -> str:
    """The path of depyf_roundtrip_ast, the native program that prints trees."""
    return find_or_build("print", "roundtrip_ast")


def judge(python: list[str], program: str, script: str, *options: str) -> None:
    """Runs a script under the interpreter; it prints the differences."""
    command = [*python, str(HERE / script), "--program", program, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    assert ", 0 differ" in done.stdout


def test_constants_compile_to_themselves(python: list[str], program: str) -> None:
    """The printed text of each constant compiles to that constant."""
    judge(python, program, "roundtrip_ast.py", "--constants")


@pytest.mark.parametrize("width", ["24", "120"])
def test_random_trees_are_printed_correctly(python: list[str], program: str, width: str) -> None:
    """Trees that people seldom write, also with short lines, where nearly all of them are broken."""
    judge(python, program, "random_trees.py", "--count", "600", "--width", width)


@pytest.mark.slow
@pytest.mark.parametrize("width", ["24", "120"])
def test_library_is_printed_correctly(python: list[str], program: str, width: str) -> None:
    """CPython's own syntax tests and some other files."""
    judge(python, program, "roundtrip_ast.py", "--sample", "15", "--width", width)
