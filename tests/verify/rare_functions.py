# SPDX-License-Identifier: MIT
"""Functions of kinds that are rare in libraries, for mutants: closed generators, and functions with attributes."""


def g1(a, b):
    try:
        x = yield a.one
        b.two(x)
    finally:
        a.three()


def g2(a, b):
    for k in a:
        try:
            yield k
        except b.error as e:
            b.seen(e)
            yield e
        else:
            a.fine()
    return b


def g3(a, b):
    with a as c:
        yield c
        yield b.x
    b.end()


def g4(a, b):
    try:
        r = yield from a.it()
        b.got(r)
    except GeneratorExit:
        b.closed()
        raise
    yield r


async def c1(a, b):
    try:
        x = await a.one()
    finally:
        b.two()
    async with a.ctx as z:
        return x, z


def g5(a, b):
    while a.more():
        try:
            got = yield
        except ValueError:
            b.value()
            continue
        except BaseException:
            b.base()
            break
        b.take(got)
    a.done()


def g6(a, b):
    yield a.first
    try:
        yield b.second
    except BaseException as e:
        b.log(e)
    yield a.third


def f1(a, b):
    def inner(x: a.ann, y: b.ann = a.default, *more, k: int = b.kw, **named) -> a.result:
        return x, y, more, k, named

    b.register(inner)
    return inner(a, b)


def f2(a, b):
    def plain(x, y=a.d1, z=b.d2):
        return x + y, a

    def gen(x):
        yield x
        yield a

    a.take(plain, key=gen)
    return plain(b), list(gen(a))


def f3(a, b):
    def add(x, *, k=a.k):
        return x, k, b

    async def co(x, y=b):
        return await x

    async def ag(x):
        yield x

    a.all(add, co, ag)
    return add(b)


def f4(a, b):
    def inner(x: "int", y: "str" = b.none):
        "docs"
        return [x for _ in y]

    return a(inner), b(inner)


def f5(a, b):
    class C(a.Base):
        at: b.type = a.value

        def method(self, x: a.t, *, y: b.t = a.d):
            return x, y

    return C
