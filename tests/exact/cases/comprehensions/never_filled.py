# Comprehensions with a filter that is never true after one that is evaluated; what only unreachable code of them uses.
def filters(a):
    [x for x in a if x if 0]
    {x for x in a if x and x.y if ''}
    return (x for x, y in a if x if y if None)


def in_loops_of_them(a):
    return [y for x in a if x for y in x if y if 0], [[x for x in y if x if 0] for y in a if y]


async def asynchronous(a):
    return [x async for x in a if x if 0], (x async for x in a if await x if 0)


def locals_of_unreachable_clauses(a):
    (y for x in a if y if 0 for y in x)
    (x for x in a if [y for z in a for z in y] if 0 for y in x)
    (x for x in a if (lambda: y) if 0 for y in x)
    return (x for x in a if z if 0 for y in x for z in y)


def shared_in_unreachable_code(a, b):
    (lambda: x for x in a if 0)
    ((lambda: (x, b)) for x in a if x if 0)
    return lambda c: a if 1 else lambda: c
