# SPDX-License-Identifier: MIT
"""A browser for the tests that open reports.

Without Chromium they fail, because nothing else tests that the page works.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tools.browser import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with Browser() as started:
        yield started
