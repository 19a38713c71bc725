# SPDX-License-Identifier: MIT
"""Locations in the user's program: stored with the full path, shown with the shortest path that is unambiguous.

Invariant: two locations are equal only if path, line and function are. Short names are never compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from types import CodeType

from depyf.torch.internals.vocabulary import RESUME_CODE


@dataclass(frozen=True)
class Location:
    """A line of a source file.

    Attributes:
        path: The full path, as Python or torch provides it.
        line: The line number, from 1.
        function: The name of the code object that contains the line, "" if unknown.
        code: The text of the line, "" if unknown.

    """

    path: str
    line: int
    function: str = ""
    code: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{_short(self.path)}:{self.line}"

    def __bool__(self) -> bool:
        return bool(self.path)

    @classmethod
    def of(cls, code: CodeType) -> Location:
        """Returns the first line of a code object."""
        return cls(code.co_filename, code.co_firstlineno, code.co_name)


NOWHERE = Location("", 0)

# Files of Python's library or of an installed package. The path may be from another machine.
_PACKAGES = r"(?:site|dist)-packages"
_PYTHONS = r"(?:lib(?:64)?[\\/]python3[^\\/]*|Python3\d+[\\/]Lib)"
_LIBRARY = re.compile(rf"[\\/](?:{_PACKAGES}|{_PYTHONS})[\\/]")
_PYTHONS_LIBRARY = re.compile(rf"[\\/]{_PYTHONS}[\\/](?!{_PACKAGES}[\\/])")


def is_pythons_library(path: str) -> bool:
    """Returns whether a file belongs to Python's own library, on this machine or another."""
    return _PYTHONS_LIBRARY.search(path) is not None


def calling_line(where: Location, stack: Sequence[Location]) -> Location:
    """Returns the innermost line of the program that leads to a library's line; NOWHERE for a line of the program."""
    if not _LIBRARY.search(where.path):
        return NOWHERE
    return next((place for place in reversed(stack) if not _LIBRARY.search(place.path)), NOWHERE)


def with_callers(where: Location, stack: tuple[Location, ...], outer: tuple[Location, ...]) -> tuple[Location, ...]:
    """Returns a stack that leads to a line; if only its callers (`outer`) are in the program, with them before it."""
    return (*outer, *stack) if not calling_line(where, stack) and calling_line(where, outer) else stack


class Paths:
    """Short names of files: as many of the last parts of each path as distinguish it from the others.

    Files such as `__init__.py`, which every package has, are always shown with their folder.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._names: dict[str, str] = {}
        waiting = {path: _short(path).count("/") + 1 for path in paths if path}
        while waiting:
            groups: dict[str, list[str]] = {}
            for path, count in waiting.items():
                groups.setdefault("/".join(_parts(path)[-count:]), []).append(path)
            waiting = {
                path: count + 1
                for name, group in groups.items()
                for path in group
                if len(group) > 1 and (count := waiting[path]) < len(_parts(path))
            }
            self._names.update((path, name) for name, group in groups.items() for path in group if path not in waiting)

    def show(self, location: Location | None) -> str:
        """Returns `file.py:12`, with as many folders as are needed; "" if there is no location."""
        if not location:
            return ""
        return f"{self._names.get(location.path) or _short(location.path)}:{location.line}"

    def describe(self, location: Location | None) -> str:
        """Returns `file.py:12 in function: code`; "" if there is no location."""
        if not location:
            return ""
        name = location.function.removeprefix(RESUME_CODE)
        if name != location.function:  # a resume function's lines are those of the function that it continues
            name = name.rpartition("_at_")[0]
        function = f" in {name}" if name else ""
        return self.show(location) + function + (f": {location.code}" if location.code else "")


def _short(path: str) -> str:
    folders = _parts(path)
    return "/".join(folders[-2:] if folders[-1] in ("__init__.py", "__main__.py") else folders[-1:])


def _parts(path: str) -> tuple[str, ...]:
    return PurePath(path.replace("\\", "/")).parts or (path,)
