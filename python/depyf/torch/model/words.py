# SPDX-License-Identifier: MIT
"""Words of sentences that tell of a run."""

from __future__ import annotations

from collections.abc import Sequence


def count(number: int, what: str, several: str = "") -> str:
    """`1 frame`, `2 frames`; `several` is the plural where it is no mere s."""
    return f"{number} {what if number == 1 else several or what + 's'}"


def one_line(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


def differed(what: str, then: str, now: str, others: str = "") -> str:
    """`x: dtype was torch.float32, now torch.float64`; `others` after it."""
    was = "were" if what.rpartition(": ")[2].startswith(_SEVERAL) else "was"
    return f"{what} {was} {then}, now {now}{others}"


_SEVERAL = (  # properties whose name is a plural
    "dispatch keys", "distinct tensors", "functorch transforms", "saved-tensor hooks", "tensors that share memory",
    "torch function modes",
)  # fmt: skip


def and_so_for(names: Sequence[str]) -> str:
    """`, and so for x, y and 3 more`: what else an advice is for; "" of nothing."""
    if not names:
        return ""
    shown, rest = names[:_NAMED], len(names) - _NAMED
    return f", and so for {', '.join(shown)}" + (f" and {rest} more" if rest > 0 else "")


_NAMED = 4
