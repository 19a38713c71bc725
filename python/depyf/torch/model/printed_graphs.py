# SPDX-License-Identifier: MIT
"""Comments in graphs printed by torch's `print_readable()`, which name the program's line for the operations below."""

from __future__ import annotations

import re
from collections.abc import Iterator

from depyf.torch.internals.vocabulary import FROM_FILE
from depyf.torch.model.location import Location

_LOCATION_COMMENT = re.compile(
    rf"^[ \t]*{FROM_FILE}(?P<path>.+?):(?P<line>\d+) in (?P<function>[^,\n]*)(?:, code: (?P<code>.*))?$", re.MULTILINE
)
_FOLDER = re.compile(rf"({FROM_FILE})(?:.*?[/\\])??([^/\\\n]+?:\d+ in )")


def places(text: str) -> Iterator[Location]:
    """Yields the location named by each such comment of a printed graph, in order."""
    return map(_place, _LOCATION_COMMENT.finditer(text))


def lines_with_places(text: str) -> Iterator[tuple[int, str, Location]]:
    """Yields the number, the text and the location of each operation below such a comment."""
    place: Location | None = None
    for number, line in enumerate(text.split("\n"), 1):
        if (above := _LOCATION_COMMENT.match(line)) is not None:
            place = _place(above)
        elif not line.strip() or line.lstrip().startswith(("return ", "def ", "class ")):
            place = None
        elif place is not None:
            yield number, line, place


def without_folders(text: str) -> str:
    """Returns a printed graph with file names in place of paths."""
    return _FOLDER.sub(r"\1\2", text)


def _place(match: re.Match[str]) -> Location:
    return Location(match["path"], int(match["line"]), match["function"], match["code"] or "")
