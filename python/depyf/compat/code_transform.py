# SPDX-License-Identifier: MIT
"""`depyf.code_transform` of depyf 0.20: changes the text of decompiled functions.

`Decompiled.recompile` does not need these functions. Invariant: they convert text to text; nothing is executed.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import CodeType

from depyf.decompilation.indentation import indented, lines_inside_strings

__all__ = ["add_indentation", "fix_irregular_code", "prepare_freevars_for_compile", "remove_indentation"]

_HELPER = "__helper_outer_function"


def add_indentation(code: str, indentation: int = 4) -> str:
    """Indent `code`, except for lines inside strings (which depyf 0.20 indented, too)."""
    return indented(_with_line_end(code), indentation)


def remove_indentation(code: str, indentation: int = 4) -> str:
    """Undo `add_indentation`."""
    text = _with_line_end(code)
    inside = lines_inside_strings("if True:\n" + text) if text[:1] == " " else lines_inside_strings(text)
    first = 2 if text[:1] == " " else 1  # the number that the first line has in the parsed text
    lines = text.split("\n")
    return "\n".join(
        line if number in inside else line[min(indentation, len(line) - len(line.lstrip(" "))) :]
        for number, line in enumerate(lines, first)
    )


def _with_line_end(code: str) -> str:
    return code if not code or code.endswith("\n") else code + "\n"


def prepare_freevars_for_compile(old_bytecode: CodeType, src_code: str) -> str:
    """Place `src_code` in a function with the free variables of `old_bytecode`; without any it is unchanged."""
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
    """Add variables that the bytecode has, but the text does not.

    Args:
        old_bytecode: The code object. `src_code` is placed in a function that has its free variables.
        src_code: The text of a function.
        add_local_variables: Names of local variables to assign at the beginning of the function.
        add_cellvars: Names of cell variables to create there.

    Returns:
        The changed text.

    Raises:
        ValueError: Variables are to be added, but the text defines no function.

    """
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
    """Inserts statements at the beginning of the function, after its docstring and declarations."""
    body = _function(src_code).body
    first = next((n for n in body if not _stays_first(n, n is body[0])), None)
    lines = src_code.split("\n")
    index = first.lineno - 1 if first is not None else (body[-1].end_lineno or len(lines))
    margin = " " * body[0].col_offset
    added = [margin + line for statement in statements for line in statement.split("\n")]
    return "\n".join([*lines[:index], *added, *lines[index:]])


def _stays_first(node: ast.stmt, is_first: bool) -> bool:
    """Whether a statement is a docstring or a declaration."""
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return True
    return (
        is_first
        and isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
