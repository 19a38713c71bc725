# SPDX-License-Identifier: MIT
"""Annotation scopes taken alone (3.14+): functions that only the compiler makes, for annotations, bounds and aliases.

Invariant: works on the syntax tree of a function that does the same, and never guesses: what has another shape is None.
Shapes: codegen_process_deferred_annotations and codegen_setup_annotations_scope in Python/codegen.c.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType

__all__ = ["statements_with"]

_FUTURE = 0x1000000  # CO_FUTURE_ANNOTATIONS
_HOLDER = "_"  # a class of that name mangles nothing


def statements_with(function: ast.stmt, original: CodeType) -> list[ast.stmt] | None:
    """Statements for which the compiler makes the scope that `function` is the text of; None for other functions."""
    if not isinstance(function, ast.FunctionDef) or original.co_varnames[:1] not in (("format",), (".format",)):
        return None
    rest = _behind_guard(function.body)
    if not rest or not function.args.posonlyargs or not isinstance(rest[-1], ast.Return):
        return None
    if original.co_flags & _FUTURE:
        _Spelling().visit(function)
    value = rest[-1].value
    if function.name != "__annotate__":
        return _alias(function.name, value) if value is not None and len(rest) == 1 else None
    if len(rest) == 1:
        return _annotated_function(value) if isinstance(value, ast.Dict) else None
    found = list(_entries(rest[:-1]))
    if None in found:
        return None
    body = [_annotated(*entry) for entry in found if entry is not None]
    in_class = any(name.startswith("__") for name in original.co_freevars)
    if in_class or "__conditional_annotations__" not in original.co_names:
        holder = ast.parse(f"class {_HOLDER}: pass").body[0]
        assert isinstance(holder, ast.ClassDef)
        holder.body = body or holder.body
        return [holder]
    return body


class _Spelling(ast.NodeTransformer):
    """Annotations that are kept as strings become what they say."""

    def visit_Dict(self, node: ast.Dict) -> ast.Dict:
        node.values = [_said(value) for value in node.values]
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        node.value = _said(node.value)
        return node


def _said(value: ast.expr) -> ast.expr:
    if not isinstance(value, ast.Constant) or not isinstance(value.value, str):
        return value
    try:
        return ast.parse(value.value, mode="eval").body
    except SyntaxError:  # it was no annotation
        return value


def _behind_guard(body: list[ast.stmt]) -> list[ast.stmt]:
    """What follows `if format > 2: raise NotImplementedError`."""
    guard = body[0]
    if not isinstance(guard, ast.If) or len(guard.body) != 1 or not isinstance(guard.body[0], ast.Raise):
        return []
    return [*guard.orelse, *body[1:]]


def _alias(name: str, value: ast.expr) -> list[ast.stmt]:
    holder = ast.parse(f"type {name} = 0").body[0]
    holder.value = value  # type: ignore[attr-defined]  # a class of 3.12
    return [holder]


def _annotated_function(annotations: ast.Dict) -> list[ast.stmt] | None:
    """A function with these annotations, in their order."""
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
    """d = {}; d['a'] = A; if 1 in __conditional_annotations__: d['b'] = B; None for what is something else."""
    for statement in statements:
        conditional = isinstance(statement, ast.If)
        if isinstance(statement, ast.If):
            test = statement.test
            known = isinstance(test, ast.Compare) and isinstance(test.comparators[0], ast.Name)
            if not known or len(statement.body) != 1 or statement.orelse:
                yield None
                return
            statement = statement.body[0]
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if isinstance(target, ast.Subscript) and isinstance(statement, ast.Assign):
            key = target.slice
            name = key.value if isinstance(key, ast.Constant) else None
            yield (name, statement.value, conditional) if isinstance(name, str) else None
        elif not isinstance(target, ast.Name):  # else the dict gets a name
            yield None


def _annotated(name: str, annotation: ast.expr, conditional: bool) -> ast.stmt:
    target = ast.Name(id=name, ctx=ast.Store())
    statement: ast.stmt = ast.AnnAssign(target=target, annotation=annotation, value=None, simple=1)
    return ast.If(test=ast.Name(id=_HOLDER, ctx=ast.Load()), body=[statement], orelse=[]) if conditional else statement
