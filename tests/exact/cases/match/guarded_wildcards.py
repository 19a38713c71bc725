# SPDX-License-Identifier: MIT
# `case _ if guard` as first case, as last, and before a last `case _` (3.10+).


def in_try_finally(a, f, x):
    try:
        match f(x):
            case {"k0": "s", "k1": _}:
                if a:
                    f()
            case _:
                return 1
    finally:
        f()


def two_tests_first(a, b, f, x, y):
    match x, y:
        case _ if a and b:
            f(1)
        case C(k0=_, k1=1):
            return y


def or_pattern_before(f, x, y):
    match x.z:
        case (None | 1 | 1+2j):
            return y
        case _ if x.k:
            f(1)
        case _:
            f(2)


def in_loop(a, b, x, y):
    for x in b:
        match x.z:
            case _ if not a:
                y += 1
            case [None, *_]:
                raise E
            case _:
                y = a or b


def mapping_before(a, b, f, x, y):
    match x:
        case None:
            return 1
        case {} if x.k:
            return 1
        case _ if f(x):
            if a:
                return y
        case _:
            y = a or b


def in_loop_either(a, b, f, x, y):
    for x in b:
        match x, y:
            case _ if a or b:
                f()
            case a.D(k0={}, k1=[]):
                f(2)


def in_loop_first(a, b, x, y):
    for x in b:
        match x.z:
            case _ if a:
                y += 1
            case [None, *_]:
                raise E


def in_loop_not(a, b, x, y):
    for x in b:
        match x.z:
            case _ if not a:
                y += 1
            case 4:
                y = 8


def first_not(a, x, y):
    match x.z:
        case _ if not a:
            y += 1
        case 4:
            y = 8


def first(a, x, y):
    match x.z:
        case _ if a:
            y += 1
        case [None, *_]:
            raise E


def first_assigns(a, x, y):
    match x.z:
        case _ if a:
            y += 1
        case [None, *_]:
            y = 5


def or_pattern_last(x, y, f):
    match x.z:
        case (None | 1):
            return y
        case _ if x.k:
            f(1)


def or_pattern_default(x, y, f):
    match x.z:
        case (None | 1):
            return y
        case _:
            f(2)


def or_pattern_assigns(x, y, f):
    match x.z:
        case (2 | 1):
            y = f(3)
        case _ if x.k:
            f(1)
        case _:
            f(2)


def value_before(x, y, f):
    match x.z:
        case 1:
            return y
        case _ if x.k:
            f(1)
        case _:
            f(2)


def all_fall(x, y, f):
    match x.z:
        case 1:
            y = 1
        case _ if x.k:
            f(1)
        case _:
            f(2)


def all_assign(x, y):
    match x.z:
        case 1:
            y = 1
        case _ if x.k:
            y = 2
        case _:
            y = 3
    return y


def arms_return(x, y):
    match x.z:
        case 1:
            y = 1
        case _ if x.k:
            return 4
        case _:
            return 5


def no_default(x, y, f):
    match x.z:
        case 1:
            y = 1
        case _ if x.k:
            f(1)


def sequence_before(x, y, f):
    match x.z:
        case [1]:
            y = 1
        case _ if x.k:
            f(1)
        case _:
            f(2)


def comparison(x, y, f):
    match x.z:
        case [1]:
            y = 1
        case _ if x > 3:
            f(1)
        case _:
            f(2)


def two_guards(x, y, f):
    match x.z:
        case [1]:
            y = 1
        case _ if x > 3:
            f(1)
        case _ if x < 3:
            f(1)
        case _:
            f(2)


def last_names(x):
    match x:
        case 1:
            return 2
        case n if n > 0:
            return n
    match x:
        case 1:
            x()
        case n if not n.a:
            n()
    try:
        match x:
            case A():
                pass
            case n if n:
                n()
        x
    except E:
        pass
    else:
        match x:
            case 's' if x:
                pass
            case n if n:
                n()
    finally:
        n
    for y in x:
        match y:
            case A():
                x()
            case n if n.a and (n.b or n.c):
                z()
    match x:
        case n if n.a or n.b:
            z()
        case (a, b) | {'a': a, 'b': b} if a:
            a
        case _ if x:
            b
        case n:
            if x:
                pass
            else:
                n()


def last_does_nothing(x):
    try:
        match x:
            case A():
                pass
            case n if n:
                pass
        x
    except E:
        pass


async def last_does_nothing_and_ends(x):
    match x:
        case A() if x:
            pass
        case n if n:
            pass


async def last_value_does_nothing(x):
    match x:
        case A.c if x:
            pass
        case A.b if x:
            pass
