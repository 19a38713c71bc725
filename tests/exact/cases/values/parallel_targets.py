# SPDX-License-Identifier: MIT
# Several values to several attributes and items at once; keywords from a display.
def attributes(self, a, b, c):
    self.a, self.b, self.c = a, b, c


def copy(self):
    self[:], result = [], self[:]
    return result


def keywords(self, text, policy):
    base(self, "text", policy=policy, **{"charset": str(text)})
    base(**self, policy=policy)
    base(policy=policy, **self, text=text)


def items_of_several_indices(m, i, j, k):
    m[i, j], m[j, i] = m[j, i], m[i, j]
    m[i, k:], m[j, k:] = m[j, k:], m[i, k:]
    m[i, k + 1:j], m[k] = k, j
    m[i, j], k, m[i] = k, j, i
    return m


# Targets that are more than names and their attributes: the values wait on the stack, or an unpacking is open.
def targets_that_call(f, g, k, y, a, b, c):
    f[g()], k = a, b
    f[g(y)].x, f[lambda: y], k.y = a, b, c
    f[[i for i in y]], f[{i for i in k}] = a, b
    k.x, f[{i: k for i in y if f}], c = a, b, k
    [i for i in y].f, f[(i for i in y)] = k.x, f[0]


def targets_with_conditions(f, k, y, z, a, b, c):
    f[1 if z else 2], k = a, b
    k.x, f[z or 2], k.y = a, b, c
    f[1 if z else 2], k.x = f[z and 2], k.y
    (f[a < b < c], k), k.x = y, z
    (k[z or y]).x, (k[a if b else c])[1 if z else 2:b or c] = a, b


def targets_of_unpacking(f, k, y, z, a, b, c, d):
    f[1 if z else 2], k.x, k.y, k.z = a, b, c, d
    f[1 if z else 2], k.x = y()
    k.x, f[[i for i in y]] = y()
    f[[i for i in y]], f[{i for i in z}], k.x, k.y = a, b, c, d
    [f[z or 1], *f[a and b]], k.x = y
    k = f[z or y], k.x = a


def targets_of_loops_and_managers(f, k, y, z, m):
    for f[[i for i in y]], k.x in z:
        f[z or 1], k.y = k.x
    for k.x, (f[1 if k else y], k.z) in z:
        pass
    with m as (f[1 if z else 2], k.x):
        pass
    with m as [f[[i for i in y]], k.x]:
        pass


class Body:
    f[{x: g for x in y if f}], [*f, x, f] = y.d(), f[(x or g), -1:]


# The last is a cell of a function within, which is stored in another way than locals.
def targets_of_which_one_is_a_cell(o):
    a, b, c = o.a, o.b, o.c
    d, e, f = o.d, o.e, o.f
    g, h, i = o.g, o.h, o.i
    j, k = o.j, o.k
    return lambda: (c, e, g, k)


def targets_of_which_one_is_global(o):
    global total
    a, b, total = o.a, o.b, o.c
    total, a, b = o.a, o.b, o.c
    a, total, b = o.a, o.b, o.c
    a, b, o.x = o.a, o.b, o.c
    return a, b


def a_constant_last(o):
    a, b, c = o.b, o.c, 1
    return lambda: c
