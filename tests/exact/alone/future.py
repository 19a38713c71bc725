from __future__ import annotations


def f(a: int, *b: 'str') -> g[x]:
    c: d = 1
    return c


class C:
    a: int
    b: list[C] = []
