# SPDX-License-Identifier: MIT
"""A sample of mutate_pyc.py, which can run thousands of mutants per version."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path

SCRIPT = Path(__file__).with_name("mutate_pyc.py")
FILES = 60


def load():
    """Imports the script as a module."""
    spec = importlib.util.spec_from_file_location("depyf_mutate_pyc", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_mutants_have_no_faults(version: str, command_for: Callable, depyfc: str) -> None:
    """Nothing crashes, hangs or exceeds the memory, and enough of the files can be decompiled."""
    command_for(version)
    report = load().attack(version, depyfc, FILES, "fixed")
    assert report.bad == []
    assert report.files == FILES
    assert report.refusals < 2 * FILES
