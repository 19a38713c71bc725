# SPDX-License-Identifier: MIT
# Loops that never come round, one after the other: what leaves the first keeps another iterator on the stack than what
# leaves the second.
def f():
    for x in a(0):
        try:
            b(x)
        except E:
            return c(0)
        raise X
    for x in a(1):
        try:
            b(x)
        except E:
            return c(1)
        raise X


def g(y):
    for x in a(0):
        try:
            b(x)
        except E:
            return c(0)
        else:
            return d(y)
    for x in a(1):
        try:
            b(x)
        except E:
            return c(1)
        else:
            return d(y)
