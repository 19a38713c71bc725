# SPDX-License-Identifier: MIT
"""Each field of Dialect is what the interpreter of that version is seen to do, and no field goes unseen."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

OBSERVE = Path(__file__).with_name("observe.py")
# What a version does that its Dialect allows for without promising it.
AT_MOST = {"max_nested_parentheses"}  # fewer fit further inside a statement; the printer keeps a margin
MAY = {"generator_calls_iter"}  # differs between patch releases of 3.14


def observed(python: list[str]) -> dict[str, bool | int]:
    """What the interpreter does."""
    done = subprocess.run([*python, str(OBSERVE)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def claimed(tool: str, version: str) -> dict[str, int]:
    """What dialect_of() says."""
    done = subprocess.run([tool, "--dialect", version], capture_output=True, text=True, check=True)
    return {name: int(value) for name, value in (line.split() for line in done.stdout.splitlines())}


def test_each_field_is_observed(dump_bytecode: str, python: list[str], version: str) -> None:
    """The interpreter agrees with every field."""
    seen = observed(python)
    wrong = {}
    for name, value in claimed(dump_bytecode, version).items():
        if name in AT_MOST:
            fits = value <= seen[name]
        elif name in MAY:
            fits = value >= seen[name]
        else:
            fits = value == seen[name]
        if not fits:
            wrong[name] = (value, seen[name])
    assert not wrong, f"field: (dialect_of, seen): {wrong}"


def test_no_field_is_left_out(dump_bytecode: str, root: Path) -> None:
    """The header's fields, the tool's and the observations are the same."""
    header = (root / "src" / "bytecode" / "dialect.h").read_text(encoding="utf-8")
    fields = set(re.findall(r"^  (?:bool|std::uint32_t) (\w+) =", header, re.MULTILINE))
    assert set(claimed(dump_bytecode, "3.8")) == fields
    text = OBSERVE.read_text(encoding="utf-8")
    assert {f for f in fields if f'"{f}":' not in text} == set()
