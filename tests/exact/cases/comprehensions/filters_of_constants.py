# SPDX-License-Identifier: MIT
# Conditions of which a constant decides. Under a handler (3.13+) it shows which of their jumps back were inverted.
async def either(a, b):
    return (None async for x in a if x or ()), (x async for x in a if not x or f'')


async def never(a, b):
    yield (0 async for x in a if x or b if f'')
    yield (0 async for x in a if not x if b if f'')
    yield (0 async for x in a if x if b if f'')
    yield (0 async for x in a if x and b if f'')
    yield (0 async for x in a if not (x and b) if f'')


try:
    {x for x in a if x or f''}
    {0: 0 for x in a if not x if b if f''}
    {0: 0 for x in a if x or b if f''}
except KeyError:
    pass
