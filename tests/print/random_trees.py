# SPDX-License-Identifier: MIT
"""Tests the printer with random trees: code that people seldom write (yield in a slice, nested quotes, stars anywhere).

Runs under the interpreter under test (3.8-3.15)::

    python3.X tests/print/random_trees.py --program build/roundtrip_ast [--count N] [--seed S]

The tree of the printed text must be equal to the original tree. Before 3.12 some f-strings cannot be written as a
literal with the same meaning; they are printed in another form (`%`, str.format), which only has to parse.
"""

import argparse
import ast
import random
import sys

from roundtrip_ast import Printer, difference, normalize
from serialise import BINARY, COMPARE, MINOR, UNARY, Serialiser

LOAD = ast.Load()
TEXTS = [
    "",
    "a",
    "'",
    '"',
    "it's",
    'say "x"',
    "'\"",
    "'''",
    '"""',
    "\n",
    "\\",
    "{",
    "}}",
    "a\tb",
    "\0",
    "é",
    "\ud800",
    "%",
    "#",
    "{x!r}",
    "\\N{DASH}",
    "a'''b\"\"\"",
]
NAMES = ["a", "b", "c", "match", "case", "type", "_", "é"]


class Maker:
    """Makes random trees that a parser could have returned."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.spec_depth = 0

    def expr(self, depth):
        leaves = [self.name, self.constant]
        if depth <= 0:
            return self.random.choice(leaves)(depth)
        inner = [
            self.bool_op,
            self.bin_op,
            self.unary,
            self.lambda_,
            self.if_exp,
            self.dict_,
            self.set_,
            self.comp,
            self.await_,
            self.yield_,
            self.yield_from,
            self.compare,
            self.call,
            self.fstring,
            self.fstring,
            self.attribute,
            self.subscript,
            self.subscript,
            self.list_,
            self.tuple_,
            self.walrus,
        ]
        return self.random.choice(inner + leaves)(depth - 1)

    def some(self, depth, low, high):
        return [self.expr(depth) for _ in range(self.random.randint(low, high))]

    def starred(self, depth, low, high):
        out = self.some(depth, low, high)
        if self.random.random() < 0.3:
            out.insert(self.random.randint(0, len(out)), ast.Starred(self.expr(depth), LOAD))
        return out

    def name(self, depth=0):
        return ast.Name(self.random.choice(NAMES), LOAD)

    def constant(self, depth):
        values = [0, 7, 1.5, 2j, True, None, Ellipsis, b"x", b"'\"", b"\xff\\", 10**20, 1e100]
        if self.random.random() < 0.5:
            return ast.Constant(self.random.choice(TEXTS), kind=None)
        return ast.Constant(self.random.choice(values), kind=None)

    def bool_op(self, depth):
        return ast.BoolOp(self.random.choice([ast.And, ast.Or])(), self.some(depth, 2, 3))

    def bin_op(self, depth):
        op = getattr(ast, self.random.choice(BINARY + ["Pow", "Pow"]))()
        return ast.BinOp(self.expr(depth), op, self.expr(depth))

    def unary(self, depth):
        return ast.UnaryOp(getattr(ast, self.random.choice(UNARY))(), self.expr(depth))

    def arguments(self, depth):
        names = iter(["p%d" % i for i in range(9)])
        make = lambda: ast.arg(next(names), None)  # noqa: E731
        pos, plain, kwonly = ([make() for _ in range(self.random.choice([0, 0, 1, 2]))] for _ in range(3))
        defaults = self.some(depth, 0, len(pos) + len(plain))
        return ast.arguments(
            pos,
            plain,
            self.random.choice([None, make()]),
            kwonly,
            [self.random.choice([None, self.expr(depth)]) for _ in kwonly],
            self.random.choice([None, make()]),
            defaults,
        )

    def lambda_(self, depth):
        return ast.Lambda(self.arguments(depth), self.expr(depth))

    def if_exp(self, depth):
        return ast.IfExp(self.expr(depth), self.expr(depth), self.expr(depth))

    def dict_(self, depth):
        values = self.some(depth, 0, 3)
        return ast.Dict([self.random.choice([None, self.expr(depth)]) for _ in values], values)

    def set_(self, depth):
        return ast.Set(self.starred(depth, 1, 3))

    def comp(self, depth):
        generators = [
            ast.comprehension(self.target(depth), self.expr(depth), self.some(depth, 0, 2), 0)
            for _ in range(self.random.randint(1, 2))
        ]
        kind = self.random.choice([ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp])
        if kind is ast.DictComp:
            return kind(self.expr(depth), self.expr(depth), generators)
        return kind(self.expr(depth), generators)

    def target(self, depth):
        store = ast.Store()
        leaf = lambda: ast.Name(self.random.choice(NAMES), store)  # noqa: E731
        if self.random.random() < 0.6:
            return leaf()
        elements = [leaf() for _ in range(self.random.randint(0, 2))]
        if self.random.random() < 0.4:
            elements.append(ast.Starred(leaf(), store))
        return self.random.choice([ast.Tuple, ast.List])(elements, store)

    def await_(self, depth):
        return ast.Await(self.expr(depth))

    def yield_(self, depth):
        return ast.Yield(self.random.choice([None, self.expr(depth)]))

    def yield_from(self, depth):
        return ast.YieldFrom(self.expr(depth))

    def compare(self, depth):
        ops = [getattr(ast, self.random.choice(COMPARE))() for _ in range(self.random.randint(1, 2))]
        return ast.Compare(self.expr(depth), ops, [self.expr(depth) for _ in ops])

    def call(self, depth):
        keywords = [
            ast.keyword(self.random.choice([None, "k%d" % i]), self.expr(depth))
            for i in range(self.random.choice([0, 0, 1, 2]))
        ]
        return ast.Call(self.expr(depth), self.starred(depth, 0, 2), keywords)

    def attribute(self, depth):
        return ast.Attribute(self.expr(depth), self.random.choice(NAMES), LOAD)

    def slice_(self, depth):
        part = lambda: self.random.choice([None, self.expr(depth)])  # noqa: E731
        return ast.Slice(part(), part(), part())

    def subscript(self, depth):
        shape = self.random.randrange(4)
        if MINOR < 9:  # Index and ExtSlice
            index = [
                lambda: ast.Index(self.expr(depth)),
                lambda: self.slice_(depth),
                lambda: ast.ExtSlice([self.slice_(depth), ast.Index(self.expr(depth))]),
            ][shape % 3]()
        elif shape == 0:
            index = self.slice_(depth)
        elif shape == 1:
            elements = [self.slice_(depth)] + self.some(depth, 0, 1)
            index = ast.Tuple(elements, LOAD)
        else:
            index = self.tuple_(depth) if shape == 2 else self.expr(depth)
        return ast.Subscript(self.expr(depth), index, LOAD)

    def list_(self, depth):
        return ast.List(self.starred(depth, 0, 2), LOAD)

    def tuple_(self, depth):
        return ast.Tuple(self.starred(depth, 0, 2), LOAD)

    def walrus(self, depth):
        return ast.NamedExpr(ast.Name(self.random.choice(NAMES), ast.Store()), self.expr(depth))

    def fstring(self, depth):
        values = []
        for _ in range(self.random.randint(0, 3)):
            if self.random.random() < 0.5:
                values.append(ast.Constant(self.random.choice(TEXTS), kind=None))
            else:
                values.append(self.field(depth))
        return ast.JoinedStr(values)

    def field(self, depth):
        spec = None
        if self.random.random() < 0.3 and self.spec_depth < 1:
            self.spec_depth += 1
            spec = self.fstring(depth)
            self.spec_depth -= 1
        outer_depth, self.spec_depth = self.spec_depth, 0
        value = self.expr(depth)
        self.spec_depth = outer_depth
        return ast.FormattedValue(value, self.random.choice([-1, -1, ord("r"), ord("s")]), spec)

    def stmt(self, depth):
        store = self.target(depth)
        value = self.expr(depth)
        return self.random.choice(
            [
                lambda: ast.Expr(value),
                lambda: ast.Return(value),
                lambda: ast.Assign([store], value, type_comment=None),
                lambda: ast.AugAssign(ast.Name("a", ast.Store()), ast.Add(), value),
                lambda: ast.AnnAssign(ast.Name("a", ast.Store()), self.expr(depth), value, self.random.choice([0, 1])),
                lambda: ast.Delete([ast.Name("a", ast.Del()), ast.Tuple([ast.Name("b", ast.Del())], ast.Del())]),
                lambda: ast.Assert(value, self.expr(depth)),
                lambda: ast.Raise(value, self.expr(depth)),
                lambda: ast.While(value, [ast.Pass()], []),
                lambda: ast.If(value, [ast.Pass()], []),
                lambda: ast.For(store, value, [ast.Pass()], [], type_comment=None),
                lambda: ast.With(
                    [ast.withitem(value, self.random.choice([None, store])) for _ in range(self.random.randint(1, 2))],
                    [ast.Pass()],
                    type_comment=None,
                ),
            ]
        )()


def other_form(text):
    """Returns whether an f-string may have been printed in another form."""
    return MINOR < 12 and (".format(" in text or "' % (" in text or '" % (' in text)


BROKEN = "syntax error"


def fault_of(tree, text):
    """Returns how the tree of the text differs from the tree that was printed."""
    try:
        again = ast.parse(text)
    except SyntaxError:
        return BROKEN
    normalize(tree)
    normalize(again)
    return difference(tree, again)


def check_percent(printer):
    """Checks that in 3.11 the `%` in place of an f-string compiles to the same code."""
    if MINOR != 11:
        return 0
    bad = 0
    for spec in [None, "5", ">5", ".3", ">12.3", "7.0", ".10"]:
        for conversion in "sra":
            spec_node = spec and ast.JoinedStr([ast.Constant(spec)])
            fields = [ast.FormattedValue(ast.Name(n, LOAD), ord(conversion), spec_node) for n in "xy"]
            slash = ast.FormattedValue(ast.Call(ast.Name("f", LOAD), [ast.Constant("\\")], []), ord("s"), None)
            tree = ast.Expression(ast.JoinedStr([ast.Constant("100% "), fields[0], slash, fields[1]]))
            writer = Serialiser()
            body = writer.expr(tree.body)
            _, text = printer.ask(writer.lines + ["print_expr %d" % body])
            want = compile(ast.fix_missing_locations(tree), "<tree>", "eval")
            have = compile(text, "<text>", "eval")
            if " % (" not in text or want.co_code != have.co_code or want.co_consts != have.co_consts:
                print("FAIL not the same code: %s" % text)
                bad += 1
    return bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--width", type=int, default=120, help="maximum length of lines; longer ones are broken")
    options = parser.parse_args()
    printer, others = Printer(options.program, options.width), 0
    bad = check_percent(printer)
    for seed in range(options.seed, options.seed + options.count):
        tree = ast.Module([Maker(seed).stmt(1 + seed % 4)], [])
        writer = Serialiser()
        body = writer.body(tree.body)
        ok, text = printer.ask(writer.lines + ["print " + body])
        fault = text if not ok else fault_of(tree, text)
        if fault and fault != BROKEN and other_form(text):
            others, fault = others + 1, None
        if fault:
            bad += 1
            if bad <= 15:
                print("FAIL %d: %s\n    %s" % (seed, fault, text.rstrip()))
    print("3.%d: %d random trees, %d in another form, %d differ" % (MINOR, options.count, others, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    sys.exit(main())
