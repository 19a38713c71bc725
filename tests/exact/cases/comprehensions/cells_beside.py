# SPDX-License-Identifier: MIT
# Variables that dead code binds alone, of the name of a comprehension's target that a function holds.


def read(x):
    return [(lambda: i) for i in x], i
    i = 1


def shared(x):
    [i for i in x]

    def inner():
        return i

    return inner
    i = 1


def both_shared(x):
    def inner():
        return i

    return inner, [(lambda: i) for i in x], [(lambda: i) for i in x]
    i = 1


def of_the_comprehension(x):
    return [(lambda: i) for i in x]
    i = 1


def a_global(x):
    def inner():
        return i

    return inner, [(lambda: i) for i in x], i


def a_global_in_clauses(a, b):
    with x:
        try:
            a
        except KeyError:
            if a == b:
                y = not not {b for x in a if x}
    return [(lambda k=b: x) for x in a]


def a_global_stored(a, b):
    global x
    try:
        pass
    except KeyError:
        if [(lambda k=b: x) for x in b for i in a]:
            return b
        x = 1


def a_cell_of_the_function(a, b):
    def inner():
        for y in x:
            pass

    for x in b"x", [1 for x in a if x]:
        pass
    return {b: x or a for x in a}, [x if x else b for x in a if x and b], [(x, y) for x, y in a if x < y < b]


async def a_cell_and_asynchronous(a, b):
    x = a
    yield lambda: x
    yield [x or b async for x in a if x or b], {x and b for x in a async for b in x}


def a_cell_in_a_value(a):
    return [[(lambda: x) for x in x if x] or x for x in a], [x and [x for x in x] for x in a], lambda: x
