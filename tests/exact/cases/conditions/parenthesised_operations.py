# SPDX-License-Identifier: MIT
# `(a and b) and c` tests what the parentheses give again (3.12, 3.13); elsewhere it is `a and b and c`.
def value(a, b, c):
    return (a and b) and c


def values(a, b, c, d):
    return ((a or b) or c) or d, a or (b or c) or d


def argument(a, b, c):
    print((a and b) and c)
    return a and b and c


def protected(a, b, c, d):
    # from 3.14 on the first test of the parentheses lies outside the protected range
    try:
        print(((a or a and b) or c) and d)
        print((a or b or c) or d, a or (b or c) or d)
    except OSError:
        pass
    try:
        return ((a and (b or c)) and d) or c
    except OSError:
        pass
