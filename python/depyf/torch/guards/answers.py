# SPDX-License-Identifier: MIT
"""Answers about calls: which guard fails and what it expected, whether a call takes an entry. Values that print."""

from __future__ import annotations

from dataclasses import dataclass

from depyf.torch.guards import advice


@dataclass(frozen=True)
class Failure:
    """One guard that does not hold.

    Attributes:
        entry: Compile id of the entry.
        check: The guard as Python, as full-code files have it.
        source: The guarded expression, as the user would write it.
        what: Which property of it.
        expected: The value compiled for.
        found: The value of this call.
        index: Position among the entry's guards.
        torch_text: The guard in torch's words.
        where: `file:line` of the user's code that asked for the guard.
        hint: torch's own advice, where it has some.
        subject: What the guarded value is to the program.

    Examples:
        >>> import depyf, torch
        >>> scale = torch.compile(lambda x, k: x * k, backend="eager", dynamic=False)
        >>> result = scale(torch.ones(2), 2)
        >>> failure = depyf.which_entry(scale, torch.ones(3), 2).failures[0]
        >>> (failure.source, failure.what, failure.expected, failure.found)
        ('x', 'size', '(2,)', '(3,)')

    """

    entry: str
    check: str
    source: str
    what: str
    expected: str
    found: str
    index: int
    torch_text: str = ""
    where: str = ""
    hint: str = ""
    subject: str = ""

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
    """Whether a call takes an entry; true when it does.

    Attributes:
        entry: Compile id of the entry.
        failure: The first guard that does not hold, None where the call takes the entry.
        not_evaluated: How many guards depyf does not evaluate, and assumed true.

    Examples:
        >>> import depyf, torch
        >>> scale = torch.compile(lambda x, k: x * k, backend="eager", dynamic=False)
        >>> result = scale(torch.ones(2), 2)
        >>> explanation = depyf.entries(scale)[0].explain(torch.ones(2), 3)
        >>> (bool(explanation), explanation.failure.source)
        (False, 'k')

    """

    entry: str
    failure: Failure | None
    not_evaluated: int = 0

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
