# SPDX-License-Identifier: MIT
# What a class declares global, annotations in it read so (3.14+: they have a scope of their own, which looks in the class).
# A name that an inlined comprehension alone reads is declared nowhere, whatever annotations mention it.
class Variables:
    global x
    y: x = 1
    z: int = x


class Parameters:
    global x

    def method(self, a: x, b: int) -> list[x]:
        return a


class Undeclared:
    table: dict[int, array] = {k: array("b", (-1 for i in range(k))) for k in range(3, 10)}
    indices: array


class Default:
    global x
    table = [x for i in y]

    def method(self, a=x):
        return a


class Decorator:
    global x
    table = [x for i in y]

    @x
    def method(self):
        return 1


class Base:
    global x
    table = [x for i in y]

    class Inner(x):
        y = 1


class Iterable:
    global x
    table = [x for i in y]
    other = [y for i in x]


class Lambda:
    global x
    table = [x for i in y]
    function = lambda a=x: a


def function(x):
    class Variables:
        global x
        y: x = 1

    class Parameters:
        global x

        def method(self, a: x):
            return a

    def inner():
        global x

        def innermost(a: x):
            return a

        return innermost

    return Variables, Parameters, inner
