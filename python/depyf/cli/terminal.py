# SPDX-License-Identifier: MIT
"""Standard streams: colors and progress messages if they are a terminal, and repair of closed streams.

Invariants: standard output has the same text on a terminal and in a pipe, except for colors, which NO_COLOR turns off.
After `prepare`, a command may print any text, even if a stream is closed or its encoding lacks some characters.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import threading
import time
from collections.abc import Iterator
from typing import TextIO, cast

_CODES = {"bad": "31", "good": "32", "warn": "33", "dim": "2", "bold": "1", "place": "36"}
_SILENT = 1.0  # seconds before the first progress message, and between messages
_STYLES = (
    (re.compile(r"^\s*-(?!--).*"), "bad"),
    (re.compile(r"^\s*\+(?!\+\+).*"), "good"),
    (re.compile(r"^\s*@@.*"), "place"),
    (re.compile(r"^\s*(?:what to do: .*|the same$)"), "good"),
    (re.compile(r"^\S+:\d+(?=[: ]|$)"), "place"),
    (re.compile(r"graph break(?:, met \d+ times)?:|runs eagerly|failed$"), "bad"),
    (re.compile(r"(recompiled as|from the recompile) \[[^]]+\]:|recompile limit reached"), "warn"),
    (re.compile(r"removes \d+ of [^,]*, same results(?: to rounding)?(?:, \d+ values? not compared)?$"), "good"),
)


_shown = threading.Event()  # whether a progress message is on the terminal


def prepare() -> None:
    """Replaces closed streams (`>&-`) by the null device; has open ones escape characters they cannot encode."""
    sys.stdin = sys.stdin or _nowhere("r")
    sys.stdout = sys.stdout or _nowhere("w")
    sys.stderr = sys.stderr or _nowhere("w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _nowhere(mode: str) -> TextIO:
    return cast("TextIO", open(os.devnull, mode, encoding="utf-8"))


def abandon_output() -> None:
    """Redirects standard output to the null device; Python would otherwise try to flush its buffer again at exit."""
    with contextlib.suppress(OSError, ValueError):  # standard output is not a file, as in tests
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _takes_escapes(stream: TextIO) -> bool:
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def is_coloured() -> bool:
    """Returns whether standard output shows colors."""
    return _takes_escapes(sys.stdout) and not os.environ.get("NO_COLOR")


def say(line: str = "") -> None:
    """Prints a line to standard output, colored on a terminal."""
    if is_coloured():
        for pattern, style in _STYLES:
            line, count = pattern.subn(f"\x1b[{_CODES[style]}m\\g<0>\x1b[0m", line, count=1)
            if count and style in ("bad", "good"):
                break
    print(line)


def note(text: str) -> None:
    """Replaces the progress message on standard error if that is a terminal; "" removes it."""
    if _takes_escapes(sys.stderr) and (text or _shown.is_set()):
        width = os.get_terminal_size(sys.stderr.fileno()).columns or 80
        print(f"\r\x1b[K{text[: width - 1]}", end="", file=sys.stderr, flush=True)
        _shown.set() if text else _shown.clear()


@contextlib.contextmanager
def working(what: str) -> Iterator[None]:
    """Shows a progress message with the elapsed time on a terminal if the block takes more than a second."""
    if not _takes_escapes(sys.stderr):
        yield
        return
    ended, began = threading.Event(), time.monotonic()

    def show_progress() -> None:
        while not ended.wait(_SILENT):
            note(f"{what} … {time.monotonic() - began:.0f} s")

    thread = threading.Thread(target=show_progress, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        note("")
