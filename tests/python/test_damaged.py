# SPDX-License-Identifier: MIT
"""Tests that malformed code objects raise DecompilationError and no other exception."""

from __future__ import annotations

import opcode
import os
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import depyf
import pytest
from depyf.decompilation.inline_caches import check_inline_caches

ATTACK = Path(__file__).resolve().parent.parent / "attack" / "mutate_live.py"


def sample(a, b=1):
    for x in a:
        print(x.y, b, "text")


class RaisesOnClass:
    @property
    def __class__(self):
        raise RuntimeError("__class__ is not available")


class ClaimsToBeCode:
    __class__ = types.CodeType


def module() -> types.CodeType:
    """Returns the code of a module that loads names."""
    return compile("import a\na.b()\nx = a.c\n", "<module>", "exec")


def test_too_few_names() -> None:
    """The argument of an instruction is not an index into `co_names`."""
    with pytest.raises(depyf.DecompilationError) as error:
        depyf.decompile(module().replace(co_names=()))
    assert error.value.offset is not None
    assert "no such name" in error.value.what


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [("co_names", (), "no such name"), ("co_consts", (), "no such constant"), ("co_code", b"", "empty co_code")],
)
def test_verify_of_malformed_code(field: str, value: Any, reason: str) -> None:
    bad = module().replace(**{field: value})
    for pair in ((module(), bad), (bad, module()), (bad, bad)):
        result = depyf.verify(*pair)
        assert not result and reason in str(result)


def jumps_over_invalid_bytes(a: object) -> object:
    return a


@pytest.mark.skipif(not (3, 11) <= sys.version_info[:2] <= (3, 12), reason="assembles instructions of 3.11 and 3.12")
def test_invalid_bytes_that_are_jumped_over() -> None:
    """CPython runs the code, and unreachable bytes need not be decoded."""

    def assemble(*instructions: tuple[str, int]) -> bytes:
        return b"".join(bytes([opcode.opmap[name], argument]) for name, argument in instructions)

    invalid_bytes = assemble(("LOAD_CONST", 200), ("LOAD_FAST", 99)) + b"\xff\xff"
    code = (
        assemble(("RESUME", 0), ("JUMP_FORWARD", 3)) + invalid_bytes + assemble(("LOAD_FAST", 0), ("RETURN_VALUE", 0))
    )
    jumps_over_invalid_bytes.__code__ = jumps_over_invalid_bytes.__code__.replace(co_code=code, co_linetable=b"")
    assert jumps_over_invalid_bytes("this") == "this"
    text = depyf.decompile(jumps_over_invalid_bytes)
    assert "return a" in text and text.verdict == "exact"
    assert depyf.verify(jumps_over_invalid_bytes, jumps_over_invalid_bytes)


@pytest.mark.parametrize("kind", [RaisesOnClass, ClaimsToBeCode])
def test_constants_with_a_misleading_class(kind: type) -> None:
    """A constant's `__class__` may raise or lie."""
    code, constant = sample.__code__, kind()
    changed = code.replace(co_consts=tuple(constant if c == "text" else c for c in code.co_consts))
    assert "print(x.y, b," in depyf.decompile(changed)


def test_mutants() -> None:
    """Runs 200 mutants of mutate_live.py, which by default runs ten thousand."""
    done = subprocess.run([sys.executable, str(ATTACK), "--count", "200"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "200 code objects, 0 bad" in done.stdout


TRUNCATED = """
import dis, sys, types
import depyf

def sample(x):
    return len(x)

def outer():
    return sample

code = sample.__code__
refused = set()
for number in range(256):
    try:
        cut = code.replace(co_code=code.co_code[:2] + bytes([number, 0]))
    except ValueError:
        continue
    outside = outer.__code__.replace(co_consts=(None, cut))
    for damaged in (cut, outside):
        try:
            depyf.decompile(damaged, recompile=False)
        except depyf.DecompilationError as error:
            if "inline caches" in error.what:
                assert error.code is cut and error.offset == 2
                refused.add(number)
print(*refused)
"""


@pytest.mark.skipif(sys.version_info < (3, 11), reason="no inline caches")
def test_code_that_ends_within_inline_caches() -> None:
    """CPython writes beyond the end of a buffer when `co_code` is read; its debug allocator would abort."""
    environment = {**os.environ, "PYTHONMALLOC": "debug"}
    done = subprocess.run([sys.executable, "-c", TRUNCATED], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    entries: Any = opcode._inline_cache_entries  # type: ignore[attr-defined]
    counts = enumerate(entries) if isinstance(entries, list) else ((opcode.opmap[n], k) for n, k in entries.items())
    assert {number for number, count in counts if count} <= {*map(int, done.stdout.split())}


def test_shared_code_objects_are_checked_once() -> None:
    """60 code objects that each contain the one before twice are 2 to the 60 paths."""
    code = (lambda: None).__code__
    for _ in range(60):
        code = code.replace(co_consts=(None, code, code))
    check_inline_caches(code)
