# SPDX-License-Identifier: MIT
# Numbers that a `return` computes before it leaves a statement: what 3.14 folds late is no constant for it.
def loop(n):
    for i in range(n):
        if i:
            return +1
        if n:
            return +1.5
    return 0


def with_statement(h, x):
    with h:
        if x:
            return (None, None)
        return +1


def clauses(g):
    try:
        g()
    except KeyError:
        return +2
    except ValueError as e:
        return (1, 2)
    except TypeError:
        return -1


def finally_body(f, x):
    try:
        if x:
            return +1
        f(x)
    finally:
        f()


def tested(a):
    return -1 or a, +1 and a
