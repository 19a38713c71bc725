# SPDX-License-Identifier: MIT
"""Tests that the sdist contains only sources, even if build products are in the tree."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = (
    "CMakeLists.txt",
    "LICENSE",
    "README.md",
    "pyproject.toml",
    "cmake",
    "cli",
    "bindings",
    "include",
    "python",
    "src",
)
MAKE = "from scikit_build_core.build import build_sdist; print(build_sdist('made'))"


@pytest.fixture
def tree(tmp_path):
    """Returns a copy of the files that go into the sdist."""
    for part in PARTS:
        source, copy = ROOT / part, tmp_path / "tree" / part
        if source.is_dir():
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            copy.parent.mkdir(exist_ok=True)
            shutil.copy(source, copy)
    return tmp_path / "tree"


def test_compiled_module_in_the_tree_is_not_in_the_sdist(tree):
    package = tree / "python" / "depyf"
    (package / "_core.abi3.so").write_bytes(b"a module that was built in place")
    (package / "_core.cpython-311-x86_64-linux-gnu.so").symlink_to(package / "_core.abi3.so")
    (package / "_core.pyd").write_bytes(b"one of another system")
    done = subprocess.run([sys.executable, "-c", MAKE], cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with tarfile.open(tree / "made" / done.stdout.split()[-1]) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    assert "python/depyf/__init__.py" in names and "src/CMakeLists.txt" in names and "python/depyf/_core.pyi" in names
    assert not [name for name in names if name.endswith((".so", ".pyd")) or Path(name).name.startswith("_core.c")]
    assert not [name for name in names if name.endswith(".pth")]
