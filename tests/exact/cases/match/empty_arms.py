# SPDX-License-Identifier: MIT
# Empty arms at the end of loops in protected code: from 3.13 on, exception tables show which jumps back were inverted.


async def in_coroutine(a):
    async for x in a:
        if x:
            pass
        else:
            pass


async def last_wildcard(a):
    async for x in a:
        match x.kind:
            case 0:
                pass
            case _:
                pass


async def two_cases(a):
    for x in a:
        match x.kind:
            case A.b:
                pass
            case A.c:
                pass


async def two_cases_and_wildcard(a):
    for x in a:
        match x.kind:
            case A.b:
                f()
            case A.c:
                g()
            case _:
                pass
