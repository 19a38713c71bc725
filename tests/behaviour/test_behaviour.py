# SPDX-License-Identifier: MIT
"""A part of behaves.py: a few of CPython's test modules, run from decompiled text.

``./dev behaves`` runs the others.
"""

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
def test_outcomes_from_text_are_the_same(version: str, python: list[str], depyfc: str, tmp_path: Path) -> None:
    """The modules exist, their tests pass, and they have the same outcomes from text."""
    comparisons = load().compare_modules(version, python, SLICE, depyfc, tmp_path / "work", 2)
    assert [comparison.module for comparison in comparisons] == SLICE
    assert [line for comparison in comparisons for line in comparison.wrong] == []
    assert all(comparison.tests and comparison.served > 20 for comparison in comparisons)


@pytest.mark.parametrize("version", ["3.11"])
def test_bad_texts_are_noticed(version: str, python: list[str], tmp_path: Path) -> None:
    """Texts that do nothing, and missing texts, make tests differ."""
    empty = tmp_path / "empty"
    empty.write_text('#!/bin/sh\nwhile read -r pyc out; do echo pass > "$out"; done\n')
    missing = tmp_path / "missing"
    missing.write_text("#!/bin/sh\nexit 1\n")
    for tool in (empty, missing):
        tool.chmod(0o755)
        [comparison] = load().compare_modules(
            version, python, ["test_with"], str(tool), tmp_path / f"{tool.stem}-work", 1
        )
        assert comparison.tests and comparison.wrong, tool
