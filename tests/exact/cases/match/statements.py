# SPDX-License-Identifier: MIT
# The match statement in its surroundings: guards, loops, try, nesting (3.10+).


def guards(x, y):
    match x:
        case 1 if y:
            return 1
        case a if a > y:
            return a
        case [a, b] if a and b:
            return a, b
        case [a, *b] if a or b:
            return 4
        case _ if y < x < 3:
            return 5
        case {'a': a} if not a:
            return 6
        case C(a) if (b := a):
            return b
        case D() if a if y else x:
            return 8
        case _ if not y:
            return 9


def guard_only(x, y):
    match x:
        case _ if y:
            print(1)
    match x:
        case z if z:
            print(2)
    print(3)


def guard_default(x, y):
    match x:
        case 1 if y and x:
            print(1)
        case _ if y or x:
            print(2)
    print(3)


def guard_capture_last(x, y):
    match x:
        case 1:
            print(1)
        case z if z in y:
            print(2)
    print(3)


def bodies(x):
    match x:
        case 1:
            if x:
                print(1)
        case 2:
            if x:
                print(1)
            else:
                print(2)
        case [a]:
            for i in a:
                print(i)
        case {'a': a}:
            while a:
                a -= 1
        case C(a):
            with a:
                print(a)
        case D(a):
            try:
                print(a)
            except ValueError:
                pass
        case _:
            pass
    return x


def falls(x):
    match x:
        case 1:
            y = 1
        case 2:
            y = 2
        case 3:
            return 3
    return y


def returns_some(x):
    match x:
        case 1:
            return 1
        case [a]:
            print(a)
        case 3:
            return 3
        case _:
            raise ValueError
    return 4


def in_for(a):
    for x in a:
        match x:
            case 1:
                continue
            case 2:
                break
            case [y]:
                print(y)
            case {'a': 1}:
                return 1
            case _:
                print(3)


def in_for_last(a):
    for x in a:
        match x:
            case 1:
                print(1)
            case [y]:
                print(y)
    else:
        print(2)


def in_while(a):
    while a:
        match a.b:
            case 1:
                a = 1
            case C(x=1):
                break
        print(a)


def forever(a):
    while True:
        match a():
            case 1 | 2:
                return
            case [x, y] if x:
                print(x)
            case None:
                break


def in_try(a):
    try:
        match a:
            case [x]:
                print(x)
            case C(x):
                return x
    except ValueError:
        match a:
            case 1:
                print(1)
            case _:
                print(2)
    finally:
        match a:
            case 3:
                print(3)


def in_with(a):
    with a as b:
        match b:
            case [x]:
                return x
            case y:
                print(y)


def nested(x, y):
    match x:
        case [a]:
            match y:
                case [b]:
                    print(a, b)
                case 1:
                    return 1
        case C():
            match y:
                case D(z):
                    return z
                case _:
                    print(2)
            print(3)
        case _:
            match y:
                case None:
                    return 0


def subjects(x, y):
    match x, y:
        case 1, 2:
            print(1)
        case (a, b):
            print(a, b)
    match x if y else None:
        case 1:
            print(1)
        case [a, *_]:
            print(a)
    match x and y:
        case {'a': 1}:
            print(1)
    match f(x)[0].y:
        case 1 | 2:
            print(1)
    match (z := x):
        case [1]:
            print(z)
    match [*x, y]:
        case [1]:
            print(1)
    match *x, y:
        case [1]:
            print(1)
    match x < y < 3:
        case True:
            print(1)
    match {'a': x}:
        case {'a': 1}:
            print(1)
    match -x:
        case -1:
            print(1)


def if_chain(x, y):
    if x:
        match y:
            case 1:
                print(1)
            case [2]:
                print(2)
    elif y:
        match x:
            case 1:
                return 1
    else:
        match y:
            case C():
                print(3)
            case _:
                return 4
    print(5)


def only_passes(x):
    match x:
        case 1:
            pass
        case [2]:
            pass
        case C():
            pass


def generator(x):
    match (yield):
        case 1:
            yield 1
        case [y]:
            z = yield y
    match (yield x):
        case {'a': y}:
            yield from y


async def coroutine(x):
    match await x:
        case 1 if await x:
            await x
        case C(y):
            async with y:
                print(y)
        case [*y]:
            async for z in y:
                print(z)


def comprehension(x):
    match [y for y in x if y]:
        case [a, *b] if [c for c in b]:
            return [d for d in b]
        case []:
            return {e for e in x}


def shadow(match, case, _):
    match match:
        case case:
            print(match, case, _)
    match(match)
    return _


def after(x):
    match x:
        case [1]:
            y = 1
        case _:
            y = 2
    del y


def many_ors(x):
    match x:
        case 'a' | 'b' | 'c' | 'd' as k if k != x:
            return k
        case ('x', 'y' | 'z' as w) | ['q', w]:
            return w
        case {'op': 'add' | 'sub' as op, 'args': [a, b]} | {'op': op, 'a': a, 'b': b}:
            return op, a, b


def body_is_protected(subject, get):
    match subject:
        case [2]:
            try:
                x = get()
            except ValueError:
                pass
    match subject:
        case {"k": value} if value:
            with get() as y:
                return y
        case _:
            try:
                get()
            finally:
                subject()


def match_in_an_or_pattern(a, b):
    match a:
        case 1:
            b()
        case "s" | None:
            match a:
                case C(e, b=1):
                    a
                case [_, 2]:
                    pass


def behind_raising_clauses_in_a_finally(a, b, n):
    if 0 < n < 2:
        pass
    else:
        try:
            match a(n):
                case a(value=1):
                    pass
                case a(other=p):
                    pass
                case _:
                    b()
        finally:
            try:
                a()
            except KeyError:
                raise
            else:
                b()
            with a:
                pass


def drops_values(x):
    match x:
        case 1: a or b
        case [y]: a and b
        case {1: 2}: pass


def drops_values_at_last(x):
    match x:
        case 1: a or b
        case _: a and b


def first_wildcard_has_a_guard(x):
    match x:
        case _ if x > 3:
            y = 0
        case _ if x < 2:
            y = 1
        case _:
            y = 2
    return y


def wildcards_with_guards(x, f):
    match f(x):
        case _ if x > 3:
            y = 0
        case _ if x < 2:
            y = 1
        case _:
            y = 2
    return y


def patterns_behind_a_guarded_wildcard(x):
    match x:
        case _ if x > 3:
            y = 0
        case 4:
            y = 1
        case [a, b]:
            y = a, b
    return y


def guards_of_both(x, f):
    match f(x):
        case _ if x > 3:
            y = 0
        case 5 if x < 2:
            y = 1
    return y


def guarded_wildcard_between(x, f):
    match f(x):
        case 4:
            y = 1
        case _ if x > 3:
            y = 0
        case 5:
            y = 1
    return y


def guarded_wildcard_returns(x):
    match x:
        case _ if x > 3:
            return 2
        case 5:
            return 4
        case _:
            return 7
