# SPDX-License-Identifier: MIT
"""Random programs whose control flow depends on `c()`, for tests of graphs, for every version 3.8-3.15.

generate(seed, minor) returns the text of a module with a few functions (plain, generators, coroutines, async
generators): nested if, while, for, try, with, match, comprehensions, and jumps out of all of these. Each code object
has a different first line. Names used: c(), it(), cm(), ait(), acm(), aw(), E1, E2 (run_traced.py defines them). This
file does not depend on bytecode.
"""

from __future__ import annotations

import random

KINDS = ("plain", "generator", "coroutine", "asyncgen")


class Writer:
    """Writes one function."""

    def __init__(self, rng: random.Random, kind: str, minor: int) -> None:
        self.rng = rng
        self.minor = minor
        self.is_async = kind in ("coroutine", "asyncgen")
        self.yields = kind in ("generator", "asyncgen")
        self.returns_value = kind != "asyncgen"
        self.lines: list[str] = []
        self.left = rng.randint(4, 14)  # number of further compound statements

    def put(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def expression(self) -> str:
        choices = ["c()", "c() and c()", "c() or not c()", "(c() if c() else c())", "c() < c() < c()", "x"]
        if self.is_async:
            choices += ["await aw()", "(await aw()) or c()"]
        return self.rng.choice(choices)

    def comprehension(self) -> str:
        start = "async for" if self.is_async and self.rng.random() < 0.4 else "for"
        source = "ait()" if start == "async for" else "it()"
        left, right = self.rng.choice(["[]", "{}"])
        return f"{left}c() {start} z in {source} if c(){right}"

    def simple(self, indent: int, in_loop: bool) -> None:
        options = ["c()", f"x = {self.expression()}", "assert c()", "pass", "x = [c(), c()]"]
        jumps = ["raise E1", "raise E2 from None", "return", "raise"]
        if self.returns_value:
            jumps += [f"return {self.expression()}", "return x"]
        if in_loop:
            jumps += ["break", "continue", "break", "continue"]
        if self.yields:
            options += ["yield c()", "x = yield", "x = (yield 1) or c()"]
            if not self.is_async:
                options.append("yield from it()")
        if self.is_async:
            options += ["await aw()", "x = await aw()"]
        self.put(indent, self.rng.choice(jumps if self.rng.random() < 0.22 else options))
        if self.rng.random() < 0.08:
            self.put(indent, f"x = {self.comprehension()}")

    def block(self, indent: int, in_loop: bool) -> None:
        for _ in range(self.rng.choice((1, 1, 2, 2, 3))):
            compound = self.rng.random() < 0.5 and self.left > 0 and indent < 7
            if compound:
                self.left -= 1
                self.compound(indent, in_loop)
            else:
                self.simple(indent, in_loop)

    def compound(self, indent: int, in_loop: bool) -> None:
        writers = [self.if_, self.loop, self.try_except, self.try_finally, self.with_, self.try_both]
        if self.minor >= 10:
            writers.append(self.match)
        if self.minor >= 11:
            writers.append(self.try_star)
        self.rng.choice(writers)(indent, in_loop)

    def match(self, indent: int, in_loop: bool) -> None:
        self.put(indent, f"match {self.rng.choice(('y', 'x', 'c()'))}:")
        patterns = ["True", "1 | 7", "[x, y]", "(1, *x)", "{1: y}", "{'k': x, **y}", "int(real=1)", "[1, y] if c()"]
        for pattern in [*self.rng.sample(patterns, 2), self.rng.choice(("_", "x", "None"))]:
            self.put(indent + 1, f"case {pattern}:")
            self.block(indent + 2, in_loop)

    def try_star(self, indent: int, in_loop: bool) -> None:
        self.put(indent, "try:")
        self.block(indent + 1, in_loop)
        for head in self.rng.sample(["except* E1:", "except* (E2, E1):", "except* E2 as e:"], 2):
            self.put(indent, head)
            for _ in range(2):  # no jumps out of these
                self.put(indent + 1, self.rng.choice(("c()", f"x = {self.expression()}", "raise E1", "raise", "pass")))

    def if_(self, indent: int, in_loop: bool) -> None:
        self.put(indent, f"if {self.expression()}:")
        self.block(indent + 1, in_loop)
        if self.rng.random() < 0.5:
            self.put(indent, "else:")
            self.block(indent + 1, in_loop)

    def loop(self, indent: int, in_loop: bool) -> None:
        heads = ["while c():", "for x in it():", "for x, y in it():"]
        if self.is_async:
            heads += ["async for x in ait():"] * 2
        self.put(indent, self.rng.choice(heads))
        self.block(indent + 1, True)
        if self.rng.random() < 0.3:
            self.put(indent, "else:")
            self.block(indent + 1, in_loop)

    def handlers(self, indent: int, in_loop: bool) -> None:
        for head in self.rng.sample(["except E1:", "except (E2, E1):", "except E2 as e:", "except E1 as e:"], 2):
            self.put(indent, head)
            self.block(indent + 1, in_loop)
            if self.rng.random() < 0.5:
                break
        if self.rng.random() < 0.3:
            self.put(indent, "except Exception:")
            self.block(indent + 1, in_loop)

    def try_except(self, indent: int, in_loop: bool) -> None:
        self.put(indent, "try:")
        self.block(indent + 1, in_loop)
        self.handlers(indent, in_loop)
        if self.rng.random() < 0.3:
            self.put(indent, "else:")
            self.block(indent + 1, in_loop)

    def try_finally(self, indent: int, in_loop: bool) -> None:
        self.put(indent, "try:")
        self.block(indent + 1, in_loop)
        self.put(indent, "finally:")
        self.block(indent + 1, in_loop)

    def try_both(self, indent: int, in_loop: bool) -> None:
        self.try_except(indent, in_loop)
        self.put(indent, "finally:")
        self.block(indent + 1, in_loop)

    def with_(self, indent: int, in_loop: bool) -> None:
        is_async = self.is_async and self.rng.random() < 0.5
        manager = "acm()" if is_async else "cm()"
        items = self.rng.choice([manager, f"{manager} as y", f"{manager} as y, {manager}"])
        self.put(indent, f"{'async ' if is_async else ''}with {items}:")
        self.block(indent + 1, in_loop)


def generate(seed: int, minor: int) -> str:
    """Returns a module of four functions f0-f3, one of each kind, for CPython 3.`minor`."""
    rng = random.Random(seed)
    lines = []
    for number, kind in enumerate(KINDS):
        writer = Writer(rng, kind, minor)
        start = "async def" if writer.is_async else "def"
        lines.append(f"{start} f{number}():")
        writer.put(1, "x = y = e = 0")
        writer.block(1, False)
        writer.block(1, False)
        if writer.yields:
            writer.put(1, "yield 2")
        if writer.is_async:
            writer.put(1, "await aw()")
        lines += writer.lines
    return "\n".join(lines) + "\n"
