# SPDX-License-Identifier: MIT
"""Checks whether a text compiles."""

from __future__ import annotations


def compiles(content: str) -> str | None:
    """Returns None if `content` compiles, else the reason why it does not."""
    try:
        compile(content, "<dump>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        return f"{type(error).__name__}: {getattr(error, 'msg', None) or error}"
    return None
