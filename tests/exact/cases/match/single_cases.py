# SPDX-License-Identifier: MIT
# A case before `case _` alone compares as an `if` does.
def values(a, m):
    with m:
        match a:
            case 1:
                if m.x:
                    raise KeyError
            case _:
                a.b
        a.c


def singletons(a, m):
    while m:
        match a.b:
            case None:
                continue
            case _:
                a.c()


def dotted(a, m):
    try:
        match a:
            case m.x if m.y:
                return a.b
            case _:
                a.c()
    except KeyError:
        a.d()


def comparison(a):
    if a == 1:
        a.b()
    else:
        while 1:
            a.c()


def else_in_finally(a, m):
    try:
        m()
    except KeyError:
        m.x
    else:
        match a:
            case 1:
                if m.y:
                    return a
            case _:
                a.b
    finally:
        a.c
