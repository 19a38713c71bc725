# SPDX-License-Identifier: MIT
# A comprehension as the last operand of a chained comparison, and an operand of `and` or `or` or another filter after it.


def tested(a, b, c, d):
    if a < b < [x for x in c] and d:
        a()
    if a not in b <= {x for x in c}:
        if d:
            a()
    while d or a < b == {x: b for x in c}:
        b()
    return a < b < [x for x in c] and d


def filtered(a, b, c, d):
    return {x for x in a if x not in b <= {y for y in c} if d}


async def asynchronous(a, b, c, d):
    async for x in a:
        if b < x <= [y for y in c] and d:
            return x
    return (x async for x in a if b < x < c < [y for y in c] if d)


def beside_conditional(a, b, c, d):
    if a not in b <= (c if d else a) and d:
        a()
    return [x for x in b if x < a < (b or c) if d]
