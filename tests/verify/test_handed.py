# SPDX-License-Identifier: MIT
"""Resume functions that continue in the middle of a display: the skipped code tells the types of their arguments."""

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

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="the bytecode is assembled for 3.11 and later")

NAME = "torch_dynamo_resume_in_f_at_1"
HEAD = "def {name}(x0, x1, a, g): {body}"
# The call g(a) breaks the graph. At that point, x0 is on the stack; x1 is the call's result.
PROGRAMS = {
    "list": "return [a, *g(a), a]",
    "dict": "return {'k': a, **g(a), 'z': a}",
    "set": "return {a, *g(a)}",
}
# the operation after the call
NEXT_OPERATION = {"list": "LIST_EXTEND", "dict": "DICT_UPDATE", "set": "SET_UPDATE"}
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
        "x0.extend(x1); x0.append(a); return x0",  # another error message if x1 is not iterable
        "return (*x0, *x1, a)",
        "g(x0); return [*x0, *x1, a]",
        "r = [*x0, *x1, a]; g(x0); return r",
    ],
    "dict": [
        "return {**x1, **x0, 'z': a}",
        "return {**x0, 'z': a, **x1}",
        "return {'z': a, **x0, **x1}",
        "return {**x0, **x1}",
        "x0.update(x1); x0['z'] = a; return x0",  # update() also accepts pairs
        "d = {**x0}; d['z'] = a; return {**d, **x1}",
        "x0['z'] = a; return {**x0, **x1, 'z': a}",
    ],
    "set": [
        "return {*x0, *x1}",  # may be in another order
        "x0.update(x1); return {*x0}",
        "x0.add(x1); return x0",
        "return x0",
        "x1.update(x0); return x1",
    ],
}


def resume_module(body: str, operation: str, name: str = NAME) -> types.CodeType:
    """Returns a module with the program's code after a jump to the operation that extends its container."""
    module = compile(HEAD.format(name=name, body=body), "text", "exec", dont_inherit=True)
    (code,) = [c for c in module.co_consts if isinstance(c, types.CodeType)]
    instructions, rows = units.take_apart(code)
    target = next(u for u in instructions if u.name == operation)
    prologue = [units.Unit("RESUME"), units.Unit("LOAD_FAST", 0), units.Unit("LOAD_FAST", 1)]
    resume_code = units.put_together(code, [*prologue, units.Unit("JUMP_FORWARD", 0, target), *instructions], rows)
    return module.replace(co_consts=tuple(resume_code if c is code else c for c in module.co_consts))


def write_module(path: Path, module: types.CodeType) -> str:
    path.write_bytes(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(module))
    return str(path)


def compile_text(path: Path, body: str, name: str = NAME) -> str:
    path.write_text(HEAD.format(name=name, body=body) + "\n")
    return py_compile.compile(str(path), str(path) + "c", doraise=True)


def verdict(depyfc: str, *files: str) -> str:
    done = subprocess.run([depyfc, "--verify", *files], capture_output=True, text=True, check=False)
    (line,) = [line for line in done.stdout.splitlines() if line.split()[1].rstrip(":") != "<module>"]
    return line.split()[0]


@pytest.mark.parametrize("program", TEXTS)
def test_text_uses_the_types_of_the_arguments(depyfc: str, tmp_path: Path, program: str) -> None:
    original = write_module(tmp_path / "resumed.pyc", resume_module(PROGRAMS[program], NEXT_OPERATION[program]))
    text = subprocess.run([depyfc, original], capture_output=True, text=True, check=True).stdout
    assert "; ".join(line.strip() for line in text.splitlines()[1:]) == TEXTS[program]
    assert verdict(depyfc, original, compile_text(tmp_path / "again.py", TEXTS[program])) == "proved"


@pytest.mark.parametrize(("program", "body"), [(p, body) for p, bodies in REFUSED.items() for body in bodies])
def test_wrong_text_is_refused(depyfc: str, tmp_path: Path, program: str, body: str) -> None:
    original = write_module(tmp_path / "resumed.pyc", resume_module(PROGRAMS[program], NEXT_OPERATION[program]))
    assert verdict(depyfc, original, compile_text(tmp_path / "wrong.py", body)) == "unproved"


@pytest.mark.parametrize("program", ["list", "dict"])
def test_types_are_unknown_in_other_functions(depyfc: str, tmp_path: Path, program: str) -> None:
    """Another function may be called with a list that its caller keeps, or with something else."""
    original = write_module(tmp_path / "other.pyc", resume_module(PROGRAMS[program], NEXT_OPERATION[program], "f"))
    text = subprocess.run([depyfc, original], capture_output=True, text=True, check=True).stdout
    assert "*x0" not in text
    assert verdict(depyfc, original, compile_text(tmp_path / "again.py", TEXTS[program], "f")) == "unproved"


def test_container_that_is_read_again_keeps_its_identity(depyfc: str, tmp_path: Path) -> None:
    """No other object refers to the list, but the function itself reads it again."""
    original = write_module(tmp_path / "twice.pyc", resume_module("return [a, *g(a), x0]", "LIST_EXTEND"))
    text = subprocess.run([depyfc, original], capture_output=True, text=True, check=True).stdout
    assert "*x0" not in text
