# SPDX-License-Identifier: MIT
# A class uses a name both as its own and, in a comprehension, as a global one; around it, only a comprehension binds it.
def f(items):
    class C:
        shown = [(i, shown) for i in items]

    return C.shown, [j for shown in items for j in (shown,)]


def g():
    class C:
        for x in ():
            y = [(i, x) for i in x]
        x = 1

    z = {x for x in C.y if x}
    return z
