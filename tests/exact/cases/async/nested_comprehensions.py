# SPDX-License-Identifier: MIT
# Asynchronous comprehensions inside comprehensions (3.11+).


async def nested(a):
    x = [[y async for y in x] for x in a]
    y = [[y for y in x] async for x in a]
    z = [[[z async for z in y] async for y in x] async for x in a]
    w = {(y async for y in x) for x in a}
    return x, y, z, w
