# SPDX-License-Identifier: MIT
# What lambdas and comprehensions of a class read as a global, past a local of a function around: the function between
# declares it, as no declaration of the class is one for them.
def outer(x):
    def inner(p):
        global x

        class C:
            b = lambda self: x
            c = [x for y in p]

            class D:
                d = lambda: x

        return C

    def reads():
        class E:
            global x
            e = x

        return E

    return inner, x, reads
