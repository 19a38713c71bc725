# SPDX-License-Identifier: MIT
"""Makes pairs of small programs that differ in a single aspect, and shows the difference by running both.

``pairs_generated.py OUT COUNT SEED`` runs under the interpreter whose bytecode it is and needs nothing but it. Each
pair becomes OUT/N.a.pyc and OUT/N.b.pyc, and a line of JSON with its number and its kind. The programs differ in
aspects that decompiled texts and assemblers easily get wrong: scopes, slots, flags, frames and identity. Python is the
judge: a pair is only written if the logs of the two programs, each run twice, differ. No pair may be judged equal.
"""

import importlib.util
import json
import marshal
import os
import random
import sys
import types

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from units import Unit, put_together, take_apart

VERSION = sys.version_info[:2]
NAMES = ("a", "b", "count", "key", "value", "item", "total", "left", "right", "x", "y", "z")

# The beginning of every program. `note` logs a value; `same` logs an object by a number in the order of first use.
PROLOGUE = """
import sys
log, met = [], []
def number(value):
    for k, other in enumerate(met):
        if other is value: return k
    met.append(value)
    return len(met) - 1
def note(value):
    log.append(value)
    return value
def same(value):
    log.append(("object", number(value)))
    return value
class First:
    word = "first"
    def __getitem__(self, key): return same(key)
    def __setitem__(self, key, value): same(key)
    def __delitem__(self, key): same(key)
class Second(First):
    word = "second"
def turn(thing):
    log.append("turn")
    thing.__class__ = Second
class Wrong(Exception): pass
class Worse(Wrong): pass
def turn_error(error):
    log.append("turn")
    error.__class__ = Worse
"""
SHOWN = {  # how programs look at local variables: an expression that logs them
    "locals": "note(sorted(locals().items(), key=str) + list(locals()))",
    "vars": "note(list(vars()))",
    "dir": "note(dir())",
    "eval": "note(eval('list(locals())'))",
    "exec": "exec('note(list(locals()))')",
    "frame": "note(list(sys._getframe().f_locals))",
    # not by another name of the builtin, as in __import__('builtins').locals(): see docs/verdicts.md
}


def indented(lines, by=1):
    return ["    " * by + line for line in lines]


class Draw:
    """Random numbers, and names that are not in use yet."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = list(NAMES)
        self.random.shuffle(self.names)

    def name(self):
        return self.names.pop()

    def one(self, *of):
        return self.random.choice(of)

    def both(self, first, second):
        """Yields both sides in turn, with the same random choices for each."""
        state, names = self.random.getstate(), list(self.names)
        for side in (first, second):
            self.random.setstate(state)
            self.names = list(names)
            yield side

    def constant(self):
        return self.one("1", "'text'", "None", "2.5", "b'bytes'", "-7", "True")

    def filler(self):
        """Returns statements that have an effect but do not concern the difference."""
        return self.one(
            [],
            ["note(%s)" % self.constant()],
            ["if note(%s): note(%s)" % (self.constant(), self.constant()), "else: note('else')"],
            ["try: note(%s)" % self.constant(), "finally: note('finally')"],
            ["try: raise Wrong(%s)" % self.constant(), "except Wrong: note('wrong')"],
            ["with open(__file__ if 0 else sys.executable, 'rb'): note('with')"],
        )

    def around(self, lines):
        """Returns the statements inside a construct that runs them equally often on both sides."""
        rest = indented(lines)
        return self.one(
            lines,
            ["if note(1):", *rest],
            ["for _ in (1, 2):", *rest],
            ["try:", *rest, "finally:", "    note('end')"],
            ["while True:", *rest, "    break"],
        )


def function(header, body, call):
    return [header, *indented(body), "note(%s)" % call]


def nested(code, *names):
    """Returns the code object at a path of names."""
    for name in names:
        code = next(c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name)
    return code


def with_nested(code, names, change):
    """Returns the code after `change` of the code object at a path of names."""
    if not names:
        return change(code)
    inner = nested(code, names[0])
    made = with_nested(inner, names[1:], change)
    return code.replace(co_consts=tuple(made if c is inner else c for c in code.co_consts))


def compiled(lines, names=(), change=None):
    code = compile(PROLOGUE + "\n".join(lines) + "\n", "<pair>", "exec", dont_inherit=True)
    return with_nested(code, names, change) if change else code


# ---- slots and cells


def repeated_names(draw):
    """Two local variables have the same name, and another one of them is read."""
    a, b = draw.name(), draw.name()
    body = [
        "%s = note(%s)" % (a, draw.constant()),
        "%s = note('other')" % b,
        *draw.filler(),
        "note((%s, %s))" % (a, b),
        "return %s",
    ]

    def same_names(code):
        names = [a if n in (a, b) else n for n in code.co_varnames]
        return code.replace(co_varnames=tuple(names))

    for read in draw.both(a, b):
        lines = function("def f():", [*body[:-1], body[-1] % read], "f()")
        yield compiled(lines, ["f"], same_names)


def repeated_parameters(draw):
    """Two parameters have the same name."""
    a, b = draw.name(), draw.name()
    order = "%s, %s" % (a, b)

    def same_names(code):
        return code.replace(co_varnames=(a, a, *code.co_varnames[2:]))

    for read in draw.both(a, b):
        lines = function("def f(%s):" % order, [*draw.filler(), "return note(%s)" % read], "f(1, 2)")
        yield compiled(lines, ["f"], same_names)


def crossed_cells(draw):
    """A nested function's free variables have other names than the cells that it gets."""
    a, b = sorted((draw.name(), draw.name()))
    outer = ["%s = %s" % (a, draw.constant()), "%s = 'other'" % b]
    how = draw.one("return note([%s, %s])", "note(%s); return %s", "return lambda: note([%s, %s])")

    def crossed(code):
        return code.replace(co_freevars=code.co_freevars[::-1])

    for first, second, change in draw.both((a, b, None), (b, a, crossed)):
        inner = ["def g():", *indented([*draw.filler(), how % (first, second)])]
        body = [*outer, *inner, *draw.filler(), "g = g()", "g = g() if callable(g) else g", "return g"]
        yield compiled(function("def f():", body, "f()"), ["f", "g"], change)


def cell_in_a_loop(draw):
    """MAKE_CELL runs in each iteration (3.11+), so that the new cell contains the old one."""
    if VERSION < (3, 11):
        return
    a = draw.name()
    loop = draw.one("for _ in (1, 2):", "while note(len(log) < 30):")
    body = [
        "%s = %s" % (a, draw.constant()),
        loop,
        "    %s" % draw.one("g = lambda: %s" % a, "def g(): return %s" % a),
        "    note(type(g()).__name__)",
    ]
    lines = function("def f():", [*body, *draw.filler()], "f()")

    def again(code):
        units, rows = take_apart(code)
        (made,) = [u for u in units if u.name == "MAKE_CELL"]
        where = (
            next(k for k, u in enumerate(units) if u.name == "LOAD_GLOBAL")
            if "while" in loop
            else next(k + 1 for k, u in enumerate(units) if u.name == "FOR_ITER")
        )
        units.insert(where, Unit("MAKE_CELL", made.arg))
        return put_together(code, units, rows)

    yield compiled(lines)
    yield compiled(lines, ["f"], again)


def captured_late(draw):
    """A lambda captures a loop's variable by name, or its value as a default."""
    a = draw.name()
    for argument in draw.both("", "%s=%s" % (a, a)):
        made = "made.append(lambda %s: %s)" % (argument, a)
        body = ["made = []", "for %s in (1, 2, 3):" % a, "    " + made, *draw.filler(), "return [m() for m in made]"]
        yield compiled(function("def f():", body, "f()"))


# ---- flags


def future_flags(draw):
    """The flags of `from __future__` affect compile() and eval()."""
    found = draw.one(
        ("annotations", "exec(compile('n: note(1)', 's', 'exec'), {'note': note, '__annotations__': {}})"),
        ("annotations", "exec('n: note(1)', {'note': note})"),
        ("barry_as_FLUFL", "try: note(eval('1 <> 2'))\nexcept SyntaxError: note('no')"),
    )
    if VERSION >= (3, 14) and found[0] == "annotations":
        found = ("annotations", "m = {}\nexec('n: 1', m)\nnote('__annotate__' in m)")
    flag = getattr(__import__("__future__"), found[0]).compiler_flag
    body = [*draw.filler(), *found[1].split("\n"), *draw.filler()]
    lines = function("def f():", body, "f()")
    yield compiled(lines)
    yield compiled(lines, ["f"], lambda code: code.replace(co_flags=code.co_flags ^ flag))


def kind_of_coroutine(draw):
    """A generator can be awaited or not: types.coroutine only sets a flag."""
    body = [*draw.filler(), "yield note(1)"]
    lines = function("def f():", body, "list(f())")
    lines += ["async def w(): await f()", "try: w().send(None)", "except TypeError: note('no')"]
    yield compiled(lines)
    yield compiled(lines, ["f"], lambda code: code.replace(co_flags=code.co_flags ^ 0x100))


def positional_only(draw):
    """Parameters are positional-only or not."""
    a, b = draw.name(), draw.name()
    for header in draw.both("def f(%s, %s):", "def f(%s, /, %s):"):
        lines = [header % (a, b), *indented([*draw.filler(), "return note((%s, %s))" % (a, b)])]
        yield compiled([*lines, "try: f(%s=1, %s=2)" % (a, b), "except TypeError: note('no')"])


def names_of_parameters(draw):
    """Parameters have other names, in a function whose name is in angle brackets."""
    a, b = draw.name(), draw.name()
    called = draw.one("<f>", "<resume in f>", "<lambda>", "<genexpr>")
    for name in draw.both(a, b):
        lines = function("def f(%s):" % name, [*draw.filler(), "return note(%s)" % name], "0")
        lines += ["try: f(%s=1)" % a, "except TypeError: note('no')"]
        yield compiled(lines, ["f"], lambda code: code.replace(co_name=called))


# ---- frames


def order_of_locals(draw):
    """Local variables are in another order before code that looks at them."""
    a, b = draw.name(), draw.name()
    shown = SHOWN[draw.one(*sorted(set(SHOWN) - {"dir"}))]
    stores = ["%s = %s" % (a, draw.constant()), "%s = %s" % (b, draw.constant())]
    for order in draw.both(stores, stores[::-1]):
        yield compiled(function("def f():", [*order, *draw.filler(), shown], "f()"))


def more_locals(draw):
    """There is one more variable, as in a text that stores a value in one."""
    a, b = draw.name(), draw.name()
    shown = SHOWN[draw.one(*sorted(SHOWN))]
    direct = ["note((%s, note('argument')))" % a]
    kept = ["%s = note('argument')" % b, "note((%s, %s))" % (a, b)]
    for way in draw.both(direct, kept):
        yield compiled(function("def f(%s):" % a, [*draw.filler(), *way, shown], "f(1)"))


def values_of_locals(draw):
    """A variable that is not read any more has another value."""
    a = draw.name()
    shown = draw.one("note(locals())", "note(eval(%r))" % a, "note(sys._getframe().f_locals)", "note(vars())")
    held = draw.one(["%s = 1" % a, "%s = 2" % a], ["%s = [2]" % a], ["%s = (2, %s)" % (a, a)])
    for way in draw.both([], held):
        body = ["%s = %s" % (a, draw.constant()), *way, *draw.filler(), shown]
        yield compiled(function("def f():", body, "f()"))


def deleted_local(draw):
    """A variable is deleted or still has its value."""
    a = draw.name()
    shown = SHOWN[draw.one(*sorted(SHOWN))]
    for way in draw.both([], ["del %s" % a]):
        body = ["%s = %s" % (a, draw.constant()), "note(%s)" % a, *way, *draw.filler(), shown]
        yield compiled(function("def f():", body, "f()"))


def first_variable(draw):
    """super() without arguments uses the first variable of its frame."""
    me, word = draw.name(), draw.one("word", "__doc__")
    for way in draw.both([], ["%s = Second()" % me]):
        inner = ["def __getattr__(%s, n):" % me, *indented([*way, *draw.filler(), "return note(super().%s)" % word])]
        lines = ["class K(First):", *indented(inner)]
        yield compiled([*lines, "try: K().missing", "except TypeError as e: note(str(e))"])


def handled_exception(draw):
    """The exception that is being handled is visible in sys.exc_info() and as context."""
    for inside in draw.both(True, False):
        call = ["note(repr(sys.exc_info()[1]))", *draw.filler()]
        lines = ["try: raise Wrong(1)", "except Wrong: " + ("pass" if not inside else "note('in')")]
        if inside:
            lines = ["try: raise Wrong(1)", "except Wrong:", "    note('in')", *indented(call)]
        else:
            lines = ["try: raise Wrong(1)", "except Wrong: note('in')", *call]
        yield compiled(function("def f():", lines, "f()"))


# ---- identity


def one_object_or_two(draw):
    """A tuple or slice is made once, or at each use."""
    a, t = draw.name(), draw.name()
    made = draw.one("(%s, %s)", "(%s, %s, 1)", "(*%s, %s)", "slice(%s, %s)", "((%s, 1), %s)") % (a, a)
    if made.startswith("(*"):
        made = "(*(%s, 1), %s)" % (a, a)
    use = draw.one(
        ["same({0})", "same({0})"],
        ["same({0})", "return same({0})"],
        ["for v in ({0}, {0}): same(v)"],
        ["r = [{0}, {0}]", "same(r[0]), same(r[1])"],
        ["note({0} is {0})"],
        ["r = {{1: {0}, 2: {0}}}", "same(r[1])", "same(r[2])"],
        ["try: raise Wrong({0})", "except Wrong as e: same(e.args[0])", "same({0})"],
        ["g = lambda u={0}: same(u)", "g()", "same({0})"],
        ["yield same({0})", "yield same({0})"],
    )
    call = "list(f(%s) or ())" % draw.constant() if "yield" in use[0] else "f(%s) and 0" % draw.constant()
    filler = draw.filler()
    for lead, how in draw.both((["%s = %s" % (t, made)], t), ([], made)):
        body = [*lead, *filler, *[line.format(how) for line in use]]
        yield compiled(function("def f(%s):" % a, body, call))


def same_again(draw):
    """A tuple goes through a slice or a display and stays the same object, or is copied."""
    a, t = draw.name(), draw.name()
    first, second = draw.one(("%s", "(*%s,)"), ("%s[:]", "(*%s,)"), ("%s", "%s[:1] + %s[1:]"))
    for how in draw.both(first, second):
        body = ["%s = (%s, note(2))" % (t, a), "same(%s)" % t, *draw.filler(), "same(%s)" % how.replace("%s", t)]
        yield compiled(function("def f(%s):" % a, body, "f(1) and 0"))


def constant_or_made(draw):
    """A tuple is a constant, or is made of constants at each call."""
    made = draw.one("(1, 2)", "('k', None)", "(1, (2, 3))", "(1.5,)")
    body = [*draw.filler(), "return %s" % made]
    lines = function("def f():", body, "f() is f()")

    def built_at_run_time(code):
        units, rows = take_apart(code)
        wanted = eval(made)
        value = None
        for k, u in enumerate(units):
            if u.name in ("LOAD_CONST", "RETURN_CONST") and code.co_consts[u.arg] == wanted:
                value = k
        consts = (*code.co_consts, *wanted)
        first = len(code.co_consts)
        loads = [Unit("LOAD_CONST", first + k) for k in range(1, len(wanted))]
        tail = [Unit("RETURN_VALUE")] if units[value].name == "RETURN_CONST" else []
        units[value].name, units[value].arg = "LOAD_CONST", first  # where jumps lead
        units[value + 1 : value + 1] = [*loads, Unit("BUILD_TUPLE", len(wanted)), *tail]
        return put_together(code, units, rows, co_consts=consts, co_stacksize=code.co_stacksize + len(wanted))

    yield compiled(lines)
    yield compiled(lines, ["f"], built_at_run_time)


def slices_made(draw):
    """The slice that subscripts an object is one object, or another one each time."""
    a = draw.name()
    s = draw.name()
    use = draw.one("o[{0}]", "o[{0}] = 1", "del o[{0}]", "o[{0}, 1]")
    for lead, how in draw.both(("%s = slice(%s, 2)" % (s, a), s), ("pass", "%s:2" % a)):
        body = ["o = First()", lead, *draw.filler(), use.format(how), use.format(how), "return 0"]
        yield compiled(function("def f(%s):" % a, body, "f(1)"))


def type_across_effects(draw):
    """type(x) is called before or after code that changes the class of x."""
    a, t = draw.name(), draw.name()
    ask, call = "%s = type(%s)" % (t, a), "turn(%s)" % a
    for order in draw.both((ask, call), (call, ask)):
        body = ["%s = First()" % a, *draw.filler(), *order, "note(%s.word)" % t, *draw.filler()]
        yield compiled(function("def f():", body, "f()"))


def type_of_an_exception(draw):
    """type(e) is called before or after code that changes the class of a handled exception."""
    e, t = draw.name(), draw.name()
    ask, call = "%s = type(%s)" % (t, e), "turn_error(%s)" % e
    for order in draw.both((ask, call), (call, ask)):
        body = ["try: raise Wrong(1)", "except Exception as %s:" % e, *indented([*order, "note(%s.__name__)" % t])]
        yield compiled(function("def f():", [*draw.filler(), *body], "f()"))


def order_of_a_set(draw):
    """A constant set of numbers: its order depends on the order of insertion if hashes collide."""
    numbers = draw.random.sample([k * 8 + draw.random.randrange(3) for k in range(8)], 4)
    body = [*draw.filler(), "for v in {%s}: note(v)" % "{0}"]
    for order in draw.both(numbers, numbers[::-1]):
        filled = [line.replace("{0}", ", ".join(map(str, order))) for line in body]
        yield compiled(function("def f():", filled, "f()"))


# ---- classes and scopes


def own_class_names(draw):
    """The program stores values under names that the compiler uses, too (3.13+)."""
    name = draw.one("__firstlineno__", "__static_attributes__")
    first, second = ("1", "2") if name == "__firstlineno__" else ("('p', 'q')", "('q', 'p')")
    lead = draw.one([], ["note(1)"], ["def m(self): self.v = 1"])
    for value in draw.both(first, second):
        body = [*lead, "%s = %s" % (name, value), "note(%s)" % name]
        yield compiled(["class K:", *indented(body), *draw.filler()])


def scope_of_a_name(draw):
    """A name belongs to the class, the module or the enclosing function."""
    a = draw.name()
    kinds = (
        ["%s = 'module'" % a, "def f():", "    %s = 'function'" % a, "    class K:", "        {0}", "    return K"],
        ["%s = 'module'" % a, "def f():", "    {0}", "    return g()", "def g(): return %s" % a],
    )
    lines = draw.one(*kinds)
    first, second = {
        0: ("note(%s)" % a, "%s = %s; note(%s)" % (a, "'class'", a)),
        1: ("%s = 'local'" % a, "global %s; %s = 'local'" % (a, a)),
    }[kinds.index(lines)]
    for one in draw.both(first, second):
        yield compiled([*[line.replace("{0}", one) for line in lines], "note(f() is None)", "note(%s)" % a])


def nonlocal_or_own(draw):
    """An assignment in a nested function binds its own variable or that of the enclosing function."""
    a = draw.name()
    for declared in draw.both("pass", "nonlocal %s" % a):
        inner = ["def g():", *indented([declared, "%s = 2" % a, "note(%s)" % a])]
        body = ["%s = 1" % a, *inner, "g()", *draw.filler(), "note(%s)" % a]
        yield compiled(function("def f():", body, "f()"))


KINDS = [
    value
    for value in list(globals().values())
    if isinstance(value, types.FunctionType) and value.__code__.co_varnames[:1] == ("draw",)
]


def log_of(code):
    """Runs a program and returns its log."""
    space = {"__name__": "pair", "__file__": "pair"}
    try:
        exec(code, space)
    except Exception as error:
        space.get("log", []).append("raises %s: %s" % (type(error).__name__, error))
    return repr(space.get("log"))


def write(path, code):
    with open(path, "wb") as out:
        out.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))


def through_marshal(code):
    """Returns the code after a round trip through marshal."""
    return marshal.loads(marshal.dumps(code))


def pair(kind, seed):
    """Returns two code objects, or None if this version cannot make them or no run shows a difference."""

    codes = list(kind(Draw(seed)))
    if not codes:
        return None
    a, b = (through_marshal(code) for code in codes)
    first, second = log_of(a), log_of(b)
    if first == second or log_of(through_marshal(codes[0])) != first or log_of(through_marshal(codes[1])) != second:
        return None
    return a, b


def main(out, count, seed):
    written = tried = 0
    while written < count and tried < 4 * count + 100:
        kind = KINDS[tried % len(KINDS)]
        found = pair(kind, "%s %s %s" % (seed, tried, kind.__name__))
        tried += 1
        if found is None:
            continue
        for letter, code in zip("ab", found):
            write(os.path.join(out, "%d.%s.pyc" % (written, letter)), code)
        print(json.dumps({"number": written, "kind": kind.__name__, "tried": tried - 1}), flush=True)
        written += 1


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
