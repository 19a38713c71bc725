# SPDX-License-Identifier: MIT
"""A function of many statements takes time in proportion to their number, and keeps its form."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
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


def lines_of_finally(count: int) -> list[str]:
    """One body of so many calls."""
    return ["try:", "    f()", "finally:", *[f"    g({i})" for i in range(count)]]


def lines_of_elif(count: int) -> list[str]:
    """Arms that return and arms that go on, in turns."""
    rest = [line for i in range(1, count) for line in (f"elif f({i}):", f"    return {i}" if i % 2 else f"    g({i})")]
    return ["if f(0):", "    g(0)", *rest]


@pytest.mark.parametrize(("lines", "count"), [(lines_of_finally, 10_000), (lines_of_elif, 800)])
def test_form_does_not_depend_on_length(
    python: list[str], depyfc: str, tmp_path: Path, lines: Callable[[int], list[str]], count: int
) -> None:
    """The text is the source: no budget turns a long body into a loop over numbered blocks."""
    text = "def h(f, g):\n" + "".join(f"    {line}\n" for line in lines(count))
    source = tmp_path / "long.py"
    source.write_text(text, encoding="utf-8")
    subprocess.run([*python, "-c", COMPILE, str(source), f"{source}c"], check=True)
    found = subprocess.run([depyfc, f"{source}c"], check=True, capture_output=True, text=True).stdout
    assert found == text
