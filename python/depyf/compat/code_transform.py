# SPDX-License-Identifier: MIT
"""Texts around decompiled functions, as depyf 0.20 made them; `Decompiled.recompile` needs none of this.

Invariant: text in, text out; nothing is compiled or executed, except that `fix_irregular_code` compiles to look.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import CodeType

from depyf.decompilation.indentation import indented, lines_inside_strings

__all__ = ["add_indentation", "fix_irregular_code", "prepare_freevars_for_compile", "remove_indentation"]

_HELPER = "__helper_outer_function"


def add_indentation(code: str, indentation: int = 4) -> str:
    """`code` moved to the right, its strings left as they are (depyf 0.20 moved what is in them too)."""
    return indented(_with_line_end(code), indentation)


def remove_indentation(code: str, indentation: int = 4) -> str:
    """`code` moved to the left, which undoes `add_indentation`."""
    text = _with_line_end(code)
    inside = lines_inside_strings("if True:\n" + text) if text[:1] == " " else lines_inside_strings(text)
    first = 2 if text[:1] == " " else 1  # number of the first line in what was parsed
    lines = text.split("\n")
    return "\n".join(
        line if number in inside else line[min(indentation, len(line) - len(line.lstrip(" "))) :]
        for number, line in enumerate(lines, first)
    )


def _with_line_end(code: str) -> str:
    return code if not code or code.endswith("\n") else code + "\n"


def prepare_freevars_for_compile(old_bytecode: CodeType, src_code: str) -> str:
    """`src_code` inside a function that holds the free variables of `old_bytecode`; unchanged if it has none."""
    if not old_bytecode.co_freevars:
        return src_code
    variables = "".join(f"    {name} = None\n" for name in old_bytecode.co_freevars)
    return (
        f"def {_HELPER}():\n"
        "    # Gives the function below its free variables; their values come from the closure it is bound to.\n"
        f"{variables}{indented(src_code)}"
    )


def fix_irregular_code(
    old_bytecode: CodeType,
    src_code: str,
    add_local_variables: Sequence[str] | None = None,
    add_cellvars: Sequence[str] | None = None,
) -> str:
    """`src_code` with the free variables of `old_bytecode` around it, and further locals and cells at its start."""
    extra: list[str] = [f"{name} = None" for name in add_local_variables or ()]
    if add_cellvars:
        extra.append("def __helper_for_cellvars():\n    return " + ", ".join(add_cellvars))
        extra[:0] = [f"{name} = None" for name in add_cellvars if name not in _parameters(src_code)]
    return prepare_freevars_for_compile(old_bytecode, _with_prologue(src_code, extra) if extra else src_code)


def _parameters(src_code: str) -> set[str]:
    return {node.arg for node in ast.walk(_function(src_code).args) if isinstance(node, ast.arg)}


def _function(src_code: str) -> ast.FunctionDef | ast.AsyncFunctionDef:
    for node in ast.parse(src_code).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return node
    raise ValueError("the text defines no function")


def _with_prologue(src_code: str, statements: Sequence[str]) -> str:
    """The statements before the first one of the function, after docstring and declarations."""
    body = _function(src_code).body
    first = next((n for n in body if not _stays_first(n, n is body[0])), None)
    lines = src_code.split("\n")
    at = first.lineno - 1 if first is not None else (body[-1].end_lineno or len(lines))
    margin = " " * body[0].col_offset
    added = [margin + line for statement in statements for line in statement.split("\n")]
    return "\n".join([*lines[:at], *added, *lines[at:]])


def _stays_first(node: ast.stmt, is_first: bool) -> bool:
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return True
    return (
        is_first
        and isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
