# SPDX-License-Identifier: MIT
"""Tests that time is linear in the number of statements of a function, and that the text does not depend on it."""

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
    "match": "match f({}):\n  case 1: g()\n  case [p, q]: g(p)\n  case _: h()",
    "except*": "try: f({})\n except* E: g()",
    "del": "del x{}",
    "endless finally": "try: f({})\n finally:\n  if g({}):\n   while 1: pass",
}
ROUNDS = 5
COMPILE = "import sys, py_compile; py_compile.compile(sys.argv[1], sys.argv[2], doraise=True)"


def seconds(command: list[str]) -> float:
    """Returns the processor time of a command that must succeed."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as child:
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return used.ru_utime


def is_linear(python: list[str], depyfc: str, folder: Path, source: Callable[[int], str]) -> bool:
    """Returns whether 16,000 repetitions take at most 9 times as long as 4,000.

    The least of several measurements is used, as other processes can only add time.
    """
    fastest = {4000: float("inf"), 16000: float("inf")}
    for count in fastest:
        path = folder / f"{count}.py"
        path.write_text(f"def h(f, g):\n{source(count)}", encoding="utf-8")
        subprocess.run([*python, "-c", COMPILE, str(path), f"{path}c"], check=True)
    for done in range(1, ROUNDS + 1):
        for count in fastest:
            fastest[count] = min(fastest[count], seconds([depyfc, str(folder / f"{count}.pyc")]))
        if done > 1 and fastest[16000] < 9 * fastest[4000] + 0.1:  # a single measurement may be disturbed
            return True
    print(fastest)
    return False


@pytest.mark.parametrize("version", ["3.11", "3.14"])
@pytest.mark.parametrize("kind", STATEMENTS)
def test_time_is_linear(python: list[str], depyfc: str, tmp_path: Path, kind: str) -> None:
    """With four times as many statements, quadratic time would be sixteen times as long."""
    assert is_linear(
        python, depyfc, tmp_path, lambda n: "".join(f" {STATEMENTS[kind].format(i, i)}\n" for i in range(n))
    )


@pytest.mark.parametrize("version", ["3.8"])
def test_code_after_statements_that_never_end(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """3.8 keeps such code: only END_FINALLY falls through to it."""
    statement = " if f({}):\n  try: return 1\n  except E: return 2\n  g()\n"
    assert is_linear(python, depyfc, tmp_path, lambda n: "".join(statement.format(i) for i in range(n)))


@pytest.mark.parametrize("version", ["3.8", "3.9", "3.11"])
@pytest.mark.parametrize("item", ["f or g", "f if g else h"])
def test_items_below_a_branch_are_shared(python: list[str], depyfc: str, tmp_path: Path, item: str) -> None:
    """Up to 3.9, all items of a list are on the stack, below the branches of later items."""
    assert is_linear(python, depyfc, tmp_path, lambda n: f" return [{', '.join([item] * n)}]\n")


@pytest.mark.parametrize("version", ["3.10", "3.13"])
@pytest.mark.parametrize("leave", ["break", "continue"])
def test_exits_of_a_loop(python: list[str], depyfc: str, tmp_path: Path, leave: str) -> None:
    """Exits of the body are ordered without looking at all later ones."""
    assert is_linear(
        python, depyfc, tmp_path, lambda n: " for x in f:\n" + "".join(f"  if g({i}): {leave}\n" for i in range(n))
    )


def lines_of_finally(count: int) -> list[str]:
    """Returns a try statement whose finally body has COUNT calls."""
    return ["try:", "    f()", "finally:", *[f"    g({i})" for i in range(count)]]


def lines_of_elif(count: int) -> list[str]:
    """Returns COUNT branches, of which every other returns."""
    branches = [
        line for i in range(1, count) for line in (f"elif f({i}):", f"    return {i}" if i % 2 else f"    g({i})")
    ]
    return ["if f(0):", "    g(0)", *branches]


@pytest.mark.parametrize(("lines", "count"), [(lines_of_finally, 10_000), (lines_of_elif, 800)])
def test_form_does_not_depend_on_length(
    python: list[str], depyfc: str, tmp_path: Path, lines: Callable[[int], list[str]], count: int
) -> None:
    """The text is the source; there is no limit beyond which a long body becomes a loop over numbered blocks."""
    text = "def h(f, g):\n" + "".join(f"    {line}\n" for line in lines(count))
    source = tmp_path / "long.py"
    source.write_text(text, encoding="utf-8")
    subprocess.run([*python, "-c", COMPILE, str(source), f"{source}c"], check=True)
    found = subprocess.run([depyfc, f"{source}c"], check=True, capture_output=True, text=True).stdout
    assert found == text


@pytest.mark.parametrize("version", ["3.8", "3.11", "3.12", "3.14"])
@pytest.mark.parametrize("leave", ["g({})", "return g({})", "raise g({})"])
def test_many_handlers_are_structured_at_the_first_attempt(
    python: list[str], depyfc: str, tmp_path: Path, leave: str
) -> None:
    """Handlers share the exit of their statement; further attempts would multiply the time."""
    source, compiled = tmp_path / "m.py", tmp_path / "m.pyc"
    handlers = "".join(f" except E{i}: {leave.format(i)}\n" for i in range(300))
    source.write_text(f"def h(f, g):\n try: f()\n{handlers} g()\n", encoding="utf-8")
    subprocess.run([*python, "-c", COMPILE, str(source), str(compiled)], check=True)
    command = [depyfc, "--skip", "natural-order", str(compiled)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert text.count("    except E") == 300 and "while True" not in text
