# SPDX-License-Identifier: MIT
"""Helpers for sentences about a run."""

from __future__ import annotations

from collections.abc import Sequence


def count(number: int, noun: str, plural: str = "") -> str:
    """Returns `1 frame`, `2 frames`; `plural` is needed if it is irregular."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def one_line(text: str) -> str:
    """Returns a text in one line, with runs of white space replaced by one space."""
    return " ".join(text.split())


def differed(subject: str, then: str, now: str, others: str = "") -> str:
    """Returns `x: dtype was torch.float32, now torch.float64`, followed by `others`."""
    was = "were" if subject.rpartition(": ")[2].startswith(_PLURALS) else "was"
    return f"{subject} {was} {then}, now {now}{others}"


_PLURALS = (  # properties whose names are plurals
    "dispatch keys", "distinct tensors", "functorch transforms", "saved-tensor hooks", "tensors that share memory",
    "torch function modes",
)  # fmt: skip


def and_so_for(names: Sequence[str]) -> str:
    """Returns `, and so for x, y and 3 more`, the other values to which an advice applies; "" if there are none."""
    if not names:
        return ""
    shown, rest = names[:_MAX_NAMED], len(names) - _MAX_NAMED
    return f", and so for {', '.join(shown)}" + (f" and {rest} more" if rest > 0 else "")


_MAX_NAMED = 4
