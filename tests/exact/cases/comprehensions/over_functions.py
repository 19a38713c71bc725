# SPDX-License-Identifier: MIT
"""A generator expression over a function, which has no items: from 3.15 on nothing lies between the two functions."""


def calls(a, b):
    return a(j for j in (lambda: b))


def guarded(a, b):
    try:
        return a((lambda k=j: k) for j in (lambda: b))
    except TypeError:
        return b


def beside_a_loop(a, b):
    for c in a:
        c(d for d in (lambda e=c, *f: (e, f)) if d)
