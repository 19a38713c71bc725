# SPDX-License-Identifier: MIT
"""Statements about the variables of Dynamo are merged only where no other code can tell."""

from __future__ import annotations

import py_compile
from collections.abc import Callable
from pathlib import Path

import pytest

CELL = """
def f(t):
    def h():
        return v

    v = 0
    if t:
        v = __compiled_fn_1(h)
    return v
"""
GLOBAL = """
def f(t):
    global G
    G = 0
    if t:
        G = __compiled_fn_1(t)
    return G
"""
LOCAL = """
def f(t):
    v = 0
    if t:
        v = __compiled_fn_1(locals())
    return v
"""
TRY = """
def f(c):
    try:
        tmp_1 = c[0]
        tmp_2 = c[1]
    except IndexError:
        return tmp_1
    return __compiled_fn_1(tmp_1, tmp_2)
"""
WITH = """
def f(c, d):
    tmp_1 = None
    with d:
        tmp_1 = c[0]
        tmp_2 = c[1]
        return __compiled_fn_1(tmp_1, tmp_2)
    return tmp_1
"""
PLAIN = """
def f(c, t):
    tmp_1 = c[0]
    tmp_2 = c[1]
    tmp_3 = None
    if t:
        tmp_3 = __compiled_fn_1(tmp_1)
    return tmp_2, tmp_3
"""


def text_of(run: Callable, folder: Path, source: str) -> str:
    (folder / "m.py").write_text(source, encoding="utf-8")
    py_compile.compile(str(folder / "m.py"), str(folder / "m.pyc"), doraise=True)
    return run(folder / "m.pyc").stdout


@pytest.mark.parametrize("source", [CELL, GLOBAL, LOCAL])
def test_defaults_that_other_code_reads(run: Callable, tmp_path: Path, source: str) -> None:
    assert text_of(run, tmp_path, source).strip() == source.strip()


@pytest.mark.parametrize("source", [TRY, WITH])
def test_items_that_are_used_after_an_exception(run: Callable, tmp_path: Path, source: str) -> None:
    lines = [line.strip() for line in text_of(run, tmp_path, source).splitlines()]
    at = next(i for i, line in enumerate(lines) if line.endswith(" = c[0]"))
    assert lines[at].count("=") == 1 and "," not in lines[at]
    assert lines[at + 1].endswith(" = c[1]")


def test_other_temporaries_are_merged(run: Callable, tmp_path: Path) -> None:
    text = text_of(run, tmp_path, PLAIN)
    assert " = c[0], c[1]\n" in text
    assert " if t else None\n" in text
