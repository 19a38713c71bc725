# SPDX-License-Identifier: MIT
# Generators whose yield is never reached, and what asynchronous ones return.
def raises():
    raise StopIteration
    yield


def nested():
    def inner():
        yield 1

    raise ValueError(inner)
    yield


async def waits(x):
    await x
    raise ValueError
    yield


async def leaves_loop(x):
    while True:
        if x:
            return
        yield x


def lambdas(a):
    return (lambda: 0 and (yield)), (lambda b: a or b if 1 else (yield from a)), (lambda: [(yield a), 1 or (yield)])


async def only_decorates(b, c):
    @(yield)
    def a():
        pass

    c >= a <= b
