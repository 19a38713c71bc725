# SPDX-License-Identifier: MIT
"""Pairs of functions that once were judged wrong: what must be refused, and what must be proved."""

from __future__ import annotations

import importlib.util
import marshal
import py_compile
import subprocess
import sys
from pathlib import Path

import pytest

REFUSED = {
    "identity of tuples": ("def f(a):\n t = a, a\n return t is t", "def f(a):\n return (a, a) is (a, a)"),
    "identity of methods": (
        "def f(a):\n x = [a]\n m = x.append\n return m is m",
        "def f(a):\n x = [a]\n return x.append is x.append",
    ),
    "a dict that is changed later": (
        "def f(g, a):\n d = {}\n d.update({'k': a})\n g()\n return d",
        "def f(g, a):\n d = {}\n g()\n d.update({'q': a})\n return d",
    ),
    "a dict shown between": (
        "def f(g, a):\n d = {}\n g(d)\n d.update({'k': a})",
        "def f(g, a):\n d = {}\n d.update({'k': a})\n g(d)",
    ),
    "other keyword": ("def f(g, a):\n return g(**{'k': a})", "def f(g, a):\n return g(q=a)"),
    "other order of keywords": ("def f(g, a):\n return g(**{'k': a, 'q': 1})", "def f(g, a):\n return g(q=1, k=a)"),
    "a dict of keywords that is kept": (
        "def f(g, a):\n d = {'k': a}\n r = g(**d)\n return r, d",
        "def f(g, a):\n r = g(k=a)\n return r, {'q': a}",
    ),
    "a pending update": (
        "def f(g, a):\n d = {}\n d.update(a)\n return d",
        "def f(g, a):\n d = {}\n d = {**a}\n return d",
    ),
}
PROVED = {
    "dict.update": (
        "def f(g, a):\n d = {}\n d.update({'k': a})\n return g(d)",
        "def f(g, a):\n d = {'k': a}\n return g(d)",
    ),
    "a dict of keywords": ("def f(g, a):\n return g(a, **{'k': a, 'q': 1})", "def f(g, a):\n return g(a, k=a, q=1)"),
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
    """What is said of the function f in two files."""
    done = subprocess.run([depyfc, "--verify", *files], capture_output=True, text=True, check=False)
    (line,) = [line for line in done.stdout.splitlines() if line.split()[1] == "f"]
    return line.split()[0]


@pytest.mark.parametrize("name", REFUSED)
def test_refused(depyfc: str, tmp_path: Path, name: str) -> None:
    assert verdict(depyfc, tmp_path, REFUSED[name]) == "unproved"


@pytest.mark.parametrize("name", PROVED)
def test_proved(depyfc: str, tmp_path: Path, name: str) -> None:
    assert verdict(depyfc, tmp_path, PROVED[name]) in ("exact", "proved")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="a block stack keeps no offsets")
def test_an_offset_that_is_not_there(depyfc: str, tmp_path: Path) -> None:
    """RERAISE takes one from below the exception; without it, the interpreter raises a SystemError."""
    sys.path.insert(0, str(Path(__file__).parent))
    import units

    text = "def f(g):\n try: g()\n except KeyError as e: g(e)\n while g(): g(1)\n"
    module = compile(text, "text", "exec")
    (code,) = [c for c in module.co_consts if isinstance(c, type(module))]
    files = []
    for number, lasti in enumerate((True, True, False)):
        instructions, rows = units.take_apart(code)
        for row in rows:
            if row.target.name == "LOAD_CONST":  # where e is unbound, and the exception goes on
                row.lasti = lasti
        made = units.put_together(code, instructions[:1] + [units.Unit("NOP")] * number + instructions[1:], rows)
        outer = module.replace(co_consts=tuple(made if c is code else c for c in module.co_consts))
        path = tmp_path / f"{number}.pyc"
        path.write_bytes(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(outer))
        files.append(str(path))
    assert verdict_of(depyfc, files[:2]) in ("exact", "proved")
    assert verdict_of(depyfc, [files[0], files[2]]) == "unproved"
