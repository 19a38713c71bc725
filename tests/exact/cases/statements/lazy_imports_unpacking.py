# SPDX-License-Identifier: MIT
# 3.15: lazy imports, unpacking in comprehensions.
lazy import a
lazy import a.b, c as d
lazy from x import y, z as w
lazy from .q import r
lazy from . import s
x = [*a for a in b]
y = {*a for a in b if a}
z = {**a for a in b}
g = (*a for a in b)
def f(b):
    x = [*a for a in b]
    y = {*a for a in b if a}
    z = {**a for c in b for a in c}
    return (*a for a in b)
def h(b): return [*a for a in b], {**a for a in b}, list(*a for a in b)
async def i(b): 
    return [*a async for a in b], [*(await a) for a in b], (*a async for a in b)
__lazy_modules__ = ['q']
import q.r
try:
    import z
except ImportError: pass
def j():
    return frozenset({1, 2}), [1, 2, 3], {1: 2}, (1, 2), -1, None, True, '', 0, 1
def k(x): return x[-1], x[1:2], x[a:b], x is None, x == -1, [], {}, (), set()
def l(x):
    return list(y for y in x), set(y for y in x), tuple(y for y in x), dict((y, y) for y in x), frozenset(y for y in x)
def m(x): 
    a = list(y for y in x if y)
    b = set(f(y) for y in x)
    c = frozenset(y for y in x)
    return sorted(tuple(y for y in z) for z in x)
