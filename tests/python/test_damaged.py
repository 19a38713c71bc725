# SPDX-License-Identifier: MIT
"""Code objects that no compiler made: what cannot be decompiled says so with DecompilationError, and nothing else."""

from __future__ import annotations

import opcode
import subprocess
import sys
import types
from pathlib import Path

import depyf
import pytest

ATTACK = Path(__file__).resolve().parent.parent / "attack" / "mutate_live.py"


def sample(a, b=1):
    for x in a:
        print(x.y, b, "text")


class Refuses:
    @property
    def __class__(self):
        raise RuntimeError("no class to be had")


class Lies:
    __class__ = types.CodeType


def module() -> types.CodeType:
    """A module whose names are loaded."""
    return compile("import a\na.b()\nx = a.c\n", "<module>", "exec")


def test_too_few_names() -> None:
    """An instruction names what `co_names` does not have."""
    with pytest.raises(depyf.DecompilationError) as error:
        depyf.decompile(module().replace(co_names=()))
    assert error.value.offset is not None
    assert "no such name" in error.value.what


def junk(a: object) -> object:
    return a


@pytest.mark.skipif(not (3, 11) <= sys.version_info[:2] <= (3, 12), reason="numbers of these versions")
def test_junk_that_control_jumps_over() -> None:
    """CPython runs it, and nobody has to know what unreachable bytes mean."""

    def of(*instructions: tuple[str, int]) -> bytes:
        return b"".join(bytes([opcode.opmap[name], argument]) for name, argument in instructions)

    junk_bytes = of(("LOAD_CONST", 200), ("LOAD_FAST", 99)) + b"\xff\xff"
    code = of(("RESUME", 0), ("JUMP_FORWARD", 3)) + junk_bytes + of(("LOAD_FAST", 0), ("RETURN_VALUE", 0))
    junk.__code__ = junk.__code__.replace(co_code=code, co_linetable=b"")
    assert junk("this") == "this"
    text = depyf.decompile(junk)
    assert "return a" in text and text.verdict == "exact"


@pytest.mark.parametrize("kind", [Refuses, Lies])
def test_constants_that_refuse_to_be_looked_at(kind: type) -> None:
    """A constant's `__class__` is its own affair."""
    code, odd = sample.__code__, kind()
    changed = code.replace(co_consts=tuple(odd if c == "text" else c for c in code.co_consts))
    assert "print(x.y, b," in depyf.decompile(changed)


def test_mutants() -> None:
    """A sample of mutate_live.py: ten thousand are run by command."""
    done = subprocess.run([sys.executable, str(ATTACK), "--count", "200"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "200 code objects, 0 bad" in done.stdout
