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

_LONGEST_WAIT = 60.0  # for a write in another thread


class RunningIndex:
    """Calls `write`, which must not raise, after changes: in one thread at a time, while others go on."""

    def __init__(self, write: Callable[[], object]) -> None:
        self._write = write
        self._lock = threading.Condition()
        self._writer = 0  # the thread that writes
        self._changed_since = False  # while it was written
        self._spent = 0.0
        self._due = 0.0
        self._timer: threading.Timer | None = None
        self._closed = False

    def changed(self) -> None:
        """There is something new to write."""
        with self._lock:
            if self._closed or self._timer is not None or self._writer == threading.get_ident():
                return
            if self._writer:
                self._changed_since = True
                return
            now = time.monotonic()
            if self._spent >= _FREE and now < self._due:
                self._put_off(self._due - now)
                return
            self._writer = threading.get_ident()
        self._write_now()

    def close(self) -> None:
        """Nothing is written from now on, nor any more when this returns."""
        with self._lock:
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()
            self._lock.wait_for(lambda: self._writer in (0, threading.get_ident()), timeout=_LONGEST_WAIT)

    def _put_off(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, self._write_later)
        self._timer.daemon = True  # the end of the program does not wait: the block's end writes anyway
        self._timer.start()

    def _write_later(self) -> None:
        with self._lock:
            self._timer = None
            if self._closed:
                return
            if self._writer:
                self._changed_since = True
                return
            self._writer = threading.get_ident()
        self._write_now()

    def _write_now(self) -> None:
        began = time.monotonic()
        try:
            self._write()
        finally:
            took = time.monotonic() - began
            with self._lock:
                self._writer = 0
                self._spent += took
                self._due = began + took + _SHARE * took
                if self._changed_since and not self._closed and self._timer is None:
                    self._put_off(_SHARE * took)
                self._changed_since = False
                self._lock.notify_all()
