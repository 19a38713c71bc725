# SPDX-License-Identifier: MIT
# A walrus of a negative number in an assignment: up to 3.9 no constant.
def f(m, x):
    x[m] = (z := -1)
    return z


def g(m, x):
    x = (z := -1)
    return z


def h(m, x):
    x = z = -1
    return z


def i(m, x):
    a, b = (z := -1 if m else 2)
    return z
