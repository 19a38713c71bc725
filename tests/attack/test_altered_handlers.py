# SPDX-License-Identifier: MIT
"""Texts of 3.10 code with statements that no compiler generates do the same as the code, and are found in time."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

# Makes each file, whose function f(c) calls a(), g() and h(), and imports.
MAKE = """
import dis, importlib.util, marshal, sys, types
op = dis.opmap
def instructions(*all):
    return b"".join(bytes([op[name], arg]) for name, arg in all)
def function(source):
    module = compile(source, "case", "exec")
    return module, next(c for c in module.co_consts if isinstance(c, types.CodeType))
def write(path, module, old, new):
    module = module.replace(co_consts=tuple(new if c is old else c for c in module.co_consts))
    with open(path, "wb") as out:
        out.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(module))
folder = sys.argv[1]
module, f = function("def f(c):\\n if c:\\n  import a\\n g()\\n")
store = next(i.offset for i in dis.get_instructions(f) if i.opname == "STORE_FAST")
code = f.co_code[:store] + instructions(("POP_TOP", 0)) + f.co_code[store + 2:]
write(folder + "/dropped_import.pyc", module, f, f.replace(co_code=code))
module, f = function("def f(c):\\n with c:\\n  a()\\n g()\\n")
a, g = f.co_names.index("a"), f.co_names.index("g")
none = f.co_consts.index(None)
code = instructions(
    ("LOAD_FAST", 0), ("SETUP_WITH", 12), ("POP_TOP", 0), ("LOAD_GLOBAL", a), ("CALL_FUNCTION", 0), ("POP_TOP", 0),
    ("POP_BLOCK", 0), ("LOAD_CONST", none), ("DUP_TOP", 0), ("DUP_TOP", 0), ("CALL_FUNCTION", 3), ("POP_TOP", 0),
    ("LOAD_CONST", none), ("RETURN_VALUE", 0), ("LOAD_GLOBAL", g), ("CALL_FUNCTION", 0), ("POP_TOP", 0),
    ("WITH_EXCEPT_START", 0), ("POP_JUMP_IF_TRUE", 20), ("RERAISE", 1), ("POP_TOP", 0), ("POP_TOP", 0), ("POP_TOP", 0),
    ("POP_EXCEPT", 0), ("POP_TOP", 0), ("LOAD_CONST", none), ("RETURN_VALUE", 0))
write(folder + "/call_before_exit.pyc", module, f, f.replace(co_code=code, co_stacksize=20, co_linetable=b""))
module, f = function("def f(c):\\n with c:\\n  g()\\n h()\\n")
all = list(dis.get_instructions(f))
exit = next(n for n, i in enumerate(all) if i.opname == "WITH_EXCEPT_START")
at = all[next(n for n in range(exit, len(all)) if all[n].opname == "RERAISE") + 1].offset
code = f.co_code[:at] + instructions(("JUMP_ABSOLUTE", at // 2)) + f.co_code[at + 2:]
write(folder + "/endless_exit.pyc", module, f, f.replace(co_code=code))
"""
RUN = """
import marshal, sys
sys.dont_write_bytecode = True
class Context:
    def __init__(self, swallows):
        self.swallows = swallows
    def __enter__(self):
        print("enter")
    def __exit__(self, kind, value, traceback):
        print("exit", kind)
        return self.swallows
def note(what, fails=False):
    print(what)
    if fails:
        raise KeyError(what)
with open(sys.argv[1], "rb") as file:
    data = file.read()
code = compile(data, "text", "exec") if sys.argv[1].endswith(".py") else marshal.loads(data[16:])
for argument in (Context(False), Context(True), 0, 1):
    for fails in (False, True):
        names = {"a": lambda: note("a", fails), "g": lambda: note("g")}
        real = __import__
        def load(name, *rest):
            if name != "a":
                return real(name, *rest)
            print("import", name)
        import builtins
        names["__builtins__"] = {**vars(builtins), "__import__": load}
        exec(code, names)
        try:
            print("gives", names["f"](argument))
        except BaseException as error:
            print("raises", type(error).__name__)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, command_for: Callable) -> Path:
    folder = tmp_path_factory.mktemp("handlers")
    subprocess.run([*command_for("3.10"), "-c", MAKE, str(folder)], check=True)
    return folder


@pytest.mark.parametrize("name", ["dropped_import", "call_before_exit"])
def test_text_does_the_same(name: str, folder: Path, command_for: Callable, depyfc: str) -> None:
    text = folder / f"{name}.py"
    pyc = text.with_suffix(".pyc")
    text.write_bytes(subprocess.run([depyfc, str(pyc)], capture_output=True, check=True, timeout=60).stdout)
    runs = [
        subprocess.run(
            [*command_for("3.10"), "-c", RUN, str(path)], capture_output=True, text=True, timeout=60, check=True
        )
        for path in (pyc, text)
    ]
    assert runs[0].stdout.count("gives") > 0
    assert runs[0].stdout == runs[1].stdout


def test_exit_that_jumps_to_itself_terminates(folder: Path, depyfc: str) -> None:
    done = subprocess.run([depyfc, str(folder / "endless_exit.pyc")], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0
    assert "with c:" in done.stdout
