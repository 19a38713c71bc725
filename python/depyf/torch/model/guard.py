# SPDX-License-Identifier: MIT
"""The guard of a session or of a loaded dump."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from depyf.torch.model.location import NOWHERE, Location

if TYPE_CHECKING:
    from depyf.torch.model.facts import CacheEntry


@dataclass
class Guard:
    """One check of an entry, as torch prints it."""

    kind: str  # torch's leaf guard: TENSOR_MATCH, ID_MATCH, …
    text: str  # torch's own text of the check
    comment: str = ""  # the user's code that introduced it
    source: str = ""  # the expression whose value is guarded, if the guard belongs to one manager
    public: str = ""  # facts that the text lacks: a public name of the compared object ("torch.abs"), a length
    hint: str = ""  # torch's own advice
    # The user's line that introduced it. Without a stack, the path is as torch prints it, maybe only its end.
    location: Location = NOWHERE
    stack: tuple[Location, ...] = ()  # the program's frames at that line, outermost first; empty if unknown
    # Cache of `guards.render`: the facts that were rendered, and the result.
    rendered: tuple[tuple[str, ...], str] | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def where(self) -> str:
        """`file.py:12` of the code that introduced it; "" if torch names none."""
        return str(self.location) if self.location else ""


def guards_of(entry: CacheEntry) -> list[Guard]:
    """Returns the guards of a loaded entry."""
    return [
        Guard(g.kind, g.text, g.comment, g.source, g.known_as, g.hint, g.location or NOWHERE, g.stack)
        for g in entry.checks
    ]
