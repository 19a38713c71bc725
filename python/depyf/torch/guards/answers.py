# SPDX-License-Identifier: MIT
"""Answers about calls: which guard fails and what it expected, whether a call takes an entry. Values that print."""

from __future__ import annotations

from dataclasses import dataclass

from depyf.torch.guards import advice


@dataclass(frozen=True)
class Failure:
    """One guard that does not hold."""

    entry: str  # compile id
    check: str  # as it is in the file
    source: str  # the guarded expression, as the user would write it
    what: str  # which property of it
    expected: str
    found: str
    index: int  # position among the entry's guards
    torch_text: str = ""
    where: str = ""  # file:line of the user's code that asked for the guard
    hint: str = ""  # torch's own advice, where it has some
    subject: str = ""  # what the guarded value is to the program: see `advice.advise`

    @property
    def advice(self) -> str:
        """What to do about it, or nothing."""
        if self.hint and not self.hint.startswith(("type ", "guard on ")):  # these say what is guarded
            return self.hint
        return advice.advise(self.check, self.source, self.what, self.expected, self.found, self.subject)

    def __str__(self) -> str:
        subject = f"{self.source}: {self.what}" if self.source else self.what
        line = f"[{self.entry}]  {subject} expected {self.expected}, found {self.found}"
        if self.where:
            line += f"   {self.where}"
        return f"{line}   ->  {self.advice}" if self.advice else line


@dataclass(frozen=True)
class Explanation:
    """Whether a call takes an entry; true when it does."""

    entry: str  # compile id
    failure: Failure | None
    not_evaluated: int = 0  # guards that depyf does not evaluate, and takes to hold

    def __bool__(self) -> bool:
        return self.failure is None

    @property
    def hit(self) -> bool:
        """Whether the entry takes the call."""
        return self.failure is None

    def __str__(self) -> str:
        head = f"[{self.entry}]  takes this call" if self.failure is None else str(self.failure)
        return head + not_evaluated_note(self.not_evaluated)

    __repr__ = __str__


def not_evaluated_note(count: int) -> str:
    """What to add to an answer for guards that were not evaluated."""
    return f" ({count} guard{'' if count == 1 else 's'} not evaluated, assumed true)" if count else ""
