# SPDX-License-Identifier: MIT
# Comprehensions in annotations whose names are those of type parameters or of variables around them.


def alone[T](x: T, y: {a for T in b}):
    return x


def in_a_lambda[T](x: lambda: T, y: {a for T in b}):
    return x


async def in_a_generator[*Ts](*, x: (Ts async for c in x) = a) -> {a for Ts in b}:
    return x


class Methods:
    def both[T](x: T, y: {a: T for T in b if (lambda: T)}) -> [T for T in x]:
        return lambda: T


def around(x, T):
    def inner(a: T, b: [T for T in x], c: lambda: T):
        return T

    return inner
