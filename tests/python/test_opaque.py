# SPDX-License-Identifier: MIT
"""Tests constants that have no source: how they are displayed, listed and restored."""

from __future__ import annotations

import collections
import enum
import math
import string
import types

import depyf
import pytest
from depyf import _core


class Colour(enum.IntEnum):
    RED = 1


class Word(str):
    pass


class RaisesOnUse:
    def __repr__(self):
        raise AssertionError("__repr__ must not be called")

    def __getattr__(self, name):
        raise RuntimeError("__getattr__ must not be called")


def helper():
    return 1


def code_with_constant(value, *others, name="f"):
    """Returns the code of a function that returns VALUE, which is a constant of the code."""

    def f():
        return "MARK"

    code = f.__code__
    consts = tuple(value if c == "MARK" else c for c in code.co_consts) + others
    return code.replace(co_consts=consts, co_name=name)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (math, "math"),
        (math.sin, "math.sin"),
        (collections.OrderedDict, "collections.OrderedDict"),
        (string.capwords, "string.capwords"),
        (len, "builtins.len"),
        (int, "builtins.int"),
        (NotImplemented, "builtins.NotImplemented"),
        (list.append, "builtins.list.append"),
    ],
)
def test_importable_objects_are_shown_by_name(value, expected):
    text = depyf.decompile(code_with_constant(value))
    assert f"return {expected}\n" in text
    assert text.context.opaque[expected] is value


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (object, "object_0"),
        (RaisesOnUse, "raisesonuse_0"),
        (lambda: Word("text"), "word_0"),
        (list, "list_0"),
        (lambda: lambda: 1, "lambda_0"),
        (lambda: types.ModuleType("made_up"), "made_up_0"),
    ],
)
def test_other_objects_get_a_placeholder(make, expected):
    value = make()
    text = depyf.decompile(code_with_constant(value))
    assert f"return {expected}\n" in text
    assert text.context.opaque[expected] is value
    compile(text, "<text>", "exec")


def test_subclasses_keep_their_type():
    result = _core.decompile(code_with_constant(Colour.RED), recompile=False)
    ((_, value),) = result.opaque.items()
    assert value is Colour.RED


@pytest.mark.parametrize(
    "make", [object, lambda: math.sin, RaisesOnUse, lambda: Colour.RED], ids=["object", "sin", "odd", "enum"]
)
def test_recompiled_code_contains_the_same_object(make):
    value = make()
    code = code_with_constant(value)
    text = depyf.decompile(code)
    assert text.verdict == "exact", text.verdict.describe()
    assert types.FunctionType(text.recompile(), {})() is value


def test_containers_of_opaque_objects():
    value = object()
    text = depyf.decompile(code_with_constant((1, (value, "x"))))
    assert text.verdict == "exact", text.verdict.describe()
    assert types.FunctionType(text.recompile(), {})() == (1, (value, "x"))


def test_each_object_has_one_name_that_is_not_in_use():
    def f(object_0):
        return object_0, "MARK", "MARK"

    marker = object()
    code = f.__code__.replace(co_consts=tuple(marker if c == "MARK" else c for c in f.__code__.co_consts))
    text = depyf.decompile(code)
    assert "return (object_0, object_1, object_1)" in text or "return object_0, object_1, object_1" in text
    assert text.context.opaque == {"object_1": marker}


def test_dotted_name_that_the_code_uses_is_not_used_for_a_constant():
    def f(x):
        return math.sin(x), "MARK"

    code = f.__code__.replace(co_consts=tuple(math.sin if c == "MARK" else c for c in f.__code__.co_consts))
    text = depyf.decompile(code)
    assert list(text.context.opaque.values()) == [math.sin]
    assert "math.sin" not in text.context.opaque

    def g(math):
        return math, "MARK"

    code = g.__code__.replace(co_consts=tuple(math.sin if c == "MARK" else c for c in g.__code__.co_consts))
    assert "math.sin" not in depyf.decompile(code).context.opaque


def test_name_that_does_not_import_the_object_is_not_used():
    def impostor():
        return 1

    impostor.__module__, impostor.__qualname__ = "math", "sin"
    assert "math.sin" not in depyf.decompile(code_with_constant(impostor)).context.opaque


def test_plain_constants_are_not_opaque():
    values = (None, ..., True, 10**50, -(10**50), 1.5, -0.0, 2j, "s", "\udc80", b"b", (1, (2,)), frozenset({1, "a"}))
    for value in values:
        assert _core.decompile(code_with_constant(value), recompile=False).opaque == {}


def test_deeply_nested_constant_is_an_error():
    value: tuple = ()
    for _ in range(5000):
        value = (value,)
    with pytest.raises(depyf.DecompilationError, match="deep"):
        depyf.decompile(code_with_constant(value))


def test_code_object_that_occurs_twice_is_listed_once():
    code = helper.__code__
    code_with_both = code_with_constant(1, code, code)
    assert [c.co_name for c in _core.decompile(code_with_both, recompile=False).codes] == ["f", "helper"]


def test_temporaries_avoid_the_names_of_the_code():
    def f(a):
        tmp_1 = a()
        return tmp_1 if a else (yield tmp_1), tmp_1

    text = depyf.decompile(f, skip=["structure"], recompile=False)
    original_names = {"tmp_1", "_tmp_"}
    used = {word for word in text.replace("(", " ").replace(")", " ").replace(",", " ").split() if "tmp_" in word}
    assert all(word in original_names or word.startswith("_tmp_") for word in used), text
