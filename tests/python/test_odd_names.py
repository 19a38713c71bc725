# SPDX-License-Identifier: MIT
"""Names that no source can spell: pytest rewrites the assertions of this very file with such names."""

from __future__ import annotations

import builtins
import types

import depyf
import pytest


def compared(a, b):
    assert a == b, "they differ"
    assert a.real in [b, 1] and a < 3 < b
    return a


def shown(a, b):
    """A variable's name can be seen."""
    assert a(b) is b
    return locals()


def nested(a):
    def inner():
        assert a
        return a

    return inner


def spelt(a):
    """The program's own: the name in brackets is a name of the code too, but for the first."""
    import os.path

    return globals()["a-b"], globals()["os.path"], os.path.join(a)


def test_rewritten_assertions_are_exact():
    for function in (compared, shown, nested):
        code = nested(1).__code__ if function is nested else function.__code__
        odd = {name for name in (*code.co_varnames, *code.co_names) if not name.isidentifier()}
        assert any(name.startswith("@py") for name in odd)  # else nothing was rewritten
        text = depyf.decompile(function)
        assert {verdict.kind for verdict in text.verdicts} == {"exact"}
        assert "@py" in text and not any(f"{name} =" in text for name in odd)
        back = text.recompile()
        assert (back.co_code, back.co_varnames) == (function.__code__.co_code, function.__code__.co_varnames)


def test_what_the_program_spells_stays():
    text = depyf.decompile(spelt)
    assert "globals()['a-b'], globals()['os.path']" in text and text.verdict == "exact"


def renamed(code: types.CodeType) -> types.CodeType:
    """The code with `odd` in the place of its names and constants that a source can spell, as obfuscators make it."""
    odd = {"spelt": "not-spelt", "a.spelt": "a.not-spelt"}

    def new(value: object) -> object:
        if isinstance(value, types.CodeType):
            return renamed(value)
        return tuple(map(new, value)) if isinstance(value, tuple) else odd.get(value, value)

    return code.replace(co_names=new(code.co_names), co_consts=new(code.co_consts))


@pytest.mark.parametrize(
    "statement",
    [
        "import spelt",
        "import spelt as x, os.path",
        "import a.spelt as x",
        "from a import spelt, x",
        "from a import spelt as x",
        "from spelt import x as y",
        "from . import spelt",
        "class C:\n    import spelt\n    y = spelt",
        "def f():\n    from spelt import x\n    return x",
    ],
)
def test_imports(statement: str):
    """They import the same and bind the same names."""
    code = renamed(compile(statement + "\n", "<case>", "exec"))
    text = depyf.decompile(code)

    def run(what: types.CodeType) -> tuple[list[tuple[object, ...]], set[str]]:
        asked: list[tuple[object, ...]] = []

        def load(name, globals=None, locals=None, fromlist=(), level=0):
            asked.extend((name, item, level) for item in fromlist or [None])
            return Loaded()

        names: dict[str, object] = {"__builtins__": {**vars(builtins), "__import__": load}, "__name__": "case"}
        exec(what, names)
        if "f" in names:
            names["f"]()
        return asked, {*names, *vars(names.get("C", Loaded))} - {"__firstlineno__", "__static_attributes__"}

    assert run(compile(text, "<text>", "exec")) == run(code)


class Loaded:
    """A module with every attribute."""

    def __getattr__(self, name: str) -> Loaded:
        return Loaded()
