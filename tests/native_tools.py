# SPDX-License-Identifier: MIT
"""Finds or builds the native programs that tests use, such as depyf_dump_bytecode."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def find_or_build(folder: str, name: str) -> str:
    """Returns the path of the program depyf_NAME of tests/FOLDER: $DEPYF_NAME, the newest one built, or a new one."""
    if path := os.environ.get(f"DEPYF_{name.upper()}"):
        return path
    target = f"depyf_{name}"
    if built := sorted((ROOT / "build").glob(f"*/tests/{folder}/{target}"), key=lambda p: p.stat().st_mtime):
        return str(built[-1])
    cmake = shutil.which("cmake", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    assert cmake is not None, f"no {target} and no cmake to build it"
    for command in ([cmake, "--preset", "dev"], [cmake, "--build", "--preset", "dev", "--target", target]):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    return str(ROOT / "build" / "dev" / "tests" / folder / target)
