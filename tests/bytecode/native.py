# SPDX-License-Identifier: MIT
"""Finds or builds depyf_dump_bytecode, the native side of tests/bytecode and tests/dialect."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME = "depyf_dump_bytecode"


def dump_tool() -> str:
    """The path of the tool: DEPYF_DUMP_BYTECODE, the newest one built, or one built now."""
    if given := os.environ.get("DEPYF_DUMP_BYTECODE"):
        return given
    if built := sorted((ROOT / "build").glob(f"*/tests/bytecode/{NAME}"), key=lambda p: p.stat().st_mtime):
        return str(built[-1])
    cmake = shutil.which("cmake", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    assert cmake is not None, f"no {NAME} and no cmake to build it"
    for command in ([cmake, "--preset", "dev"], [cmake, "--build", "--preset", "dev", "--target", NAME]):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    return str(ROOT / "build" / "dev" / "tests" / "bytecode" / NAME)
