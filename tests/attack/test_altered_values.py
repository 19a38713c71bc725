# SPDX-License-Identifier: MIT
"""Code with a function or a constant that no compiler puts there: its text compiles, and does the same"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

# Makes each file; its function f(x) is run.
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
RUN = """
import marshal, sys
with open(sys.argv[1], "rb") as file:
    data = file.read()
names = {}
exec(compile(data, "text", "exec") if sys.argv[1].endswith(".py") else marshal.loads(data[16:]), names)
try:
    print(list(names["f"]([3, 4])))
except TypeError as error:
    print("raises", type(error).__name__)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, list[str]], Path]:
    made: dict[str, Path] = {}

    def of(version: str, command: list[str]) -> Path:
        if version not in made:
            made[version] = tmp_path_factory.mktemp(f"values-{version}")
            subprocess.run([*command, "-c", MAKE, str(made[version])], check=True)
        return made[version]

    return of


@pytest.mark.parametrize("name", ["generator_that_yields_twice", "argument_twice"])
def test_the_text_does_the_same(name: str, version: str, command_for: Callable, depyfc: str, folder: Callable) -> None:
    command = command_for(version)
    pyc = folder(version, command) / f"{name}.pyc"
    text = pyc.with_suffix(".py")
    text.write_bytes(subprocess.run([depyfc, str(pyc)], capture_output=True, check=True, timeout=60).stdout)
    seen = [
        subprocess.run([*command, "-c", RUN, str(path)], capture_output=True, text=True, timeout=60, check=True).stdout
        for path in (pyc, text)
    ]
    assert seen[0]
    assert seen[0] == seen[1]
