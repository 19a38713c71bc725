# SPDX-License-Identifier: MIT
# `(a and b) and c` tests what the parentheses give again (3.12, 3.13); elsewhere it is `a and b and c`.
def value(a, b, c):
    return (a and b) and c


def values(a, b, c, d):
    return ((a or b) or c) or d, a or (b or c) or d


def argument(a, b, c):
    print((a and b) and c)
    return a and b and c
