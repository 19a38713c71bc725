# SPDX-License-Identifier: MIT
"""The committed tables are equal to those that the installed interpreters generate."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def gen_tables(tool_module) -> ModuleType:
    """The module tools/gen_tables.py."""
    return tool_module("gen_tables")


def test_table_is_up_to_date(gen_tables: ModuleType, python: list[str], version: str, root: Path) -> None:
    """Compares the table of each version."""
    name = f"py3{int(version.split('.')[1]):02d}.inc"
    committed = (root / "src" / "bytecode" / "tables" / name).read_text(encoding="utf-8")
    assert gen_tables.table_of(python) == committed, "run tools/gen_tables.py"
