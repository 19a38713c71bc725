# SPDX-License-Identifier: MIT
"""The translation validator refuses wrong translations and proves right ones; validation.py can take larger samples."""

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
LONG = ("3.9", "3.10", "3.12", "3.13", "3.15")  # only in the full run: --quick takes the others and 3.11
OTHERS = ("3.8", *(pytest.param(version, marks=pytest.mark.slow) for version in LONG), "3.14")


@pytest.fixture(scope="session")
def judge() -> str:
    return str(validation.roundtrip.find_judge())


@pytest.mark.slow
def test_no_wrong_translation_is_accepted(depyfc: str, judge: str, tmp_path: Path) -> None:
    result = validation.mutants(depyfc, judge, tmp_path, count=300, seed=11, limit=240)
    assert result.accepted == []
    assert len(result.refused) >= 150  # enough of them differ in runs
    assert len({row["kind"] for row, _ in result.refused}) >= 8
    rare_kinds = {"change_function_flags", "change_function_attributes", "close_past_handlers"}
    assert {row["kind"] for row, _ in result.refused} >= rare_kinds


@pytest.mark.parametrize("version", OTHERS)
def test_no_wrong_translation_on_other_versions_is_accepted(
    depyfc: str, judge: str, tmp_path: Path, version: str
) -> None:
    result = validation.mutants(depyfc, judge, tmp_path, count=60, seed=7, limit=120, version=version)
    assert result.accepted == []
    assert len(result.refused) >= 30


def test_files_are_proved_against_themselves(judge: str, tmp_path: Path) -> None:
    result = validation.identity(judge, tmp_path, files=60, seed=5)
    assert result.codes > 1000
    assert result.proved >= 0.99 * result.codes, result.reasons()


def test_scrambled_bytecode_is_proved(depyfc: str, judge: str, tmp_path: Path) -> None:
    result = validation.scrambled(depyfc, judge, tmp_path, count=150, seed=3, texts=40, limit=240)
    assert result.functions >= 100
    assert result.steady > 50 and result.different == []  # scrambling did not change the behaviour
    assert len(result.pairs.accepted) >= 0.97 * result.functions, result.pairs.reasons()
    assert result.texts["exact"] + result.texts["proved"] >= 0.9 * 40, result.texts
    assert result.run > 15 and result.wrong == []


@pytest.mark.parametrize("version", OTHERS)
def test_scrambled_bytecode_of_other_versions_is_proved(depyfc: str, judge: str, tmp_path: Path, version: str) -> None:
    result = validation.scrambled(depyfc, judge, tmp_path, count=50, seed=3, texts=20, limit=120, version=version)
    assert result.functions >= 40
    assert result.steady > 20 and result.different == []
    assert len(result.pairs.accepted) >= 0.95 * result.functions, result.pairs.reasons()
    assert result.texts["exact"] + result.texts["proved"] >= 0.8 * 20, result.texts
    assert result.run > 5 and result.wrong == []


def test_dispatch_loops_are_proved(depyfc: str, judge: str, tmp_path: Path) -> None:
    result = validation.through_dispatch(depyfc, judge, tmp_path, files=30, seed=5)
    assert result.codes > 500
    assert result.proved >= 0.9 * result.codes, result.reasons()
