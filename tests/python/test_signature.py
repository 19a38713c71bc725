# SPDX-License-Identifier: MIT
"""The header of a live function: defaults and annotations as source, or as placeholders that the context explains."""

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


def make(source: str, **names):
    """The function `f` of a source text, compiled without this file's future import."""
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
def test_shown_as_source(line):
    assert header(make(f"{line}\n    return a\n")) == line


def test_evaluated_typing_forms():
    types_of = "b: typing.Callable[[int], str], c: typing.Literal['x']"
    text = depyf.decompile(make(f"def f(a: typing.Optional[int], {types_of}): return a"))
    optional = "typing.Optional[int]" if sys.version_info >= (3, 14) else "int | None"
    assert text.startswith(f"def f(a: {optional}, {types_of}):")
    assert text.context.opaque == {}


def test_deferred_annotations_are_their_text():
    line = "def f(a: Unknown[1], b: 'q' = 1) -> x.y:"
    assert header(make(f"from __future__ import annotations\n{line}\n    return a\n")) == line


@pytest.mark.skipif(sys.version_info < (3, 14), reason="annotations are evaluated when defined")
def test_lazy_annotations_are_not_evaluated():
    assert header(make("def f(a: Unknown, b: 1 / 0 = 2): return a")) == "def f(a: Unknown, b: 1 / 0 = 2):"


def test_placeholders_are_explained():
    text = depyf.decompile(make("def f(a=LIVE, b=[LIVE]): return a"))
    assert text.startswith("def f(a=default_a, b=default_b):")
    assert text.context.opaque["default_a"] is LIVE
    assert text.context.opaque["default_b"] == [LIVE]


def test_placeholders_avoid_names_in_use():
    text = depyf.decompile(make("def f(default_a, a=LIVE): return a", default_a_1=1))
    assert text.startswith("def f(default_a, a=default_a_2):")


AWKWARD = [math.inf, -math.inf, math.nan, complex(math.inf, 1), 1 << 200, frozenset(), frozenset({1})]


@pytest.mark.parametrize("value", AWKWARD)
def test_awkward_values_evaluate_to_themselves(value):
    function = make("def f(a=X): return a", X=value)
    namespace: dict = {}
    exec(depyf.decompile(function), namespace)
    (back,) = namespace["f"].__defaults__
    assert type(back) is type(value) and repr(back) == repr(value)


def test_no_repr_of_the_user_s_runs():
    class Loud(dict):
        def __repr__(self):
            raise AssertionError

    text = depyf.decompile(make("def f(a=X): return a", X=Loud()))
    assert text.startswith("def f(a=default_a):")


def test_a_long_header_takes_several_lines_and_the_map_follows():
    names = ", ".join(f"parameter_{i}={i}" for i in range(12))
    function = make(f"def f({names}):\n    return parameter_3\n")
    text = depyf.decompile(function)
    bare = depyf.decompile(function.__code__)
    assert text.split("\n")[:2] == ["def f(", "    parameter_0=0,"]
    lines, bare_lines = text.split("\n"), bare.split("\n")
    moved = {(e.code, e.offset, lines[e.line - 1]) for e in text.source_map if e.line > 1}
    assert moved == {(e.code, e.offset, bare_lines[e.line - 1]) for e in bare.source_map if e.line > 1}
    assert moved


def test_defaults_set_after_the_definition_are_shown():
    def f(a, b, *, c):
        return a

    f.__defaults__, f.__kwdefaults__ = (1,), {"c": 2}
    assert depyf.decompile(f).startswith("def f(a, b=1, *, c=2):")


def test_a_code_object_alone_has_no_defaults():
    assert depyf.decompile(make("def f(a, b=2): return a").__code__).startswith("def f(a, b):")
    assert isinstance(make("def f(a): return a"), types.FunctionType)
