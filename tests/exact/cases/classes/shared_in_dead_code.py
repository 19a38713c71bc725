# SPDX-License-Identifier: MIT
# What unreachable code in a class shares with the functions around it, and the class with its methods.
def mentioned(a, b):
    class C:
        def m(self):
            return b

        if 0:
            a

    return C


def raised(a, b):
    class C:
        raise b
        a

        def m(self):
            return self, a


def hidden(a, b):
    class C:
        a = b.first
        if 0:

            def m(self):
                return a, __class__

    return C


def nested(a, __b):
    class C:
        def m(self, c):
            class D(a):
                raise c
                __b, a
                super().x

            return D

    return C


def disabled(a):
    class C(a):
        def n(self):
            pass

        if False:

            def m(self):
                return super().m()

        raise a

    class D(a):
        if 0:

            def m(self):
                return super().m()

        def n(self):
            return super().n()

    class E(a):
        if 0:

            def m(self):
                return __class__

        b = 1

    return D, C
