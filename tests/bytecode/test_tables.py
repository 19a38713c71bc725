# SPDX-License-Identifier: MIT
"""The committed tables are what the interpreters at hand say."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def gen_tables(tool_module) -> ModuleType:
    """tools/gen_tables.py."""
    return tool_module("gen_tables")


def test_table_is_fresh(gen_tables: ModuleType, python: list[str], version: str, root: Path) -> None:
    """No table is stale."""
    name = f"py3{int(version.split('.')[1]):02d}.inc"
    committed = (root / "src" / "bytecode" / "tables" / name).read_text(encoding="utf-8")
    assert gen_tables.table_of(python) == committed, "run tools/gen_tables.py"
