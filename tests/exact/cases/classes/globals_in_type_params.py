# SPDX-License-Identifier: MIT
# What a class declares global, the scopes of type parameters and aliases in it read so (3.12+).
class Bound:
    global x

    def method[T: x](self):
        return 1


class Annotated:
    global x

    def method[T](self, a: x = x) -> T:
        return a


class Alias:
    global x
    type A[T: x] = list[x]
    type B = x


class Base:
    global x

    class Inner[T: x](x):
        y = 1


def function(x):
    def inner():
        global x
        type A = x

        def innermost[T: x](a: x) -> x:
            return a

        return A, innermost

    class Inner:
        global x

        def first[T: x](self, a: x) -> x:
            return a

        def second[T: x](self, a: int) -> x:
            return a

    class Generic[T]:
        global x
        p: x
        type A = x

        def method(self, a: x):
            return a

    return inner, Inner, Generic
