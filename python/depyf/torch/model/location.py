# SPDX-License-Identifier: MIT
"""Places in the user's program: stored with the whole path, shown as short as they can be told apart.

Invariant: two locations are equal only where path, line and function are. What is shown short never decides anything.
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
        path: The whole path, as Python or torch gives it.
        line: From 1.
        function: The name of the code object that the line is part of, "" where it is not known.
        code: The text of the line, "" where it is not known.

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
        """The first line of a code object."""
        return cls(code.co_filename, code.co_firstlineno, code.co_name)


NOWHERE = Location("", 0)

# Of Python's own library, or of what is installed beside it; the path may be of another machine.
_PACKAGES = r"(?:site|dist)-packages"
_PYTHONS = r"(?:lib(?:64)?[\\/]python3[^\\/]*|Python3\d+[\\/]Lib)"
_LIBRARY = re.compile(rf"[\\/](?:{_PACKAGES}|{_PYTHONS})[\\/]")
_PYTHONS_LIBRARY = re.compile(rf"[\\/]{_PYTHONS}[\\/](?!{_PACKAGES}[\\/])")


def is_pythons_library(path: str) -> bool:
    """Whether a file is of Python's own library, of this machine or of another."""
    return _PYTHONS_LIBRARY.search(path) is not None


def calling_line(where: Location, stack: Sequence[Location]) -> Location:
    """The program's line, innermost first, that leads to one in a library; NOWHERE for a line of the program's own."""
    if not _LIBRARY.search(where.path):
        return NOWHERE
    return next((place for place in reversed(stack) if not _LIBRARY.search(place.path)), NOWHERE)


def with_callers(where: Location, stack: tuple[Location, ...], outer: tuple[Location, ...]) -> tuple[Location, ...]:
    """A stack that leads to a place, with the lines (`outer`) that call its first frame where only these lead there."""
    return (*outer, *stack) if not calling_line(where, stack) and calling_line(where, outer) else stack


class Paths:
    """Short names of files: the last parts of each path, as many as tell it from the other ones.

    A file that is named as those of all packages are has its folder's name too.
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
        """`file.py:12`, with as much of the folder as is needed; "" for no location."""
        if not location:
            return ""
        return f"{self._names.get(location.path) or _short(location.path)}:{location.line}"

    def describe(self, location: Location | None) -> str:
        """`file.py:12 in function: code`."""
        if not location:
            return ""
        name = location.function.removeprefix(RESUME_CODE)
        if name != location.function:  # a resume function's lines are those of the function that it continues
            name = name.rpartition("_at_")[0]
        function = f" in {name}" if name else ""
        return self.show(location) + function + (f": {location.code}" if location.code else "")


def _short(path: str) -> str:
    parts = _parts(path)
    return "/".join(parts[-2:] if parts[-1] in ("__init__.py", "__main__.py") else parts[-1:])


def _parts(path: str) -> tuple[str, ...]:
    return PurePath(path.replace("\\", "/")).parts or (path,)
