# SPDX-License-Identifier: MIT
"""Tests `./dev` in a fresh clone: --help builds nothing, and long commands report progress."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = (
    "demo test build lint format roundtrip ablate ratchet behaves interpreters zoo gallery speed scaling matrix docs "
    "wheels fuzz"
).split()


@pytest.fixture(scope="module")
def clone(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a copy of the repository without build products."""
    copy = tmp_path_factory.mktemp("clone")
    shutil.copy(root / "dev", copy)
    for folder in ("tools", "tests/behaviour", "tests/oracle", "examples"):
        shutil.copytree(root / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def test_usage_lists_all_commands(root: Path) -> None:
    usage = subprocess.run([str(root / "dev"), "--help"], capture_output=True, text=True, check=True).stdout
    assert sorted(re.findall(r"^  ([a-z]+) ", usage, re.MULTILINE)) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_builds_nothing(clone: Path, command: str) -> None:
    before = sorted(clone.iterdir())
    environment = {**os.environ, "DEPYF_HOST_PYTHON": getattr(sys, "_base_executable", sys.executable)}
    done = subprocess.run(
        [str(clone / "dev"), command, "--help"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: ")
    assert sorted(clone.iterdir()) == before


def test_long_command_reports_progress(root: Path) -> None:
    functions = re.findall(
        r"^(?:say|with_progress)\(\) \{.*?(?:^\}| \})$", (root / "dev").read_text(), re.DOTALL | re.MULTILINE
    )
    script = "set -euo pipefail\n" + "\n".join(functions).replace("sleep 30", "sleep 0.2")
    script += (
        "\nwith_progress bash -c 'echo first; echo [1/9] Building; sleep 0.7'; with_progress bash -c 'echo why; exit 3'"
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 3
    assert "s: [1/9] Building\n" in done.stderr and "first" not in done.stderr
    assert done.stderr.endswith("why\n")
