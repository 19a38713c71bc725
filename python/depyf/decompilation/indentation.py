# SPDX-License-Identifier: MIT
"""Indents text, so that it can be placed inside a function."""

from __future__ import annotations

import ast

__all__ = ["indented", "lines_inside_strings"]


def lines_inside_strings(text: str) -> set[int]:
    """Numbers of the lines that begin inside a string, where indentation is part of the string's value."""
    inside: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and node.end_lineno is not None:
            inside.update(range(node.lineno + 1, node.end_lineno + 1))
    return inside


def indented(text: str, columns: int = 4) -> str:
    """Returns the text indented by some columns, except for the lines that begin inside strings.

    Raises:
        SyntaxError: The text is not valid Python.

    """
    inside = lines_inside_strings(text)
    lines = text.split("\n")
    return "\n".join(line if not line or i in inside else " " * columns + line for i, line in enumerate(lines, 1))
