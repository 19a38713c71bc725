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


def bound_by_unreachable_clauses_alone(a, b):
    [x for x in a if y for z in b if 0 for y in z]
    {x for x in a if {c for d in y} if None for y in a}
    {x: x for x in a if (lambda: y) for z in b if 0 for y in z}
    {lambda: y for x in a if '' for y in x}
    [1 or [y for y in x] for x in a if b]
    [(lambda: x) if 0 else x for x in a]
    return [x for x in a if [z for y in a] if 0 for x in b if (b for z in y)]


def inlined_in_generator_expressions(a):
    (x for x in a if [y for y in a] if 0 for y in x)
    (x for x in a if (b for c in c for d in y) if {z for y in a} if 0 for y in x)
    return (x for x in a if 0 for y in (y for z in x))


def asynchronous_in_unreachable_clauses(a):
    (x for x in a if 0 async for x in a)
    return (x for x in a if x if 0 async for y in x for z in y)


def free_in_them(y):
    return lambda a: [x for x in a if x if 0 for y in x if (lambda: y)], y


class Body:
    a = [x for x in y if z if 0]
    b = [x if 1 else z for x in y if z]
    c = {x: z for x in y for w in x if 0 for z, v in w}


[x for x in a if y for z in b if 0 for v, y in z]
{lambda: y for x in a if '' for y in x}
[x for x in a if (lambda: y) if 0 for y in x if (y for x in y)]
[y for z in a if [x for y in a] for y in b if '' if (x for x in y)]
if 0:
    [lambda: q for q in a]


{None for a in b if () for c in d for d in e if (d for a in b if c)}
{None for (x async for y in c)[0] in b if () for c in d for d in e if (d for a in b if c)}
