# SPDX-License-Identifier: MIT
# Annotations of attributes and local variables are not compiled, but a type parameter that they name is free in the
# function all the same (3.12, 3.13).


class Box[T]:
    def __init__(self):
        self.items: list[T] = []
        self.other: T

    def local(self):
        found: dict[str, T] = {}
        return found

    def nested(self):
        def inner():
            value: T = 1
            return value

        return inner

    def documented(self):
        """A docstring."""
        value: T


def function[T, *Ts, **P](first: T):
    def inner():
        nonlocal first
        third: tuple[*Ts] = ()
        other: P = third
        return other

    return inner


class Mangled[__T]:
    def m(self):
        self.x: __T = 1
