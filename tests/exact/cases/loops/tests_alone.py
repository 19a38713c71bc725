"""Loops of nothing but tests."""


def a(x, y):
    while x and y in x.z:
        pass


def b(x, y):
    while x and y is None:
        pass


def c(x, y):
    while x and not y in x:
        pass


def d(x, y):
    while x and y is not x:
        pass
    print(3)


def e(x, y):
    for i in x:
        while x and y.z and i:
            pass


def f(x, y):
    try:
        while x and y.z:
            pass
    except E:
        return 1
    return 2


async def g(x, y):
    while await x and y.z:
        pass


def h(x, y):
    while (x or y) and (z or t):
        pass
    yield


def i(x, y):
    while (x or y) and (z or t):
        pass
    else:
        u()
    yield


def j(x, y):
    while True:
        if not (x() and y()):
            break
    yield


def k(x, y):
    while x():
        while y():
            if not z():
                break


def l(x, y):
    while x():
        while y() and z():
            pass


def m(x, y):
    if x:
        while x() and y < z:
            pass
    else:
        while x() and not y < z:
            pass


def q0(self):
    while support(3, "x"):
        if qh.empty():
            break
    qh.join()


def q1(self):
    try:
        while support(3, "x"):
            if qh.empty():
                break
        qh.join()
    finally:
        z()


def q2(self):
    try:
        while support(3, "x"):
            if qh.empty():
                break
    except E:
        z()


def q3(self):
    with a:
        while support(3, "x"):
            if qh.empty():
                break
        foo()


def q4(self):
    with a:
        while support(3, "x"):
            if qh.empty():
                break
            foo()
        foo()
