# SPDX-License-Identifier: MIT
"""Random programs: their frames decompile, exact or proved; recompiled text, dumps and full code do what they do."""

from __future__ import annotations

import pytest
import torch
from programs import check

# What Dynamo leaves to Python altogether, by release: nothing of it can be recompiled, all else must hold.
LEFT_TO_PYTHON = {4} if torch.__version__.startswith("2.6.") else set()
# Whose text in place of a resume function Dynamo itself fails on when it traces it: where it stops there, it can
# make no table of exceptions.
NOT_TRACED_ON = {15} if torch.__version__.startswith("2.6.") else set()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*range(12), 15])
def test_program(seed: int) -> None:
    """One program in all ways."""
    report = check(seed)
    assert (report.frames == 0) == (seed in LEFT_TO_PYTHON)
    if seed in NOT_TRACED_ON:
        assert "InternalTorchDynamoError" in report.problems.pop()
    assert not report.problems, "\n".join(report.problems)
    assert not report.unproved, "\n".join(report.unproved)
