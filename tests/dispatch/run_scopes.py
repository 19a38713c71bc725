# SPDX-License-Identifier: MIT
"""Runs code with scopes of class bodies and of type parameters, with the interpreter under test.

    run_scopes.py DEPYFC FOLDER [OPTION...]

prints the results of a module, both as compiled and from the text of its .pyc.
"""

import sys

from twice import print_outcomes

CLASSES = """
def makes(free):
    class C:
        free = 1
        other = [free for _ in (1, 2)]
        shown = 3
        seen = [shown for _ in (1,)]
        def shown(self): pass
    free += 1
    return C.other, C.seen
shown = "global"
results = [makes(10)]
"""
CELLS = """
fs = [(lambda k=i: (i, k)) for i in range(3)]
gs = [[lambda: i for i in range(n)] for n in (2, 4)]
class D:
    hs = [(lambda *, q=p, j=i: (i, j, q)) for p in (7,) for i, *j in ((1, 2), (3, 4))]
    ms = {i: (x + i for x in range(2)) for i in range(2)}
results += [[f() for f in fs], [[g() for g in x] for x in gs], [h() for h in D.hs], [list(m) for m in D.ms.values()]]
results += ["i" in globals(), sorted(n for n in vars(D) if n[0] != "_"), fs[0].__qualname__]
"""
VARIABLES = """
class Base:
    def __init_subclass__(cls, **keywords):
        cls.keywords = keywords
def comprehensions_beside(free, *bases, k=None):
    get = lambda: free
    made = [(lambda: free) for free in (1, 2)]
    seen = [(get(), free) for free in (3,)]
    read = [shown for shown in (4,)]
    class Reads(*bases, k=k or "or", j=read and "and"):
        found = shown
        if get.__name__:
            kept, (first, *rest) = 1, "abc"
    public = sorted(n for n in vars(Reads) if n[0] != "_")
    return get(), [f() for f in made], seen, read, Reads.found, Reads.keywords, public
def only_global(shown_later):
    class Holds:
        if 0:
            shown_later = 1
        try: found = shown_later
        except NameError as error: found = str(error)
    return Holds.found
results += [comprehensions_beside("free", Base), only_global(1)]
"""
BETWEEN = """
def names(f):
    return f.__qualname__, f.__annotations__, f()
@names
def annotated(a: (shown and int) = 1, *args: (shown or str)):
    return (lambda: a).__qualname__
class Counted:
    def __init__(self): self.seen = []
    def __iter__(self):
        self.seen.append("iter")
        return iter((1, 2))
    def __len__(self):
        self.seen.append("len")
        return 2
counted = Counted()
results += [annotated, {*(*counted,)}, counted.seen, [1, *(shown and (2, 3)), 4 if shown else 5, 6]]
"""
ERRORS_AND_GLOBALS = """
import asyncio
def spread(*args, **keywords):
    return args[0](args[1]), keywords
def reads_a_global_beside_a_cell(items):
    with_global = shown
    return with_global, [f() for f in [lambda k=1: (shown, k) for shown in items]]
async def loops_over(value):
    async for x in value: pass
class Blocked:
    __aiter__ = None
class Passive:
    def __aiter__(self): return 1
results += [spread(lambda a: [a], 2, **{"k": 3}), reads_a_global_beside_a_cell((1, 2))]
for value in (1, Blocked(), Passive()):
    try: asyncio.run(loops_over(value))
    except Exception as error: results.append((type(error).__name__, error.__context__))
"""
GENERIC = """
log = []
def called(f):
    log.append((f.__name__, f.__qualname__, f.__defaults__, f.__kwdefaults__))
    return f
@called
def first[T](a=1, b=(log and 2), *, k=(log or 3)): pass
@called
def second[T](a=1, b=(log and 2)): pass
@called
def third[T](*, k=(log and 4)) -> T: pass
def fourth[T](a=1, b=(log and 2), *, k=(log or 3)): pass
def fifth[T](a=(log and 5)): pass
names = []
class Logs:
    def __getattr__(self, name):
        names.append(name)
    def __setattr__(self, name, value):
        names.append(name)
    __delattr__ = __getattr__
def private(a, b=0):
    while b < 2:
        a.__first
        try:
            if b: a.__second[0]
        except TypeError:
            class C[T]:
                a.__inside
            a.__stored = a.__third
        else:
            a.__stored = a.__fourth
            del a.__gone
        b += 1
    return lambda: a.__fifth
private(Logs())()
made = fourth.__defaults__, fourth.__kwdefaults__, fourth.__qualname__, fifth.__defaults__
results = [repr(names), repr(log), repr(made)]
"""
LATER = """
import asyncio, builtins
def says(x: int, *args: *sizes, k: size = 1): pass
sizes, size, tested, plain = (int,), str, 0, 5
shown = t"a{tested or plain!r:>{plain}}b"
seen = []
class Numbers:
    def __aiter__(self):
        seen.append("aiter")
        return self
    async def __anext__(self):
        raise StopAsyncIteration
async def drains():
    made = (x async for x in Numbers())
    seen.append("made")
    return [x async for x in made]
asyncio.run(drains())
async def defaults(v, a):
    return lambda *, k=((v if a else v) and [x async for x in Numbers()] or [v]): k
results += [asyncio.run(defaults(v, 1)).__kwdefaults__ for v in (0, 1)]
results += [str(says.__annotations__), repr((shown.strings, shown.interpolations)), repr(seen)]
"""


def outcome(code):
    """Returns the results of a module."""
    space = {"__name__": "scopes"}
    exec(code, space)
    return repr(space["results"])


if __name__ == "__main__":
    source = (
        CLASSES
        + CELLS
        + VARIABLES
        + BETWEEN
        + ERRORS_AND_GLOBALS
        + "kept = results\n"
        + (GENERIC if sys.version_info >= (3, 12) else "")
        + "results += kept\n"
    )
    source += LATER if sys.version_info >= (3, 14) else ""
    print_outcomes(compile(source, "scopes.py", "exec"), outcome, sys.argv[3:])
