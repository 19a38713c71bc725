# SPDX-License-Identifier: MIT
"""What a terminal gets and a pipe does not: colours, and a word on work that takes more than a second.

Invariant: standard output holds the same text on a terminal and in a pipe but for colours; NO_COLOR takes them away.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import threading
import time
from collections.abc import Iterator

_CODES = {"bad": "31", "good": "32", "warn": "33", "dim": "2", "bold": "1", "place": "36"}
_SILENT = 1.0  # seconds
_STYLES = (
    (re.compile(r"^\s*-(?!--).*"), "bad"),
    (re.compile(r"^\s*\+(?!\+\+).*"), "good"),
    (re.compile(r"^\s*@@.*"), "place"),
    (re.compile(r"^\s*(?:what to do: .*|the same$)"), "good"),
    (re.compile(r"^\S+:\d+(?=[: ]|$)"), "place"),
    (re.compile(r"graph break(?:, met \d+ times)?:|runs eagerly|failed$"), "bad"),
    (re.compile(r"(recompiled as|from the recompile) \[[^]]+\]:|recompile limit reached"), "warn"),
    (re.compile(r"removes \d+ of [^,]*, same results(?: to rounding)?$"), "good"),
)


def is_coloured() -> bool:
    """Whether standard output shows colours."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def say(line: str = "") -> None:
    """Prints a line of an answer, coloured on a terminal."""
    if is_coloured():
        for pattern, style in _STYLES:
            line, found = pattern.subn(f"\x1b[{_CODES[style]}m\\g<0>\x1b[0m", line, count=1)
            if found and style in ("bad", "good"):
                break
    print(line)


def note(text: str) -> None:
    """Shows one line of progress on standard error in place of the last one, if that is a terminal; "" clears it."""
    if sys.stderr.isatty():
        width = os.get_terminal_size(sys.stderr.fileno()).columns
        print(f"\r\x1b[K{text[: width - 1]}", end="", file=sys.stderr, flush=True)


@contextlib.contextmanager
def working(what: str) -> Iterator[None]:
    """Tells on a terminal what is being done, and for how long, when it takes more than a second."""
    if not sys.stderr.isatty():
        yield
        return
    ended, began = threading.Event(), time.monotonic()

    def tell() -> None:
        while not ended.wait(_SILENT):
            note(f"{what} … {time.monotonic() - began:.0f} s")

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()
        note("")
