# SPDX-License-Identifier: MIT
"""Tests the header of a function object: defaults and annotations are source, or placeholders listed in the context."""

from __future__ import annotations

import math
import sys
import types
import typing

import depyf
import pytest


class Local:
    pass


LIVE = object()


def make_function(source: str, **names):
    """Returns the function `f` of SOURCE, compiled without the future import of this file."""
    namespace = {"typing": typing, "math": math, "Local": Local, "LIVE": LIVE, **names}
    exec(compile(source, "<source>", "exec", dont_inherit=True), namespace)
    return namespace["f"]


def header(function) -> str:
    text = depyf.decompile(function)
    assert text.verdict == "exact", text.verdict.describe()
    compile(text, "<text>", "exec")
    return text.split("\n")[0]


@pytest.mark.parametrize(
    "line",
    [
        "def f(a, b=2, *, c=3):",
        "def f(a=None, b=True, c=..., d='s', e=b'b', f=1.5, g=2j):",
        "def f(a, /, b, *args, c, d=(1, 2), **kw):",
        "def f(a=(), b=(1,), c=[], d={}, e={1: 'x'}, g=set()):",
        "def f(a=-1, b=-0.0, c=(None, (1, -2))):",
        "def f(a: int, b: str = 's', *c: float, d: bytes = b'') -> list[int]:",
        "def f(a: Local, b: math.sin = math.cos, c=len) -> None:",
        "def f(a: int | None = None) -> typing.Any:",
        "def f(a: 'quoted') -> 'Unknown':",
        "async def f(a=1):",
    ],
)
def test_header_is_as_in_the_source(line):
    assert header(make_function(f"{line}\n    return a\n")) == line


def test_evaluated_typing_forms():
    annotations = "b: typing.Callable[[int], str], c: typing.Literal['x']"
    text = depyf.decompile(make_function(f"def f(a: typing.Optional[int], {annotations}): return a"))
    optional = "typing.Optional[int]" if sys.version_info >= (3, 14) else "int | None"
    assert text.startswith(f"def f(a: {optional}, {annotations}):")
    assert text.context.opaque == {}


def test_deferred_annotations_are_kept_as_text():
    line = "def f(a: Unknown[1], b: 'q' = 1) -> x.y:"
    assert header(make_function(f"from __future__ import annotations\n{line}\n    return a\n")) == line


@pytest.mark.skipif(sys.version_info < (3, 14), reason="annotations are evaluated when defined")
def test_lazy_annotations_are_not_evaluated():
    assert header(make_function("def f(a: Unknown, b: 1 / 0 = 2): return a")) == "def f(a: Unknown, b: 1 / 0 = 2):"


def test_placeholders_are_in_the_context():
    text = depyf.decompile(make_function("def f(a=LIVE, b=[LIVE]): return a"))
    assert text.startswith("def f(a=default_a, b=default_b):")
    assert text.context.opaque["default_a"] is LIVE
    assert text.context.opaque["default_b"] == [LIVE]


def test_placeholders_avoid_names_in_use():
    text = depyf.decompile(make_function("def f(default_a, a=LIVE): return a", default_a_1=1))
    assert text.startswith("def f(default_a, a=default_a_2):")


SPECIAL_VALUES = [math.inf, -math.inf, math.nan, complex(math.inf, 1), 1 << 200, frozenset(), frozenset({1})]


@pytest.mark.parametrize("value", SPECIAL_VALUES)
def test_special_values_evaluate_to_themselves(value):
    function = make_function("def f(a=X): return a", X=value)
    namespace: dict = {}
    exec(depyf.decompile(function), namespace)
    (value_of_text,) = namespace["f"].__defaults__
    assert type(value_of_text) is type(value) and repr(value_of_text) == repr(value)


def test_repr_of_the_program_is_not_called():
    class RaisesInRepr(dict):
        def __repr__(self):
            raise AssertionError

    text = depyf.decompile(make_function("def f(a=X): return a", X=RaisesInRepr()))
    assert text.startswith("def f(a=default_a):")


def test_long_header_has_several_lines_and_the_source_map_is_shifted():
    names = ", ".join(f"parameter_{i}={i}" for i in range(12))
    function = make_function(f"def f({names}):\n    return parameter_3\n")
    text = depyf.decompile(function)
    text_of_code = depyf.decompile(function.__code__)
    assert text.split("\n")[:2] == ["def f(", "    parameter_0=0,"]
    lines, lines_of_code = text.split("\n"), text_of_code.split("\n")
    positions = {(e.code, e.offset, lines[e.line - 1]) for e in text.source_map if e.line > 1}
    assert positions == {(e.code, e.offset, lines_of_code[e.line - 1]) for e in text_of_code.source_map if e.line > 1}
    assert positions


def test_defaults_that_were_set_later():
    def f(a, b, *, c):
        return a

    f.__defaults__, f.__kwdefaults__ = (1,), {"c": 2}
    assert depyf.decompile(f).startswith("def f(a, b=1, *, c=2):")


def test_code_object_has_no_defaults():
    assert depyf.decompile(make_function("def f(a, b=2): return a").__code__).startswith("def f(a, b):")
    assert isinstance(make_function("def f(a): return a"), types.FunctionType)
