"""Operations whose value is dropped, at ends that the compiler copies."""


def t0(self):
    a() or b()


def t1(self):
    try:
        f()
    finally:
        a() or b()


def t2(self):
    try:
        return f()
    finally:
        a() or b()


def t3(self):
    a and b or c


def t4(self):
    a and b or None


def t5(self):
    return a and b or None


def t6(self):
    return a and b() or c()


def t7(self):
    a or (b() if c else d())


def t8(self):
    (b() if c else d()) and e()


def t9(self):
    a or b < c < d


def t10(self):
    for x in y:
        a or b()


def t11(self):
    for x in y:
        a or b()
        return


def t12(self):
    try:
        f()
    except E:
        a or b()


def t13(self):
    try:
        f()
    except E as e:
        a or b()


def t14(self):
    with x:
        a or b()


def t15(self):
    if x:
        a or b()
    else:
        c and d


def t16(self):
    if x:
        a or b()
    elif y:
        c and d
    foo()


def t17(self):
    if x:
        a or b()
        return 3
    foo()
    return 3


def t18(self):
    while x:
        a or b()


def t19(self):
    while x:
        if y:
            a or b()
            continue
        foo()


def t20(self):
    if a:
        foo()
        return None
    return b and c or None


def t21(self):
    a() or b()
    raise


async def t22(self):
    await a() or await b()


async def t23(self):
    async with x:
        await a() or await b()


def t24(self):
    (yield a()) or (yield b())


t25 = lambda: (a or b) and None


a or b


class T26:
    a or b
    c and d or e
    x = a or b


def t27():
    if not a:
        foo()


def t28():
    if a and b:
        foo()
    else:
        bar() or baz()


def t29():
    (a or b) and (c or d)


def t30():
    a or b.c(d or e)


def t31():
    return a or None


def t32():
    a and foo()
    return


def t33():
    if c:
        return (foo(), a or None)[1]
    foo()


def t34(self):
    while x:
        foo() or bar() and baz()


def t35(self):
    while x and y():
        if z:
            foo() or bar()
    else:
        t()


def t36(self):
    while x:
        y if z else t


def t37(self):
    while x:
        a < b < c


def t38(self):
    while x < y < z:
        a < b < c


def t39(self):
    while x:
        try:
            a or b
        except E:
            c or d


def t40(self):
    while x:
        with z:
            a or b


def t41(self):
    a < b < c


def t42(self):
    try:
        a < b < c
    except E:
        a < b or c


def t43(self):
    for i in x:
        try:
            a < b < c
        except E:
            a < b or c
        finally:
            a or b


def t44(self):
    (a or b) and (c or d) or e and (f or g)


def t45(self):
    not a or b


def t46(self):
    not (a or b) and c or None


async def t47(self):
    async for x in y:
        await x or await z


async def t48(self):
    async with x:
        async for x in y:
            x or z


# A statement does not load a constant to drop it.
def c0():
    x if y else None


def c1():
    None if y else f()
    g()


def c2():
    for a in b:
        f(a) if a else None


def c3():
    for a in b:
        f(a) if a else 2


def c4():
    f() if a else g() if b else None


def c5():
    with a:
        f() if a else None
    try:
        f() if a else None
    finally:
        g() if a else None
