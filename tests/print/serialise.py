# SPDX-License-Identifier: MIT
"""Writes syntax trees of CPython's `ast` as lines of commands for the program roundtrip_ast (see roundtrip_ast.cpp)."""

import ast
import struct
import sys

MINOR = sys.version_info[1]
COMPARE = ["Lt", "LtE", "Eq", "NotEq", "Gt", "GtE", "Is", "IsNot", "In", "NotIn"]
BINARY = [
    "Add",
    "BitAnd",
    "FloorDiv",
    "LShift",
    "MatMult",
    "Mult",
    "Mod",
    "BitOr",
    "Pow",
    "RShift",
    "Sub",
    "Div",
    "BitXor",
]
UNARY = ["Invert", "Not", "UAdd", "USub"]
BOOL = ["And", "Or"]


def as_hex(text):
    """Returns a text as one word."""
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return "x" + data.hex()


class Serialiser:
    """Writes a tree as lines of commands; ids are counted like the reader's arenas count them."""

    def __init__(self):
        self.lines = ["version %d" % MINOR]
        self.counts = {"const": 0, "expr": 0, "pattern": 0, "stmt": 0}

    def add(self, arena, *words):
        self.lines.append(" ".join(str(w) for w in words))
        self.counts[arena] += 1
        return self.counts[arena] - 1

    def printing(self, *words):
        """Returns all lines, and a command that prints another expression."""
        expr = self.add("expr", *words)
        return self.lines + ["print_expr %d" % expr]

    def const(self, value):
        """Adds a constant of any kind that a code object can have."""
        if value is None:
            return self.add("const", "none")
        if value is Ellipsis:
            return self.add("const", "ellipsis")
        if isinstance(value, bool):
            return self.add("const", "bool", int(value))
        if isinstance(value, int):
            size, digits = abs(value), []
            while size:
                digits.append(size & 0xFFFFFFFF)
                size >>= 32
            return self.add("const", "int", int(value < 0), len(digits), *digits)
        if isinstance(value, float):
            return self.add("const", "float", self.bits(value))
        if isinstance(value, complex):
            return self.add("const", "complex", self.bits(value.real), self.bits(value.imag))
        if isinstance(value, str):
            return self.add("const", "str", as_hex(value))
        if isinstance(value, bytes):
            return self.add("const", "bytes", as_hex(value))
        if isinstance(value, (tuple, frozenset)):
            items = [self.const(v) for v in value]
            return self.add("const", type(value).__name__, len(items), *items)
        if isinstance(value, slice):
            parts = [self.const(v) for v in (value.start, value.stop, value.step)]
            return self.add("const", "slice", *parts)
        raise TypeError(type(value))

    @staticmethod
    def bits(value):
        return struct.unpack("<Q", struct.pack("<d", value))[0]

    # ---- pieces
    def many(self, nodes, one):
        done = [one(n) for n in nodes]
        return " ".join([str(len(done))] + [str(d) for d in done])

    def exprs(self, nodes):
        return self.many(nodes, self.expr)

    def body(self, nodes):
        return self.many(nodes, self.stmt)

    @staticmethod
    def name(text):
        return "-" if text is None else as_hex(text)

    def names(self, texts):
        return self.many(texts, self.name)

    def parameter(self, arg, default=None):
        return "%s %s %s" % (self.name(arg.arg), self.expr(arg.annotation), self.expr(default))

    def arguments(self, a):
        plain = a.posonlyargs + a.args
        defaults = [None] * (len(plain) - len(a.defaults)) + a.defaults
        pairs = list(zip(plain, defaults))
        cut = len(a.posonlyargs)
        both = lambda p: self.parameter(*p)  # noqa: E731
        words = [self.many(pairs[:cut], both), self.many(pairs[cut:], both)]
        words.append("1 " + self.parameter(a.vararg) if a.vararg else "0")
        words.append(self.many(list(zip(a.kwonlyargs, a.kw_defaults)), both))
        words.append("1 " + self.parameter(a.kwarg) if a.kwarg else "0")
        return " ".join(words)

    def keywords(self, nodes):
        return self.many(nodes, lambda k: "%s %s" % (self.name(k.arg), self.expr(k.value)))

    def generators(self, nodes):
        return self.many(
            nodes, lambda g: "%s %s %s %d" % (self.expr(g.target), self.expr(g.iter), self.exprs(g.ifs), g.is_async)
        )

    def aliases(self, nodes):
        return self.many(nodes, lambda a: "%s %s" % (as_hex(a.name), self.name(a.asname)))

    def type_params(self, nodes):
        kinds = ["TypeVar", "ParamSpec", "TypeVarTuple"]
        return self.many(
            nodes,
            lambda p: (
                "%d %s %s %s"
                % (
                    kinds.index(type(p).__name__),
                    self.name(p.name),
                    self.expr(getattr(p, "bound", None)),
                    self.expr(getattr(p, "default_value", None)),
                )
            ),
        )

    # ---- expressions
    def expr(self, n):
        if n is None:
            return "-"
        words = getattr(self, "expr_" + type(n).__name__)(n)
        return words if isinstance(words, int) else self.add("expr", *words)

    def expr_BoolOp(self, n):
        return "BoolOp", BOOL.index(type(n.op).__name__), self.exprs(n.values)

    def expr_NamedExpr(self, n):
        return "NamedExpr", self.expr(n.target), self.expr(n.value)

    def expr_BinOp(self, n):
        spine = []
        while isinstance(n, ast.BinOp):  # the left operands of long chains are nested
            spine.append(n)
            n = n.left
        left = self.expr(n)
        for node in reversed(spine):
            left = self.add("expr", "BinOp", left, BINARY.index(type(node.op).__name__), self.expr(node.right))
        return left

    def expr_UnaryOp(self, n):
        return "UnaryOp", UNARY.index(type(n.op).__name__), self.expr(n.operand)

    def expr_Lambda(self, n):
        return "Lambda", self.arguments(n.args), self.expr(n.body)

    def expr_IfExp(self, n):
        return "IfExp", self.expr(n.test), self.expr(n.body), self.expr(n.orelse)

    def expr_Dict(self, n):
        return "Dict", self.exprs(n.keys), self.exprs(n.values)

    def expr_Set(self, n):
        return "Set", self.exprs(n.elts)

    def comprehension(self, kind, n):
        return "Comprehension", kind, self.expr(n.elt), "-", self.generators(n.generators)

    def expr_ListComp(self, n):
        return self.comprehension(0, n)

    def expr_SetComp(self, n):
        return self.comprehension(1, n)

    def expr_DictComp(self, n):
        if n.value is None:  # 3.15: {**key for ...}
            return "Comprehension", 2, "-", self.expr(n.key), self.generators(n.generators)
        return "Comprehension", 2, self.expr(n.key), self.expr(n.value), self.generators(n.generators)

    def expr_GeneratorExp(self, n):
        return self.comprehension(3, n)

    def expr_Await(self, n):
        return "Await", self.expr(n.value)

    def expr_Yield(self, n):
        return "Yield", self.expr(n.value)

    def expr_YieldFrom(self, n):
        return "YieldFrom", self.expr(n.value)

    def expr_Compare(self, n):
        ops = self.many(n.ops, lambda op: COMPARE.index(type(op).__name__))
        return "Compare", self.expr(n.left), ops, self.exprs(n.comparators)

    def expr_Call(self, n):
        return "Call", self.expr(n.func), self.exprs(n.args), self.keywords(n.keywords)

    def expr_FormattedValue(self, n):
        return "FormattedValue", self.expr(n.value), max(n.conversion, 0), self.expr(n.format_spec)

    def expr_JoinedStr(self, n):
        return "JoinedStr", self.exprs(n.values)

    def expr_Interpolation(self, n):
        return ("Interpolation", self.expr(n.value), as_hex(n.str), max(n.conversion, 0), self.expr(n.format_spec))

    def expr_TemplateStr(self, n):
        return "TemplateStr", self.exprs(n.values)

    def expr_Constant(self, n):
        return "ConstantExpr", self.const(n.value)

    def expr_Attribute(self, n):
        return "Attribute", self.expr(n.value), self.name(n.attr)

    def expr_Subscript(self, n):
        return "Subscript", self.expr(n.value), self.expr(n.slice)

    def expr_Index(self, n):  # 3.8
        return self.expr(n.value)

    def expr_ExtSlice(self, n):  # 3.8
        return "Tuple", self.exprs(n.dims)

    def expr_Starred(self, n):
        return "Starred", self.expr(n.value)

    def expr_Name(self, n):
        return "Name", self.name(n.id)

    def expr_List(self, n):
        return "List", self.exprs(n.elts)

    def expr_Tuple(self, n):
        return "Tuple", self.exprs(n.elts)

    def expr_Slice(self, n):
        return "Slice", self.expr(n.lower), self.expr(n.upper), self.expr(n.step)

    # ---- patterns
    def pattern(self, n):
        return "-" if n is None else self.add("pattern", *getattr(self, "pattern_" + type(n).__name__)(n))

    def patterns(self, nodes):
        return self.many(nodes, self.pattern)

    def pattern_MatchValue(self, n):
        return "MatchValue", self.expr(n.value)

    def pattern_MatchSingleton(self, n):
        return "MatchSingleton", self.expr(ast.Constant(n.value))

    def pattern_MatchSequence(self, n):
        return "MatchSequence", self.patterns(n.patterns)

    def pattern_MatchMapping(self, n):
        return "MatchMapping", self.exprs(n.keys), self.patterns(n.patterns), self.name(n.rest)

    def pattern_MatchClass(self, n):
        return (
            "MatchClass",
            self.expr(n.cls),
            self.patterns(n.patterns),
            self.names(n.kwd_attrs),
            self.patterns(n.kwd_patterns),
        )

    def pattern_MatchStar(self, n):
        return "MatchStar", self.name(n.name)

    def pattern_MatchAs(self, n):
        return "MatchAs", self.pattern(n.pattern), self.name(n.name)

    def pattern_MatchOr(self, n):
        return "MatchOr", self.patterns(n.patterns)

    # ---- statements
    def stmt(self, n):
        return self.add("stmt", *getattr(self, "stmt_" + type(n).__name__)(n))

    def documented(self, n):
        """Returns the docstring's constant and the rest of the body."""
        body = n.body
        if ast.get_docstring(n, clean=False) is None:
            return "-", self.body(body)
        return self.const(clean(body[0].value.value)), self.body(body[1:])

    def stmt_FunctionDef(self, n, is_async=0):
        args, (doc, body) = self.arguments(n.args), self.documented(n)
        return (
            "FunctionDef",
            self.name(n.name),
            args,
            body,
            self.exprs(n.decorator_list),
            self.expr(n.returns),
            self.type_params(getattr(n, "type_params", [])),
            is_async,
            doc,
        )

    def stmt_AsyncFunctionDef(self, n):
        return self.stmt_FunctionDef(n, 1)

    def stmt_ClassDef(self, n):
        bases, keywords, (doc, body) = self.exprs(n.bases), self.keywords(n.keywords), self.documented(n)
        return (
            "ClassDef",
            self.name(n.name),
            bases,
            keywords,
            body,
            self.exprs(n.decorator_list),
            self.type_params(getattr(n, "type_params", [])),
            doc,
        )

    def stmt_Return(self, n):
        return "Return", self.expr(n.value)

    def stmt_Delete(self, n):
        return "Delete", self.exprs(n.targets)

    def stmt_Assign(self, n):
        return "Assign", self.exprs(n.targets), self.expr(n.value)

    def stmt_TypeAlias(self, n):
        return "TypeAlias", self.name(n.name.id), self.type_params(n.type_params), self.expr(n.value)

    def stmt_AugAssign(self, n):
        return "AugAssign", self.expr(n.target), BINARY.index(type(n.op).__name__), self.expr(n.value)

    def stmt_AnnAssign(self, n):
        return "AnnAssign", self.expr(n.target), self.expr(n.annotation), self.expr(n.value), n.simple

    def stmt_For(self, n, is_async=0):
        return "For", self.expr(n.target), self.expr(n.iter), self.body(n.body), self.body(n.orelse), is_async

    def stmt_AsyncFor(self, n):
        return self.stmt_For(n, 1)

    def stmt_While(self, n):
        return "While", self.expr(n.test), self.body(n.body), self.body(n.orelse)

    def stmt_If(self, n):
        spine = [n]
        while len(n.orelse) == 1 and isinstance(n.orelse[0], ast.If):  # long chains of elif
            n = n.orelse[0]
            spine.append(n)
        orelse = self.body(n.orelse)
        for node in reversed(spine[1:]):
            orelse = "1 %d" % self.add("stmt", "If", self.expr(node.test), self.body(node.body), orelse)
        return "If", self.expr(spine[0].test), self.body(spine[0].body), orelse

    def stmt_With(self, n, is_async=0):
        items = self.many(n.items, lambda i: "%s %s" % (self.expr(i.context_expr), self.expr(i.optional_vars)))
        return "With", items, self.body(n.body), is_async

    def stmt_AsyncWith(self, n):
        return self.stmt_With(n, 1)

    def stmt_Match(self, n):
        return (
            "Match",
            self.expr(n.subject),
            self.many(n.cases, lambda c: "%s %s %s" % (self.pattern(c.pattern), self.expr(c.guard), self.body(c.body))),
        )

    def stmt_Raise(self, n):
        return "Raise", self.expr(n.exc), self.expr(n.cause)

    def stmt_Try(self, n, is_star=0):
        handlers = self.many(
            n.handlers, lambda h: "%s %s %s" % (self.expr(h.type), self.name(h.name), self.body(h.body))
        )
        return "Try", self.body(n.body), handlers, self.body(n.orelse), self.body(n.finalbody), is_star

    def stmt_TryStar(self, n):
        return self.stmt_Try(n, 1)

    def stmt_Assert(self, n):
        return "Assert", self.expr(n.test), self.expr(n.msg)

    def stmt_Import(self, n):
        return "Import", self.aliases(n.names), int(getattr(n, "is_lazy", 0) or 0)

    def stmt_ImportFrom(self, n):
        lazy = int(getattr(n, "is_lazy", 0) or 0)
        return "ImportFrom", as_hex(n.module or ""), self.aliases(n.names), n.level or 0, lazy

    def stmt_Global(self, n):
        return "Global", self.names(n.names)

    def stmt_Nonlocal(self, n):
        return "Nonlocal", self.names(n.names)

    def stmt_Expr(self, n):
        return "ExprStmt", self.expr(n.value)

    def stmt_Pass(self, n):
        return ("Pass",)

    def stmt_Break(self, n):
        return ("Break",)

    def stmt_Continue(self, n):
        return ("Continue",)


def clean(text):
    """Returns a docstring as the compiler stores it (_PyCompile_CleanDoc, 3.13+)."""
    if MINOR < 13:
        return text
    first, *rest = text.expandtabs().split("\n")
    margin = min((len(line) - len(line.lstrip(" ")) for line in rest if line.lstrip(" ")), default=0)
    cut = [line[min(margin, len(line) - len(line.lstrip(" "))) :] for line in rest]
    return "\n".join([first.lstrip(" ")] + cut)
