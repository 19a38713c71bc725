# SPDX-License-Identifier: MIT
"""Writes random programs: valid statements in unusual nestings. Runs under any CPython 3.8-3.15, without other modules.

    pythonX.Y tests/exact/programs.py FOLDER COUNT SEED

writes COUNT programs of that version's grammar as FOLDER/SEED.py and compiled as FOLDER/SEED.pyc. The same seed gives
the same program under the same grammar. The programs are meant to be compiled, not run.
"""

import importlib.util
import marshal
import os
import random
import sys
import warnings


class Writer:
    """Writes one function with the statements that `version` has."""

    def __init__(self, seed, version):
        self.random = random.Random(seed)
        self.version = version

    def name(self):
        return self.random.choice("abcdexyz")

    def chance(self, share):
        return self.random.random() < share

    # ---- expressions
    def expr(self, depth=3):
        if depth <= 0 or self.chance(0.2):
            return self.random.choice([self.name, self.name, self.constant])()
        return self.random.choice(_EXPRESSIONS)(self, depth - 1)

    def constant(self):
        return self.random.choice(["1", "0", "'s'", "None", "True", "2.5", "b'x'", "...", "(1, 2)", "-1", "10**3"])

    def binary(self, d):
        operator = self.random.choice("+ - * // % @ << & | ^ ** < == in is".split() + ["not in", "is not", "and", "or"])
        return "(%s %s %s)" % (self.expr(d), operator, self.expr(d))

    def unary(self, d):
        return "(%s%s)" % (self.random.choice(["not ", "-", "~"]), self.expr(d))

    def conditional(self, d):
        return "(%s if %s else %s)" % (self.expr(d), self.expr(d), self.expr(d))

    def chained(self, d):
        return "(%s < %s <= %s)" % (self.expr(d), self.expr(d), self.expr(d))

    def mixed(self, d):
        return "(%s and %s or %s)" % (self.expr(d), self.expr(d), self.expr(d))

    def call(self, d):
        arguments = [self.expr(d) if self.chance(0.85) else "*" + self.name() for _ in range(self.random.randrange(3))]
        if self.chance(0.3):
            arguments.append("k=" + self.expr(d))
        if self.chance(0.12):
            arguments.append("**" + self.name())
        callee = self.name() if self.chance(0.5) else self.attribute(d)
        return "%s(%s)" % (callee, ", ".join(arguments))

    def attribute(self, _):
        return "%s.%s" % (self.name(), self.name())

    def subscript(self, d):
        index = self.random.choice(["{0}", "{0}:{1}", "::{0}", "{0}, {1}:"])
        return "%s[%s]" % (self.name(), index.format(self.expr(d), self.expr(d)))

    def items(self, d, least=0):
        count = self.random.randrange(least, 4)
        return ", ".join(self.expr(d) if self.chance(0.85) else "*" + self.name() for _ in range(count)) or self.name()

    def display(self, d):
        return self.random.choice(["[%s]", "(%s,)", "{%s}"]) % self.items(d, 1)

    def mapping(self, d):
        parts = [
            self.expr(d) + ": " + self.expr(d) if self.chance(0.8) else "**" + self.name()
            for _ in range(self.random.randrange(3))
        ]
        return "{%s}" % ", ".join(parts)

    def function(self, d):
        return "(lambda %s: %s)" % (self.random.choice(["", "a", "a=1, *b", "*, a=b"]), self.expr(d))

    def comprehension(self, d):
        form = self.random.choice(
            ["[{0} for {1} in {2}{3}]", "{{{0}: {4} for {1} in {2}{3}}}", "({0} for {1} in {2}{3})"]
        )
        test = " if " + self.expr(d) if self.chance(0.4) else ""
        return form.format(self.expr(d), self.target(0), self.expr(d), test, self.expr(d))

    def walrus(self, d):
        return "(%s := %s)" % (self.name(), self.expr(d))

    def formatted(self, _):
        return "f'{%s!r:>{%s}} t {%s.b}'" % (self.name(), self.name(), self.name())

    def target(self, depth=1):
        kind = self.random.randrange(8)
        if kind == 0 and depth:
            return "(%s, %s)" % (self.target(depth - 1), self.target(depth - 1))
        if kind == 1 and depth:
            return "%s, *%s" % (self.name(), self.name())
        return {2: self.attribute(0), 3: "%s[%s]" % (self.name(), self.name())}.get(kind, self.name())

    # ---- statements; `loop`: break and continue are allowed; `tame`: no statement may leave the block
    def block(self, depth, indent, loop, tame):
        count = self.random.randint(1, 3)
        return "".join(self.statement(depth - 1, indent + 1, loop, tame) for _ in range(count))

    def simple(self, loop, tame):
        e, n = self.expr(2), self.name()
        forms = [
            self.target() + " = " + e, self.target() + " = " + e, n + " = " + self.name() + " = " + e,
            self.random.choice([n, n + ".a", n + "[b]"]) + self.random.choice([" += ", " -= ", " |= "]) + e,
            "del %s, %s[%s]" % (n, self.name(), self.name()), "raise " + e, "raise %s from %s" % (e, n),
            "assert %s, %s" % (e, self.expr(1)), "%s, %s = %s, %s" % (n, self.name(), self.name(), self.name()),
            "yield " + e, self.call(2), self.call(2), "pass" if tame else "return " + e,
        ]  # fmt: skip
        if loop and not tame:
            forms += ["break", "continue"]
        return self.random.choice(forms)

    def statement(self, depth, indent, loop, tame=False):
        pad = "    " * indent
        if depth <= 0 or self.chance(0.35):
            return pad + self.simple(loop, tame) + "\n"
        head = self.random.choice(_HEADS + (_MATCHES if self.version >= (3, 10) else []))
        out = ""
        for number, clause in enumerate(head):
            text = clause.format(
                e=self.expr(2), e2=self.expr(2), t=self.target(), n=self.name(), n2=self.name(), n3=self.name()
            )
            extra = 1 if text.startswith("case ") else 0
            loops = loop or (number == 0 and text.startswith(("while", "for")))
            loop_in_body = False if text.startswith("def ") else loops
            must_be_tame = (tame and not loops) or (text == "finally" and self.version < (3, 9))
            out += "    " * (indent + extra) + text + ":\n"
            if not text.startswith("match "):
                out += self.block(depth, indent + extra, loop_in_body, must_be_tame and not text.startswith("def "))
        return out


_EXPRESSIONS = [
    Writer.binary, Writer.binary, Writer.unary, Writer.conditional, Writer.chained, Writer.mixed, Writer.call,
    Writer.attribute, Writer.subscript, Writer.display, Writer.display, Writer.mapping, Writer.function,
    Writer.comprehension, Writer.walrus, Writer.formatted,
]  # fmt: skip
_HEADS = [
    ["if {e}"], ["if {e}", "else"], ["if {e}", "elif {e2}", "else"], ["while {e}"], ["while True"],
    ["while {e}", "else"], ["for {t} in {e}"], ["for {t} in {e}", "else"], ["try", "except {n} as {n2}"],
    ["try", "except {n}", "except", "else"], ["try", "finally"], ["try", "except {n}", "finally"],
    ["with {e} as {n}"], ["with {e}, {e2} as {n}"], ["def {n}(a, b=1, *c)"],
]  # fmt: skip
_MATCHES = [
    ["match {e}", "case 1", "case 's' | None"], ["match {e}", "case [{n}, *{n2}]"],
    ["match {e}", "case {{'k': {n}, **{n2}}} if {n3}", "case _"], ["match {e}", "case C({n}, b=1)", "case [_, 2]"],
]  # fmt: skip


def program(seed, version):
    """Returns the source of one program."""
    writer = Writer(seed, version)
    return "def f(a, b, c):\n" + "".join(writer.statement(3, 1, False) for _ in range(writer.random.randint(1, 2)))


def main(folder, count, seed):
    """Writes `count` programs that compile."""
    warnings.simplefilter("ignore")
    os.makedirs(folder, exist_ok=True)
    head = importlib.util.MAGIC_NUMBER + bytes(12)
    while count > 0:
        seed += 1
        source = program(seed, min(sys.version_info[:2], (3, 10)))
        try:
            code = compile(source, "program.py", "exec", dont_inherit=True)
        except (SyntaxError, ValueError):  # a name bound twice in a pattern, a comprehension's variable assigned, ...
            continue
        count -= 1
        with open(os.path.join(folder, "%d.py" % seed), "w") as stream:
            stream.write(source)
        with open(os.path.join(folder, "%d.pyc" % seed), "wb") as stream:
            stream.write(head + marshal.dumps(code))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
