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


def many_values_before_a_wildcard(x):
    match x:
        case A(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
               29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54,
               55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70) | _:
            return 1


def sequences_before_a_wildcard(a):
    match a:
        case () | [1] | _:
            b
    match a:
        case [1] | _ if a:
            pass
    c


match a:
    case () | [1] | _:
        b
c


def nested_before_a_wildcard(a):
    match a:
        case (1 | 2) | _ if b:
            c
        case [1 | 2, ([] | 2) | _]:
            d
        case (1 | 2) | _:
            e
