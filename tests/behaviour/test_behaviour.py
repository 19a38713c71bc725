# SPDX-License-Identifier: MIT
"""A slice of behaves.py: a few of CPython's test modules, from decompiled text alone. The rest is ``./dev behaves``."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SLICE = ["test_json", "test_generators", "test_contextlib", "test_with"]


def load():
    spec = importlib.util.spec_from_file_location("depyf_behaves", HERE / "behaves.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.8", "3.11", "3.14"])
def test_same_outcomes(version: str, python: list[str], depyfc: str, tmp_path: Path) -> None:
    """The modules are there, their tests pass, and from text they come out the same."""
    made = load().behaves(version, python, SLICE, depyfc, tmp_path / "work", 2)
    assert [comparison.module for comparison in made] == SLICE
    assert [line for comparison in made for line in comparison.wrong] == []
    assert all(comparison.tests and comparison.served > 20 for comparison in made)


@pytest.mark.parametrize("version", ["3.11"])
def test_what_is_noticed(version: str, python: list[str], tmp_path: Path) -> None:
    """Texts that say nothing, and texts that are missing."""
    empty = tmp_path / "empty"
    empty.write_text('#!/bin/sh\nwhile read -r pyc out; do echo pass > "$out"; done\n')
    missing = tmp_path / "missing"
    missing.write_text("#!/bin/sh\nexit 1\n")
    for tool in (empty, missing):
        tool.chmod(0o755)
        [made] = load().behaves(version, python, ["test_with"], str(tool), tmp_path / f"{tool.stem}-work", 1)
        assert made.tests and made.wrong, tool
