# SPDX-License-Identifier: MIT
"""The translation validator refuses wrong translations and proves right ones; validation.py takes larger samples."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

spec = importlib.util.spec_from_file_location("depyf_verify_validation", Path(__file__).with_name("validation.py"))
assert spec is not None and spec.loader is not None
validation = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = validation
spec.loader.exec_module(validation)

pytestmark = pytest.mark.skipif(
    validation.interpreters.find(validation.VERSION) is None, reason=f"no CPython {validation.VERSION}"
)
LONG = ("3.9", "3.10", "3.12", "3.13", "3.15")  # left to the full run: --quick takes the others and 3.11
OTHERS = ("3.8", *(pytest.param(version, marks=pytest.mark.slow) for version in LONG), "3.14")


@pytest.fixture(scope="session")
def judge() -> str:
    return str(validation.roundtrip.find_judge())


@pytest.mark.slow
def test_no_wrong_translation_is_accepted(depyfc: str, judge: str, tmp_path: Path) -> None:
    found = validation.mutants(depyfc, judge, tmp_path, count=300, seed=11, limit=240)
    assert found.accepted == []
    assert len(found.refused) >= 150  # so many runs told them from the original
    assert len({row["kind"] for row, _ in found.refused}) >= 8
    assert {row["kind"] for row, _ in found.refused} >= {"flagged", "attributed", "closed"}


@pytest.mark.parametrize("version", OTHERS)
def test_no_wrong_translation_of_other_bytecode_is_accepted(
    depyfc: str, judge: str, tmp_path: Path, version: str
) -> None:
    found = validation.mutants(depyfc, judge, tmp_path, count=60, seed=7, limit=120, version=version)
    assert found.accepted == []
    assert len(found.refused) >= 30


def test_what_is_the_same_is_proved(judge: str, tmp_path: Path) -> None:
    found = validation.identity(judge, tmp_path, files=60, seed=5)
    assert found.codes > 1000
    assert found.proved >= 0.99 * found.codes, found.reasons()


def test_wild_bytecode_is_proved(depyfc: str, judge: str, tmp_path: Path) -> None:
    found = validation.scrambled(depyfc, judge, tmp_path, count=150, seed=3, texts=40, limit=240)
    assert found.functions >= 100
    assert found.steady > 50 and found.different == []  # the scrambler itself does no harm
    assert len(found.pairs.accepted) >= 0.97 * found.functions, found.pairs.reasons()
    assert found.texts["exact"] + found.texts["proved"] >= 0.9 * 40, found.texts
    assert found.run > 15 and found.wrong == []


@pytest.mark.parametrize("version", OTHERS)
def test_other_wild_bytecode_is_proved(depyfc: str, judge: str, tmp_path: Path, version: str) -> None:
    found = validation.scrambled(depyfc, judge, tmp_path, count=50, seed=3, texts=20, limit=120, version=version)
    assert found.functions >= 40
    assert found.steady > 20 and found.different == []
    assert len(found.pairs.accepted) >= 0.95 * found.functions, found.pairs.reasons()
    assert found.texts["exact"] + found.texts["proved"] >= 0.8 * 20, found.texts
    assert found.run > 5 and found.wrong == []


def test_dispatch_loops_are_proved(depyfc: str, judge: str, tmp_path: Path) -> None:
    found = validation.through_dispatch(depyfc, judge, tmp_path, files=30, seed=5)
    assert found.codes > 500
    assert found.proved >= 0.9 * found.codes, found.reasons()
