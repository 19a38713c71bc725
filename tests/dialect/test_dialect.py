# SPDX-License-Identifier: MIT
"""Each field of Dialect agrees with the interpreter of that version, and every field is observed."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

OBSERVE = Path(__file__).with_name("observe.py")
# Fields that a version's Dialect may set lower than observed.
AT_MOST = {"max_nested_parentheses"}  # inside a statement fewer are allowed; the printer keeps a margin
MAY = {"generator_calls_iter"}  # differs between patch releases of 3.14


def observe(python: list[str]) -> dict[str, bool | int]:
    """Returns the observations of the interpreter."""
    done = subprocess.run([*python, str(OBSERVE)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def dialect_fields(tool: str, version: str) -> dict[str, int]:
    """Returns the fields of dialect_of()."""
    done = subprocess.run([tool, "--dialect", version], capture_output=True, text=True, check=True)
    return {name: int(value) for name, value in (line.split() for line in done.stdout.splitlines())}


def test_interpreter_agrees_with_each_field(dump_bytecode: str, python: list[str], version: str) -> None:
    """The interpreter agrees with every field."""
    observations = observe(python)
    wrong = {}
    for name, value in dialect_fields(dump_bytecode, version).items():
        if name in AT_MOST:
            fits = value <= observations[name]
        elif name in MAY:
            fits = value >= observations[name]
        else:
            fits = value == observations[name]
        if not fits:
            wrong[name] = (value, observations[name])
    assert not wrong, f"field: (dialect_of, observed): {wrong}"


def test_every_field_is_observed(dump_bytecode: str, root: Path) -> None:
    """The fields in the header, in the tool and in observe.py are the same."""
    header = (root / "src" / "bytecode" / "dialect.h").read_text(encoding="utf-8")
    fields = set(re.findall(r"^  (?:bool|std::uint32_t) (\w+) =", header, re.MULTILINE))
    assert set(dialect_fields(dump_bytecode, "3.8")) == fields
    text = OBSERVE.read_text(encoding="utf-8")
    assert {f for f in fields if f'"{f}":' not in text} == set()
