# SPDX-License-Identifier: MIT
# Chained comparisons whose way out is short enough to be copied, alone and among other tests.


def returns(history, index):
    if 1 <= index <= len(history):
        return history[index - 1]
    else:
        return None


def asserts(n, f):
    assert 0 <= n < f(n)
    return n


def several(year, month, day):
    if (year >= 1970) and (1 <= month <= 12) and (1 <= day <= 31) and (0 <= year - month <= 24):
        return day
    return None


def either(c):
    return (0 <= c <= 55295) or (57344 <= c <= 1114111)


def last(a, b):
    return a or b < 3 < a


def loop_test_behind_a_parallel_assignment(a, b):
    a, b = b, a
    while a % 2 == b % 2 == 0:
        a //= 2
        b //= 2
    while a % 5 == b % 5 == 0:
        a //= 5
        b //= 5
    return a, b


def stored_in_an_else_at_last(a, b, c):
    if a:
        x = 1
    else:
        x = a < b < c


def attribute_in_an_else_at_last(a, b, c):
    if a:
        x = 1
    else:
        a.x = a < b < c
