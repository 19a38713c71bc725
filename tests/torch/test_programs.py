# SPDX-License-Identifier: MIT
"""Random programs: their frames decompile, exact or proved; recompiled text, dumps and full code do what they do."""

from __future__ import annotations

import pytest
from programs import check


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*range(12), 15])
def test_program(seed: int) -> None:
    """One program in all ways."""
    report = check(seed)
    assert report.frames > 0
    assert not report.problems, "\n".join(report.problems)
    assert not report.unproved, "\n".join(report.unproved)
