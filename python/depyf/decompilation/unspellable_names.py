# SPDX-License-Identifier: MIT
"""Restores names that are not identifiers, such as `@py_assert1` in assertions rewritten by pytest.

The text has another name for such a variable, and `globals()['@name']` for such a global. Syntax trees and code objects
can contain the original names, so they are restored before a text is checked or executed in place of the code.
Invariant: only names of the code object are restored; a `globals()['some text']` of the program itself stays. This
module, and those that import it, must also run on the interpreters that check old bytecode, down to 3.8.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from types import CodeType


def odd_names(code: CodeType) -> frozenset[str]:
    """Returns the names of globals in a code object, and in those nested in it, that are not identifiers."""
    return frozenset(
        name
        for nested in _codes(code)
        for name in nested.co_names
        if not all(part.isidentifier() for part in name.split("."))  # the name in `import a.b` is "a.b"
    )


def with_odd_globals(tree: ast.Module, names: frozenset[str]) -> ast.Module:
    """Replaces `globals()['name']` by a variable with that name, for the given names."""
    changed: ast.Module = _Globals(names).visit(tree) if names else tree
    return changed


class _Globals(ast.NodeTransformer):
    def __init__(self, names: frozenset[str]) -> None:
        self._names = names

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        key: ast.AST = getattr(node.slice, "value", node.slice) if type(node.slice) is _INDEX else node.slice
        call = node.value
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id == "globals"
            and not (call.args or call.keywords)
            and isinstance(key, ast.Constant)
            and key.value in self._names
        ):
            return ast.copy_location(ast.Name(key.value, node.ctx), node)
        self.generic_visit(node)
        return node


_INDEX = getattr(ast, "Index", None) if sys.version_info < (3, 9) else None  # wraps the key up to 3.8


def with_odd_variables(code: CodeType, original: CodeType) -> CodeType:
    """Returns the code with the local variables of `original` that are not identifiers, also in nested code objects."""
    ours, theirs = code.co_varnames, original.co_varnames
    if len(ours) == len(theirs) and all(a == b or not b.isidentifier() for a, b in zip(ours, theirs)):
        code = code if ours == theirs else code.replace(co_varnames=theirs)
    inner = [c for c in original.co_consts if isinstance(c, CodeType)]
    if len(inner) != sum(isinstance(c, CodeType) for c in code.co_consts):
        return code
    rest = iter(inner)
    constants = tuple(with_odd_variables(c, next(rest)) if isinstance(c, CodeType) else c for c in code.co_consts)
    changed = any(a is not b for a, b in zip(constants, code.co_consts))
    return code.replace(co_consts=constants) if changed else code


def _codes(code: CodeType) -> Iterator[CodeType]:
    todo = [code]
    while todo:
        code = todo.pop()
        yield code
        todo.extend(c for c in code.co_consts if isinstance(c, CodeType))
