# What an asynchronous comprehension gives is awaited once more.
async def awaits_the_list(a, b):
    await [x for x in a if await b async for y in x]
    c = [await x for x in a]
    return await {x async for x in c}
