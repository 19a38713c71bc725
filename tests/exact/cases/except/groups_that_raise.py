# SPDX-License-Identifier: MIT
# 3.11+: clauses of `except*` that never come to their end, and what follows the statement all the same.


def a():
    try:
        raise a
    except* E as e:
        raise
    f
    y = 1


def b():
    try:
        return 1
    except* E as e:
        raise g(y)
    for i in f:
        y = 1


def c():
    try:
        return 1
    except* E:
        raise g(y)
    except* F:
        raise
    else:
        g
    return y


def d():
    while x:
        try:
            g
        except* F:
            raise
        else:
            h
        i
    return y


def h():
    try:
        t5
    except* E as x:
        try:
            t2
        except E:
            h2
        else:
            x = 1
    finally:
        return f5
