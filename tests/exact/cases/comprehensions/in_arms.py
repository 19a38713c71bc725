# SPDX-License-Identifier: MIT
# Comprehensions in the arms of a conditional operand, which end with the same stores of saved variables.
def indexed():
    return a[{x: v for p in T} if a else {s for p in n}]


def called():
    return a([x for p in T] if a else [s for p in n], [x for p in T] and 3)


def beside(b):
    return a[b, [x for p in T] or [s for p in n]]


def compared():
    return a < [x for p in T if p or q] < ([x for p in T] if a else 3)
