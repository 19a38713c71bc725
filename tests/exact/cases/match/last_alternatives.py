# SPDX-License-Identifier: MIT
# `_` as the last alternative, which works on no copy of the subject from 3.12 on.


def in_class(a):
    match a:
        case f(b={} | _):
            x()
            y()
            z()


def last(a):
    match a:
        case {} | _:
            x


def nested(a):
    match a:
        case f(b={} | _, c=3):
            x()
        case [1 | 2 | _, *_]:
            y()
        case [{'a': 3} | _]:
            pass
        case {} | _:
            pass


def values(a):
    match a:
        case [1 | 2 | _, x] if a:
            f(x)
        case [None | _, 3]:
            g()
        case [_, {"a": 2 | _} | _]:
            g()
            return 2
        case [1 | _] if a:
            for x in a:
                g()
    match a:
        case 1 | _:
            g()
    return 1
