# SPDX-License-Identifier: MIT
"""CPython of each version judges the printer: files of its library, odd constants, random trees.

All of a version's library: ``python3.X tests/print/roundtrip_ast.py --program PROGRAM --all``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NAME = "depyf_roundtrip_ast"


@pytest.fixture(scope="session")
def program() -> str:
    """The path of the program: DEPYF_ROUNDTRIP_AST, the newest one built, or one built now."""
    if given := os.environ.get("DEPYF_ROUNDTRIP_AST"):
        return given
    if built := sorted((ROOT / "build").glob(f"*/tests/print/{NAME}"), key=lambda p: p.stat().st_mtime):
        return str(built[-1])
    cmake = shutil.which("cmake", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    assert cmake is not None, f"no {NAME} and no cmake to build it"
    for command in ([cmake, "--preset", "dev"], [cmake, "--build", "--preset", "dev", "--target", NAME]):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    return str(ROOT / "build" / "dev" / "tests" / "print" / NAME)


def judge(python: list[str], program: str, script: str, *options: str) -> None:
    """Runs a script under the interpreter; it says what differs."""
    command = [*python, str(HERE / script), "--program", program, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    assert ", 0 differ" in done.stdout


def test_constants(python: list[str], program: str) -> None:
    """Each constant's spelling compiles to the very constant."""
    judge(python, program, "roundtrip_ast.py", "--constants")


@pytest.mark.parametrize("width", ["24", "120"])
def test_random_trees(python: list[str], program: str, width: str) -> None:
    """Trees that people seldom write; in narrow lines, too, where nearly all are broken."""
    judge(python, program, "random_trees.py", "--count", "600", "--width", width)


@pytest.mark.slow
@pytest.mark.parametrize("width", ["24", "120"])
def test_library(python: list[str], program: str, width: str) -> None:
    """CPython's own syntax tests and some files more."""
    judge(python, program, "roundtrip_ast.py", "--sample", "15", "--width", width)
