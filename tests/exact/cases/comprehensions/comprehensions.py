# SPDX-License-Identifier: MIT
# Comprehensions and generator expressions: nested, several for and if, walrus, lambdas, class bodies.
module = [x for x in range(3)]
table = {k: v for k, v in zip('ab', 'cd')}
unique = {x % 2 for x in module if x}
lazy = (x for x in module)
total = sum(x * x for x in module if x > 1)
filtered = [x for x in module if x != 1 if x != 2 or x == 3]


def several(a, b):
    x = [(i, j) for i in a for j in b]
    y = [(i, j) for i in a if i for j in i if j if i + j]
    z = {i: j for i in a for j in b if i == j}
    w = {i for i in a for j in i for k in j if k}
    g = (i for i in a for j in i if j for k in j)
    return x, y, z, w, g


def conditions(a, b, c):
    w = [x for x in a if b and c]
    x = [x for x in a if b or c]
    y = [x for x in a if not b]
    z = [x for x in a if (b and c) or not x]
    v = [x for x in a if b if not c if x < b < c]
    u = [x for x in a if x in b if x not in c if x is None if x is not None]
    t = (x for x in a if b and c or x)
    s = (x for x in a if not (b or c) if x)
    r = [x for x in a if (b if c else x)]
    return w, x, y, z, v, u, t, s, r


def elements(a, b):
    w = [x if x else b for x in a]
    x = [x and b or a for x in a]
    y = {x if b else a: x or b for x in a}
    z = (x if x > 1 else b for x in a if x)
    v = [(x, [x], {x: x}, x[0], x.y, x(b)) for x in a]
    u = [f'{x} {b!r}' for x in a]
    t = (not x for x in a)
    s = [x < b < 3 for x in a]
    r = (x < b < 3 for x in a)
    return w, x, y, z, v, u, t, s, r


def targets(a, o):
    w = [x for x, in a]
    x = [x + y for x, y in a]
    y = [x for x, (y, *z) in a]
    z = {k: v for k, *v in a}
    v = (x for (x, y), z in a)
    return w, x, y, z, v


def nested(a):
    w = [[y for y in x] for x in a]
    x = [[[z for z in y if z] for y in x if y] for x in a if x]
    y = {x: {y: [z for z in y] for y in x} for x in a}
    z = ((y for y in x) for x in a)
    v = [y for y in [x for x in a if x]]
    u = [y for y in (x for x in a if x) if y]
    t = [x for x in [y for y in [z for z in a]]]
    s = [[y for y in x] for x in [z for z in a]]
    r = [y for x in a for y in [z for z in x]]
    return w, x, y, z, v, u, t, s, r


def walrus(a, f):
    w = [y for x in a if (y := f(x))]
    x = [(z := f(x), z) for x in a]
    y = {(v := x): v for x in a}
    print(any((hit := x) > 3 for x in a), hit)
    return w, x, y


def lambdas(a):
    w = [lambda: x for x in a]
    x = [lambda y, z=x: (x, y, z) for x in a]
    y = [(lambda: [y for y in x])() for x in a]
    z = lambda b: [x for x in b if x]
    v = lambda b: (x for x in b if x)
    u = lambda b: {x: (y for y in x) for x in b}
    return w, x, y, z, v, u


def cells(a, b):
    w = [[b for _ in x] for x in a]
    x = [(lambda: b)() for b in a]

    def inner():
        return [b + x for x in a], (b for x in a)

    return w, x, inner


class Body:
    a = [1, 2, 3]
    b = [x for x in a]
    c = {x: x for x in a if x}
    d = (x for x in a)
    e = [[y for y in range(x)] for x in a]
    __private = [x for x in a]
    f = lambda self: [self.__private for _ in self.a]

    def method(self):
        return [self.__x for x in self.__private if x.__y], {super().x for _ in self.a}


def in_statements(a, b):
    for x in [y for y in a if y]:
        print(x)
    while [x for x in a]:
        print(b)
    if [x for x in a if x]:
        return [x for x in a]
    elif any(x for x in a):
        return all(x for x in a if x)
    with [x for x in a][0] as c:
        print(c)
    assert all(x for x in a), [x for x in b]
    print(*[x for x in a], **{x: x for x in b})
    a[[x for x in a][0]] = [x for x in b]
    a.x += sum([x for x in b])
    del a[max(x for x in b)]
    x = [x for x in a] if b else [x for x in b]
    x = [x for x in a] or [x for x in b]
    x = [x for x in a] + [x for x in b]
    try:
        x = [f(x) for x in a]
    except ValueError:
        x = [x for x in b]
    finally:
        print([x for x in a])
    return (x for x in a)


def in_loop(a):
    for i in a:
        yield [x for x in i]
        if i:
            continue
        x = {x for x in i}
        if x:
            break
    else:
        return [i for i in a]


def generator(a):
    x = [(yield_ for yield_ in a)]
    yield from (x for x in a)
    yield from [x for x in a]
    return list(x for x in a), tuple(x for x in a), set(x for x in a), dict((x, x) for x in a)


def defaults(a, b=[x for x in module], *, c={x: 1 for x in module}):
    return a, b, c


def same_name(x):
    x = [x for x in x]
    x = [x for x in x if x]
    y = [y for y in x]
    del y
    return [x for y in x for x in y]


def constants(a):
    return [None for _ in a], [1 for x in a if 1], (() for x in a), [... for x in a]


def unpacked(a, b):
    x, y = [i for i in a], [i for i in b]
    x = y = [i for i in a]
    (x, y), z = ([i for i in a], 1), {i for i in b}
    return x, y, z


def assignments(a):
    w = [y for x in a for y in [x + 1] if y]
    x = {(x, y): z for x in a for y in [x] for z, *q in [y] if z}
    y = [x for x in a if x for y in [x] for z in [y] if z for u in z]
    z = (y for x in a for y in [x])
    return w, x, y, z
