# SPDX-License-Identifier: MIT
"""Long functions take time and memory in proportion to their length, whatever they repeat."""

from __future__ import annotations

import os
import py_compile
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

SHORT, FACTOR = 1_000, 8

CONSTRUCTS: dict[str, Callable[[int], str]] = {
    "or": lambda i: "    x = a or b",
    "conditional argument": lambda i: f"    f(a if b else c, {i})",
    "chained comparison": lambda i: f"    x = a < b < {i}",
    "conditions in calls": lambda i: f"    x{i} = a(b or c, d if e else f, g < h < {i})",
    "match": lambda i: f"    match x:\n        case {i}: a()\n        case _: b()",
    "cases": lambda i: ("    match x:\n" if i == 0 else "") + f"        case {i}: return {i}",
    "handler": lambda i: "    try: a()\n    except E as e: b()",
    "handler of its own name": lambda i: f"    try: a()\n    except E as e{i}: b()",
    "finally": lambda i: f"    try: a()\n    finally: b({i})",
    "with": lambda i: f"    with a() as x: b({i})",
    "comprehension": lambda i: f"    x = [y for y in a if y != {i}]",
    "nested calls": lambda i: f"    f(g(h({i})))",
    "if": lambda i: f"    if a({i}): b()\n    else: c()",
    "for": lambda i: f"    for i in a: b({i})",
    "while": lambda i: f"    while a({i}): b()",
    "assert": lambda i: f"    assert a, {i}",
    "lambda": lambda i: f"    x = lambda: {i}",
}


def spent(depyfc: str, tmp_path: Path, construct: str, count: int) -> tuple[float, int]:
    """Seconds of processor time and kilobytes at most, of one run on a function that repeats the construct."""
    source = tmp_path / f"long_{count}.py"
    source.write_text("def f():\n" + "\n".join(CONSTRUCTS[construct](i) for i in range(count)) + "\n")
    compiled = py_compile.compile(str(source), str(source) + "c", doraise=True)
    with subprocess.Popen([depyfc, str(compiled)], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        text = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    assert text.count("\n") >= count
    compile(text, "text", "exec")
    assert isinstance(usage, resource.struct_rusage)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_linear(depyfc: str, tmp_path: Path, construct: str) -> None:
    """Quadratic work would take 64 times as long; the bounds leave room for what a start costs and for caches."""
    seconds, kilobytes = spent(depyfc, tmp_path, construct, SHORT)
    many_seconds, many_kilobytes = spent(depyfc, tmp_path, construct, SHORT * FACTOR)
    assert many_kilobytes < 2 * FACTOR * kilobytes
    assert many_seconds < 3 * FACTOR * max(seconds, 0.01)
