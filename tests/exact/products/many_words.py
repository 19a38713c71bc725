# SPDX-License-Identifier: MIT
"""Writes random functions of many words, unlike few_words.py: coroutines, generators, displays and calls with stars,
patterns of every kind, nested functions and classes, targets, deletions, `except*`, type parameters.

    pythonX.Y tests/exact/products/many_words.py FOLDER COUNT SEED

writes files and prints a number as few_words.py does.
"""

import sys

import few_words

NEW = sys.version_info
CONSTANTS = [*few_words.CONSTANTS, "p", "q"]
# {v} is a value, {c} a constant or a name, {t} a test
TESTS = """({t}) and ({t})|({t}) or ({t})|not ({t})|(({t}) if ({t}) else ({t}))|p < ({v}) <= q|p in (q, r) not in x
(w := ({t}))|x[{v}]|any({t} for i in s)|all(i for i in s if {t})|p == q is not r"""
VALUES = """({c} if {t} else y)|({t} and {c})|({t} or {c})|({c}, {c})|f({v})|f({v})|[*{v}, {c}]|({c}, *x)|{{*x, {c}}}
{{**x, 'k': {v}}}|{{'k': {v}, **x}}|f(*{v})|f(p, *x, k={v}, **y)|f(*x, {v}, *y)|f(**x, k={v})|x[{v}]|x[{v}:{c}]
x[{v}, ::2]|x[{c} if {t} else y]|f'a{{x!r:>{{p}}}}b{{q}}'|f'{{x=}}'|(z := {v})|[i for i in s if {t}]|[{v} for i in s]
{{i: {v} for i in s}}|{{{c} for i, *j in s}}|[(i, j) for i in s if i for j in {c}]|[(z := i) for i in s]
({c} for i in s if {t})|lambda: {v}|(lambda k={v}, *a, b=1, **c: {c})|x @ {v}|-{v}|x.y.z({v})|x[p].y|'%s-%r' % ({c}, x)
sorted(x, key=lambda i: {v})"""
AWAITED = """await f({v})|[i async for i in s if {t}]|[await i for i in s]|{{i: j async for i, j in s}}|f(await x, {v})
(await x)[{v}]|[i for i in await x]"""
TARGETS = "x|x.y|x[p]|x[p:q]|a, b|a, *b|[*a, b]|(a, b), c|a, x.y|x[0], x[1]|*a,|a, (b, *c)|_, b"
SIMPLE = """return {v}|return {v}|return {c}|raise E({v})|raise E from {c}|raise|x = {v}|x = {v}|f({v})|f({v})|x += {v}
x[{v}] += {v}|x.y -= {v}|{a} = {v}|{a} = {v}|{a} = {a} = {v}|assert {t}|assert {t}, {v}|del x.y|del x|del a, b
del x[p], x.y|del x[:]|del (a, b), x|y: int = {v}|x.y: int = {v}|import m.n as o|from m import n, o as k|{v}|pass"""
PATTERNS = """'t'|None|1 / 2|-1|x.y|'t' / 'u'|int()|[]|{{}}|True|y|[y]|[y, *_]|[_, *y]|{{'k': y}}|{{'k': 1, **y}}|E(y)
E(a=y)|[1, y, *_, 2]|{{x.y: y, 'k': _}}|[y] / {{'k': y}}|E(y) / (1, y)|(1 / 2) as y|str() as y|E() / [_, *_]
{{'k': {{'l': y}}}}"""
NESTED = "[{m}, _]|[_, {m}]|E({m})|E(0, a={m})|{{'k': {m}}}|[({m}), *_]|F({m}, b=1)"
HEADS = "h(k=p)|h()|h(a, /, b=1, *, c=q, **d)|h(*a, c)|h(a: p, *b: q) -> r"
CLASSES = """a = x|a: int = x|x = x|a = [x for i in s]|b = lambda self: x|def h(self): return super().h()
nonlocal x; x = 1|def h(self): return __class__, self.__a|global x; x = 1|def __h(self, k=x): return k + p"""


def words(text):
    return text.replace("\n", "|").split("|")


class Parts:
    """The parts of a form: each use of a name gives a new random part."""

    def __init__(self, writer, depth):
        self.writer, self.depth = writer, depth

    def __getitem__(self, key):
        if key == "c":
            return self.writer.constant()
        if key == "a":
            return self.writer.random.choice(words(TARGETS))
        return {"v": self.writer.value, "t": self.writer.test, "m": self.writer.pattern}[key](self.depth)


class Writer(few_words.Writer):
    is_async = is_generator = False

    def fill(self, forms, depth):
        return self.random.choice(forms).format_map(Parts(self, depth))

    def constant(self):
        return self.random.choice(CONSTANTS[:2] if self.random.random() < 0.5 else CONSTANTS)

    def test(self, depth=1):
        if depth <= 0 or self.random.random() < 0.6:
            return self.random.choice(few_words.TESTS)
        return self.fill(words(TESTS) + ["await f(p)", "p < await q < r"] * self.is_async, depth - 1)

    def value(self, depth=2):
        if depth <= 0 or self.random.random() < 0.45:
            return self.constant()
        yields = ["(yield)", "(yield {v})", *["(yield from f({v}))"] * (not self.is_async)] * self.is_generator
        return self.fill(words(VALUES) + words(AWAITED) * self.is_async + yields, depth - 1)

    def pattern(self, depth=1):
        nested = depth > 0 and self.random.random() < 0.4
        return self.fill(words(NESTED if nested else PATTERNS), depth - 1).replace(" / ", " | ")

    def simple(self, in_loop):
        forms = words(SIMPLE) + ["yield {v}"] * (2 * self.is_generator) + ["break", "break", "continue"] * in_loop
        return [self.fill(forms + ["type T = {v}", "type T[K] = list[K]"] * (NEW >= (3, 12)), 2)]

    def statement(self, depth, in_loop):
        chance = self.random.random()
        if depth == 0 or chance > 0.45:
            return super().statement(depth, in_loop)

        def body(head, loop=in_loop):
            return [head, *("    " + line for line in self.block(depth - 1, loop))]

        if chance < 0.1:
            target = self.random.choice(["x, *y", "x.y", "x[p]", "(i, j), k", "i"])
            head = self.fill(["for %s in {v}:" % target], 1)
            ends = body("else:") if self.random.random() < 0.4 else []
            return body("async " * self.is_async + head, True) + ends
        if chance < 0.18:
            return body(
                "async " * self.is_async + self.fill(["with {v}:", "with f({v}) as w:", "with m as (a, *b):"], 1)
            )
        if chance < 0.26:
            return self.nested(depth)
        if chance < 0.42 and NEW >= (3, 10):
            guards = [self.fill(["", "", " if {t}"], 1) for _ in range(self.random.choice([1, 2, 3]))]
            arms = [line for guard in guards for line in body("case %s%s:" % (self.pattern(), guard))]
            return [self.fill(["match x:", "match f({v}):", "match x, p:"], 1), *("    " + line for line in arms)]
        if NEW >= (3, 11):
            return body("try:") + body("except* (E if p else F):", False) + body("else:") + body("finally:")
        return super().statement(depth, in_loop)

    def nested(self, depth):
        decorators = self.random.choice([[], [], ["@f"], ["@x.y(p)", "@g"]])
        if self.random.random() < 0.3:
            head = self.random.choice(
                ["class C:", "class C(E, k=p):", "class C(*x, **y):", *["class C[T](E):"] * (NEW >= (3, 12))]
            )
            return [*decorators, head, "    " + self.random.choice(words(CLASSES))]
        outer_flags = self.is_async, self.is_generator
        self.is_async, self.is_generator = self.random.random() < 0.15, self.random.random() < 0.15
        head = self.random.choice([*words(HEADS), *["h[T: int, *Ts, **P](k: T = p)"] * (NEW >= (3, 12))])
        scope = self.random.choice([[], [], ["    global x"], ["    nonlocal x"], ["    nonlocal x, p"]])
        lines = ["    " + line for line in self.block(depth - 1)]
        lines_of_function = [*decorators, "async " * self.is_async + "def %s:" % head, *scope, *lines]
        self.is_async, self.is_generator = outer_flags
        return lines_of_function

    def function(self, name):
        self.is_async, self.is_generator = self.random.random() < 0.35, self.random.random() < 0.15
        return "async " * self.is_async + super().function(name)


if __name__ == "__main__":
    few_words.main(Writer(int(sys.argv[3])), "g", sys.argv[1], int(sys.argv[2]))
