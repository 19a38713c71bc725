# SPDX-License-Identifier: MIT
"""Answers about calls: which guard fails and what it expected, whether a call takes an entry. Values that print."""

from __future__ import annotations

from dataclasses import dataclass

from depyf.torch.guards import advice
from depyf.torch.guards.render import shown
from depyf.torch.model.guard import Guard
from depyf.torch.model.location import NOWHERE, Location


@dataclass(frozen=True)
class Failure:
    """One guard that does not hold.

    Attributes:
        entry: Compile id of the entry.
        index: Position among the entry's guards.
        guard: The guard; None where nothing but its check is known: a full-code file without its `index.json`.
        check: The guard as Python.
        source: The guarded expression, as the user would write it.
        what: Which property of it.
        expected: The value compiled for.
        found: The value of this call.
        subject: What the guarded value is to the program.
        argument: The expression as the caller would write it: by the parameter of what PyTorch's wrapper calls.
        cure: What to do about it, where other entries tell more than the guard itself.
        caller: The program's line that leads to the one in a library that asked for the guard.

    Examples:
        >>> import depyf, torch
        >>> scale = torch.compile(lambda x, k: x * k, backend="eager", dynamic=False)
        >>> result = scale(torch.ones(2), 2)
        >>> failure = depyf.which_entry(scale, torch.ones(3), 2).failures[0]
        >>> (failure.source, failure.what, failure.expected, failure.found)
        ('x', 'size', '(2,)', '(3,)')

    """

    entry: str
    index: int
    guard: Guard | None
    check: str
    source: str
    what: str
    expected: str
    found: str
    subject: str = ""
    argument: str = ""
    cure: str = ""
    caller: Location = NOWHERE

    @property
    def torch_text(self) -> str:
        """torch's own text of the guard, in one line."""
        return shown(self.guard) if self.guard is not None else ""

    @property
    def location(self) -> Location | None:
        """The user's code that asked for the guard; the path as torch prints it, which may be its end only."""
        return self.guard.location or None if self.guard is not None else None

    @property
    def where(self) -> str:
        """`file.py:12` of the user's code that asked for the guard, "" where torch names none."""
        return self.guard.where if self.guard is not None else ""

    @property
    def advice(self) -> str:
        """What to do about it, or nothing."""
        if self.guard is None or self.cure:
            return self.cure
        hint = self.guard.hint  # torch's own
        says_what_is_guarded = hint.startswith(("type ", "guard on ")) or "; Dynamo specialized" in hint
        if hint and not says_what_is_guarded:
            return hint
        source = self.argument or self.source
        return advice.advise(self.guard, source, self.what, self.expected, self.found, self.subject)

    @property
    def subject_text(self) -> str:
        """What the guard looks at and which property of it; an argument of PyTorch's wrapper by its own name first."""
        source = f"{self.argument} ({self.source})" if self.argument not in ("", self.source) else self.source
        return f"{source}: {self.what}" if source else self.what

    def __str__(self) -> str:
        subject = self.subject_text
        line = f"[{self.entry}]  {subject} expected {self.expected}, found {self.found}"
        if self.where:
            line += f"   {self.where}{f', called from {self.caller}' if self.caller else ''}"
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
