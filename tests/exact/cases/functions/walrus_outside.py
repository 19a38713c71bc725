# SPDX-License-Identifier: MIT
# Comprehensions that bind names which the function around them declares global or nonlocal.
def with_global():
    def f():
        global bound
        return [bound := 1 for _ in range(1)], [[bound := x for x in y] for y in [[2]]]

    def g():
        global bound
        return any((bound := x) for x in [1])

    return f, g


def with_nonlocal():
    outer = local = None

    def g():
        nonlocal outer
        {(outer := x) for x in [2]}
        own = [local := 3 for _ in range(1)]
        return own, local

    g()
    return outer, local
