# SPDX-License-Identifier: MIT
# Annotations of generic functions that share a type parameter in operands that are never evaluated.
async def function[*A](*, a: None and b(**A)) -> c:
    pass


def other[T](a: 0 and T, b: int, c: 1 or T):
    return a
