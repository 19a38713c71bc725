# SPDX-License-Identifier: MIT
"""verify() gives the oracle's verdict on every code object of a small sample; agreement.py can take larger ones."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

spec = importlib.util.spec_from_file_location("depyf_verify_agreement", Path(__file__).with_name("agreement.py"))
assert spec is not None and spec.loader is not None
agreement = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = agreement
spec.loader.exec_module(agreement)


@pytest.fixture(scope="session")
def judge() -> str:
    return str(agreement.roundtrip.find_judge())


def test_verify_agrees_with_the_oracle(version: str, python: list[str], judge: str, tmp_path: Path) -> None:
    result = agreement.compare(version, judge, tmp_path, "lib", sample=4, mutants=20, seed=7)
    print("\n".join(result.lines()))
    assert result.disagreements == []
    assert result.pairs["pair"] == 4 and result.pairs["mutant"] >= 15  # something was compared
    assert result.codes["mutant"] > result.exact["mutant"] > 0
