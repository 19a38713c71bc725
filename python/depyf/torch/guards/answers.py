# SPDX-License-Identifier: MIT
"""Answers about calls: which guard fails and what it expected; whether an entry accepts a call. They print as text."""

from __future__ import annotations

from dataclasses import dataclass

from depyf.torch.guards import advice
from depyf.torch.guards.render import shown
from depyf.torch.internals import texts
from depyf.torch.model.guard import Guard
from depyf.torch.model.location import NOWHERE, Location


@dataclass(frozen=True)
class Failure:
    """One guard that does not hold.

    Attributes:
        entry: Compile id of the entry.
        index: Position among the entry's guards.
        guard: The guard; None if only its check is known, as for a full-code file without its `index.json`.
        check: The guard as a Python expression.
        source: The guarded expression, as the user would write it.
        what: Which property of the guarded value differs, for example "size".
        expected: The value that the entry was compiled for.
        found: The value in this call.
        subject: The role of the guarded value in the program, for example "argument"; "" if unknown.
        argument: The expression as the caller would write it: in terms of the wrapped function, if PyTorch wraps it.
        cure: What to do about it, where the context of the guard allows better advice than the guard alone.
        caller: The line of the program that called into the library whose line introduced the guard.

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
        """The user's line that introduced the guard, or None; the path is as torch prints it, maybe only its end."""
        return self.guard.location or None if self.guard is not None else None

    @property
    def where(self) -> str:
        """`file.py:12` of the user's line that introduced the guard; "" if torch names none."""
        return self.guard.where if self.guard is not None else ""

    @property
    def advice(self) -> str:
        """What to do about the failure; "" if there is no advice."""
        if self.guard is None or self.cure:
            return self.cure
        hint = self.guard.hint  # torch's own
        if texts.MODULE_INTS_AS_INPUTS in hint:
            return advice.INTEGER_OF_MODULE
        says_what_is_guarded = hint.startswith(("type ", "guard on ")) or "; Dynamo specialized" in hint
        if hint and not says_what_is_guarded:
            return hint
        source = self.argument or self.source
        return advice.advise(self.guard, source, self.what, self.expected, self.found, self.subject)

    @property
    def subject_text(self) -> str:
        """The guarded expression and the property that differs; an argument of PyTorch's wrapper by its name first."""
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
    """Whether an entry accepts a call; true if it does.

    Attributes:
        entry: Compile id of the entry.
        failure: The first guard that does not hold; None if the entry accepts the call.
        not_evaluated: The number of guards that depyf did not evaluate and assumed true.

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
        """Whether the entry accepts the call."""
        return self.failure is None

    def __str__(self) -> str:
        head = f"[{self.entry}]  takes this call" if self.failure is None else str(self.failure)
        return head + not_evaluated_note(self.not_evaluated)

    __repr__ = __str__


def not_evaluated_note(count: int) -> str:
    """Returns what an answer says about guards that were not evaluated; "" if there are none."""
    return f" ({count} guard{'' if count == 1 else 's'} not evaluated, assumed true)" if count else ""
