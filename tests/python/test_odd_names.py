# SPDX-License-Identifier: MIT
"""Names that no source can spell: pytest rewrites the assertions of this very file with such names."""

from __future__ import annotations

import ast
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


TARGETS = """
first.spelt = second.plain = make(1)
first.plain, second.spelt, *second.plain = make(1, 2, 3)
first.spelt += make(4)
for first.spelt in make(5, 6):
    print(first)
with second as first.spelt:
    print(first)
print([first for second.spelt in make(7, 8)])
first.spelt[0] = make(9)
del second.spelt, first.plain
print((spelt := make(10)), "not-spelt" in globals())
def generic():
    first.spelt, spelt = make(11, 12)
    return [spelt for first.spelt in make(13)], spelt
print(generic())
print((lambda: [first.spelt, second])())
"""


class Noted:
    """Tells what is done to its attributes."""

    def __init__(self, log):
        object.__setattr__(self, "log", log)

    def __setattr__(self, name, value):
        self.log.append(("set", name, value))
        object.__setattr__(self, name, value)

    def __delattr__(self, name):
        self.log.append(("delete", name))
        object.__delattr__(self, name)

    def __enter__(self):
        return [len(self.log)]

    def __exit__(self, *exception):
        self.log.append("exit")


def test_attributes_and_variables_that_source_cannot_say_are_stored_anywhere():
    class Odd(ast.NodeTransformer):
        def visit_Attribute(self, node):
            self.generic_visit(node)
            node.attr = node.attr.replace("spelt", "not-spelt")
            return node

        def visit_Name(self, node):
            node.id = node.id.replace("spelt", "not-spelt")
            return node

    code = compile(ast.fix_missing_locations(Odd().visit(ast.parse(TARGETS))), "odd", "exec")

    def run(what):
        log = []

        def make(*values):
            log.append(("make", values))
            return list(values)

        space = {"first": Noted(log), "second": Noted(log), "make": make}
        space["print"] = lambda *what: log.append(("print", repr(what).count("Noted")))
        exec(what, space)
        return log, sorted(space), space["not-spelt"]

    text = depyf.decompile(code)
    assert run(compile(str(text), "text", "exec")) == run(code)


def test_an_import_of_a_package_far_around_is_short():
    tree = ast.parse("from . import b")
    tree.body[0].level = 10_000_000
    text = depyf.decompile(compile(tree, "far", "exec"))
    assert len(text) < 200 and "10000000" in text
