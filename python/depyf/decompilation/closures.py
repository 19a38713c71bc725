# SPDX-License-Identifier: MIT
"""Makes the text of a function with free variables a valid Python file.

`nonlocal` is a syntax error outside a function. A text that uses it is placed inside a function whose parameters are
the free variables, and the places in the source map are shifted accordingly. Other texts are not changed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .indentation import indented, lines_inside_strings
from .line_table import Location
from .syntax import compiles

_NONLOCAL = re.compile(r"^\s+nonlocal ", re.MULTILINE)
_DEF = re.compile(r"^(?:async )?def ([^\W\d]\w*)\(", re.MULTILINE)


@dataclass(frozen=True)
class PlacedText:
    """The text as written to a file, and how far its places have been shifted."""

    content: str
    down: int
    right: int = 0
    inside_strings: frozenset[int] = frozenset()  # lines that were not shifted to the right

    def moved(self, place: Location) -> Location:
        """Returns the place in the file of a place in the text."""
        begin = 0 if place.line in self.inside_strings else self.right
        end = 0 if place.end_line in self.inside_strings else self.right
        return Location(
            place.line + self.down, place.column + begin, place.end_line + self.down, place.end_column + end
        )


def wrap_in_closure(header: str, text: str, free_variables: tuple[str, ...]) -> PlacedText:
    """Places the text below a header, inside a function with its free variables if it does not compile without."""
    unwrapped = PlacedText(header + text, header.count("\n"))
    name = _DEF.search(text)
    if name is None or not free_variables or not _NONLOCAL.search(text) or compiles(text) is None:
        return unwrapped
    try:
        inside = f"def {factory_name(name[1])}({', '.join(free_variables)}):\n{indented(text)}"
        moved = PlacedText(header + inside, unwrapped.down + 1, 4, frozenset(lines_inside_strings(text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return unwrapped
    return moved if compiles(inside) is None else unwrapped


def factory_name(name: str) -> str:
    """Returns the name of the function that is placed around a function with free variables."""
    return f"with_free_variables_of_{name.lstrip('_')}"
