# SPDX-License-Identifier: MIT
"""The text of a function with free variables, as valid Python of its own.

`nonlocal` is an error outside a function: then one is put around it, with the free variables as its parameters, and
what the source map says moves with the text. Other texts stay as they are.
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
    """A text as it is in a file, and how far its places moved."""

    content: str
    down: int
    right: int = 0
    inside_strings: frozenset[int] = frozenset()  # lines of the text that did not move right

    def moved(self, place: Location) -> Location:
        """Where a place of the text is in the file."""
        begin = 0 if place.line in self.inside_strings else self.right
        end = 0 if place.end_line in self.inside_strings else self.right
        return Location(
            place.line + self.down, place.column + begin, place.end_line + self.down, place.end_column + end
        )


def wrap_in_closure(header: str, text: str, free_variables: tuple[str, ...]) -> PlacedText:
    """The text below a header, inside a function with its free variables where Python wants that."""
    as_it_is = PlacedText(header + text, header.count("\n"))
    name = _DEF.search(text)
    if name is None or not free_variables or not _NONLOCAL.search(text) or compiles(text) is None:
        return as_it_is
    try:
        inside = f"def {factory_name(name[1])}({', '.join(free_variables)}):\n{indented(text)}"
        moved = PlacedText(header + inside, as_it_is.down + 1, 4, frozenset(lines_inside_strings(text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return as_it_is
    return moved if compiles(inside) is None else as_it_is


def factory_name(name: str) -> str:
    """What the function around a function with free variables is called."""
    return f"with_free_variables_of_{name.lstrip('_')}"
