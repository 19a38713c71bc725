# SPDX-License-Identifier: MIT
"""The option that updates golden texts."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="update tests/golden/cases/*.golden")
