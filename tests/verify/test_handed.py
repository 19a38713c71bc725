# SPDX-License-Identifier: MIT
"""Functions with which Dynamo goes on in the middle of a display: what they jump over tells what they are handed."""

from __future__ import annotations

import importlib.util
import marshal
import py_compile
import subprocess
import sys
import types
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import units

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="put together as 3.11 and later do")

NAME = "torch_dynamo_resume_in_f_at_1"
HEAD = "def {name}(x0, x1, a, g): {body}"
# The call that breaks the graph is g(a); what lies on the stack then is x0, and x1 is its result.
PROGRAMS = {
    "list": "return [a, *g(a), a]",
    "dict": "return {'k': a, **g(a), 'z': a}",
    "set": "return {a, *g(a)}",
}
# the operation that comes next
LANDS = {"list": "LIST_EXTEND", "dict": "DICT_UPDATE", "set": "SET_UPDATE"}
TEXTS = {
    "list": "return [*x0, *x1, a]",
    "dict": "return {**x0, **x1, 'z': a}",
    "set": "x0.update(x1); return x0",
}
REFUSED = {
    "list": [
        "return [*x1, *x0, a]",
        "return [*x0, *x1]",
        "return [*x0, x1, a]",
        "return [a, *x1, a]",
        "x0.extend(x1); x0.append(a); return x0",  # words the error of what is no iterable differently
        "return (*x0, *x1, a)",
        "g(x0); return [*x0, *x1, a]",
        "r = [*x0, *x1, a]; g(x0); return r",
    ],
    "dict": [
        "return {**x1, **x0, 'z': a}",
        "return {**x0, 'z': a, **x1}",
        "return {'z': a, **x0, **x1}",
        "return {**x0, **x1}",
        "x0.update(x1); x0['z'] = a; return x0",  # takes pairs
        "d = {**x0}; d['z'] = a; return {**d, **x1}",
        "x0['z'] = a; return {**x0, **x1, 'z': a}",
    ],
    "set": [
        "return {*x0, *x1}",  # may have another order
        "x0.update(x1); return {*x0}",
        "x0.add(x1); return x0",
        "return x0",
        "x1.update(x0); return x1",
    ],
}


def resumed(body: str, landing: str, name: str = NAME) -> types.CodeType:
    """A module with the program's code behind a jump to where it grows its container."""
    module = compile(HEAD.format(name=name, body=body), "text", "exec", dont_inherit=True)
    (code,) = [c for c in module.co_consts if isinstance(c, types.CodeType)]
    instructions, rows = units.take_apart(code)
    target = next(u for u in instructions if u.name == landing)
    prologue = [units.Unit("RESUME"), units.Unit("LOAD_FAST", 0), units.Unit("LOAD_FAST", 1)]
    made = units.put_together(code, [*prologue, units.Unit("JUMP_FORWARD", 0, target), *instructions], rows)
    return module.replace(co_consts=tuple(made if c is code else c for c in module.co_consts))


def written(path: Path, module: types.CodeType) -> str:
    path.write_bytes(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(module))
    return str(path)


def compiled(path: Path, body: str, name: str = NAME) -> str:
    path.write_text(HEAD.format(name=name, body=body) + "\n")
    return py_compile.compile(str(path), str(path) + "c", doraise=True)


def verdict(depyfc: str, *files: str) -> str:
    done = subprocess.run([depyfc, "--verify", *files], capture_output=True, text=True, check=False)
    (line,) = [line for line in done.stdout.splitlines() if line.split()[1].rstrip(":") != "<module>"]
    return line.split()[0]


@pytest.mark.parametrize("program", TEXTS)
def test_goes_on_with_what_it_is_handed(depyfc: str, tmp_path: Path, program: str) -> None:
    original = written(tmp_path / "resumed.pyc", resumed(PROGRAMS[program], LANDS[program]))
    text = subprocess.run([depyfc, original], capture_output=True, text=True, check=True).stdout
    assert "; ".join(line.strip() for line in text.splitlines()[1:]) == TEXTS[program]
    assert verdict(depyfc, original, compiled(tmp_path / "again.py", TEXTS[program])) == "proved"


@pytest.mark.parametrize(("program", "body"), [(p, body) for p, bodies in REFUSED.items() for body in bodies])
def test_refused(depyfc: str, tmp_path: Path, program: str, body: str) -> None:
    original = written(tmp_path / "resumed.pyc", resumed(PROGRAMS[program], LANDS[program]))
    assert verdict(depyfc, original, compiled(tmp_path / "wrong.py", body)) == "unproved"


@pytest.mark.parametrize("program", ["list", "dict"])
def test_what_nobody_says_is_not_known(depyfc: str, tmp_path: Path, program: str) -> None:
    """Another function may be called with a list that its caller keeps, or with what is none."""
    original = written(tmp_path / "other.pyc", resumed(PROGRAMS[program], LANDS[program], "f"))
    text = subprocess.run([depyfc, original], capture_output=True, text=True, check=True).stdout
    assert "*x0" not in text
    assert verdict(depyfc, original, compiled(tmp_path / "again.py", TEXTS[program], "f")) == "unproved"


def test_what_is_read_once_more_goes_on_as_it_is(depyfc: str, tmp_path: Path) -> None:
    """Nobody else holds it, but the function itself does."""
    original = written(tmp_path / "twice.pyc", resumed("return [a, *g(a), x0]", "LIST_EXTEND"))
    text = subprocess.run([depyfc, original], capture_output=True, text=True, check=True).stdout
    assert "*x0" not in text
