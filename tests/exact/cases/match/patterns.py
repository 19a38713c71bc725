# SPDX-License-Identifier: MIT
# Every form of pattern (3.10+).
import a.b as m


def literals(x):
    match x:
        case 1:
            return 'int'
        case -1:
            return 'negative'
        case 1.5 | -0.0:
            return 'float'
        case 2j:
            return 'imaginary'
        case -1 + 2j:
            return 'complex'
        case 1 - 2j:
            return 'complex'
        case 'a' 'b':
            return 'str'
        case b'c':
            return 'bytes'
        case None:
            return 'none'
        case True:
            return 'true'
        case False:
            return 'false'
        case 10000000000000000000000:
            return 'big'


def values(x, y):
    match x:
        case y.a:
            return 1
        case m.b.c:
            return 2
        case x.y:
            return 3


def captures(x):
    match x:
        case 1:
            print(x)
        case y:
            print(y)


def capture_only(x):
    match x:
        case y:
            print(y)


def wildcard_only(x):
    match x:
        case _:
            print(x)


def default(x):
    match x:
        case 1:
            print(1)
        case _:
            print(2)
    print(3)


def single(x):
    match x:
        case 1:
            print(1)
    print(3)


def single_return(x):
    match x:
        case 1:
            return 1


def empty(x):
    match x:
        case []:
            return 0
        case {}:
            return 1
        case C():
            return 2
        case ():
            return 3


def sequences(x):
    match x:
        case [a]:
            return a
        case [a, b]:
            return a, b
        case (a, 1, 'x', None):
            return a
        case [[a, b], [c, [d]]]:
            return a, b, c, d
        case a, _, b:
            return a, b
        case [_, _]:
            return 'two'
        case [_]:
            return 'one'
        case [m.a, m.b]:
            return 'values'


def stars(x):
    match x:
        case [*_]:
            return 0
        case [a, *_]:
            return a
        case [*_, a]:
            return a
        case [a, *_, b]:
            return a, b
        case [a, b, *c]:
            return a, b, c
        case [*a, b]:
            return a, b
        case [a, *b, c, d]:
            return a, b, c, d
        case [*a]:
            return a
        case [1, *_, 2, _, 3]:
            return 5
        case [1, [2, *_], *x]:
            return x
        case [_, _, *_]:
            return 7
        case [*_, _]:
            return 8
        case [_, *a]:
            return a


def mappings(x):
    match x:
        case {'a': 1}:
            return 1
        case {'a': y, 'b': z}:
            return y, z
        case {'a': 1, **rest}:
            return rest
        case {**rest}:
            return rest
        case {m.a: _, 1: y, -1: z, None: w, **rest}:
            return y, z, w, rest
        case {'a': {'b': [y, {'c': z}]}}:
            return y, z
        case {'a': _}:
            return 1
        case {True: 1, b'x': 2}:
            return 2


def classes(x):
    match x:
        case int():
            return 0
        case m.C(1):
            return 1
        case C(a):
            return a
        case C(a, b):
            return a, b
        case C(x=a):
            return a
        case C(x=a, y=b):
            return a, b
        case C(a, y=b):
            return a, b
        case C(1, D(2, z=3), y=[a, b]):
            return a, b
        case C(_, x=_):
            return 9
        case str(y):
            return y
        case C(_, a, _, b=_, c=c):
            return a, c


def ors(x):
    match x:
        case 1 | 2 | 3:
            return 1
        case 'a' | None | True:
            return 2
        case [a] | (a, _):
            return a
        case [a, b] | [b, _, a]:
            return a, b
        case C(a) | D(_, a) | {'a': a}:
            return a
        case [1 | 2, 3 | 4]:
            return 4
        case [1 | 2 as a, (3 | 4) as b]:
            return a, b
        case {'k': 1 | 2 | 3 as v}:
            return v
        case (1 | 2) as a:
            return a
        case [(a, b, c) | (c, b, a, _), (d, e) | [e, _, d]]:
            return a, b, c, d, e
        case ([1, a] | [2, a]) | ([3, a] | [4, a]):
            return a
        case int() | str():
            return 8


def as_patterns(x):
    match x:
        case 1 as a:
            return a
        case [1 as a, b] as c:
            return a, b, c
        case C() as a:
            return a
        case C(x=int() as a, y=[*b] as c) as d:
            return a, b, c, d
        case {'a': [_, _] as a, **b} as c:
            return a, b, c
        case ((1 as a) as b) as c:
            return a, b, c
        case [_ as a, *_] as b:
            return a, b


def rotations(x):
    match x:
        case [a, [b, [c, [d, *e]]]]:
            return a, b, c, d, e
        case {'a': a, 'b': {'c': b, **c}, **d}:
            return a, b, c, d
        case [a, C(b, D(c, y=d), x=e) as f, {'k': g}] as h:
            return a, b, c, d, e, f, g, h
        case [a, (b, c, d) as e, f, g, *h]:
            return a, b, c, d, e, f, g, h


match m:
    case 1:
        print(1)
    case [x, *y]:
        print(x, y)
    case _:
        print(2)


class Body:
    match m:
        case {'a': __b}:
            c = __b
        case C(__x=1):
            pass
        case d.__y:
            pass
        case [d, e] | [e, _, d]:
            pass


def scopes(x):
    global g
    y = 1

    def inner():
        nonlocal y
        match x:
            case [y, g]:
                return lambda: y
            case y.z | inner.x:
                return x

    return inner


def none_first_in_a_sequence(a):
    match a:
        case (None | C(2), 3):
            return 1
        case (None | 2, b):
            return b
        case None | C(x=2) | {"k": None | 1}:
            return 3


def alternatives_that_cannot_fail(x):
    match x:
        case [x] | x:
            y = 1
    return y


def alternatives_that_cannot_fail_last(x):
    match x:
        case 1:
            pass
        case ({"x": x} | x) as y:
            return x, y


def alternatives_that_cannot_fail_inside(x):
    match x:
        case {"x": [x] | x}:
            return x
        case {"x": x} | x:
            return -x
