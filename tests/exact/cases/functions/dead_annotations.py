# SPDX-License-Identifier: MIT
# Annotations of generic functions, and values of type aliases, that share a type parameter in operands that are never
# evaluated.
async def function[*A](*, a: None and b(**A)) -> c:
    pass


def other[T](a: 0 and T, b: int, c: 1 or T):
    return a


type alias[**A] = True or A


class Class:
    type alias = 1 or a
    type other[T: 0 and T] = T
