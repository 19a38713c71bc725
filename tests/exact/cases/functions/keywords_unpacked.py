# SPDX-License-Identifier: MIT
# Unpacked keywords that are displays: with keys that are no identifiers, and among others.


def f(a, k, v, m):
    g(**{k: v}, z=a)
    g(**m, **{k: v})
    g(*a, **{k: v, "z": 1})
    g(*a, **{k: v})
    g(**{k: v, "a": 2})
    g(**{"a-b": v, "a": 2})
    g(**{"a-b": v}, a=2)
    g(**{1: v}, a=2)
    g(a=2, **{1: v})


class A(B, **{k: v}, z=2):
    pass
