# SPDX-License-Identifier: MIT
"""Constants that source cannot spell: how they are shown, listed, and put back."""

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


class Odd:
    def __repr__(self):
        raise AssertionError("no repr of the user's may run")

    def __getattr__(self, name):
        raise RuntimeError("nor an attribute of his raise")


def helper():
    return 1


def holding(value, *others, name="f"):
    """A function that returns `value`, which is in its constants."""

    def f():
        return "MARK"

    code = f.__code__
    consts = tuple(value if c == "MARK" else c for c in code.co_consts) + others
    return code.replace(co_consts=consts, co_name=name)


@pytest.mark.parametrize(
    ("value", "shown"),
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
def test_importable_objects_are_shown_by_name(value, shown):
    text = depyf.decompile(holding(value))
    assert f"return {shown}\n" in text
    assert text.context.opaque[shown] is value


@pytest.mark.parametrize(
    ("make", "shown"),
    [
        (object, "object_0"),
        (Odd, "odd_0"),
        (lambda: Word("text"), "word_0"),
        (list, "list_0"),
        (lambda: lambda: 1, "lambda_0"),
        (lambda: types.ModuleType("made_up"), "made_up_0"),
    ],
)
def test_others_get_a_placeholder(make, shown):
    value = make()
    text = depyf.decompile(holding(value))
    assert f"return {shown}\n" in text
    assert text.context.opaque[shown] is value
    compile(text, "<text>", "exec")


def test_subclasses_keep_their_type():
    result = _core.decompile(holding(Colour.RED), recompile=False)
    ((_, value),) = result.opaque.items()
    assert value is Colour.RED


@pytest.mark.parametrize(
    "make", [object, lambda: math.sin, Odd, lambda: Colour.RED], ids=["object", "sin", "odd", "enum"]
)
def test_recompiled_code_holds_the_object_itself(make):
    value = make()
    code = holding(value)
    text = depyf.decompile(code)
    assert text.verdict == "exact", text.verdict.describe()
    assert types.FunctionType(text.recompile(), {})() is value


def test_containers_of_opaque_objects():
    value = object()
    text = depyf.decompile(holding((1, (value, "x"))))
    assert text.verdict == "exact", text.verdict.describe()
    assert types.FunctionType(text.recompile(), {})() == (1, (value, "x"))


def test_one_object_one_name_and_no_clash():
    def f(object_0):
        return object_0, "MARK", "MARK"

    marker = object()
    code = f.__code__.replace(co_consts=tuple(marker if c == "MARK" else c for c in f.__code__.co_consts))
    text = depyf.decompile(code)
    assert "return (object_0, object_1, object_1)" in text or "return object_0, object_1, object_1" in text
    assert text.context.opaque == {"object_1": marker}


def test_a_dotted_name_the_code_also_uses_is_not_taken():
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


def test_a_name_that_import_does_not_give_back_is_not_trusted():
    def impostor():
        return 1

    impostor.__module__, impostor.__qualname__ = "math", "sin"
    assert "math.sin" not in depyf.decompile(holding(impostor)).context.opaque


def test_plain_constants_are_nobody_s_opaque():
    values = (None, ..., True, 10**50, -(10**50), 1.5, -0.0, 2j, "s", "\udc80", b"b", (1, (2,)), frozenset({1, "a"}))
    for value in values:
        assert _core.decompile(holding(value), recompile=False).opaque == {}


def test_deep_constants_are_an_error_of_their_own():
    value: tuple = ()
    for _ in range(5000):
        value = (value,)
    with pytest.raises(depyf.DecompilationError, match="deep"):
        depyf.decompile(holding(value))


def test_a_shared_code_object_is_one_child_of_each_owner():
    code = helper.__code__
    both = holding(1, code, code)
    assert [c.co_name for c in _core.decompile(both, recompile=False).codes] == ["f", "helper"]


def test_temporaries_do_not_take_the_code_s_own_names():
    def f(a):
        tmp_1 = a()
        return tmp_1 if a else (yield tmp_1), tmp_1

    text = depyf.decompile(f, skip=["structure"], recompile=False)
    own = {"tmp_1", "_tmp_"}
    used = {word for word in text.replace("(", " ").replace(")", " ").replace(",", " ").split() if "tmp_" in word}
    assert all(word in own or word.startswith("_tmp_") for word in used), text
