# SPDX-License-Identifier: MIT
"""Texts of code with a function, a constant or an order that no compiler generates compile and do the same."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

# Makes each file, whose function f(x) is run.
MAKE = """
import dis, importlib.util, marshal, sys, types
def code_in(code, name):
    return next(c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name)
def swapped(code, old, new):
    return code.replace(co_consts=tuple(new if c is old else c for c in code.co_consts))
def write(name, module, f, changed):
    with open(sys.argv[1] + "/" + name + ".pyc", "wb") as out:
        out.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(swapped(module, f, changed)))
def compiled(source):
    module = compile(source, "case", "exec")
    return module, code_in(module, "f")
module, f = compiled("def f(x):\\n return (y for y in x)\\ndef g(x):\\n for y in x: yield (yield y)\\n")
inner = code_in(f, "<genexpr>")
raw = bytearray(code_in(module, "g").co_code)
if sys.version_info < (3, 14):  # whoever makes the generator has asked for the iterator
    at = next(i.offset for i in dis.get_instructions(code_in(module, "g")) if i.opname == "GET_ITER")
    raw[at:at + 2] = bytes([dis.opmap["NOP"], 0])
generator = code_in(module, "g").replace(co_code=bytes(raw), co_name="<genexpr>", co_varnames=(".0", "y"))
if hasattr(generator, "co_qualname"):
    generator = generator.replace(co_qualname=inner.co_qualname)
write("generator_that_yields_twice", module, f, swapped(f, inner, generator))
module, f = compiled("def g(b, a=1):\\n return a, b\\ndef f(x):\\n return g(a=x, b=x)\\n")
write("argument_twice", module, f, f.replace(
    co_consts=tuple(("a", "a") if c == ("a", "b") else c for c in f.co_consts)))
"""
# From 3.12 on: moves the handler of an inlined comprehension, which restores the cell, before the loop.
MOVE = """
import importlib.util, marshal, sys, types
sys.path.insert(0, sys.argv[2])
from units import Unit, covering, put_together, take_apart
module = compile("def f(x):\\n if 0: i = None\\n return [lambda: i for i in x], i\\n", "case", "exec")
f = next(c for c in module.co_consts if isinstance(c, types.CodeType))
units, rows = take_apart(f)
covered = covering(units, rows)
handler, loop = units.index(rows[0].target), [u.name for u in units].index("FOR_ITER")
order = [*units[:loop], Unit("JUMP_FORWARD", 0, units[loop]), *units[handler:], *units[loop:handler]]
other = put_together(f, order, covered, co_stacksize=f.co_stacksize)
module = module.replace(co_consts=tuple(other if c is f else c for c in module.co_consts))
with open(sys.argv[1], "wb") as out:
    out.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(module))
"""
RUN = """
import marshal, sys
with open(sys.argv[1], "rb") as file:
    data = file.read()
names = {}
exec(compile(data, "text", "exec") if sys.argv[1].endswith(".py") else marshal.loads(data[16:]), names)
try:
    print(list(names["f"]([3, 4])))
except (NameError, TypeError) as error:
    print("raises", type(error).__name__)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, list[str]], Path]:
    folders: dict[str, Path] = {}

    def folder_of(version: str, command: list[str]) -> Path:
        if version not in folders:
            folders[version] = tmp_path_factory.mktemp(f"values-{version}")
            subprocess.run([*command, "-c", MAKE, str(folders[version])], check=True)
        return folders[version]

    return folder_of


@pytest.mark.parametrize("name", ["generator_that_yields_twice", "argument_twice"])
def test_text_does_the_same(name: str, version: str, command_for: Callable, depyfc: str, folder: Callable) -> None:
    command = command_for(version)
    check(folder(version, command) / f"{name}.pyc", command, depyfc)


@pytest.mark.parametrize("version", ["3.12", "3.13", "3.14", "3.15"])
def test_variable_of_the_function_stays_separate(
    version: str, command_for: Callable, depyfc: str, tmp_path: Path
) -> None:
    command = command_for(version)
    pyc = tmp_path / "case.pyc"
    subprocess.run([*command, "-c", MOVE, str(pyc), str(Path(__file__).parent.parent / "verify")], check=True)
    assert check(pyc, command, depyfc) == "raises UnboundLocalError\n"


def check(pyc: Path, command: list[str], depyfc: str) -> str:
    """Checks that the file and its text do the same; returns the output."""
    text = pyc.with_suffix(".py")
    text.write_bytes(subprocess.run([depyfc, str(pyc)], capture_output=True, check=True, timeout=60).stdout)
    outputs = [
        subprocess.run([*command, "-c", RUN, str(path)], capture_output=True, text=True, timeout=60, check=True).stdout
        for path in (pyc, text)
    ]
    assert outputs[0]
    assert outputs[0] == outputs[1]
    return outputs[0]
