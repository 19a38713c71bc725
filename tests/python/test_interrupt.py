# SPDX-License-Identifier: MIT
"""Tests that Ctrl-C ends a decompilation soon, with the exception of the program's signal handler."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

# One large function, and many small ones; each takes many seconds to decompile.
ONE = "\n".join(f"    x{i} = a(b or c, d if e else f, g < h < {i})" for i in range(300_000))
MANY = "\n".join(f"def f{i}(a, b):\n    while a or b:\n        a(b or {i}, c=b if a else {i})" for i in range(150_000))
PROGRAM = """
import signal, sys, depyf
signal.signal(signal.SIGINT, signal.default_int_handler)  # SIGINT is ignored in background jobs of a shell
code = compile(sys.stdin.read(), "big", "exec")
print("started", flush=True)
try:
    depyf.decompile(code)
except KeyboardInterrupt:
    sys.exit(7)
"""


@pytest.mark.slow
@pytest.mark.parametrize("source", ["def f():\n" + ONE, MANY], ids=["one", "many"])
def test_interrupt(source: str) -> None:
    """The time limit allows for a busy machine; without the interrupt, the work would take far longer."""
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin is not None and child.stdout is not None
        child.stdin.write(source)
        child.stdin.close()
        assert child.stdout.readline() == "started\n"
        time.sleep(1)
        assert child.poll() is None
        start = time.monotonic()
        child.send_signal(signal.SIGINT)
        try:
            assert child.wait(60) == 7
        finally:
            child.kill()
        assert time.monotonic() - start < 10
