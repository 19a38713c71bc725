# SPDX-License-Identifier: MIT
"""The native dump tool as a fixture."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bytecode"))

import native


@pytest.fixture(scope="session")
def dump_bytecode() -> str:
    """The path of depyf_dump_bytecode."""
    return native.dump_tool()
