# SPDX-License-Identifier: MIT
"""A guard as a session, or a dump that was loaded, has it."""

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
    comment: str = ""  # the user's code that asked for it
    source: str = ""  # the expression whose value is guarded, when it belongs to one manager
    public: str = ""  # what the text does not tell: a public name of the object meant ("torch.abs"), a length
    hint: str = ""  # torch's own advice
    location: Location = (
        NOWHERE  # of that code; where there is no stack, the path may be its end only, as torch prints it
    )
    stack: tuple[Location, ...] = ()  # the program's frames there, outermost first; where torch tells them
    # what it was rendered of, and to what: kept by `guards.render`
    rendered: tuple[tuple[str, ...], str] | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def where(self) -> str:
        """`file.py:12` of the code that asked for it; "" where torch names none."""
        return str(self.location) if self.location else ""


def guards_of(entry: CacheEntry) -> list[Guard]:
    """The guards of an entry that was loaded."""
    return [
        Guard(g.kind, g.text, g.comment, g.source, g.known_as, g.hint, g.location or NOWHERE, g.stack)
        for g in entry.checks
    ]
