# CPython 3.11 on: a slice in an index that unpacks something is an item of a list that is being built.
def beside_an_unpacked_name(x, best, path):
    if path:
        c = x(path[0, :, *best, :], axis=0)
    return c


def loads_stores_deletes(x, a, b, c):
    y = x[a:b, *c]
    y = x[*c, a:b]
    x[*a, :, b[1:], *c, ::2] = 4
    del x[*a, ::c]
    x[a, *b, c:] += 5
    x[a:b, *c] = [a, *b, c]
    return x[a:b, *c, 1 if a else 2, :] + x[(a, b, *c), 1:, *[a, *c, 3]]


def over_branches(x, a, b, c):
    x[a:b, *c] += 1 if a else 2
    x[a:b, c] += 1 if a else 2
    return x[a:b, *(c if a else b)]
