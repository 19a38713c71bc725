# SPDX-License-Identifier: MIT
"""Words of sentences that tell of a run."""

from __future__ import annotations


def count(number: int, what: str, several: str = "") -> str:
    """`1 frame`, `2 frames`; `several` is the plural where it is no mere s."""
    return f"{number} {what if number == 1 else several or what + 's'}"


def one_line(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())
