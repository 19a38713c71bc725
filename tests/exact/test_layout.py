# SPDX-License-Identifier: MIT
"""Where the line table has columns (3.11+), a text is laid out as its source was: the syntax trees are equal."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

COMPILE = """
import importlib.util, marshal, sys
code = compile(sys.argv[1], "case", "exec", dont_inherit=True)
sys.stdout.buffer.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
"""
STRIP = """
import importlib.util, marshal, sys, types
def strip(code):
    consts = tuple(strip(c) if isinstance(c, types.CodeType) else c for c in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=consts)
code = strip(compile(sys.argv[1], "case", "exec", dont_inherit=True))
sys.stdout.buffer.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
"""
SOURCES = {
    "arms that leave, after one another": """
def f(a, b):
    if a:
        return b
    if b:
        return a
    return f(b, a)
""",
    "arms that leave, each the other of one": """
def f(a, b):
    if a:
        return b.one()
    elif b:
        return a.two()
    elif not a.b:
        return a
    else:
        a.go()
        return f(b, a)
""",
    "an else after a raise": """
def f(a):
    try:
        return a.one()
    except KeyError as e:
        if e.args:
            raise
        else:
            raise ValueError(a) from e
""",
    "returns of one constant": """
def f(a, b):
    if a is b:
        return True
    if isinstance(a, list):
        return True
    for c in b:
        if c not in a:
            return False
    return True
""",
    "returns of one constant after other statements": """
def f(a, b, log):
    if a.blocked(b):
        log('blocked')
        return False
    if a.unknown(b):
        log('unknown')
        return False
    log('known')
    return True
""",
    "an else that ends a function": """
def f(a, b):
    if a:
        b.one()
        b.two()
    else:
        b.three()
""",
    "a continue, and a test around the rest": """
def f(items):
    for a in items:
        if not a.one():
            continue
        b = a.two()
        if not b.known(a):
            continue
        b.three(a)
        b.four()
    for a in items:
        b = a.two()
        if not b.skipped:
            b.three(a)
            b.four()
""",
    "a test within a test that a loop repeats": """
def f(self, value):
    for m in self.known.values():
        if m.value == value:
            if m is not self:
                raise ValueError(value)
            return m.name
    raise KeyError(value)
""",
    "conditional expressions that are returned": """
def f(a, b):
    if a.one:
        return b.two() if a.two else a.three()
    if b:
        return a.four()
    else:
        return b.four()
""",
    "formats": """
def f(a, b):
    print('%s: 100%% of %-20s' % (a, b))
    print('%r, %a' % (a, b), '%r' % (a,), '%.3s' % (b,))
    print(f'{a}: {b!r} of {a:>20}', f'{a!r}')
    return '%10s%%' % (a.b,)
""",
    "tests of which both are negated": """
def f(a, b, c):
    if a is not None or b is not None:
        print(a)
    if not a and b is not None:
        print(b)
    if not (a or b):
        print(c)
    return [d for d in c if d is not None or a is not None]
""",
}
WITH_COLUMNS = ["3.11", "3.12", "3.13", "3.14", "3.15"]


def text_of(program: str, source: str, python: list[str], depyfc: str, folder: Path) -> str:
    pyc = folder / "case.pyc"
    done = subprocess.run([*python, "-c", program, source], capture_output=True, check=True, timeout=120)
    pyc.write_bytes(done.stdout)
    return subprocess.run([depyfc, str(pyc)], capture_output=True, text=True, check=True, timeout=120).stdout


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("version", WITH_COLUMNS)
def test_the_layout_is_that_of_the_source(source: str, version: str, python: list[str], depyfc: str, tmp_path: Path):
    text = text_of(COMPILE, source, python, depyfc, tmp_path)
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(source)), text


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("version", WITH_COLUMNS)
def test_no_line_table_is_needed(source: str, version: str, python: list[str], depyfc: str, tmp_path: Path):
    """Without one the layout is another, and the bytecode the same."""
    pyc, text = tmp_path / "case.pyc", tmp_path / "case.py"
    done = subprocess.run([*python, "-c", STRIP, source], capture_output=True, check=True, timeout=120)
    pyc.write_bytes(done.stdout)
    command = [depyfc, "--python", " ".join(python), "--verdict=lines", "-o", str(text), str(pyc)]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stderr.splitlines()
    assert len(said) > 1 and all(" exact " in line for line in said), said
