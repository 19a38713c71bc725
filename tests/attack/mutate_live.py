# SPDX-License-Identifier: MIT
"""Passes mutated live code objects to `depyf.decompile`, which must return a text or raise DecompilationError in time.

    python tests/attack/mutate_live.py --count 10000 --seed 1

Everything except `co_code` is changed: with other instructions CPython itself crashes. Child processes decompile a few
hundred objects each; their output tells which object is at fault. The mutants depend only on the seed and a number.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

CASES = Path(__file__).resolve().parent.parent / "exact" / "cases"
SOURCES = (
    "annotations/annotations", "async/statements", "comprehensions/comprehensions", "classes/decorators",
    "finally/returns", "values/formats", "statements/imports_of_parts", "functions/lambdas_in_values",
    "loops/with_handlers", "match/statements", "except/nested_handlers", "values/parallel_targets",
    "finally/try_finally",
)  # fmt: skip
SECONDS = 5
BYTES = 1 << 30
BATCH = 250


class Refuses:
    """A constant whose class, comparison and text raise exceptions."""

    @property
    def __class__(self) -> Any:
        raise RuntimeError("no class to be had")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")

    def __hash__(self) -> int:
        return 7

    def __repr__(self) -> str:
        raise RuntimeError("no text")


class Lies:
    """A constant that claims to be a code object."""

    __class__ = CodeType  # type: ignore[assignment]


def deep(levels: int) -> tuple[Any, ...]:
    value: tuple[Any, ...] = ()
    for _ in range(levels):
        value = (value, value)
    return value


def odd_constants() -> list[Any]:
    shared = deep(12)
    return [
        Refuses(), Lies(), object, len, sys, [1, [2]], {"a": 1}, {1, 2}, 10**5000, -(2**63), 1e999, float("nan"), 1j,
        "\ud800", "\0" * 9, "x" * 9999, b"\xff", (), (None,), shared, frozenset({1, ("a",)}), ..., NotImplemented,
        range(3), slice(1), memoryview(b"a"), lambda: 0, "__doc__", 0, True, None,
    ]  # fmt: skip


ODD_NAMES = ("", "a b", "class", "None", "x.y", "\ud800", "é", "ª", "__debug__", "a", "a", ".0", "print", "tmp_1", "\0")


def codes(paths: list[Path]) -> Iterator[CodeType]:
    """Yields every code object of the sources."""
    for path in paths:
        with contextlib.suppress(SyntaxError):
            todo = [compile(path.read_text(), path.name, "exec", 0, True, 0)]
            while todo:
                code = todo.pop()
                yield code
                todo.extend(c for c in code.co_consts if type(c) is CodeType)


def change(rnd: random.Random, code: CodeType) -> CodeType:
    """Returns a code object with one change."""
    how = rnd.randrange(8)
    if how in (0, 1):
        consts = list(code.co_consts)
        odd = odd_constants()
        for _ in range(rnd.choice((1, 1, 3))):
            if consts and rnd.random() < 0.7:
                consts[rnd.randrange(len(consts))] = rnd.choice([*odd, *consts, code])
            elif consts:
                del consts[rnd.randrange(len(consts))]
        return code.replace(co_consts=tuple(consts))
    if how in (2, 3):
        field = rnd.choice(("co_names", "co_varnames", "co_cellvars", "co_freevars"))
        names = list(getattr(code, field))
        if names and rnd.random() < 0.4:
            names[rnd.randrange(len(names))] = rnd.choice(ODD_NAMES + tuple(names))
        elif names and field == "co_names":
            del names[rnd.randrange(len(names))]
        return code.replace(**{field: tuple(names)})
    if how == 4:
        field = rnd.choice(("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_stacksize", "co_firstlineno"))
        return code.replace(**{field: rnd.choice((0, 1, 2, 3, 200, 2**31 - 1))})
    if how == 5:
        return code.replace(co_flags=code.co_flags ^ (1 << rnd.randrange(31)))
    if how == 6:
        field = rnd.choice(("co_linetable", "co_exceptiontable", "co_linetable", "co_lnotab")[:2])
        if not hasattr(code, field):
            field = "co_linetable"
        table = bytearray(getattr(code, field))
        for _ in range(1 + len(table) // 8):
            table.insert(rnd.randrange(len(table) + 1), rnd.randrange(256))
        return code.replace(**{field: bytes(table)})
    field = rnd.choice(("co_name", "co_filename", *(("co_qualname",) if hasattr(code, "co_qualname") else ())))
    return code.replace(**{field: rnd.choice(ODD_NAMES)})


def mutant(seed: str, number: int, found: list[CodeType]) -> CodeType:
    """Returns the code object for a number."""
    rnd = random.Random(f"{seed} {number}")
    while True:
        code = rnd.choice(found)
        try:
            for _ in range(rnd.choice((1, 1, 2, 3))):
                code = change(rnd, code)
        except (ValueError, TypeError, SystemError, OverflowError):  # CPython rejects it
            continue
        return code


def work(seed: str, first: int, count: int) -> None:
    """Runs in a child process; prints each number before its object is decompiled."""
    import depyf

    warnings.simplefilter("ignore")
    found = list(codes([CASES / f"{name}.py" for name in SOURCES]))
    for number in range(first, first + count):
        code = mutant(seed, number, found)
        print(number, flush=True)
        start = time.process_time()
        try:
            str(depyf.decompile(code))
        except depyf.DecompilationError as error:
            str(error)
        if time.process_time() - start > SECONDS:
            sys.exit(f"took {time.process_time() - start:.1f} s")
    if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 > BYTES:
        sys.exit("took more than 1 GB")


def attack(count: int, seed: str) -> list[str]:
    """Decompiles `count` mutants; returns the faults."""
    bad = []
    first = 0
    while first < count:
        command = [sys.executable, __file__, "--seed", seed, "--child", str(first), str(min(BATCH, count - first))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        numbers = done.stdout.split()
        if done.returncode == 0:
            first += len(numbers)
            if not numbers:
                return [*bad, "a child decompiled nothing"]
            continue
        last = int(numbers[-1]) if numbers else first
        lines = done.stderr.strip().splitlines()
        bad.append(f"{last}: status {done.returncode}: {lines[-1] if lines else ''}")
        first = last + 1
    return bad


def main() -> int:
    """Returns exit status 1 if there were faults."""
    parser = argparse.ArgumentParser(description="Passes mutated live code objects to depyf.decompile.")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--child", type=int, nargs=2, metavar=("FIRST", "COUNT"))
    arguments = parser.parse_args()
    if arguments.child:
        work(arguments.seed, *arguments.child)
        return 0
    start = time.monotonic()
    bad = attack(arguments.count, arguments.seed)
    version = "%d.%d" % sys.version_info[:2]
    print(f"{version}: {arguments.count} code objects, {len(bad)} bad, {time.monotonic() - start:.0f} s")
    for line in bad:
        print(f"  {line}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
