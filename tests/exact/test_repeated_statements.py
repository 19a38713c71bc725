# SPDX-License-Identifier: MIT
"""Statements that a function repeats more often than blocks may nest need no dispatch loop."""

from __future__ import annotations

import itertools
import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import indent

import pytest

VERSIONS = ("3.8", "3.10", "3.11", "3.14")
COUNT = 120  # CPython's parser accepts at most 100 levels of indentation
EVERY = 4  # every n-th of the programs below is used

EXITS = ("pass", "return", "return {i}", "raise", "x = {i}", "return g({i})", "continue", "break")
STATEMENTS = {
    "if": "if a({i}):\n{body}",
    "if else": "if a({i}):\n{body}\nelse:\n{other}",
    "and": "if a({i}) and b:\n{body}",
    "or": "if a({i}) or b:\n{body}",
    "except": "try:\n{body}\nexcept E:\n{other}",
    "except as": "try:\n{body}\nexcept E as e:\n{other}",
    "except else": "try:\n    a({i})\nexcept E:\n{body}\nelse:\n{other}",
    "finally": "try:\n{body}\nfinally:\n    b({i})",
    "except finally": "try:\n    a({i})\nexcept E:\n{body}\nfinally:\n    b({i})",
    "with": "with c({i}) as d:\n{body}",
    "for": "for x in a({i}):\n{body}",
    "for else": "for x in a({i}):\n{body}\nelse:\n{other}",
    "while": "while a({i}):\n{body}",
    "while true": "while True:\n    if a({i}): break\n{body}",
    "if for": "if a({i}):\n    for x in y: b({i})\nelse:\n{body}",
    "if while": "if a({i}):\n    while b({i}): pass\nelse:\n{body}",
    "tries that return": (
        "if a({i}):\n    try: return b({i})\n    except E: c()\nelse:\n    try: return d({i})\n    except E: e({i})"
    ),
    "if try": "if a({i}):\n    try: b({i})\n    except E: c({i})\nelse:\n{body}",
}
COMPILER = """
import importlib.util, json, marshal, sys
for source, path in json.load(sys.stdin):
    code = compile(source, "repeated.py", "exec")
    with open(path, "wb") as file:
        file.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
"""


CHAINS = {  # the first arm, the other ones
    "elif": ("if a({i}):\n", "elif a({i}):\n"),
    "except": ("try: a({i})\nexcept D:\n", "except E{i}:\n"),
    "case": ("match a():\n case {i}:\n", " case {i}:\n"),
}


def chain(kind: str, bodies: tuple[str, ...], in_loop: bool) -> str | None:
    """Returns a function with a statement of many arms, with the bodies in turn, or None if it does not compile."""
    first, other = CHAINS[kind]
    arms = [
        (first if i == 0 else other).format(i=i) + indent(bodies[i % len(bodies)].format(i=i), "    ")
        for i in range(COUNT * len(bodies))
    ]
    whole = "\n".join(arms)
    source = "def f():\n" + indent("for x in z():\n" + indent(whole, "    ") if in_loop else whole, "    ") + "\n"
    try:
        compile(source, "repeated.py", "exec")
    except SyntaxError:
        return None
    return source


def chains(kinds: Sequence[str]) -> list[str]:
    """Returns a fixed sample of all such functions, without duplicates."""
    bodies = itertools.combinations(("g({i})", *EXITS), 3)
    every = itertools.product(kinds, bodies, (False, True))
    sources = dict.fromkeys(source for parts in every if (source := chain(*parts)) is not None)
    return list(sources)[:: 4 * EVERY]


def program(statement: str, body: str, other: str, in_loop: bool) -> str | None:
    """Returns a function that repeats the statement, or None if it does not compile."""
    parts = {"body": indent(body, "    "), "other": indent(other, "    ")}
    statement_form = STATEMENTS[statement].format(i="{i}", **parts)
    whole = "\n".join(statement_form.replace("{i}", str(i)) for i in range(COUNT))
    if in_loop:
        whole = "while z():\n" + indent(whole, "    ")
    source = "def f():\n" + indent(whole, "    ") + "\n"
    try:
        compile(source, "repeated.py", "exec")
    except SyntaxError:
        return None
    return source


def programs() -> list[str]:
    """Returns a fixed sample of all programs, without duplicates."""
    sources = dict.fromkeys(
        source
        for statement in STATEMENTS
        for body in EXITS
        for other in EXITS
        for in_loop in (False, True)
        if (source := program(statement, body, other, in_loop)) is not None
    )
    return list(sources)[::EVERY]


@pytest.mark.parametrize("release", VERSIONS)
def test_repeated_statements_need_no_dispatch_loop(
    depyfc: str, command_for: Callable[[str], list[str]], tmp_path: Path, release: str
) -> None:
    """Every program is written without a dispatch loop, and the text compiles to the same code."""
    python = command_for(release)
    has_match = tuple(map(int, release.split("."))) >= (3, 10)
    every = [*programs(), *chains([*CHAINS] if has_match else ["elif", "except"])]
    sources = {tmp_path / f"{k}.pyc": source for k, source in enumerate(every)}
    assert len(sources) > 100
    files = [(source, str(path)) for path, source in sources.items()]
    subprocess.run([*python, "-c", COMPILER], input=json.dumps(files), text=True, check=True)
    pairs = "".join(f"{path}\t{path.with_suffix('.py')}\n" for path in sources)
    command = [depyfc, "--verdict", "--python", " ".join(python), "--list", "-"]
    verdicts = subprocess.run(command, input=pairs, text=True, check=True, capture_output=True).stderr.splitlines()
    failed = [sources[path] for path in sources if "tmp_pc" in path.with_suffix(".py").read_text()]
    assert not failed, f"{len(failed)} dispatch loops, of: {failed[0][:400]}"
    assert len(verdicts) == 2 * len(sources)  # a module and a function each
    assert not [line for line in verdicts if " exact " not in line and " proved " not in line]
