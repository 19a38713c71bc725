# SPDX-License-Identifier: MIT
"""Tests depyf.verify() and its verdicts exact, proved and unproved for each code object."""

from __future__ import annotations

from types import FunctionType

import depyf
import pytest


def function(text: str) -> FunctionType:
    namespace: dict = {}
    exec(compile(text, "<test>", "exec"), namespace)
    return namespace["f"]


def test_same_text_is_exact() -> None:
    text = "def f(a):\n def g(): return a\n return g"
    found = depyf.verify(function(text), function(text.replace(":\n", ":\n\n")))
    assert found
    assert found.verdict == "exact"
    assert [v.code for v in found.verdicts] == [0, 1]


PROVED = {
    "fresh containers": (
        "def f(a, b):\n x = [a, b]\n x[0], x[1] = x[1], x[0]\n return g(*x)",
        "def f(a, b):\n t = g\n return t(b, a)",
    ),
    "a rotated loop": (
        "def f(a):\n while a():\n  b()\n c()",
        "def f(a):\n t = a()\n while 1:\n  if not t: break\n  b()\n  t = a()\n c()",
    ),
    "a finally body written twice": (
        "def f(a):\n try:\n  b()\n finally:\n  c()",
        "def f(a):\n try:\n  b()\n except BaseException:\n  c()\n  raise\n c()",
    ),
    "a load of an unbound name, duplicated": (
        "def f(a):\n if a: x = 1\n return x",
        "def f(a):\n if not a: return x\n x = 1\n return 1",
    ),
    "a list that a loop appends to": (
        "def f(a):\n x = []\n for i in a: x.append(i)\n return x",
        "def f(a):\n y = []\n for i in a:\n  t = i\n  y.append(t)\n return y",
    ),
    "identity": (
        "def f(a):\n return a() is None",
        "def f(a):\n t = a()\n if t is None: return True\n return False",
    ),
    "a dispatch loop": (
        "def f(a):\n for i in a:\n  g(i)\n return a",
        "def f(a):\n end = []\n it = iter(a)\n pc = 0\n while 1:\n  if pc == 0:\n   i = next(it, end)\n"
        "   if i is end: return a\n   pc = 1\n  else:\n   g(i)\n   pc = 0",
    ),
}


@pytest.mark.parametrize("name", PROVED)
def test_equal_behaviour_is_proved(name: str) -> None:
    found = depyf.verify(*map(function, PROVED[name]))
    assert found.verdict == "proved"


def test_reason_names_a_variable_that_lives_longer() -> None:
    first = function("def f(a):\n x = a()\n y = x.z()\n del x\n return g(y)")
    assert depyf.verify(first, function("def f(a):\n y = a().z()\n return g(y)")).verdict.reason == ""
    longer = depyf.verify(first, function("def f(a):\n x = a()\n y = x.z()\n return g(y)"))
    assert longer.verdict == "proved"
    assert longer.verdict.reason == "during the call, x stays alive, which the original has released"


UNPROVED = {
    "order of global access": ("def f(a, b):\n return g(a) + h(b)", "def f(a, b):\n x = h\n return g(a) + x(b)"),
    "a default": (
        "def f(a):\n def g(x=1): return x\n return g",
        "def f(a):\n def g(x=2): return x\n return g",
    ),
    "what a nested function does": (
        "def f(a):\n def g(x): return x\n return g",
        "def f(a):\n def g(x): return x + 1\n return g",
    ),
    "an unbound name": ("def f(a):\n x = a\n del x\n return x", "def f(a):\n x = a\n return x"),
    "the type of a constant": ("def f(a):\n return 1 if a else 0", "def f(a):\n return True if a else 0"),
    "an escaped list": ("def f(a):\n x = []\n a(x)\n return x", "def f(a):\n x = []\n a(x)\n return []"),
    "two lists for one": ("def f(a):\n x = []\n a(x, x)", "def f(a):\n a([], [])"),
    "a list that was passed to a call": (
        "def f(a, b):\n x = [b]\n a(x)\n return x[0]",
        "def f(a, b):\n x = [b]\n a(x)\n return b",
    ),
    "a swallowed exception": (
        "def f(a):\n try: a()\n finally: b()",
        "def f(a):\n try: a()\n except BaseException: pass\n b()",
    ),
    "the exception that is handled": (
        "def f(a):\n try: a()\n except BaseException:\n  b()\n  raise",
        "def f(a):\n try: a()\n except BaseException as e: x = e\n else: return\n b()\n raise x",
    ),
    "a name that the module binds": (
        "def f(a):\n global iter\n iter = a\n for i in a: pass",
        "def f(a):\n global iter\n iter = a\n e = []\n it = iter(a)\n while next(it, e) is not e: pass",
    ),
    "an endless empty loop": (
        "def f(a):\n if a is None: return\n a()",
        "def f(a):\n while a is None: pass\n a()",
    ),
    "an endless loop that loads a builtin": (
        "def f(a):\n try: a()\n finally: b()",
        "def f(a):\n try: a()\n except BaseException:\n  while 1: iter\n b()",
    ),
    "an argument's name": ("def f(a): return a", "def f(b): return b"),
}


@pytest.mark.parametrize("name", UNPROVED)
def test_different_behaviour_is_unproved(name: str) -> None:
    found = depyf.verify(*map(function, UNPROVED[name]))
    assert not found
    assert found.verdict == "unproved"
    assert found.verdict.reason


def test_names_of_the_compared_functions_are_ignored() -> None:
    texts = [
        "def f(a):\n def g(b): return lambda: a + b\n return g",
        "def f(a):\n def g(b): return lambda: b + a\n return g",
    ]
    old = function(texts[0])
    new, other = map(_renamed, texts)
    assert depyf.verify(old, new)
    assert not depyf.verify(old, other)
    assert not depyf.verify(old, function(texts[0].replace("g", "h")))  # the name of a nested function is visible


def _renamed(text: str) -> FunctionType:
    namespace: dict = {}
    exec(compile(text.replace("def f(", "def renamed("), "<test>", "exec"), namespace)
    return namespace["renamed"]


def test_globals_of_a_function_may_hide_builtins() -> None:
    """The module's globals decide what the name of a builtin means, even if the function does not bind it."""
    source = """
def sliced(a):
    return a[1:2]
def calls_slice(a):
    return a[slice(1, 2)]
def asserts(a):
    assert a
def raises(a):
    if not a: raise AssertionError
"""
    plain: dict = {}
    exec(source, plain)
    assert depyf.verify(plain["sliced"], plain["calls_slice"])
    assert depyf.verify(plain["asserts"], plain["raises"])
    hidden: dict = {"slice": lambda *_: 0, "AssertionError": KeyError}
    exec(source, hidden)
    assert not depyf.verify(hidden["sliced"], hidden["calls_slice"])
    assert not depyf.verify(hidden["asserts"], hidden["raises"])
    assert not depyf.verify(plain["sliced"], hidden["calls_slice"])


def test_dispatch_loop_works_if_globals_hide_builtins() -> None:
    namespace: dict = {"iter": None, "next": None}
    exec("def f(a):\n    for x in a:\n        if x:\n            return x\n", namespace)
    text = depyf.decompile(namespace["f"], skip=["structure"])
    assert "tmp_pc" in text
    assert text.verdict.holds
    exec(text, namespace)
    assert namespace["f"]([0, 3]) == 3
