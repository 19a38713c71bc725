# SPDX-License-Identifier: MIT
"""Breaks long expressions into several lines.

Invariant: the lines are the same expression. Each item of a broken bracket has its own line; only whitespace and a
comma after the last item are added. A call without another helper call inside, such as that of a tensor, stays on one
line.
"""

from __future__ import annotations

import itertools
import re

_TOKEN = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[()\[\]{}]|,""", re.DOTALL)
_WIDTH = 120
_HELPER = "replay."


def over_lines(text: str, indent: int, following: int = 1) -> str:
    """Returns the expression, broken into lines if it does not fit.

    Args:
        text: The expression.
        indent: The indentation of its line.
        following: The number of characters that follow it on its last line.

    """
    if indent + len(text) + following <= _WIDTH:
        return text
    opening, closing, items = _longest_bracket(text)
    if not any(_HELPER in item for item in items):
        return text
    inside = "".join(f"{' ' * (indent + 4)}{over_lines(item, indent + 4)},\n" for item in items)
    return f"{text[: opening + 1]}\n{inside}{' ' * indent}{text[closing:]}"


def _longest_bracket(text: str) -> tuple[int, int, list[str]]:
    """Returns start, end and items of the longest outermost bracket; parentheses around a single item do not count."""
    longest: tuple[int, int, list[str]] = (0, 0, [])
    depth = start = 0
    commas: list[int] = []
    for token in _TOKEN.finditer(text):
        position = token.start()
        if token[0] in "([{":
            start, commas = (position, []) if depth == 0 else (start, commas)
            depth += 1
        elif token[0] in ")]}":
            depth -= 1
            groups = text[start] == "(" and not commas and not re.search(r"[\w)\]]\Z", text[:start])
            if depth == 0 and not groups and position - start > longest[1] - longest[0]:
                ends = [start, *commas, position]
                items = [text[a + 1 : b].strip() for a, b in itertools.pairwise(ends)]
                longest = (start, position, [item for item in items if item])
        elif token[0] == "," and depth == 1:
            commas.append(position)
    return longest
