# SPDX-License-Identifier: MIT
# The test of a loop around an asynchronous one is compiled three times (3.10 to 3.13).
async def chained_tests(a, b, c, d):
    while c:
        while a < b < d:
            async for i in a.p:
                a.x(i)
            b.y


async def chained_test(a, b, c):
    while a < b < c:
        async for i in a.p:
            if i:
                continue
        else:
            a.x
