# SPDX-License-Identifier: MIT
"""Long functions take time and memory in proportion to their length, and get no dispatch loop, whatever they repeat."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

SHORT, FACTOR = 1_000, 8
VERSIONS = ("3.8", "3.14")  # with a block stack; with an exception table and the most rearrangement by the compiler
SINCE_3_10 = ("match", "cases", "cases that return", "cases with patterns")
UNTIL_3_8 = ("elif",)  # the parsers of later versions run out of stack
COMPILER = """
import py_compile, sys
sys.setrecursionlimit(100_000)
py_compile.compile(sys.argv[1], sys.argv[1] + "c", doraise=True)
"""

CONSTRUCTS: dict[str, Callable[[int], str]] = {
    "or": lambda i: "    x = a or b",
    "and": lambda i: "    x = a and b",
    "not": lambda i: f"    if not (a and b({i})): c()",
    "conditional argument": lambda i: f"    f(a if b else c, {i})",
    "chained comparison": lambda i: f"    x = a < b < {i}",
    "conditions in calls": lambda i: f"    x{i} = a(b or c, d if e else f, g < h < {i})",
    "match": lambda i: f"    match x:\n        case {i}: a()\n        case _: b()",
    "cases": lambda i: ("    match x:\n" if i == 0 else "") + f"        case {i}: return {i}",
    "cases with patterns": lambda i: (
        ("    match x:\n" if i == 0 else "")
        + f"        case A(x={i}, y=[1, *z]) if z: a()\n        case {{{i}: 1, **z}}: b()"
    ),
    "handler": lambda i: "    try: a()\n    except E as e: b()",
    "handler of its own name": lambda i: f"    try: a()\n    except E as e{i}: b()",
    "finally": lambda i: f"    try: a()\n    finally: b({i})",
    "clauses that return": lambda i: f"    try: a({i})\n    except E: return",
    "with that returns": lambda i: f"    with a() as x: return {i}",
    "cases that return": lambda i: f"    match a({i}):\n        case 1: return\n        case [x, y]: return b({i})",
    "arms within clauses": lambda i: f"    try: a({i})\n    except E:\n        if b({i}): c()\n    finally: d()",
    "arms that return": lambda i: (
        f"    if a({i}):\n        try: return b({i})\n        except E: c()\n"
        f"    else:\n        try: return d({i})\n        except E: e()"
    ),
    "bodies that return": lambda i: f"    try: return a({i})\n    except E as e: b()",
    "with": lambda i: f"    with a() as x: b({i})",
    "comprehension": lambda i: f"    x = [y for y in a if y != {i}]",
    "nested calls": lambda i: f"    f(g(h({i})))",
    "nested calls of methods": lambda i: f"    a.f(b.g(c.h({i}, k=x)))",
    "if": lambda i: f"    if a({i}): b()\n    else: c()",
    "elif": lambda i: f"    {'el' if i else ''}if x == {i}: a()",
    "return guard": lambda i: f"    if a({i}): return\n    b()",
    "continue guard": lambda i: ("    for i in x:\n" if i == 0 else "") + f"        if a({i}): continue\n        b()",
    "continue guards": lambda i: ("    for i in x:\n" if i == 0 else "") + f"        if i == {i}: continue",
    "for": lambda i: f"    for i in a: b({i})",
    "while": lambda i: f"    while a({i}): b()",
    "assert": lambda i: f"    assert a, {i}",
    "lambda": lambda i: f"    x = lambda: {i}",
    "pass": lambda i: f"    a({i})\n    pass",
    "constant under finally": lambda i: f"    try:\n        if a({i}): return 5\n    except E: pass\n    finally: b()",
    "breaks to one return": lambda i: f"    for x in a:\n        if x: break\n    else: return {i}",
    "exits from with": lambda i: (
        ("    for i in x:\n        with c:\n" if i == 0 else "")
        + f"            if a({i}): continue\n            if b: break"
    ),
    "indent of two": lambda i: f"    x = {i}\n    if x:\n      return a\n    elif b:\n      return x",
}


def resources_of(depyfc: str, python: list[str], tmp_path: Path, construct: str, count: int) -> tuple[float, int]:
    """Returns CPU seconds and peak kilobytes of a run on a function that repeats the construct."""
    source = tmp_path / f"long_{count}.py"
    source.write_text("def f():\n" + "\n".join(CONSTRUCTS[construct](i) for i in range(count)) + "\n")
    subprocess.run([*python, "-c", COMPILER, str(source)], check=True)
    with subprocess.Popen([depyfc, f"{source}c"], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        text = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    assert text.count("\n") >= count
    assert "tmp_pc" not in text
    source.write_text(text)
    subprocess.run([*python, "-c", COMPILER, str(source)], check=True)
    assert isinstance(usage, resource.struct_rusage)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


@pytest.mark.parametrize(
    ("construct", "release"),
    [(c, v) for c in CONSTRUCTS for v in VERSIONS if c not in (SINCE_3_10 if v == "3.8" else UNTIL_3_8)],
)
def test_time_and_memory_are_linear(
    depyfc: str, command_for: Callable[[str], list[str]], tmp_path: Path, construct: str, release: str
) -> None:
    """Quadratic work would take 64 times as long; the bounds leave room for the start of the process and for caches."""
    python = command_for(release)
    seconds, kilobytes = resources_of(depyfc, python, tmp_path, construct, SHORT)
    many_seconds, many_kilobytes = resources_of(depyfc, python, tmp_path, construct, SHORT * FACTOR)
    assert many_kilobytes < 2 * FACTOR * kilobytes
    assert many_seconds < 3 * FACTOR * max(seconds, 0.01)


@pytest.mark.parametrize("release", VERSIONS)
def test_chained_targets_take_linear_time(
    depyfc: str, command_for: Callable[[str], list[str]], tmp_path: Path, release: str
) -> None:
    """Many targets of one value, on one line; each might begin a `case` that captures a name."""
    source = tmp_path / "chained.py"
    source.write_text("a = " * 20_000 + "b\n" + "if a:\n    c()\n")
    subprocess.run([*command_for(release), "-c", COMPILER, str(source)], check=True)
    command = ["sh", "-c", 'ulimit -t 5; exec "$0" "$1"', depyfc, f"{source}c"]
    assert subprocess.check_output(command, text=True) == source.read_text()


MANY_NAMES = {
    "keyword-only parameters": lambda names: f"def f(*, {', '.join(f'{name}=0' for name in names)}):\n    pass\n",
    "nonlocal names": lambda names: (
        f"def f(a):\n    {', '.join(names)} = a\n\n    def g():\n        nonlocal {', '.join(names)}\n"
        f"        {', '.join(names)} = a\n    return g\n"
    ),
}


@pytest.mark.parametrize("kind", MANY_NAMES)
def test_many_names_take_linear_time(
    depyfc: str, command_for: Callable[[str], list[str]], tmp_path: Path, kind: str
) -> None:
    source = tmp_path / "names.py"
    source.write_text(MANY_NAMES[kind]([f"name_{i}" for i in range(60_000)]))
    subprocess.run([*command_for("3.14"), "-c", COMPILER, str(source)], check=True)
    command = ["sh", "-c", 'ulimit -t 3; exec "$0" "$1"', depyfc, f"{source}c"]
    assert subprocess.check_output(command, text=True).count("name_59999") == source.read_text().count("name_59999")


def test_alternatives_of_a_pattern_take_linear_time(
    depyfc: str, command_for: Callable[[str], list[str]], tmp_path: Path
) -> None:
    """Each alternative has a copy of the body, and is first read as a case of its own."""
    source = tmp_path / "alternatives.py"
    pattern = " | ".join(map(str, range(8_000)))
    body = f"case {pattern}:\n            return True\n        case _:\n            return False\n"
    source.write_text(f"def f(x):\n    match x:\n        {body}")
    subprocess.run([*command_for("3.14"), "-c", COMPILER, str(source)], check=True)
    command = ["sh", "-c", 'ulimit -t 5; exec "$0" "$1"', depyfc, f"{source}c"]
    assert subprocess.check_output(command, text=True).count("case") == 2


def test_deeply_nested_tests_take_linear_time(python: list[str], depyfc: str, tmp_path: Path):
    """Tests are deeply nested, and their columns allow parentheses and `not` everywhere."""
    test = "a"
    for depth in range(22):
        test = f"a.b{depth}  {'or' if depth % 2 else 'and'}  (not  {test})"
    source = tmp_path / "deep.py"
    source.write_text("def f(a):\n" + f"    if {test}: a()\n" * 40)
    subprocess.run([*python, "-c", COMPILER, str(source)], check=True)
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([depyfc, f"{source}c"], check=True, capture_output=True, timeout=60)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begin.ru_utime
    assert seconds < 5
