# SPDX-License-Identifier: MIT
# Constants that are returned after a try statement, or in its clauses: from CPython 3.14 on a `return` of a tuple or of a
# negative number computes it before it leaves the clause.
def after_clauses(f):
    try:
        return f()
    except A:
        pass
    except B as e:
        if e.errno:
            raise
    return ()


def negative_after(f):
    try:
        return f()
    except A:
        pass
    return -1


def other_numbers_after(f, g):
    try:
        return f()
    except A:
        pass
    try:
        return g()
    except A:
        return -1.5
    except B:
        pass
    return -1.5


def complex_after(f):
    try:
        return f()
    except A:
        pass
    return 1 + 2j


def in_clauses(f):
    try:
        f()
    except A:
        return ()
    except B:
        f.b()
        return -1
    return ()


def in_a_loop(f, s):
    for x in s:
        try:
            f(x)
        except A:
            return 1, 2
    return 1, 2


def after_a_manager(m, f):
    with m:
        f()
    return ()


def in_a_manager(m, f):
    with m:
        f()
        return -1
