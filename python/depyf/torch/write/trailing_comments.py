# SPDX-License-Identifier: MIT
"""Trailing comments in transformed code: the file of a graph, and the line at which a resume function continues.

Invariant: comments are added only at the end of the last line of a statement, so the source map stays valid.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from depyf.torch.model.location import Location, Paths

MAX_COLUMNS = 130  # for wider lines, the comment is shortened to the file
WIDEST = 170  # for lines that are still wider, it is omitted
_SIGN = "  # "
_LINES = ": "  # between a file and the lines of the program
_RANGES = 3  # maximum number of ranges of lines in a comment; the graph's file has all


def of_resumes(continues: Mapping[str, Location]) -> dict[str, str]:
    """Returns comments for calls of resume functions, which name the lines where they continue."""
    return {name: f"continues at {place}" for name, place in continues.items() if place}


def shows(file: str, places: Iterable[Location]) -> str:
    """Returns a comment that names a graph's file, and the lines of the program that it computes if they are few."""
    ranges = ranges_of(places)
    return f"{file}{_LINES}{', '.join(ranges)}" if 0 < len(ranges) <= _RANGES else file


def ranges_of(places: Iterable[Location], paths: Paths | None = None) -> list[str]:
    """Returns `toy.py:6-8` for each range of consecutive lines, with files in the order of first occurrence."""
    lines: dict[str, set[int]] = {}
    for place in places:
        lines.setdefault(place.path, set()).add(place.line)
    names = paths if paths is not None else Paths(lines)
    ranges = []
    for path, numbers in lines.items():
        for first in sorted(n for n in numbers if n - 1 not in numbers):
            last = first
            while last + 1 in numbers:
                last += 1
            start = names.show(Location(path, first))
            ranges.append(start if first == last else f"{start}-{last}")
    return ranges


def annotate_calls(text: str, comments: Mapping[str, str]) -> str:
    """Returns the text with each function's comment after the statements that call it, directly or through a variable.

    A text that does not parse is returned unchanged.
    """
    if not comments:
        return text
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text
    comment_of_name, comment_of_line = dict(comments), dict[int, str]()
    for node in _simple_statements(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id in comment_of_name:
            comment = comment_of_name[node.value.id]
            comment_of_name.update((target.id, comment) for target in node.targets if isinstance(target, ast.Name))
            continue
        for part in ast.walk(node):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in comment_of_name:
                comment_of_line[node.end_lineno or node.lineno] = comment_of_name[part.func.id]
    lines = text.split("\n")
    for number, comment in comment_of_line.items():
        line = lines[number - 1] + _SIGN
        if len(line + comment) <= MAX_COLUMNS:
            lines[number - 1] = line + comment
        elif len(shorter := line + comment.partition(_LINES)[0]) <= WIDEST:
            lines[number - 1] = shorter
    return "\n".join(lines)


def is_annotated(line: str, bare: str) -> bool:
    """Returns whether a line is equal to `bare`, with or without a comment."""
    return line == bare or line.startswith(bare + _SIGN)


def _simple_statements(tree: ast.Module) -> list[ast.stmt]:
    """Returns the simple statements in the order of the text; ast.walk would yield outer ones first."""
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and not hasattr(node, "body")]
    simple = [node for node in statements if not isinstance(node, ast.Match)]
    return sorted(simple, key=lambda node: (node.lineno, node.col_offset))
