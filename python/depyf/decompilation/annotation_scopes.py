# SPDX-License-Identifier: MIT
"""Recompiles annotation scopes on their own (3.14+).

Only the compiler creates these functions: for lazy annotations, for bounds of type parameters, and for type aliases.
The decompiled text is an ordinary function that does the same; this module turns its syntax tree into statements for
which the compiler creates the scope. It recognizes the shapes that codegen_process_deferred_annotations and
codegen_setup_annotations_scope (Python/codegen.c) produce. Invariant: it never guesses; for any other shape the result
is None.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType

__all__ = ["statements_with"]

_FUTURE = 0x1000000  # CO_FUTURE_ANNOTATIONS
_HOLDER = "_"  # private names are not mangled in a class of this name


def statements_with(function: ast.stmt, original: CodeType) -> list[ast.stmt] | None:
    """Returns statements for which the compiler creates the scope shown by `function`; None for other functions."""
    if not isinstance(function, ast.FunctionDef) or original.co_varnames[:1] not in (("format",), (".format",)):
        return None
    rest = _after_format_check(function.body)
    if not rest or not function.args.posonlyargs or not isinstance(rest[-1], ast.Return):
        return None
    if original.co_flags & _FUTURE:
        _StringAnnotations().visit(function)
    value = rest[-1].value
    if function.name != "__annotate__":
        return _alias(function.name, value) if value is not None and len(rest) == 1 else None
    if len(rest) == 1:
        return _annotated_function(value) if isinstance(value, ast.Dict) else None
    entries = list(_entries(rest[:-1]))
    if None in entries:
        return None
    body = [_annotated(*entry) for entry in entries if entry is not None]
    in_class = any(name.startswith("__") for name in original.co_freevars)
    if in_class or "__conditional_annotations__" not in original.co_names:
        holder = ast.parse(f"class {_HOLDER}: pass").body[0]
        assert isinstance(holder, ast.ClassDef)
        holder.body = body or holder.body
        return [holder]
    return body


class _StringAnnotations(ast.NodeTransformer):
    """Replaces annotations stored as strings by the expressions in them."""

    def visit_Dict(self, node: ast.Dict) -> ast.Dict:
        node.values = [_parsed(value) for value in node.values]
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        node.value = _parsed(node.value)
        return node


def _parsed(value: ast.expr) -> ast.expr:
    """Returns the expression in a string constant; `value` itself if it is not one or does not parse."""
    if not isinstance(value, ast.Constant) or not isinstance(value.value, str):
        return value
    try:
        return ast.parse(value.value, mode="eval").body
    except SyntaxError:  # the string was not an annotation
        return value


def _after_format_check(body: list[ast.stmt]) -> list[ast.stmt]:
    """Returns the statements after `if format > 2: raise NotImplementedError`.

    Returns an empty list if the body does not begin with it.
    """
    guard = body[0]
    if not isinstance(guard, ast.If) or len(guard.body) != 1 or not isinstance(guard.body[0], ast.Raise):
        return []
    return [*guard.orelse, *body[1:]]


def _alias(name: str, value: ast.expr) -> list[ast.stmt]:
    holder = ast.parse(f"type {name} = 0").body[0]
    holder.value = value  # type: ignore[attr-defined]  # a class of 3.12
    return [holder]


def _annotated_function(annotations: ast.Dict) -> list[ast.stmt] | None:
    """Returns a function with these annotations, in this order; None if a key is not a string."""
    holder = ast.parse(f"def {_HOLDER}(): pass").body[0]
    assert isinstance(holder, ast.FunctionDef)
    for key, value in zip(annotations.keys, annotations.values):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            return None
        if key.value == "return":
            holder.returns = value
        else:
            holder.args.args.append(ast.arg(arg=key.value, annotation=value))
    return [holder]


def _entries(statements: list[ast.stmt]) -> Iterator[tuple[str, ast.expr, bool] | None]:
    """Yields (name, annotation, is conditional) for each annotation of a module or class; None for other statements.

    The shape is `d = {}; d['a'] = A; if 1 in __conditional_annotations__: d['b'] = B`.
    """
    for statement in statements:
        conditional = isinstance(statement, ast.If)
        if isinstance(statement, ast.If):
            test = statement.test
            is_marker = isinstance(test, ast.Compare) and isinstance(test.comparators[0], ast.Name)
            if not is_marker or len(statement.body) != 1 or statement.orelse:
                yield None
                return
            statement = statement.body[0]
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if isinstance(target, ast.Subscript) and isinstance(statement, ast.Assign):
            key = target.slice
            name = key.value if isinstance(key, ast.Constant) else None
            yield (name, statement.value, conditional) if isinstance(name, str) else None
        elif not isinstance(target, ast.Name):  # a name is the variable that the dict is assigned to
            yield None


def _annotated(name: str, annotation: ast.expr, conditional: bool) -> ast.stmt:
    target = ast.Name(id=name, ctx=ast.Store())
    statement: ast.stmt = ast.AnnAssign(target=target, annotation=annotation, value=None, simple=1)
    return ast.If(test=ast.Name(id=_HOLDER, ctx=ast.Load()), body=[statement], orelse=[]) if conditional else statement
