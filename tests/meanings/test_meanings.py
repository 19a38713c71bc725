# SPDX-License-Identifier: MIT
"""depyf's text for a sequence of instructions has the same trace of effects as the sequence in CPython."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
spec = importlib.util.spec_from_file_location("depyf_meanings_core", HERE / "meanings_core.py")
assert spec is not None and spec.loader is not None
core = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = core
spec.loader.exec_module(core)

FAMILIES = sorted(path.stem for path in (HERE / "families").glob("*.py"))
# Opcodes that no sequence has, with the reason why they have no effect of their own.
WITHOUT_A_SEQUENCE: dict[str, str] = {}
# The same for operations of ops.def.
WITHOUT_AN_OPERATION = {"ILLEGAL": "an error where control reaches it; tests/cpp/bytecode_decode.cpp makes some"}


def opcodes_of(root: Path, version: str) -> set[str]:
    """Returns the opcodes of a version that may occur in a code object."""
    minor = int(version.split(".")[1])
    table = (root / "src" / "bytecode" / "tables" / f"py3{minor:02}.inc").read_text(encoding="utf-8")
    meanings = (root / "src" / "bytecode" / "meaning.def").read_text(encoding="utf-8")
    never = set(re.findall(r"^DEPYF_RAW\((\w+), kNever,", meanings, re.MULTILINE)) - {"EXTENDED_ARG"}
    return set(re.findall(r"^DEPYF_OPCODE\(\d+, (\w+),", table, re.MULTILINE)) - never


def report(results: core.Results, mode: str, version: str, family: str) -> list[str]:
    """Returns what differs from the list of known failures."""
    known = core.read_known()
    lines = []
    for name, entry in results.found[mode].items():
        expected = known.get((mode, version, name), "same")
        if name.split("-")[0] == family and entry["status"] != expected:
            lines.append(f"{name}: {entry['status']}, expected {expected} (known_failures.txt)\n{results.cases[name]}")
            lines.append(f"{entry['text']}{entry['detail']}\n")
    return lines


@pytest.mark.parametrize("mode", core.MODES)
@pytest.mark.parametrize("family", FAMILIES)
def test_text_has_the_same_trace(family: str, mode: str, version: str, python: list[str], depyfc: str) -> None:
    results = core.results_of(tuple(python), depyfc)
    lines = report(results, mode, version, family)
    assert not lines, "\n".join(lines)


def test_every_opcode_has_a_sequence(version: str, python: list[str], depyfc: str, root: Path) -> None:
    results = core.results_of(tuple(python), depyfc)
    missing = opcodes_of(root, version) - results.opcodes
    assert missing - set(WITHOUT_A_SEQUENCE) == set()


def test_every_operation_has_a_sequence(root: Path, depyfc: str) -> None:
    text = (root / "src" / "bytecode" / "ops.def").read_text(encoding="utf-8")
    operations = set(re.findall(r"^DEPYF_OP\((\w+),", text, re.MULTILINE))
    found = core.load_interpreters().find_all()
    if set(found) != set(core.load_interpreters().VERSIONS):
        pytest.skip("needs every version")
    seen = set().union(*(core.results_of(tuple(python), depyfc).operations for python in found.values()))
    assert operations - seen - set(WITHOUT_AN_OPERATION) == set()


def test_known_failures_are_sequences(version: str, python: list[str], depyfc: str) -> None:
    cases = core.results_of(tuple(python), depyfc).cases
    assert [key for key in core.read_known() if key[1] == version and key[2] not in cases] == []
