# SPDX-License-Identifier: MIT
# Asynchronous comprehensions of every kind.


async def kinds(a):
    w = [x async for x in a]
    x = {x async for x in a}
    y = {x: x + 1 async for x in a}
    z = (x async for x in a)
    return w, x, y, z


async def conditions(a, b):
    w = [x async for x in a if x if x > 1]
    x = {x async for x in a if x not in b}
    y = {x: y async for x, y in a if x or y if not x}
    z = (x async for x in a if await x)
    return w, x, y, z


async def awaits(a, b):
    w = [await x for x in a]
    x = {await x for x in a if await b}
    y = {await x: await x for x in a}
    z = (await x for x in a)
    v = [await x async for x in await b if await x if x]
    return v, w, x, y, z


async def mixed(a):
    v = [x async for y in a for x in y]
    w = [x for y in a async for x in y]
    x = {x async for y in a if y async for x in y if x}
    y = {x: y async for x in a for y in x async for z in y}
    z = (x for y in a async for x in y if x if y)
    return v, w, x, y, z


async def in_call(a):
    print([x async for x in a], *[x async for x in a], k=[await x for x in a])
    return [x async for x in a]


async def loop(a):
    for x in [y async for y in a]:
        print(x)
    async for x in (y async for y in a):
        print(x)


async def generator(a):
    yield [x async for x in a]
    async for y in a:
        yield [x async for x in y]
