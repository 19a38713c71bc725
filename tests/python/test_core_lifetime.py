# SPDX-License-Identifier: MIT
"""The native module: no object outlives its use, and threads may work at once."""

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


def holding(value):
    def f():
        return "MARK"

    return f.__code__.replace(co_consts=tuple(value if c == "MARK" else c for c in f.__code__.co_consts))


def test_objects_are_let_go():
    token = Token()
    gone = weakref.ref(token)
    text = depyf.decompile(holding(token))
    text.recompile()
    assert text.context.opaque
    del token, text
    gc.collect()
    assert gone() is None


def test_results_in_a_cycle_are_collected():
    token = Token()
    gone = weakref.ref(token)
    result = _core.decompile(holding(token), recompile=False)
    token.result = result  # result -> opaque -> token -> result
    result.codes.clear()  # a code object is invisible to the collector: that way round is CPython's own leak
    del token, result
    gc.collect()
    assert gone() is None


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


def test_nothing_is_left_at_exit():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "leaked" not in done.stderr


def test_memory_does_not_grow():
    code = compile("def f(x):\n    try:\n        return [y for y in x]\n    finally:\n        g(x)\n" * 20, "m", "exec")

    def round_of_work():
        for _ in range(20):
            _core.decompile(code, recompile=False)
        gc.collect()
        return len(gc.get_objects())

    round_of_work()
    before = round_of_work()
    assert round_of_work() - before < 50


def test_threads_get_the_texts_they_asked_for():
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


def test_the_core_works_with_the_interpreter_released():
    """While one thread decompiles something large, another one gets to run."""
    code = compile("def f(a):\n    return a\n" * 4000, "m", "exec")
    done = threading.Event()

    def work():
        _core.decompile(code, recompile=False)
        done.set()

    start = time.perf_counter()
    _core.decompile(code, recompile=False)
    alone = time.perf_counter() - start
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # only a thread that lets go of the interpreter lets another one in
    try:
        thread = threading.Thread(target=work)
        thread.start()
        ticks = 0
        while not done.wait(min(0.001, alone / 20)):
            ticks += 1
        thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert ticks > 2
