# SPDX-License-Identifier: MIT
"""The option that writes golden texts anew."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write tests/golden/cases/*.golden anew")
