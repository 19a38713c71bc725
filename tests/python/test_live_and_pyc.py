# SPDX-License-Identifier: MIT
"""Tests that a live code object and its .pyc are read as the same model and decompiled to the same text.

The corpus is a fixed sample of this interpreter's standard library. All fields are compared, including the variables
and their kinds, which the reader of live code objects computes from public attributes.
"""

from __future__ import annotations

import importlib.util
import marshal
import pathlib
import random
import sys
import sysconfig
import types
import warnings

import pytest
from depyf import _core

HEADER = importlib.util.MAGIC_NUMBER + b"\0" * 12
SOURCES = {
    "cells": "def f(a, b, *c, d, **e):\n    x = 1\n    def g(): return a, d, e, x\n    return g\n",
    "class body": "class A:\n    y = [x for x in range(3)]\n    def m(self): return __class__\n    z: int = 1\n",
    "module comprehension": "xs = [lambda: x for x in range(3)]\n{k: v for k, v in {}.items()}\n",
    "positional only": "def f(a, /, b, *, c): return lambda: (a, c)\nasync def g():\n    async with f as h: yield h\n",
    "constants": "a = 10 ** 30, -1, 1.5, -0.0, 2j, 'é\\udc80', b'\\0', ..., None, True\nb = a in {1, 'x', (2, 3)}\n",
    "try": "try:\n    x()\nexcept (A, B) as e:\n    raise C from e\nfinally:\n    y()\n",
}


def describe_both(code: types.CodeType) -> tuple[str, str]:
    return _core.describe(code), _core.describe_pyc(HEADER + marshal.dumps(code))


@pytest.mark.parametrize("name", SOURCES)
def test_models_agree(name):
    live, stored = describe_both(compile(SOURCES[name], "<source>", "exec", dont_inherit=True))
    assert live == stored


@pytest.mark.skipif(sys.version_info < (3, 14), reason="slices are constants from 3.14 on")
def test_slices_agree():
    live, stored = describe_both(compile("x[1:2], x[::3]", "<source>", "eval"))
    assert live == stored and "slice(" in live


def sample_of_library(count: int) -> list[pathlib.Path]:
    root = pathlib.Path(sysconfig.get_path("stdlib"))
    files = sorted(p for p in root.rglob("*.py") if not {"site-packages", "dist-packages"} & set(p.parts))
    return random.Random(7).sample(files, min(count, len(files)))


def compile_file(path: pathlib.Path) -> types.CodeType | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return compile(path.read_bytes(), "<source>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError):  # test data of the library that is invalid on purpose
            return None


def test_models_agree_over_the_library():
    compared = 0
    for path in sample_of_library(300):
        code = compile_file(path)
        if code is None:
            continue
        live, stored = describe_both(code)
        assert live == stored, path
        compared += 1
    assert compared > 200


def test_texts_agree_over_the_library():
    # Up to 3.10, marshal keeps the order in which a frozenset iterates; later versions sort: see test_sets.
    for path in sample_of_library(25):
        code = compile_file(path)
        if code is None:
            continue
        live = _core.decompile(code, recompile=False)
        stored = _core.decompile_pyc(HEADER + marshal.dumps(code), recompile=False)
        assert live.text == stored.text, path
        assert live.source_map == stored.source_map, path


def test_specialized_and_monitored_code_is_read_as_compiled():
    def loop(n):
        total = 0
        for i in range(n):
            total += i * 2
        return total

    before = _core.describe(loop.__code__)
    loop(5000)
    assert _core.describe(loop.__code__) == before
    if sys.version_info < (3, 12):
        return
    events = sys.monitoring.events
    tool = 3
    sys.monitoring.use_tool_id(tool, "depyf test")
    try:
        sys.monitoring.register_callback(tool, events.INSTRUCTION, lambda code, offset: None)
        sys.monitoring.set_local_events(tool, loop.__code__, events.INSTRUCTION | events.LINE)
        loop(10)
        assert _core.describe(loop.__code__) == before
    finally:
        sys.monitoring.set_local_events(tool, loop.__code__, 0)
        sys.monitoring.free_tool_id(tool)


def test_malformed_pyc_is_an_error_of_one_line():
    import depyf

    good = HEADER + marshal.dumps(compile("x = 1", "m", "exec"))
    for data in (b"", b"\0" * 20, good[:30], b"\x55\x0d\x0d\x0a"):
        with pytest.raises(depyf.DecompilationError) as caught:
            _core.decompile_pyc(data)
        assert "\n" not in str(caught.value)


def test_text_of_a_pyc_of_this_interpreter_is_checked():
    result = _core.decompile_pyc(HEADER + marshal.dumps(compile("x = 1\n", "m", "exec", dont_inherit=True)))
    assert [row[1] for row in result.verdicts] == ["exact"]
    assert result.codes == []


def test_pyc_file_its_bytes_and_marshalled_code_have_the_same_text(tmp_path):
    import depyf

    code = compile("def f(a):\n    return a + 1\n", "m", "exec", dont_inherit=True)
    file = tmp_path / "m.pyc"
    file.write_bytes(HEADER + marshal.dumps(code))
    texts = [
        depyf.decompile_pyc(file),
        depyf.decompile_pyc(str(file)),
        depyf.decompile_pyc(file.read_bytes()),
        depyf.decompile_pyc(marshal.dumps(code), version=sys.version_info[:2]),
    ]
    assert {str(text).strip() for text in texts} == {"def f(a):\n    return a + 1"}
    assert [text.verdict.kind.value for text in texts] == ["exact", "exact", "exact", "unchecked"]
    assert all(text.source_map and text.codes == () for text in texts)


def test_errors_of_decompile_pyc():
    import depyf

    with pytest.raises(FileNotFoundError):
        depyf.decompile_pyc("none.pyc")
    with pytest.raises(depyf.DecompilationError, match="without the header"):
        depyf.decompile_pyc(marshal.dumps(compile("x", "m", "exec")))
    with pytest.raises(depyf.DecompilationError, match=r"wanted CPython 3.8 to 3.15, found 3.7"):
        depyf.decompile_pyc(b"", version=(3, 7))
    with pytest.raises(depyf.DecompilationError, match="decompile_pyc reads files"):
        depyf.decompile("m.pyc")
    with pytest.raises(ValueError, match="indent"):
        depyf.decompile_pyc(b"", indent=0)
