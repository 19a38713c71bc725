# SPDX-License-Identifier: MIT
"""Tests names that are no identifiers; pytest's assertion rewriting puts such names into functions of this file."""

from __future__ import annotations

import ast
import builtins
import types

import depyf
import pytest


def compares(a, b):
    assert a == b, "they differ"
    assert a.real in [b, 1] and a < 3 < b
    return a


def returns_locals(a, b):
    """The name of a variable is visible in the result."""
    assert a(b) is b
    return locals()


def nested(a):
    def inner():
        assert a
        return a

    return inner


def uses_such_strings(a):
    """The program uses such names as strings; "os.path" is also a name in the code, "a-b" is not."""
    import os.path

    return globals()["a-b"], globals()["os.path"], os.path.join(a)


def test_rewritten_assertions_are_exact():
    for function in (compares, returns_locals, nested):
        code = nested(1).__code__ if function is nested else function.__code__
        unspellable = {name for name in (*code.co_varnames, *code.co_names) if not name.isidentifier()}
        assert any(name.startswith("@py") for name in unspellable)  # pytest has rewritten the assertions
        text = depyf.decompile(function)
        assert {verdict.kind for verdict in text.verdicts} == {"exact"}
        assert "@py" in text and not any(f"{name} =" in text for name in unspellable)
        recompiled = text.recompile()
        assert (recompiled.co_code, recompiled.co_varnames) == (
            function.__code__.co_code,
            function.__code__.co_varnames,
        )


def test_strings_of_the_program_are_kept():
    text = depyf.decompile(uses_such_strings)
    assert "globals()['a-b'], globals()['os.path']" in text and text.verdict == "exact"


def renamed(code: types.CodeType) -> types.CodeType:
    """Returns CODE with names that are no identifiers in place of some names, as obfuscators make it."""
    unspellable = {"spelt": "not-spelt", "a.spelt": "a.not-spelt"}

    def new(value: object) -> object:
        if isinstance(value, types.CodeType):
            return renamed(value)
        return tuple(map(new, value)) if isinstance(value, tuple) else unspellable.get(value, value)

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
    """The text imports the same modules and binds the same names as the code."""
    code = renamed(compile(statement + "\n", "<case>", "exec"))
    text = depyf.decompile(code)

    def run(compiled: types.CodeType) -> tuple[list[tuple[object, ...]], set[str]]:
        requested: list[tuple[object, ...]] = []

        def load(name, globals=None, locals=None, fromlist=(), level=0):
            requested.extend((name, item, level) for item in fromlist or [None])
            return Loaded()

        names: dict[str, object] = {"__builtins__": {**vars(builtins), "__import__": load}, "__name__": "case"}
        exec(compiled, names)
        if "f" in names:
            names["f"]()
        return requested, {*names, *vars(names.get("C", Loaded))} - {"__firstlineno__", "__static_attributes__"}

    assert run(compile(text, "<text>", "exec")) == run(code)


class Loaded:
    """A module that has every attribute."""

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


class Recorder:
    """Records what is done to its attributes."""

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


def test_unspellable_attributes_and_variables_as_targets_of_any_statement():
    class RenameSpelt(ast.NodeTransformer):
        def visit_Attribute(self, node):
            self.generic_visit(node)
            node.attr = node.attr.replace("spelt", "not-spelt")
            return node

        def visit_Name(self, node):
            node.id = node.id.replace("spelt", "not-spelt")
            return node

    code = compile(ast.fix_missing_locations(RenameSpelt().visit(ast.parse(TARGETS))), "odd", "exec")

    def run(compiled):
        log = []

        def make(*values):
            log.append(("make", values))
            return list(values)

        namespace = {"first": Recorder(log), "second": Recorder(log), "make": make}
        namespace["print"] = lambda *arguments: log.append(("print", repr(arguments).count("Recorder")))
        exec(compiled, namespace)
        return log, sorted(namespace), namespace["not-spelt"]

    text = depyf.decompile(code)
    assert run(compile(str(text), "text", "exec")) == run(code)


def test_import_of_a_high_level_has_a_short_text():
    tree = ast.parse("from . import b")
    tree.body[0].level = 10_000_000
    text = depyf.decompile(compile(tree, "far", "exec"))
    assert len(text) < 200 and "10000000" in text
