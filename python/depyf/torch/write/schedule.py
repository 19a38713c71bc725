# SPDX-License-Identifier: MIT
"""When an index is written while its run is in progress, so that a process that is killed leaves one.

Invariant: at once while that has cost little in all, else at most a twentieth of the time; what is put off is written
soon after, also when nothing more is compiled. It does not know what an index is.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

_FREE = 0.2  # seconds in all for which nothing is put off
_SHARE = 20.0  # then as many times as long as a write took must pass before the next one


class RunningIndex:
    """Calls `write`, which must not raise, after changes."""

    def __init__(self, write: Callable[[], object]) -> None:
        self._write = write
        self._lock = threading.RLock()
        self._writing = False
        self._spent = 0.0
        self._due = 0.0
        self._timer: threading.Timer | None = None
        self._closed = False

    def changed(self) -> None:
        """There is something new to write."""
        with self._lock:
            if self._closed or self._writing or self._timer is not None:
                return
            now = time.monotonic()
            if self._spent < _FREE or now >= self._due:
                self._write_now()
                return
            self._timer = threading.Timer(self._due - now, self._write_later)
            self._timer.daemon = True  # the end of the program does not wait: the block's end writes anyway
            self._timer.start()

    def close(self) -> None:
        """Nothing is written from now on."""
        with self._lock:
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()

    def _write_later(self) -> None:
        with self._lock:
            self._timer = None
            if not self._closed:
                self._write_now()

    def _write_now(self) -> None:
        self._writing = True
        began = time.monotonic()
        try:
            self._write()
        finally:
            self._writing = False
        ended = time.monotonic()
        self._spent += ended - began
        self._due = ended + _SHARE * (ended - began)
