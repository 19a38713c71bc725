# SPDX-License-Identifier: MIT
# any(), all(), tuple() and their like over generator expressions, which 3.14+ inline; mixed and/or values.
def h(x):
    return any(y for y in x) and b
def i(x):
    if any(y for y in x):
        print(1)
def j(x): return b or all(y for y in x)
def k(x): return a if all(y for y in x) else tuple(c for c in d)
def l(x): return f(any(y for y in x), 1)
def m(x):
    for y in tuple(z for z in x): pass
def n(x): return not any(z for z in x)
def o(x): return all(z for z in x) + 1
def p(x): return any(a for a in b) or any(c for c in d)
def h(x):
    return any(y for y in x) and all(y for y in x if y) or tuple(y for y in x)
def h2(x):
    return a(x) and b(x) or c(x)
def h3(x):
    return any(y for y in x) and all(y for y in x if y) or b
def i(x):
    if not all(y.z for y in x for w in y): return
    return all(f(y) for y in x)
def i2(x):
    while any(x for x in y): x += 1
    assert all(isinstance(y, int) for y in x), "bad"
def j(x):
    for z in tuple(a for a in x): yield z
def l(a, b=any(x for x in y), *, c=all(x for x in y)): pass
class M:
    x = any(a for a in b)
    y = tuple(a for a in b if x)
def n(any): return any(x for x in any)
async def o(x):
    async with x as y: return any([z async for z in y])
    return any(await z for z in x)
def p(): 
    x = all(x for x in y)
    return frozenset(x for x in y), dict(x for x in y), sum(x for x in y)
def r(x): return not any(y for y in x)
def s(x): return not all(y for y in x) and list(z for z in x)


# The outcome is dropped.
def statements(a, b, g, p):
    any(i for i in p)
    for k in p:
        all(g(i) for i in p if i)
    with a:
        any(g(i) for i in p)
    try:
        any(g(i) for i in p)
    except b:
        all(g(i) for i in p)
    finally:
        all(g(i) for i in p)
    if a:
        not any(g(i) for i in p)
    elif b:
        list(g(i) for i in p)
        set(g(i) for i in p)
    a and any(i for i in p)


class Statements:
    any(g(i) for i in p)
    all(g(i) for i in p)


all(g(i) for i in p)
