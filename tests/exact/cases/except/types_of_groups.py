# SPDX-License-Identifier: MIT
# What `except*` matches is more than a name.
def conditional(p, q, r):
    try:
        a()
    except* (p if q else r):
        b()
    except* (p if q is None else r) as e:
        c(e)
    except* p or q:
        for i in r:
            d(i)
    else:
        b()
    finally:
        c()


def compared(p, q, r):
    try:
        a()
    except* (p < q < r) as e:
        c(e)
    except* (w := p, *[i for i in q if i]):
        b()


def comprehensions(p, q):
    for x in q:
        try:
            a()
        except* tuple(i for i in p) as e:
            continue_with(e)
        except* [i if i else q for i in p][0]:
            b()
        except* {i: j for i, j in p if j}[x] as e:
            c(e)


def generators(p, q):
    try:
        a()
    except* (yield (p if q else None)):
        b()
    except* f'{p if q else a}' as e:
        c(e)
