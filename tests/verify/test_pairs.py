# SPDX-License-Identifier: MIT
"""Pairs of functions that were once judged wrongly: those that must be refused, and those that must be proved."""

from __future__ import annotations

import dis
import importlib.util
import marshal
import py_compile
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tools import roundtrip

BOTH = ("RETURN_GENERATOR", "POP_TOP")
# Writes a module whose function f is as compiled, and one whose f has other code.
WRITES = """
import dis, importlib.util, marshal, sys, types
def nested(code):
    return [c for c in code.co_consts if isinstance(c, types.CodeType)]
def write(source, change):
    module = compile(source, "text", "exec")
    (code,) = nested(module)
    for path, one in zip(sys.argv[1:], (code, change(code))):
        outer = module.replace(co_consts=tuple(one if c is code else c for c in module.co_consts))
        open(path, "wb").write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(outer))
"""
BYTES_FOR_A_NAME = """
def change(code):
    return code.replace(co_consts=tuple(c.encode() if isinstance(c, str) else c for c in code.co_consts))
write("def f(): return lambda: 0", change)
"""
DROPPED_LOCAL = """
def change(code):  # x, which the comprehension hid, has no value: POP_TOP of it crashes
    *_, restored = (i for i in dis.get_instructions(code) if i.opname == "RETURN_VALUE")
    made = bytearray(code.co_code)
    made[restored.offset - 2 : restored.offset] = bytes([dis.opmap["POP_TOP"], 0])
    return code.replace(co_code=bytes(made))
write("def f(a): return [x for x in a]", change)
"""

CLOSED_PAST_ITS_HANDLER = """
def change(code):  # the RESUME behind the yield says that no handler is around it
    _, resume = (i for i in dis.get_instructions(code) if i.opname == "RESUME")
    made = bytearray(code.co_code)
    made[resume.offset + 1] |= 4
    return code.replace(co_code=bytes(made))
write("def f(g):\\n try:\\n  yield\\n finally: g()", change)
"""
THROWN_OUT_OF_AN_AWAIT = """
def change(code):  # the row that covers the wait is the one without an offset
    found = dis._parse_exception_table(code)
    def varint(value, first):
        parts = [value & 63]
        while value > 63:
            value >>= 6
            parts.append(64 | value & 63)
        return bytes([parts[-1] | first, *reversed(parts[:-1])])
    table = b""
    for row in (row for row in found if row.lasti):
        table += varint(row.start // 2, 128) + varint((row.end - row.start) // 2, 0)
        table += varint(row.target // 2, 0) + varint(row.depth << 1 | 1, 0)
    return code.replace(co_exceptiontable=table)
write("async def f(g): return await g", change)
"""
TEST_OF_A_NUMBER = """
def change(code):  # neither True nor False
    (test,) = (i for i in dis.get_instructions(code) if i.opname == "TO_BOOL")
    made = bytearray(code.co_code)
    for offset in range(test.offset, test.offset + 8, 2):
        made[offset : offset + 2] = bytes([dis.opmap["NOP"], 0])
    return code.replace(co_code=bytes(made))
write("def f(a, g):\\n if a: return g(1)\\n return g(2)", change)
"""

# Nothing in this loop has an effect.
ENDING = f"def f():\n x = [{', '.join('0' * 300)}]\n while x: del x[0]\n return {{}}"

REFUSED = {
    "identity of tuples": ("def f(a):\n t = a, a\n return t is t", "def f(a):\n return (a, a) is (a, a)"),
    "identity of methods": (
        "def f(a):\n x = [a]\n m = x.append\n return m is m",
        "def f(a):\n x = [a]\n return x.append is x.append",
    ),
    "identity of methods that are passed on": (
        "def f(a, g):\n x = [a]\n m = x.append\n g(m, m)",
        "def f(a, g):\n x = [a]\n g(x.append, x.append)",
    ),
    "a dict that is changed later": (
        "def f(g, a):\n d = {}\n d.update({'k': a})\n g()\n return d",
        "def f(g, a):\n d = {}\n g()\n d.update({'q': a})\n return d",
    ),
    "a dict that is passed on in between": (
        "def f(g, a):\n d = {}\n g(d)\n d.update({'k': a})",
        "def f(g, a):\n d = {}\n d.update({'k': a})\n g(d)",
    ),
    "other keyword": ("def f(g, a):\n return g(**{'k': a})", "def f(g, a):\n return g(q=a)"),
    "other order of keywords": ("def f(g, a):\n return g(**{'k': a, 'q': 1})", "def f(g, a):\n return g(q=1, k=a)"),
    "a dict of keywords that is used again": (
        "def f(g, a):\n d = {'k': a}\n r = g(**d)\n return r, d",
        "def f(g, a):\n r = g(k=a)\n return r, {'q': a}",
    ),
    "update of a dict from an object": (
        "def f(g, a):\n d = {}\n d.update(a)\n return d",
        "def f(g, a):\n d = {}\n d = {**a}\n return d",
    ),
    "a part that is formatted twice": (
        "def f(a, b):\n return f'{a}{b}'",
        "def f(a, b):\n a = f'{a}'\n return f'{a}{b}'",
    ),
    "parts that are not strings": ("def f(a, b):\n return f'{a}{b}'", "def f(a, b):\n return ''.join((a, b))"),
    "other order of a set": ("def f(a, b):\n return {*a, b}", "def f(a, b):\n s = {b}\n s.update(a)\n return s"),
    "a set made by a global": ("def f(a, b):\n s = {*a}\n s.add(b)", "def f(a, b):\n s = set(a)\n s.add(b)"),
    "other order of items": (
        "def f(a, b):\n d = {}\n d[a] = 1\n d[b] = 2\n return d",
        "def f(a, b):\n return {b: 2, a: 1}",
    ),
    "the iterator of a list": (
        "def f(a, g):\n x = [a]\n x = iter(x)\n return x",
        "def f(a, g):\n x = (a,)\n x = iter(x)\n return x",
    ),
    "the iterator of a list on one path": (
        "def f(a, g):\n x = a\n if g:\n  x = [a]\n  x = iter(x)\n return x",
        "def f(a, g):\n x = a\n if g:\n  x = (a,)\n  x = iter(x)\n return x",
    ),
    "a list that changes": (
        "def f(a, g):\n x = [a]\n for y in x: x.append(y)",
        "def f(a, g):\n x = (a,)\n for y in x: [a].append(y)",
    ),
    "a list that contains itself": (
        "def f(g):\n x = []\n x.append(x)\n for y in x: g(y)",
        "def f(g):\n x = []\n x.append(x)\n for y in (x,): g(y)",
    ),
    "the class of an object that may be changed": (
        "def f(a, g):\n t = type(a)\n g(a)\n return t",
        "def f(a, g):\n g(a)\n t = type(a)\n return t",
    ),
    "order of visible variables": (
        "def f():\n a = 1\n b = 2\n return locals()",
        "def f():\n b = 2\n a = 1\n return locals()",
    ),
    "an additional visible variable": (
        "def f(a, g):\n g(a, g())\n return dir()",
        "def f(a, g):\n b = g()\n g(a, b)\n return dir()",
    ),
    "the value of a visible variable": (
        "def f(g):\n a = 1\n return eval(g)",
        "def f(g):\n a = 1\n a = 2\n return eval(g)",
    ),
    "a variable that is visible in its frame": (
        "import sys\ndef f(g):\n a = 1\n return sys._getframe()",
        "import sys\ndef f(g):\n return sys._getframe()",
    ),
    "a class's own __firstlineno__": (
        "class f:\n __firstlineno__ = 1\n v = __firstlineno__",
        "class f:\n __firstlineno__ = 2\n v = __firstlineno__",
    ),
    "order of a class's own __static_attributes__": (
        "class f:\n __static_attributes__ = ('a', 'b')\n v = 1",
        "class f:\n __static_attributes__ = ('b', 'a')\n v = 1",
    ),
    "a loop that ends": (ENDING.format(1), ENDING.format(2)),
    "a loop that ends, and one that does not": (ENDING.format(1), "def f():\n while True: pass"),
    "a name that may be rebound": (
        "def f(a):\n return repr(a)",
        "def f(a):\n import builtins\n return builtins.repr(a)",
    ),
}
# There are 2 ** 24 paths without an effect.
OPTIONAL = f"def f({', '.join(f'a{i}' for i in range(24))}):\n" + "".join(
    f" if a{i} is None: a{i} = {i}\n" for i in range(24)
)
PROVED = {
    "many decisions in a row": (OPTIONAL + " return a0", OPTIONAL + " b = 1\n return a0"),
    "dict.update": (
        "def f(g, a):\n d = {}\n d.update({'k': a})\n return g(d)",
        "def f(g, a):\n d = {'k': a}\n return g(d)",
    ),
    "a dict of keywords": ("def f(g, a):\n return g(a, **{'k': a, 'q': 1})", "def f(g, a):\n return g(a, k=a, q=1)"),
    "parts of a text": (
        "def f(a, b):\n return f'{a}, {b}'",
        "def f(a, b):\n a = f'{a}'\n b = f'{b}'\n return ''.join((a, ', ', b))",
    ),
    "set.add": ("def f(a, b):\n return {*a, b}", "def f(a, b):\n s = {*a}\n s.add(b)\n return s"),
    "set.update": ("def f(a, b):\n return {*a, *b}", "def f(a, b):\n s = {*a}\n s.update(b)\n return s"),
    "item of a dict": ("def f(a, b):\n return {a: b}", "def f(a, b):\n d = {}\n d[a] = b\n return d"),
    "items of a list": (
        "def f(a, g):\n for x in [a, g]: g(x)",
        "def f(a, g):\n t = [a, g]\n y, t = t, None\n for x in y: g(x)",
    ),
    "the class of an object between two effects": (
        "def f(a, g):\n g(a)\n t = type(a)\n b = t\n g(b)",
        "def f(a, g):\n g(a)\n b = a\n g(type(b))",
    ),
    "the class of a list": (
        "def f(a, g):\n b = [a]\n c = type\n t = c(b)\n g(a)\n return t",
        "def f(a, g):\n b = [a]\n c = type\n g(a)\n return c(b)",
    ),
    "visible variables, in another form": (
        "def f(a):\n if a:\n  return locals()\n else:\n  return vars()",
        "def f(a):\n if not a: return vars()\n return locals()",
    ),
    "members of a set": (
        "def f(g):\n return g in {8, 0}",
        "def f(g):\n return g in {0, 8}",
    ),
    "slice": ("def f(g, a):\n return g[a:2]", "def f(g, a):\n return g[slice(a, 2)]"),
}


def verdict(depyfc: str, folder: Path, pair: tuple[str, str]) -> str:
    files = []
    for k, text in enumerate(pair):
        source = folder / f"{k}.py"
        source.write_text(text + "\n")
        files.append(py_compile.compile(str(source), str(folder / f"{k}.pyc"), doraise=True))
    return verdict_of(depyfc, files)


def verdict_of(depyfc: str, files: list[str]) -> str:
    """Returns the verdict on the function f of two files."""
    done = subprocess.run([depyfc, "--verify", *files], capture_output=True, text=True, check=False)
    (line,) = [line for line in done.stdout.splitlines() if line.split()[1].rstrip(":") == "f"]
    return line.split()[0]


@pytest.mark.parametrize("name", REFUSED)
def test_pair_is_refused(depyfc: str, tmp_path: Path, name: str) -> None:
    assert verdict(depyfc, tmp_path, REFUSED[name]) == "unproved"


@pytest.mark.parametrize("name", PROVED)
def test_pair_is_proved(depyfc: str, tmp_path: Path, name: str) -> None:
    assert verdict(depyfc, tmp_path, PROVED[name]) in ("exact", "proved")


UNWRAPPED = """
import importlib.util, marshal, sys
module = compile("def f(g): yield g()", "text", "exec")
(code,) = [c for c in module.co_consts if hasattr(c, "co_code")]
for path, made in zip(sys.argv[1:], (code, code.replace(co_exceptiontable=b""))):
    outer = module.replace(co_consts=tuple(made if c is code else c for c in module.co_consts))
    with open(path, "wb") as out:
        out.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(outer))
"""


@pytest.mark.parametrize("version", ["3.12", "3.13", "3.14", "3.15"])
def test_stop_iteration_that_leaves_a_generator(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """A row of the exception table around the whole body turns StopIteration into a RuntimeError."""
    files = [str(tmp_path / "0.pyc"), str(tmp_path / "1.pyc")]
    subprocess.run([*python, "-c", UNWRAPPED, *files], check=True)
    assert verdict_of(depyfc, [files[0], files[0]]) == "exact"
    assert verdict_of(depyfc, files) == "unproved"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("g(lambda a: a, lambda a: y)", "h(lambda a: y, lambda a: a)"),
        ("g(lambda a: a, lambda b: b)", "h(lambda b: [b][0], lambda a: a)"),
    ],
    ids=["all equal", "equal for their callers"],
)
def test_nested_functions_of_one_name_are_paired_by_content(
    depyfc: str, tmp_path: Path, first: str, second: str
) -> None:
    """In a function that differs, each is compared with the most similar one, in any order."""
    files = []
    for k, made in enumerate((first, second)):
        source = tmp_path / f"{k}.py"
        source.write_text(f"def f(y):\n {made}\n")
        files.append(py_compile.compile(str(source), str(tmp_path / f"{k}.pyc"), doraise=True))
    done = subprocess.run([depyfc, "--verify", *files], capture_output=True, text=True, check=False)
    kinds = [line.split()[0] for line in done.stdout.splitlines() if "lambda" in line.split()[1]]
    assert len(kinds) == 2 and "unproved" not in kinds, done.stdout


PAIRED = """
import importlib.util, marshal, sys
text = "async def f(a, b):\\n async for x in a: b(x)\\n try: b(1)\\n except A:\\n  raise\\n %s\\n b(3)\\n"
for path, last in zip(sys.argv[1:], ("b((4, 5))", "c = 4\\n b((c, 5))")):
    with open(path, "wb") as out:
        out.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(compile(text % last, "text", "exec")))
"""


@pytest.mark.parametrize("version", ["3.8", "3.9", "3.10", "3.11", "3.15"])
def test_code_after_an_asynchronous_loop(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """The handler that ends the loop has been left: with a block stack, a later exception must not unwind it again."""
    files = [str(tmp_path / "0.pyc"), str(tmp_path / "1.pyc")]
    subprocess.run([*python, "-c", PAIRED, *files], check=True)
    assert verdict_of(depyfc, files) == "proved"


def files_with_changed_table(
    folder: Path, text: str, changes: list[Callable[[list[Any], list[Any]], None]]
) -> list[str]:
    """Writes a module with one function several times, with that many NOPs more each time.

    Each change gets the instructions of the function and the rows of its exception table, and changes them.
    """
    sys.path.insert(0, str(Path(__file__).parent))
    import units

    module = compile(text, "text", "exec")
    (code,) = [c for c in module.co_consts if isinstance(c, type(module))]
    files = []
    for number, change in enumerate(changes):
        instructions, rows = units.take_apart(code)
        change(instructions, rows)
        made = units.put_together(code, instructions[:1] + [units.Unit("NOP")] * number + instructions[1:], rows)
        outer = module.replace(co_consts=tuple(made if c is code else c for c in module.co_consts))
        path = folder / f"{number}.pyc"
        path.write_bytes(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(outer))
        files.append(str(path))
    return files


def files_with_lasti(folder: Path, text: str, handler: tuple[str, int], lasti: tuple[bool, ...]) -> list[str]:
    """Writes the function so that the rows for the handler with this first instruction and depth push lasti or not."""

    def setter(pushes: bool) -> Callable[[list[Any], list[Any]], None]:
        def change(_: list[Any], rows: list[Any]) -> None:
            changed = [row for row in rows if (row.target.name, row.depth) == handler]
            assert changed
            for row in changed:
                row.lasti = pushes

        return change

    return files_with_changed_table(folder, text, [setter(pushes) for pushes in lasti])


@pytest.mark.skipif(sys.version_info < (3, 11), reason="a block stack keeps no offsets")
def test_missing_lasti_is_refused(depyfc: str, tmp_path: Path) -> None:
    """RERAISE takes lasti from below the exception; without it, the interpreter raises a SystemError."""
    text = "def f(g):\n try: g()\n except KeyError as e: g(e)\n while g(): g(1)\n"
    # the handler that unbinds e and raises the exception again
    files = files_with_lasti(tmp_path, text, ("LOAD_CONST", 1), (True, True, False))
    assert verdict_of(depyfc, files[:2]) in ("exact", "proved")
    assert verdict_of(depyfc, [files[0], files[2]]) == "unproved"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="a block stack keeps no offsets")
def test_lasti_in_place_of_an_exception_is_refused(depyfc: str, tmp_path: Path) -> None:
    """With lasti below it, an inner handler restores a number as the handled exception, which may crash."""
    text = "def f(g):\n try: g()\n except KeyError:\n  try: g()\n  except ValueError: raise g\n"
    files = files_with_lasti(tmp_path, text, ("PUSH_EXC_INFO", 1), (False, False, True))
    assert verdict_of(depyfc, files[:2]) in ("exact", "proved")
    assert verdict_of(depyfc, [files[0], files[2]]) == "unproved"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="a block stack keeps no offsets")
def test_offset_that_is_returned_is_refused(depyfc: str, tmp_path: Path) -> None:
    """Code that returns the offset of the raising instruction tells where it is, so NOPs make a difference."""

    def return_offset(instructions: list[Any], rows: list[Any]) -> None:
        (handler,) = {id(row.target): row.target for row in rows if row.target.name == "PUSH_EXC_INFO"}.values()
        pop, end = type(handler)("POP_TOP"), type(handler)("RETURN_VALUE")
        at = instructions.index(handler)
        instructions[at:at] = [pop, end]
        for row in rows:
            if row.target is handler:
                row.target = pop

    files = files_with_changed_table(tmp_path, "def f(g):\n with g: g()\n", [return_offset] * 2)
    assert verdict_of(depyfc, files) == "unproved"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="flags alone make a generator")
@pytest.mark.parametrize(("taken", "verdict"), [((), "exact"), (("POP_TOP",), "proved"), (BOTH, "unproved")])
def test_start_of_a_coroutine(depyfc: str, tmp_path: Path, taken: tuple[str, ...], verdict: str) -> None:
    """Dynamo omits the POP_TOP of the started coroutine, which has no effect.

    Without RETURN_GENERATOR it runs at once.
    """
    module = compile("async def f(a): return a.b", "text", "exec")
    (code,) = [c for c in module.co_consts if isinstance(c, type(module))]
    start = [i for i in dis.get_instructions(code) if i.opname in BOTH][:2]
    assert tuple(i.opname for i in start) == BOTH
    made = bytearray(code.co_code)
    for instruction in start:
        if instruction.opname in taken:
            made[instruction.offset : instruction.offset + 2] = bytes([dis.opmap["NOP"], 0])
    files = []
    for number, one in enumerate((code, code.replace(co_code=bytes(made)))):
        outer = module.replace(co_consts=tuple(one if c is code else c for c in module.co_consts))
        path = tmp_path / f"{number}.pyc"
        path.write_bytes(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(outer))
        files.append(str(path))
    done = subprocess.run([depyfc, "--verify", *files], capture_output=True, text=True, check=False)
    assert f"{verdict} f" in [" ".join(line.split()[:2]).rstrip(":") for line in done.stdout.splitlines()], done.stdout


MOVED = """
sys.path.insert(0, %r)
import units
def change(code):  # what f does first, it does when it is called
    instructions, rows = units.take_apart(code)
    names = [unit.name for unit in instructions]
    start, first = names.index("RETURN_GENERATOR"), names.index("RESUME") + 1
    end = names.index("POP_TOP", first) + 1
    moved = instructions[:start] + instructions[first:end] + instructions[start:first] + instructions[end:]
    return units.put_together(code, moved, [])
write("def f(g):\\n g()\\n yield", change)
"""


@pytest.mark.skipif(sys.version_info < (3, 11), reason="flags alone make a generator")
def test_effects_of_calling_a_generator_function(depyfc: str, tmp_path: Path) -> None:
    """The call runs the code before RETURN_GENERATOR, and not the code after it."""
    files = [str(tmp_path / name) for name in ("a.pyc", "b.pyc")]
    subprocess.run(
        [*roundtrip.interpreter("3.11"), "-c", WRITES + MOVED % str(Path(__file__).parent), *files], check=True
    )
    assert verdict_of(depyfc, [files[0], files[0]]) == "exact"
    assert verdict_of(depyfc, files) == "unproved"


@pytest.mark.parametrize(
    ("version", "change", "reason"),
    [
        ("3.9", BYTES_FOR_A_NAME, "a function whose qualified name is no text"),
        ("3.10", BYTES_FOR_A_NAME, "a function whose qualified name is no text"),
        ("3.12", DROPPED_LOCAL, "a variable that may have no value is dropped"),
        ("3.13", CLOSED_PAST_ITS_HANDLER, "close() passes over a handler"),
        ("3.14", CLOSED_PAST_ITS_HANDLER, "close() passes over a handler"),
        ("3.12", THROWN_OUT_OF_AN_AWAIT, "an await without its clean-up"),
        ("3.14", THROWN_OUT_OF_AN_AWAIT, "an await without its clean-up"),
        ("3.13", TEST_OF_A_NUMBER, "TO_BOOL"),
        ("3.14", TEST_OF_A_NUMBER, "TO_BOOL"),
    ],
)
def test_code_that_the_interpreter_rejects(depyfc: str, tmp_path: Path, version: str, change: str, reason: str) -> None:
    """The changed code raises or crashes where the original works."""
    files = [str(tmp_path / name) for name in ("a.pyc", "b.pyc")]
    subprocess.run([*roundtrip.interpreter(version), "-c", WRITES + change, *files], check=True)
    done = subprocess.run([depyfc, "--verify", *files], capture_output=True, text=True, check=False)
    (line,) = [line for line in done.stdout.splitlines() if line.split()[1].rstrip(":") == "f"]
    assert line.startswith("unproved") and reason in line, line


@pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects have no qualified name")
@pytest.mark.parametrize("field", ["co_name", "co_qualname"])
@pytest.mark.parametrize("inner", ["lambda: a", *(["[a for b in c]"] if sys.version_info < (3, 12) else [])])
def test_nested_function_with_another_name(depyfc: str, tmp_path: Path, field: str, inner: str) -> None:
    """Only the name differs; it is visible unless the function is called at once."""
    module = compile(f"def f(a, c): return {inner}", "text", "exec")
    (code,) = [c for c in module.co_consts if isinstance(c, type(module))]
    (nested,) = [c for c in code.co_consts if isinstance(c, type(module))]
    renamed = nested.replace(**{field: "other"})
    made = code.replace(co_consts=tuple(renamed if c is nested else c for c in code.co_consts))
    files = []
    for number, one in enumerate((code, made)):
        outer = module.replace(co_consts=tuple(one if c is code else c for c in module.co_consts))
        path = tmp_path / f"{number}.pyc"
        path.write_bytes(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(outer))
        files.append(str(path))
    done = subprocess.run([depyfc, "--verify", *files], capture_output=True, text=True, check=False)
    (line,) = [line for line in done.stdout.splitlines() if line.split()[1].startswith("f.")]
    assert line.split()[0] == ("proved" if "for" in inner else "unproved"), line


EDITED = """
sys.path.insert(0, %r)
import units
def change(code):
    instructions, rows = units.take_apart(code)
    at = next(i for i, unit in enumerate(instructions) if unit.name == "%s") + 1
    made = instructions[:at] + [units.Unit("COPY", 1), units.Unit("POP_TOP")] + instructions[at:]
    return units.put_together(code, made, rows)
"""
SHOWN = 'write("def f(a, *b, c=1): return locals()", change)'
SHOWN_WITH_A_CELL = SHOWN.replace("change)", "lambda code: change(code.replace(co_cellvars=('c',))))")


@pytest.mark.parametrize(("pair", "verdict"), [(SHOWN, "proved"), (SHOWN_WITH_A_CELL, "unproved")])
@pytest.mark.parametrize("version", ["3.13", "3.14", "3.15"])
def test_variables_of_code_that_was_not_compiled(
    python: list[str], depyfc: str, tmp_path: Path, pair: str, verdict: str
) -> None:
    """From 3.14 on only the compiler marks parameters in `co_localspluskinds`, which locals() does not show."""
    files = [str(tmp_path / name) for name in ("a.pyc", "b.pyc")]
    edit = EDITED % (str(Path(__file__).parent), "CALL")
    subprocess.run([*python, "-c", WRITES + edit + pair, *files], check=True)
    assert verdict_of(depyfc, files) == verdict


UNREACHED_YIELD = """
def unreached(code):  # a yield behind the return, with a RESUME that says that no other handler is around it
    instructions, rows = units.take_apart(code)
    end = next(i for i, unit in enumerate(instructions) if unit.name == "RETURN_VALUE") + 1
    dead = [units.Unit("LOAD_CONST", 0), units.Unit("YIELD_VALUE", 0), units.Unit("RESUME", 5), units.Unit("POP_TOP")]
    dead += [units.Unit("LOAD_CONST", 0), units.Unit("RETURN_VALUE")]
    return units.put_together(code, instructions[:end] + dead + instructions[end:], rows)
write("def f(g):\\n yield g()\\n return g", lambda code: unreached(change(code)))
"""


@pytest.mark.parametrize("version", ["3.13", "3.14", "3.15"])
def test_unreachable_yield(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """close() does not end a generator there."""
    files = [str(tmp_path / name) for name in ("a.pyc", "b.pyc")]
    edit = EDITED % (str(Path(__file__).parent), "CALL")
    subprocess.run([*python, "-c", WRITES + edit + UNREACHED_YIELD, *files], check=True)
    assert verdict_of(depyfc, files) == "proved"


FUTURE = """
import __future__
flag = __future__.annotations.compiler_flag
write("def f(a): return eval(a)", lambda code: code.replace(co_flags=code.co_flags ^ flag))
"""
REPEATED = """
def alike(code):
    return code.replace(co_varnames=("a", "a"))
(first,), (second,) = (nested(compile("def f():\\n a = 1\\n b = 2\\n return " + x, "", "exec")) for x in "ab")
write("def f(): pass", lambda code: alike(code), alike(first), alike(second))
"""
CROSSED = """
def change(code):
    (inner,) = nested(code)
    other = inner.replace(co_freevars=("b", "a"))
    return code.replace(co_consts=tuple(other if c is inner else c for c in code.co_consts))
text = "def f():\\n a = 1\\n b = 2\\n return lambda: (%s)"
first, second = (nested(compile(text % order, "", "exec"))[0] for order in ("a, b", "b, a"))
write("def f(): pass", None, first, change(second))
"""
WRITES_TWO = WRITES.replace(
    "def write(source, change):", "def write(source, change, first=None, second=None):"
).replace("(code, change(code))", "(first or code, second or change(code))")


ORDERED = """
(first,), (second,) = (nested(compile("def f(g):\\n for x in {%s}: g(x)" % x, "", "exec")) for x in ("8, 0", "0, 8"))
write("def f(): pass", None, first, second)
"""


@pytest.mark.parametrize("version", ["3.8", "3.9", "3.10"])
def test_order_of_a_set_of_numbers(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """A loop shows the order. From 3.11 on marshal sorts the items of a set, so files do not tell their order."""
    files = [str(tmp_path / name) for name in ("a.pyc", "b.pyc")]
    subprocess.run([*python, "-c", WRITES_TWO + ORDERED, *files], check=True)
    assert verdict_of(depyfc, [files[0], files[0]]) == "exact"
    assert verdict_of(depyfc, files) == "unproved"


COLLIDING = """
text = "def f(g):\\n for x in {16, 8, 0}: g(x)\\n for x in {3, 1, 2}: g(x)\\n return g in {24, 8, 16}"
(first,) = nested(compile(text, "", "exec"))
write("def f(g): pass", None, first, first)
"""


@pytest.mark.parametrize("version", ["3.8", "3.9", "3.10"])
def test_text_keeps_the_order_of_a_set_of_numbers(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """Numbers whose hashes collide are written in an order that gives the original's iteration order.

    Others are sorted.
    """
    files = [str(tmp_path / name) for name in ("a.pyc", "b.pyc")]
    subprocess.run([*python, "-c", WRITES_TWO + COLLIDING, *files], check=True)
    command = [depyfc, "--verdict", "--python", shlex.join(python), files[0]]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "exact f" in done.stderr, done.stderr
    assert "{1, 2, 3}" in done.stdout and "16, 8, 0" in done.stdout, done.stdout


TESTED_TWICE = """
body = " b()\\n" * 38 + " a\\n return (b or c) and d"
one, two = "def f(a, b, c, d):\\n while 1:\\n  if a: break\\n  b()\\n", "def f(a, b, c, d):\\n while not a:\\n  b()\\n"
(first,), (second,) = (nested(compile(loop + body, "", "exec")) for loop in (one, two))
counts = [sum("OR_POP" in i.opname for i in dis.get_instructions(code)) for code in (first, second)]
assert counts == [2, 1], counts
write("def f(): pass", None, first, second)
"""


@pytest.mark.parametrize("version", ["3.8"])
def test_truth_that_is_tested_twice(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """CPython's compiler does not thread long jumps; the verdict says that __bool__ is called more or less often."""
    files = [str(tmp_path / name) for name in ("a.pyc", "b.pyc")]
    subprocess.run([*python, "-c", WRITES_TWO + TESTED_TWICE, *files], check=True)
    for pair, often in ((files, "less"), (files[::-1], "more")):
        done = subprocess.run([depyfc, "--verify", *pair], capture_output=True, text=True, check=False)
        lines = [line for line in done.stdout.splitlines() if line.startswith("exact f ")]
        assert len(lines) == 1 and f"is called {often} often in a row than in the original" in lines[0], done.stdout
    done = subprocess.run([depyfc, "--verify", files[0], files[0]], capture_output=True, text=True, check=False)
    assert "exact f\n" in done.stdout, done.stdout


@pytest.mark.parametrize("change", [FUTURE, REPEATED, CROSSED], ids=["future flags", "repeated names", "crossed cells"])
def test_differences_that_names_do_not_show(python: list[str], depyfc: str, tmp_path: Path, change: str) -> None:
    """Flags that affect only compile() and eval(), variables that share a name, cells with another name outside."""
    files = [str(tmp_path / name) for name in ("a.pyc", "b.pyc")]
    subprocess.run([*python, "-c", WRITES_TWO + change, *files], check=True)
    for path in files:
        done = subprocess.run([depyfc, "--verify", path, path], capture_output=True, text=True, check=False)
        assert all(line.startswith("exact ") for line in done.stdout.splitlines()), done.stdout
    done = subprocess.run([depyfc, "--verify", *files], capture_output=True, text=True, check=False)
    assert any(line.startswith("unproved ") for line in done.stdout.splitlines()), done.stdout


SHADOWED = """
text = "def f(a, b):\\n def g():\\n  z = b()\\n  return lambda: (a, b), z, a\\n return g"
(plain,) = nested(compile(text, "", "exec"))
(inner,) = nested(plain)
other = inner.replace(co_varnames=("a",))
shadowed = plain.replace(co_consts=tuple(other if c is inner else c for c in plain.co_consts))
write("def f(): pass", None, shadowed, plain)
"""


def test_variable_with_the_name_of_a_free_variable(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """Resume functions of Dynamo have parameters with such names.

    The cell is identified by its name among the cells.
    """
    files = [str(tmp_path / name) for name in ("a.pyc", "b.pyc")]
    subprocess.run([*python, "-c", WRITES_TWO + SHADOWED, *files], check=True)
    done = subprocess.run([depyfc, "--verify", *files], capture_output=True, text=True, check=False)
    kinds = {line.split()[0] for line in done.stdout.splitlines()}
    assert done.stdout.count("\n") == 4 and kinds <= {"exact", "proved"}, done.stdout
