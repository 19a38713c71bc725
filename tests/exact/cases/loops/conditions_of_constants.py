# SPDX-License-Identifier: MIT
# A constant decides whether the loop goes on at once; where a handler protects the test, how it jumps shows.
def f(a):
    for x in a:
        if x:
            yield x
        elif x == 'a' or 'b':
            continue


def g(a):
    for x in a:
        yield x
        if x == 'a' or 'b':
            continue
