"""A module."""
import os
import re


def f(a, b):
    class C(Base):
        """doc"""
        x: int = 1
        y = a
        __p = 2

        def m(self, __q=3):
            return __class__, self.__p, super().m()

        @property
        def n(self):
            return sum(self.x * b + i for i in a if i)

        class Inner:
            name = "Inner"
            z = [i for i in range(3)]

    return [x + a for x in b], {k: v + b for k, v in a}, (i async for i in b), lambda q: q + a


def g(a):
    import re
    re.compile(a)
    return any((y := x) for x in a), y


h = list((w := x) for x in os.listdir() if x)


async def k(a: int, *args: str) -> None:
    return [await x for x in a], {x async for x in a if await x}


def outer():
    def inner():
        global counted
        counted = 1
    return inner


def runs():
    global counted
    def inner():
        global counted
        counted = 1
    counted = 2
    return inner
