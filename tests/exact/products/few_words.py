# SPDX-License-Identifier: MIT
"""Writes random functions of few words: with the same constants, names and exits again and again, different statements
compile to the same code, which the compiler merges and duplicates.

    pythonX.Y tests/exact/products/few_words.py FOLDER COUNT SEED

writes FOLDER/N.py and FOLDER/N.pyc, with a hundred functions each, and prints the number of functions. The same seed
gives the same functions under the same version.
"""

import os
import py_compile
import random
import sys
import warnings

PER_FILE = 100
MOST_LINES = 40
CONSTANTS = ["'t'", "'u'", "None", "True", "1", "x", "x.y", "-1"]
TESTS = ["p", "not p", "p < q", "p and q", "p or q", "p is None", "x", "p < q < r", "f(p)", "(z := f(p))"]
COMPOUND = """if if if_else elif for while endless for_else while_else try try except_as excepts try_else finally
finally_any except_finally with with_as function""".split()
OTHERS = [
    "x += %s",
    "x.y = %s",
    "x[p] = %s",
    "a, b = %s",
    "assert %s",
    "del x.y",
    "g(lambda: %s)",
    "x = [%s for i in s]",
    "x = (z := %s)",
]


class Writer:
    """Writes statements as lists of lines."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def constant(self):
        return self.random.choice(CONSTANTS[:2] if self.random.random() < 0.6 else CONSTANTS)

    def test(self):
        return self.random.choice(TESTS)

    def value(self):
        a, b, test = self.constant(), self.constant(), self.test()
        conditional = "%s if %s else %s" % (a, test, b if b != a else "y")
        forms = [a] * 9 + [conditional] * 4 + ["%s and %s" % (test, a)] * 2 + ["%s or %s" % (test, a)] * 2
        return self.random.choice([*forms, "(%s, %s)" % (a, b), "f(%s)" % a, "f(%s)" % a])

    def simple(self, in_loop):
        forms = ["return %s"] * 8 + ["raise E(%s)"] * 2 + ["x = %s"] * 4 + ["f(%s)"] * 3 + OTHERS
        chosen = self.random.choice([*forms, "break", "continue", "break"] if in_loop else forms)
        return [chosen % self.value() if "%" in chosen else chosen]

    def statement(self, depth, in_loop):
        if depth == 0 or self.random.random() < 0.35:
            return self.simple(in_loop)
        newer = ["match"] * (sys.version_info >= (3, 10)) + ["except_star"] * (sys.version_info >= (3, 11))
        kind = self.random.choice([*COMPOUND, *newer])

        def body(head, loop=in_loop):
            return [head, *("    " + line for line in self.block(depth - 1, loop))]

        test = self.test()
        if kind == "match":
            other = self.random.choice(["[y]", "None", "1 | 2"])
            arms = body("case 't':") + body("case %s:" % other) + body("case _:")
            return ["match x:", *("    " + line for line in arms)]
        forms = {
            "if": lambda: body("if %s:" % test),
            "if_else": lambda: body("if %s:" % test) + body("else:"),
            "elif": lambda: body("if %s:" % test) + body("elif %s:" % self.test()) + body("else:"),
            "for": lambda: body("for i in s:", True),
            "for_else": lambda: body("for i in s:", True) + body("else:"),
            "while": lambda: body("while %s:" % test, True),
            "while_else": lambda: body("while %s:" % test, True) + body("else:"),
            "endless": lambda: body("while True:", True),
            "try": lambda: body("try:") + body("except E:"),
            "except_as": lambda: body("try:") + body("except E as e:"),
            "excepts": lambda: body("try:") + body("except (E, F):") + body("except G:"),
            "try_else": lambda: body("try:") + body("except E:") + body("else:"),
            "finally": lambda: [*body("try:"), "finally:", "    g()"],
            "except_finally": lambda: [*body("try:"), *body("except E:"), "finally:", "    g()"],
            "finally_any": lambda: body("try:") + body("finally:"),
            "except_star": lambda: body("try:") + body("except* E:") + body("except* F as e:"),
            "with": lambda: body("with m:"),
            "with_as": lambda: body("with m as w, f(%s):" % self.constant()),
            "function": lambda: ["def h(k=p):", *self.random.choice([[], ["    global x"]]), *body("def", False)[1:]],
        }
        return forms[kind]()

    def block(self, depth, in_loop=False):
        count = self.random.choice([1, 1, 2, 2, 3])
        return [line for _ in range(count) for line in self.statement(depth, in_loop)]

    def function(self, name):
        while True:
            lines = self.block(self.random.choice([1, 2, 2, 3]))
            if len(lines) <= MOST_LINES:
                body = "\n".join("    " + line for line in lines)
                return "def %s(p, q, r, s, m, x):\n%s\n" % (name, body)


def compiles(source):
    try:
        compile(source, "<source>", "exec")
    except SyntaxError:  # 3.8 to 3.10 also report too many nested blocks; all versions a `break` outside of a loop
        return False
    return True


def main(writer, prefix, folder, count):
    warnings.simplefilter("ignore")
    os.makedirs(folder, exist_ok=True)
    sources = []
    while len(sources) < count:
        source = writer.function(prefix + str(len(sources)))
        if compiles(source):
            sources.append(source)
    for first in range(0, count, PER_FILE):
        path = os.path.join(folder, "%d.py" % (first // PER_FILE))
        with open(path, "w") as out:
            out.write("\n\n".join(sources[first : first + PER_FILE]))
        py_compile.compile(path, path + "c", "<source>", doraise=True)
    print(count)


if __name__ == "__main__":
    main(Writer(int(sys.argv[3])), "f", sys.argv[1], int(sys.argv[2]))
