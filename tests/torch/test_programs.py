# SPDX-License-Identifier: MIT
"""Tests random programs: frames are exact or proved; recompiled text, dumps and full code behave the same."""

from __future__ import annotations

import pytest
import torch
from programs import check

# Programs that Dynamo skips completely, by release: nothing can be recompiled, but everything else is checked.
LEFT_TO_PYTHON = {4} if torch.__version__.startswith("2.6.") else set()
# Programs for which Dynamo itself fails when it traces the recompiled text of a resume function: it cannot create an
# exception table for the place where it stops.
NOT_TRACED_ON = {15} if torch.__version__.startswith("2.6.") else set()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*range(12), 15])
def test_program(seed: int) -> None:
    """Runs one program in all ways."""
    report = check(seed)
    assert (report.frames == 0) == (seed in LEFT_TO_PYTHON)
    if seed in NOT_TRACED_ON:
        assert "InternalTorchDynamoError" in report.problems.pop()
    assert not report.problems, "\n".join(report.problems)
    assert not report.unproved, "\n".join(report.unproved)
