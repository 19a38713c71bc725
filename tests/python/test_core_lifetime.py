# SPDX-License-Identifier: MIT
"""Tests that the native module releases its objects and can be used by several threads at once."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import time
import weakref

import depyf
from depyf import _core


class Token:
    pass


def code_with_constant(value):
    """Returns the code of a function that returns VALUE, which is a constant of the code."""

    def f():
        return "MARK"

    return f.__code__.replace(co_consts=tuple(value if c == "MARK" else c for c in f.__code__.co_consts))


def test_objects_are_released():
    token = Token()
    reference = weakref.ref(token)
    text = depyf.decompile(code_with_constant(token))
    text.recompile()
    assert text.context.opaque
    del token, text
    gc.collect()
    assert reference() is None


def test_results_in_a_cycle_are_collected():
    token = Token()
    reference = weakref.ref(token)
    result = _core.decompile(code_with_constant(token), recompile=False)
    token.result = result  # result -> opaque -> token -> result
    result.codes.clear()  # the collector cannot traverse a code object, so a cycle through it leaks in CPython itself
    del token, result
    gc.collect()
    assert reference() is None


SCRIPT = """
import depyf, dis, gc
from depyf import _core
_core.set_leak_warnings(True)
def f(a, b=2):
    return [x for x in a if b]
for i in range(20):
    depyf.decompile(f).recompile()
    depyf.decompile(f.__code__.replace(co_consts=f.__code__.co_consts + (object(),)))
    try:
        depyf.decompile(f.__code__.replace(co_code=bytes([dis.opmap["JUMP_FORWARD"], 250]) * 3))
    except depyf.DecompilationError:
        pass
    try:
        _core.decompile_pyc(b"nothing")
    except depyf.DecompilationError:
        pass
    try:
        _core.decompile(f.__code__, compile=lambda text, bindings: 1 / 0)
    except depyf.DecompilationError:
        pass
kept = _core.decompile(f.__code__)
"""


def test_no_object_leaks_at_exit():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "leaked" not in done.stderr


def test_memory_does_not_grow():
    code = compile("def f(x):\n    try:\n        return [y for y in x]\n    finally:\n        g(x)\n" * 20, "m", "exec")

    def decompile_repeatedly():
        for _ in range(20):
            _core.decompile(code, recompile=False)
        gc.collect()
        return len(gc.get_objects())

    decompile_repeatedly()
    before = decompile_repeatedly()
    assert decompile_repeatedly() - before < 50


def test_threads_get_their_own_texts():
    sources = [f"def f{n}(x):\n    return x + {n}\n" for n in range(8)]
    codes = [compile(s, "m", "exec", dont_inherit=True) for s in sources]
    wrong: list[str] = []

    def work(n):
        for _ in range(30):
            result = _core.decompile(codes[n])
            if result.text != sources[n] or result.verdicts[0][1] != "exact":
                wrong.append(result.text)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_core_releases_the_interpreter_lock():
    """While one thread decompiles a large module, another thread runs."""
    code = compile("def f(a):\n    return a\n" * 4000, "m", "exec")
    done = threading.Event()

    def work():
        _core.decompile(code, recompile=False)
        done.set()

    start = time.perf_counter()
    _core.decompile(code, recompile=False)
    single_thread_time = time.perf_counter() - start
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # only a thread that releases the lock lets another thread run
    try:
        thread = threading.Thread(target=work)
        thread.start()
        ticks = 0
        while not done.wait(min(0.001, single_thread_time / 20)):
            ticks += 1
        thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert ticks > 2
