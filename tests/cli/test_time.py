# SPDX-License-Identifier: MIT
"""A function of many statements takes time in proportion to their number."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

STATEMENTS = {
    "if": "if f({}): return 1",
    "while": "while f({}): g()",
    "for": "for x in f({}): g()",
    "with": "with f({}): g()",
    "except": "try: f({})\n except E as e: g(e)\n except F: pass",
    "else": "try: f({})\n except E: g()\n else: h()",
    "finally": "try: f({})\n finally: g()",
}
COMPILE = "import sys, py_compile; py_compile.compile(sys.argv[1], sys.argv[2], doraise=True)"


def seconds(command: list[str]) -> float:
    """Of the processor, in a process that must succeed."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as child:
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return used.ru_utime


@pytest.mark.parametrize("version", ["3.11", "3.14"])
@pytest.mark.parametrize("kind", STATEMENTS)
def test_time_is_in_proportion(python: list[str], depyfc: str, tmp_path: Path, kind: str) -> None:
    """Four times as many statements: sixteen times as long would be quadratic."""
    taken = []
    for count in (4000, 16000):
        source = tmp_path / f"{count}.py"
        lines = "".join(f" {STATEMENTS[kind].format(i)}\n" for i in range(count))
        source.write_text(f"def h(f, g):\n{lines}", encoding="utf-8")
        subprocess.run([*python, "-c", COMPILE, str(source), f"{source}c"], check=True)
        taken.append(min(seconds([depyfc, f"{source}c"]) for _ in range(2)))
    assert taken[1] < 9 * taken[0] + 0.1
