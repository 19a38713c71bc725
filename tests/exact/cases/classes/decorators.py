# SPDX-License-Identifier: MIT
# Decorators that are lambdas, or hold some (3.9+).


def null(x):
    return x


def lambdas():
    @lambda f: null(f)
    def f(x):
        return x

    @lambda c: c
    @lambda c: null(c)
    class C:
        pass

    @(lambda: null)()
    @null
    async def g(x):
        return x

    @(a := lambda c: c)
    def h(x):
        return a

    @lambda f, /, *a, k=null(3), **b: (yield)
    def i():
        return x

    return f, C, g, h, i


def others():
    @[null][0].__call__.__call__
    def f(x):
        return x

    @None if null else null
    def g():
        return f

    return g
