# SPDX-License-Identifier: MIT
"""The verdict on a code object that is used as a value, wherever the file has it."""

from __future__ import annotations

import dis
import marshal
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest


def function(source: str) -> types.CodeType:
    """Returns the code object of the function that the source defines."""
    code = compile(source, "m.py", "exec", dont_inherit=True)
    return next(value for value in code.co_consts if isinstance(value, types.CodeType))


@pytest.mark.parametrize("count", [0, 1, 3])
def test_code_after_code_that_nothing_loads(
    run: Callable, write: Callable[[str, bytes], Path], header: bytes, count: int
) -> None:
    """A module stores the code of `v`; before it are COUNT constants that no instruction loads."""
    module = compile("c = 'HERE'", "m.py", "exec", dont_inherit=True)
    unused = tuple(function(f"def u{i}(): pass") for i in range(count))
    rows = bytearray(module.co_code)
    for at in range(0, len(rows), 2):
        if dis.opname[rows[at]].startswith(("LOAD_CONST", "RETURN_CONST")):
            rows[at + 1] += count
    values = tuple(function("def v(): return 1") if value == "HERE" else value for value in module.co_consts)
    path = write("m.pyc", header + marshal.dumps(module.replace(co_code=bytes(rows), co_consts=unused + values)))
    verdicts = run("--verdict", "--python", sys.executable, path).stderr.splitlines()
    assert f"{path}: exact v" in [line.removeprefix("depyfc: ") for line in verdicts], verdicts
