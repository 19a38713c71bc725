# SPDX-License-Identifier: MIT
"""Random programs that can be run: each statement and expression of a version's grammar, nested at random.

    pythonX.Y tests/programs/generate.py FOLDER COUNT SEED

writes the next COUNT programs from SEED on that this version compiles, as FOLDER/N.py and FOLDER/N.pyc. The same seed
gives the same program under the same version. The programs run with the names defined in world.py.
"""

import importlib.util
import marshal
import os
import random
import sys
import warnings

VERSION = sys.version_info[:2]


class Scope:
    """What is allowed at a place in the program."""

    def __init__(self, kind, outer=None, is_async=False, yields=False):
        self.kind, self.outer, self.is_async, self.yields = kind, outer, is_async, yields  # module, function, class
        self.names = []  # always bound
        self.maybe = ["x", "y", "z"]  # possibly bound
        self.functions = []
        self.loop = False
        self.star = False  # inside an except* block, which may not contain return, break or continue
        self.comprehension = False  # in an expression whose iterables may not contain :=
        self.returns = kind == "function"
        self.uses_class = False

    def function(self):
        return self.kind == "function"


class Writer:
    """Writes one program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        self.size = 0

    def chance(self, share):
        return self.random.random() < share

    def pick(self, *choices):
        return self.random.choice(choices)

    def fresh(self, prefix):
        self.count += 1
        return "%s%d" % (prefix, self.count)

    # ---- expressions; `s` is the scope and `d` the allowed depth
    def name(self, s):
        if self.chance(0.06):
            return self.pick(*s.maybe)
        names, scope = list(s.names), s.outer
        if self.chance(0.3):
            while scope is not None:
                if scope.kind == "function":
                    names += scope.names
                scope = scope.outer
        if names and self.chance(0.75):
            return self.random.choice(names)
        return self.pick("g0", "g1", "g2", "g3")

    def constant(self, s):
        return self.pick("1", "0", "'s'", "None", "True", "2.5", "b'x'", "...", "(1, 2)", "-1", "10**3", "''", "1j")

    def e(self, s, d=2):
        self.size += 1
        if d <= 0 or self.size > 900 or self.chance(0.25):
            return self.name(s) if self.chance(0.8) else self.constant(s)
        return self.random.choice(_EXPRESSIONS)(self, s, d - 1)

    def binary(self, s, d):
        operator = self.random.choice("+ - * / // % @ << >> & | ^ ** < == != > in is".split() + ["not in", "is not"])
        return "(%s %s %s)" % (self.name(s), operator, self.e(s, d))

    def boolean(self, s, d):
        parts = [self.e(s, d) for _ in range(self.random.randint(2, 3))]
        return "(%s)" % (" %s " % self.pick("and", "or")).join(parts)

    def mixed(self, s, d):
        form = self.pick(
            "({} and {} or {})", "({} or {} and {})", "(({} or {}) and {})", "(not {} or {} if {} else g0)"
        )
        return form.format(self.e(s, d), self.e(s, d), self.e(s, d))

    def unary(self, s, d):
        return "(%s%s)" % (
            self.pick("not ", "-", "~", "+", "not not "),
            self.name(s) if self.chance(0.5) else self.e(s, d),
        )

    def conditional(self, s, d):
        return "(%s if %s else %s)" % (self.e(s, d), self.e(s, d), self.e(s, d))

    def chained(self, s, d):
        symbol = self.pick("<", "==", "!=", "in", "is not")
        return "(%s < %s %s %s)" % (self.name(s), self.e(s, d), symbol, self.e(s, d))

    def arguments(self, s, d):
        parts = [self.e(s, d) if self.chance(0.85) else "*" + self.name(s) for _ in range(self.random.randrange(4))]
        if self.chance(0.3):
            parts.append("k=" + self.e(s, d))
        if self.chance(0.12):
            parts.append("**" + self.pick(self.name(s), "{'n': %s}" % self.e(s, d)))
        return ", ".join(parts)

    def call(self, s, d):
        if s.functions and self.chance(0.4):
            callee = self.random.choice(s.functions)
        else:
            callee = self.name(s) if self.chance(0.6) else self.attribute(s, d)
        return "%s(%s)" % (callee, self.arguments(s, d))

    def printed(self, s, d):
        return "print(%s)" % self.items(s, d)

    def attribute(self, s, d):
        base = self.name(s) if self.chance(0.8) else "(%s)" % self.e(s, d)
        return "%s.%s" % (base, self.pick("a", "b", "__c", "d"))

    def subscript(self, s, d):
        index = self.pick(
            "{0}", "{0}", "{0}:{1}", "::{0}", "{0}, {1}:", "{0}, *{2}" if VERSION >= (3, 11) else "{0},", "()"
        )
        return "%s[%s]" % (self.name(s), index.format(self.e(s, d), self.e(s, d), self.name(s)))

    def items(self, s, d, least=0):
        count = self.random.randrange(least, 4)
        return ", ".join(self.e(s, d) if self.chance(0.8) else "*" + self.starred(s, d) for _ in range(count))

    def starred(self, s, d):
        return self.name(s) if self.chance(0.6) else "(%s)" % self.e(s, d)

    def display(self, s, d):
        return self.pick("[%s]", "(%s,)", "{%s}", "[%s]") % self.items(s, d, 1)

    def mapping(self, s, d):
        parts = [
            self.pick(self.name(s), "'k'", "1") + ": " + self.e(s, d) if self.chance(0.8) else "**" + self.name(s)
            for _ in range(self.random.randrange(4))
        ]
        return "{%s}" % ", ".join(parts)

    def parameters(self, s, d=1, annotated=False):
        """Returns the parameters of a function as text, and their names."""
        names, parts, defaults = [], [], False

        def one(name, default):
            names.append(name.lstrip("*"))
            text = name
            if annotated and self.chance(0.35):
                text += ": " + self.annotation(s)
                if name.startswith("*") and not name.startswith("**") and VERSION >= (3, 11) and self.chance(0.3):
                    text = name + ": *" + self.name(s)
            return text + ("=" + self.e(s, d) if default else "")

        for position in range(self.random.randrange(3)):
            defaults = defaults or self.chance(0.3)
            parts.append(one("ab"[position], defaults))
        if parts and self.chance(0.15):
            parts.append("/")
        if self.chance(0.15):
            parts.append(one("*args", False))
            if self.chance(0.4):
                parts.append(one("k", self.chance(0.6)))
        elif self.chance(0.15):
            parts += ["*", one("k", self.chance(0.6))]
        if self.chance(0.1):
            parts.append(one("**kw", False))
        return ", ".join(parts), names

    def annotation(self, s):
        return self.pick(self.name(s), self.e(s, 1), "(g0, g1)", "'text'", "g0[g1]", "V")

    def function(self, s, d):
        parameters, names = self.parameters(s, d)
        inner = Scope("function", s)
        inner.names = names
        body = self.e(inner, d)
        if self.chance(0.04):
            body = "(yield %s)" % body
        return "(lambda %s: %s)" % (parameters, body)

    def comprehension(self, s, d):
        inner = Scope("function", s, s.is_async and (s.function() or VERSION >= (3, 11)))
        inner.comprehension, inner.names, inner.functions = True, list(s.names), s.functions
        inner.maybe = s.maybe
        generator = self.chance(0.3)
        clauses = ""
        for number in range(1 if self.chance(0.8) else 2):
            where = s if number == 0 else inner
            walrus, where.comprehension = where.comprehension, True
            iterable = self.iterable(where, d)
            where.comprehension = walrus
            target = self.pick("i", "j", "x", "i, j", "(i, *j)", "i", "x")
            is_async = inner.is_async and self.chance(0.3)
            clauses += " %sfor %s in %s" % ("async " if is_async else "", target, iterable)
            inner.names += [n for n in ("i", "j", "x") if n in target]
            if self.chance(0.35):
                clauses += " if " + self.e(inner, d)
        element = self.e(inner, d)
        if self.chance(0.25):
            element = "(lambda k=%s: %s)" % (self.name(inner), self.pick("i", "x", "(i, k)", self.e(inner, d)))
        if not generator and self.chance(0.25):
            return "{%s: %s%s}" % (element, self.e(inner, d), clauses)
        if VERSION >= (3, 15) and self.chance(0.15):
            element = "*" + self.starred(inner, d)
        if generator:
            return self.pick("tuple", "list", "g0", "any", "all", "set", "next") + "(%s%s)" % (element, clauses)
        return self.pick("[%s%s]", "{%s%s}", "[%s%s]") % (element, clauses)

    def iterable(self, s, d):
        kind = self.random.randrange(5)
        if kind == 0:
            return "[%s]" % self.items(s, d)
        if kind == 1:
            return "(%s,)" % self.items(s, d, 1)
        return self.name(s) if kind < 4 else self.e(s, d)

    def walrus(self, s, d):
        if s.comprehension or s.kind == "class":
            return self.binary(s, d)
        return "(%s := %s)" % (self.pick(*s.maybe, *[n for n in s.names if s.function()]), self.e(s, d))

    def formatted(self, s, d):
        inner = self.name(s) if VERSION < (3, 12) or self.chance(0.5) else self.e(s, d)
        inner = " " + inner if inner.startswith("{") else inner
        form = self.pick("f'{%s}'", "f'{%s!r}t'", "f't{%s!s:>3}'", "f'{%s:{g0}}{g1}'", "f'{%s=}'", "f'{{{%s}}}'")
        if VERSION >= (3, 14) and self.chance(0.2):
            form = self.pick("t'{%s}a'", "t'{%s!r:>{g0}}'", "t'b{%s=}'")
        return form % inner

    def awaited(self, s, d):
        if s.is_async and s.kind == "function":
            return "(await %s)" % (self.name(s) if self.chance(0.6) else self.e(s, d))
        return self.attribute(s, d)

    def yielded(self, s, d):
        if not s.yields or s.comprehension or s.kind != "function":
            return self.call(s, d)
        if s.is_async or self.chance(0.7):
            return "(yield %s)" % self.pick(self.e(s, d), self.items(s, d, 1) + ",")
        return "(yield from %s)" % self.iterable(s, d)

    # ---- targets and simple statements
    def bind(self, s):
        name = self.pick("x", "y", "z", *s.names)
        return name

    def target(self, s, depth=1):
        kind = self.random.randrange(9)
        if kind == 0 and depth:
            parts = [self.target(s, depth - 1) for _ in range(self.random.randint(1, 3))]
            if self.chance(0.4):
                star = self.random.randrange(len(parts))
                parts[star] = "*" + (parts[star] if parts[star][0] not in "[(" else self.bind(s))
            return self.pick("(%s,)", "[%s]") % ", ".join(parts)
        if kind == 1:
            return self.attribute(s, 1)
        if kind == 2:
            return "%s[%s]" % (self.name(s), self.e(s, 1))
        return self.bind(s)

    def simple(self, s):
        return self.random.choice(_SIMPLE)(self, s)

    def assign(self, s):
        return "%s = %s" % (self.target(s), self.e(s, 3))

    def assign_chain(self, s):
        return "%s = %s = %s" % (self.target(s), self.target(s), self.e(s))

    def unpack(self, s):
        left = ", ".join(self.target(s) for _ in range(2))
        return "%s = %s, %s" % (left, self.e(s), self.e(s))

    def augment(self, s):
        target = self.pick(self.bind(s), self.attribute(s, 1), "%s[%s]" % (self.name(s), self.e(s, 1)))
        return "%s %s= %s" % (target, self.pick("+", "-", "|", "*", "@", "//", ">>", "**"), self.e(s))

    def annotate(self, s):
        target = self.pick("n", "m", self.attribute(s, 1), "%s[%s]" % (self.name(s), self.e(s, 1)), "(n)")
        return "%s: %s%s" % (target, self.annotation(s), " = " + self.e(s) if self.chance(0.6) else "")

    def expression(self, s):
        return self.pick(self.call, self.call, self.printed, self.awaited, self.yielded)(s, 2)

    def delete(self, s):
        return "del " + ", ".join(
            self.pick(self.pick(*s.maybe), self.attribute(s, 0), "%s[%s]" % (self.name(s), self.name(s)))
            for _ in range(self.random.randint(1, 2))
        )

    def throw(self, s):
        error = self.pick("E1", "E2", "E3('m')", "E1(%s)" % self.name(s), "KeyError", self.name(s))
        if VERSION >= (3, 11) and self.chance(0.2):
            error = "ExceptionGroup('g', [E1(), E3(1)])"
        tail = " from " + self.pick("None", "E2", self.name(s)) if self.chance(0.25) else ""
        text = "raise %s%s" % (error, tail) if self.chance(0.85) else "raise"
        return text if self.chance(0.4) else "if %s: %s" % (self.name(s), text)

    def check(self, s):
        return "assert %s%s" % (self.e(s), ", " + self.e(s, 1) if self.chance(0.5) else "")

    def leave(self, s):
        text = "pass"
        choices = []
        if s.returns and not s.star:
            choices += ["return", "return " + self.e(s)] if not (s.is_async and s.yields) else ["return"]
        if s.loop:
            choices += ["break", "continue", "continue"]
        if choices:
            text = self.random.choice(choices)
        return text if self.chance(0.5) else "if %s: %s" % (self.e(s), text)

    def imports(self, s):
        n = self.bind(s)
        return self.pick(
            "import m%d.n" % self.random.randrange(3), "import m1 as " + n, "import m1.n.o as " + n,
            "from m2 import " + n, "from . import a as " + n, "from .m import b as %s, c as y" % n,
            "from m3.n import (d as z)",
        )  # fmt: skip

    def alias(self, s):
        if VERSION < (3, 12) or not self.chance(0.5):
            return self.assign(s)
        return "type %s%s = %s" % (self.pick("T", "x"), self.type_parameters(s), self.annotation(s))

    def type_parameters(self, s):
        if VERSION < (3, 12) or self.chance(0.5):
            return ""
        parts = []
        for number in range(self.random.randint(1, 3)):
            part = self.pick("T%d", "*T%d", "**T%d", "T%d: g0", "T%d: (g0, g1)", "T%d") % number
            if VERSION >= (3, 13) and (self.chance(0.2) or (parts and "=" in parts[-1])):
                part += " = " + self.name(s)
            parts.append(part)
        return "[%s]" % ", ".join(parts)

    # ---- compound statements: lists of lines
    def block(self, s, depth, **changed):
        saved = {field: getattr(s, field) for field in changed}
        names = list(s.names)
        for field, value in changed.items():
            setattr(s, field, value)
        lines = []
        for _ in range(self.random.choice((1, 1, 2, 2, 3))):
            lines += self.statement(s, depth - 1)
        for field, value in saved.items():
            setattr(s, field, value)
        s.names = names
        return ["    " + line for line in lines]

    def statement(self, s, depth):
        self.size += 1
        if depth <= 0 or self.size > 900 or self.chance(0.42):
            return [self.simple(s)]
        return self.random.choice(_COMPOUND)(self, s, depth)

    def branch(self, s, depth):
        lines = ["if %s:" % (self.e(s) if self.chance(0.93) else self.pick("0", "1", "False", "not __debug__"))]
        lines += self.block(s, depth)
        while self.chance(0.3):
            lines += ["elif %s:" % self.e(s), *self.block(s, depth)]
        return lines + (["else:", *self.block(s, depth)] if self.chance(0.45) else [])

    def loop_end(self, s, depth):
        return ["else:", *self.block(s, depth)] if self.chance(0.25) else []

    def repeat(self, s, depth):
        head, body = "while %s:" % self.e(s), []
        if self.chance(0.3):
            head, body = self.pick("while True:", "while 1:"), ["    if %s: break" % self.name(s)]
        elif self.chance(0.04):
            head = "while 0:"
        body += self.block(s, depth, loop=True, star=False)
        return [head, *body, *self.loop_end(s, depth)]

    def iterate(self, s, depth):
        is_async = s.is_async and s.function() and self.chance(0.5)
        head = "%sfor %s in %s:" % ("async " if is_async else "", self.target(s), self.iterable(s, 1))
        return [head, *self.block(s, depth, loop=True, star=False), *self.loop_end(s, depth)]

    def handler(self, star=False):
        kind = self.pick("E1", "E2", "E3", "(E1, KeyError)", "Exception", "g0" if self.chance(0.1) else "E2")
        named = " as " + self.pick("x", "y", "error") if self.chance(0.5) else ""
        return "except%s %s%s:" % ("*" if star else "", kind, named)

    def attempt(self, s, depth):
        lines = ["try:", *self.block(s, depth)]
        star = VERSION >= (3, 11) and self.chance(0.25)
        handlers = self.random.choice((0, 1, 1, 1, 2))
        for _ in range(handlers):
            inner = {"star": True, "loop": False} if star else {}
            lines += [self.handler(star), *self.block(s, depth, **inner)]
        if handlers and not star and self.chance(0.3):
            lines += ["except:", *self.block(s, depth)]
        if handlers and self.chance(0.35):
            lines += ["else:", *self.block(s, depth)]
        if not handlers or self.chance(0.3):
            quiet = {"star": True, "loop": False} if self.chance(0.6) else {}
            lines += ["finally:", *self.block(s, depth, **quiet)]
        return lines

    def manage(self, s, depth):
        is_async = s.is_async and s.function() and self.chance(0.5)
        items = []
        for _ in range(1 if self.chance(0.75) else 2):
            manager = self.e(s, 1) if self.chance(0.3) else self.name(s)
            items.append(manager + (" as " + self.target(s) if self.chance(0.5) else ""))
        head = "%swith %s:" % ("async " if is_async else "", ", ".join(items))
        return [head, *self.block(s, depth)]

    def pattern(self, d=2):
        kind = self.random.randrange(11) if d else self.random.randrange(4)
        if kind == 0:
            return self.pick("1", "'s'", "None", "True", "-1.5", "b'x'", "P.a")
        if kind in (1, 2):
            return self.fresh("c")
        if kind == 3:
            return "_"
        if kind in (4, 5):
            parts = [self.pattern(d - 1) for _ in range(self.random.randrange(4))]
            if self.chance(0.4):
                parts.insert(self.random.randint(0, len(parts)), self.pick("*_", "*" + self.fresh("c")))
            return "[%s]" % ", ".join(parts)
        if kind == 6:
            parts = ["'k': " + self.pattern(d - 1), "'m': " + self.pattern(d - 1)][: self.random.randrange(3)]
            return "{%s}" % ", ".join(parts + (["**" + self.fresh("c")] if self.chance(0.3) else []))
        if kind in (7, 8):
            parts = [self.pattern(d - 1) for _ in range(self.random.randrange(3))]
            return "P(%s)" % ", ".join(parts + (["w=" + self.pattern(d - 1)] if self.chance(0.3) else []))
        if kind == 9:
            parts = [self.pick("1", "'s'", "None", "[]", "[1, 2]", "{'k': 1}", "P(1)", "V()", "2") for _ in range(2)]
            return "(%s | %s)" % tuple(parts)
        return "(%s as %s)" % (self.pick("1 | 's'", "[_, *_]", "P()", "{'k': _}", "int()", "str()"), self.fresh("c"))

    def match(self, s, depth):
        if VERSION < (3, 10):
            return self.branch(s, depth)
        lines = ["match %s:" % self.pick(*["subject(%s)" % self.e(s, 1)] * 3, "subject(1), subject(2)", self.name(s))]
        for _ in range(self.random.randint(1, 3)):
            guard = " if " + self.e(s, 1) if self.chance(0.3) else ""
            pattern = self.pattern()
            while not guard and pattern[0] in "c_":  # would make the following cases unreachable
                pattern = self.pattern()
            lines.append("    case %s%s:" % (pattern, guard))
            lines += ["    " + line for line in self.block(s, depth)]
        if self.chance(0.3):
            lines.append("    case _:")
            lines += ["    " + line for line in self.block(s, depth)]
        return lines

    def decorators(self, s):
        lines = []
        while self.chance(0.2):
            lines.append("@" + self.pick("decorate", "decorate(%s)" % self.e(s, 1)))
        return lines

    def define(self, s, depth):
        is_async, yields = self.chance(0.25), self.chance(0.25)
        inner = Scope("function", s, is_async, yields)
        name = self.fresh("f")
        if s.kind == "class":
            name = self.pick(
                name, "__f%d" % self.count, "__init__" if self.chance(0.2) and not (is_async or yields) else name
            )
        parameters, names = self.parameters(s, 1, True)
        if s.kind == "class":
            parameters, names = ("self, " + parameters if "self" not in parameters else parameters), ["self", *names]
            if parameters.endswith(", "):
                parameters = parameters[:-2]
        result = " -> " + self.annotation(s) if self.chance(0.15) else ""
        heads = self.decorators(s)
        generic = self.type_parameters(s)
        head = "%sdef %s%s(%s)%s:" % ("async " if is_async else "", name, generic, parameters, result)
        body = self.body(inner, s, names, depth)
        s.functions.append(name) if s.kind != "class" else s.names.append(name)
        return [*heads, head, *body]

    def body(self, inner, s, names, depth):
        """Returns the declarations, first assignments and statements of a function."""
        body = []
        if self.chance(0.15):
            body.append(self.pick("'doc'", "'''doc\n    more'''", "f'{g0}'"))
        inner.names = list(names)
        if self.chance(0.2):
            body.append("global x")
            inner.maybe = ["y", "z", "x"]
        elif s.function() and s.outer is not None and s.names and self.chance(0.45):
            outer = self.random.choice(s.names)
            if outer not in names:
                body.append("nonlocal " + outer)
                inner.names.append(outer)
        local = self.fresh("v")
        if self.chance(0.8):
            body.append("%s = %s" % (local, self.e(inner, 1)))
            inner.names.append(local)
        for _ in range(self.random.randint(1, 4)):
            body += self.statement(inner, depth - 1)
        if inner.yields:
            body.append(self.pick("yield", "yield %s" % self.e(inner, 1), "x = yield y"))
        if self.chance(0.4) and not (inner.is_async and inner.yields):
            body.append("return " + self.e(inner))
        return [
            "    " + line if number == 0 or not line.startswith("    more") else line
            for number, line in enumerate(body)
        ]

    def define_class(self, s, depth):
        inner = Scope("class", s)
        name = self.fresh("C")
        bases = [self.pick("Base", "g0", "P", "g1", "*[Base]") for _ in range(self.random.choice((0, 1, 1, 2)))]
        if self.chance(0.2):
            bases.append("metaclass=Meta")
        if self.chance(0.15):
            bases.append("k=" + self.e(s, 1))
        heads = self.decorators(s)
        generic = self.type_parameters(s)
        head = "class %s%s%s:" % (name, generic, "(%s)" % ", ".join(bases) if bases else self.pick("", "()"))
        body = [self.pick("'doc'", "'''One.\n        Two.\n    '''", "__slots__ = ()")] if self.chance(0.25) else []
        for _ in range(self.random.randint(1, 3)):
            body += self.define(inner, depth - 1) if self.chance(0.5) else self.statement(inner, depth - 2)
        if self.chance(0.3):
            body += [
                "def m%d(self):" % self.count,
                "    " + self.pick("return super().method(__class__)", "return __class__"),
            ]
        if self.chance(0.15):
            body.append("x = [(i, x) for i in g0]")
        s.functions.append(name)
        return [*heads, head, *["    " + line for line in body]]

    def program(self):
        s = Scope("module")
        lines = []
        if self.chance(0.05):
            lines.append("'''Module.'''")
        if self.chance(0.05):
            lines.append("from __future__ import annotations")
        for _ in range(self.random.randint(1, 3)):
            lines += self.define(s, 4) if self.chance(0.75) else self.statement(s, 3)
        return "\n".join(lines) + "\n"


_EXPRESSIONS = [
    Writer.binary, Writer.binary, Writer.unary, Writer.conditional, Writer.chained, Writer.mixed, Writer.boolean,
    Writer.call, Writer.call, Writer.attribute, Writer.subscript, Writer.display, Writer.display, Writer.mapping,
    Writer.function, Writer.comprehension, Writer.comprehension, Writer.walrus, Writer.formatted, Writer.awaited,
    Writer.yielded,
]  # fmt: skip
_SIMPLE = [
    Writer.assign, Writer.assign, Writer.assign, Writer.assign_chain, Writer.unpack, Writer.augment, Writer.augment,
    Writer.annotate, Writer.expression, Writer.expression, Writer.expression, Writer.delete, Writer.throw, Writer.check,
    Writer.leave, Writer.leave, Writer.leave, Writer.imports, Writer.alias,
]  # fmt: skip
_COMPOUND = [
    Writer.branch, Writer.branch, Writer.repeat, Writer.repeat, Writer.iterate, Writer.iterate, Writer.attempt,
    Writer.attempt, Writer.attempt, Writer.manage, Writer.manage, Writer.match, Writer.match, Writer.define,
    Writer.define_class,
]  # fmt: skip


def main(folder, count, seed):
    """Writes programs that compile, and prints how many seeds did not."""
    warnings.simplefilter("ignore")
    os.makedirs(folder, exist_ok=True)
    head = importlib.util.MAGIC_NUMBER + bytes(12)
    refused = 0
    while count > 0:
        seed += 1
        source = Writer(seed).program()
        try:
            code = compile(source, "program.py", "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            refused += 1
            if os.environ.get("SHOW_REFUSED"):
                print("%d: %s" % (seed, error))
            continue
        count -= 1
        with open(os.path.join(folder, "%d.py" % seed), "w") as stream:
            stream.write(source)
        with open(os.path.join(folder, "%d.pyc" % seed), "wb") as stream:
            stream.write(head + marshal.dumps(code))
    print("%d refused, last seed %d" % (refused, seed))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
