# SPDX-License-Identifier: MIT
"""Provides the names that a Python file defines, without running the whole file.

Invariant: a top-level statement runs only if it binds a name, and only when that name is looked up. Such statements are
imports, definitions and assignments, and `try` and `if` statements around them. An `if __name__ == "__main__":`, a
loop, a `with` statement or an expression statement never runs.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import contextlib
import dis
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

_ANY = "*"  # what a star import binds
# Instructions of class bodies: they read a dict subclass of globals without calling `__missing__`.
_IGNORES_MISSING = ("LOAD_NAME", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_GLOBALS")


class Definitions(dict[str, Any]):
    """The globals of a file. A lookup of a name runs the statements that bind it, in the order of the file.

    Raises:
        OSError: The file cannot be read.
        SyntaxError: The file is not valid Python.
        ValueError: The file contains null bytes.

    """

    def __init__(self, file: Path, package: str = "") -> None:
        super().__init__(__name__="__main__", __file__=str(file), __package__=package or None, __builtins__=builtins)
        self._waiting: dict[ast.stmt, frozenset[str]] = {}
        self._flags = 0
        for statement in ast.parse(file.read_bytes(), str(file)).body:
            if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
                self._flags |= sum(getattr(__future__, alias.name).compiler_flag for alias in statement.names)
            elif binds := frozenset(_bound_by(statement)):
                self._waiting[statement] = binds

    def __missing__(self, name: str) -> Any:
        self._define(name)
        if name not in self and not hasattr(builtins, name):
            self._define(_ANY)
        if name not in self:
            raise KeyError(name)
        return self[name]

    def _define(self, name: str) -> None:
        for statement, binds in [*self._waiting.items()]:
            if name in binds and self._waiting.pop(statement, frozenset()):
                module = ast.Module([statement], [])
                code = compile(module, self["__file__"], "exec", flags=self._flags, dont_inherit=True)
                for read in {*_names_read_directly(code)}:
                    with contextlib.suppress(KeyError):
                        self[read]  # defines it
                exec(code, self)


def _names_read_directly(code: CodeType) -> Iterator[str]:
    """Yields the names that the code of a statement reads without calling `__missing__`."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from (i.argval for i in dis.get_instructions(inner) if i.opname in _IGNORES_MISSING)
            yield from _names_read_directly(inner)


def _bound_by(statement: ast.stmt) -> Iterator[str]:
    """Yields the names that a top-level statement binds or changes objects of; none if it is never run (see above)."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in names)
        case ast.Assign(targets=targets):
            yield from (name for target in targets for name in _assigned(target))
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            yield from _assigned(target)
        case ast.If(test=test) if any(isinstance(n, ast.Name) and n.id == "__name__" for n in ast.walk(test)):
            return
        case ast.If(body=body, orelse=alternative):
            yield from (name for inner in (*body, *alternative) for name in _bound_by(inner))
        case ast.Try(body=body, handlers=handlers, orelse=alternative, finalbody=cleanup):
            statements = (*body, *(s for handler in handlers for s in handler.body), *alternative, *cleanup)
            yield from (name for inner in statements for name in _bound_by(inner))
        case _ if type(statement).__name__ == "TypeAlias":  # from CPython 3.12 on
            yield vars(statement)["name"].id


def _assigned(target: ast.expr) -> Iterator[str]:
    match target:
        case ast.Name(id=name):
            yield name
        case ast.Starred(value=value) | ast.Attribute(value=value) | ast.Subscript(value=value):
            yield from _assigned(value)
        case ast.Tuple(elts=items) | ast.List(elts=items):
            yield from (name for item in items for name in _assigned(item))
