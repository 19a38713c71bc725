# SPDX-License-Identifier: MIT
"""Pairs of functions that once were judged wrong: what must be refused, and what must be proved."""

from __future__ import annotations

import py_compile
import subprocess
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
    done = subprocess.run([depyfc, "--verify", *files], capture_output=True, text=True, check=False)
    (line,) = [line for line in done.stdout.splitlines() if line.split()[1] == "f"]
    return line.split()[0]


@pytest.mark.parametrize("name", REFUSED)
def test_refused(depyfc: str, tmp_path: Path, name: str) -> None:
    assert verdict(depyfc, tmp_path, REFUSED[name]) == "unproved"


@pytest.mark.parametrize("name", PROVED)
def test_proved(depyfc: str, tmp_path: Path, name: str) -> None:
    assert verdict(depyfc, tmp_path, PROVED[name]) in ("exact", "proved")
