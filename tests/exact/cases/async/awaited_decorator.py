# SPDX-License-Identifier: MIT
# A decorator of any form (3.9+).


async def f(a):
    @(await a)
    def g(x):
        return x

    @a[0].b(1)
    async def h(x):
        return await x

    return g, h
