# SPDX-License-Identifier: MIT
# async for, async with and await in every position.
import asyncio


async def loop(a):
    async for x in a:
        print(x)


async def loop_tuple(a):
    async for i, (j, *k) in a.b():
        print(i, j, k)
    return i


async def loop_else(a):
    async for x in a:
        if x:
            break
        if x > 3:
            continue
        print(x)
    else:
        print('else')
    return 1


async def loop_attribute(a, o):
    async for o.x in a:
        pass
    async for o[0] in a:
        pass


async def loop_nested(a):
    async for x in a:
        async for y in x:
            if y:
                break
            for z in y:
                await z
            print(x)
        else:
            continue
        break
    return a


async def loop_return(a):
    async for x in a:
        if x:
            return x
        try:
            await x
        except ValueError:
            return 3
        finally:
            print('f')
    return None


async def loop_in_try(a):
    try:
        async for x in a:
            await x
    except StopAsyncIteration as e:
        print(e)
    finally:
        await a.aclose()


async def loop_in_while(a):
    while await a.more():
        async for x in a:
            if x:
                continue
            yield x
        if await a:
            break


async def manager(a):
    async with a:
        print(a)


async def manager_as(a):
    async with a as b:
        print(b)
    return b


async def manager_many(a, b):
    async with a as x, b as (y, z), a:
        print(x, y, z)
    print('end')


async def manager_return(a):
    async with a as b:
        return b


async def manager_return_value(a):
    async with a as b:
        return await b.c(1)


async def manager_loop(a):
    for i in a:
        async with i as b:
            if b:
                break
            if b > 2:
                continue
            await b
    async for i in a:
        async with i:
            if i:
                return i


async def manager_nested(a):
    async with a as x:
        with x as y:
            async with y as z:
                await z
        print('after')


async def manager_try(a):
    try:
        async with a:
            await a
    except ValueError:
        pass
    else:
        print('x')
    async with a:
        try:
            await a
        finally:
            await a.b


async def positions(a, b):
    x = await a
    y = await a + await b
    a.c = await b
    a[await b] = await a
    await a
    f(await a, *(await b), k=await a, **await b)
    z = [await a, (await b, await a), {await a: await b}, {await a}]
    print(f'{await a} {await b!r:>{await a}}')
    if await a:
        print('if')
    elif not await b:
        print('elif')
    w = await a if await b else await x
    w = await a and await b or await x
    w = await a < await b < await x
    assert await a, await b
    while await a:
        await b
    for i in await a:
        print(i)
    with await a as q:
        print(q)
    del (await a).x, (await b)[await a]
    (await a).x += await b
    try:
        raise await a from await b
    except (await a):
        pass
    lambda: (yield)
    return await (await a)


async def generator(a):
    x = yield
    y = yield await a
    await (yield x)
    async for i in a:
        yield i
    async with a as b:
        yield b
    yield x, y
    return


async def decorated(a):
    def f(x=await a, *, y=await a):
        return x

    class C(await a, metaclass=await a):
        pass

    return f, C


async def sleepers():
    await asyncio.gather(*[asyncio.sleep(0) for _ in range(3)])
    try:
        await asyncio.wait_for(asyncio.sleep(1), 0.1)
    except asyncio.TimeoutError:
        raise
    finally:
        print('done')


async def wait_loop(self):
    while True:
        try:
            await self.a()
        except KeyError:
            continue
        else:
            if self.b:
                return
        finally:
            await self.c()
