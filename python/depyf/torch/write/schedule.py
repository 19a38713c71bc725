# SPDX-License-Identifier: MIT
"""Schedules writes of the index while a run is in progress, so that a process that is killed leaves an index.

Invariant: a change is written immediately until writes have taken 0.2 seconds in total; after that, writing takes at
most a twentieth of the time. Delayed writes happen even if nothing more is compiled. It does not know the content.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

_FREE = 0.2  # total seconds of writing before writes are delayed
_SHARE = 20.0  # then the pause before the next write is this many times as long as the last write

_LONGEST_WAIT = 60.0  # seconds that `close` waits for a write in another thread


class RunningIndex:
    """Calls `write`, which must not raise, after changes: in one thread at a time, without blocking the others."""

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
        """Notes that there is something new to write."""
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
        """Prevents further writes, and waits for one in progress."""
        with self._lock:
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()
            self._lock.wait_for(lambda: self._writer in (0, threading.get_ident()), timeout=_LONGEST_WAIT)

    def _put_off(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, self._write_later)
        self._timer.daemon = True  # the program need not wait for it: the end of the block writes anyway
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
