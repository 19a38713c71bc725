def once(a):
    try:
        a()
    finally:
        yield a


def inside(a, b, d):
    try:
        try:
            a()
        finally:
            yield b
    except d:
        a()


def then_raises(a, b, d):
    try:
        a()
    except d:
        c = 1
    finally:
        yield b
        raise a from b


def in_a_with(a, b, x, z):
    try:
        a()
    finally:
        with x as b:
            try:
                yield a
            finally:
                a(*x)
                yield b
        z()


def constants_made_anew(a, b, c):
    try:
        if a:
            b()
        else:
            c()
    finally:
        a.b -= lambda a=1, *b: (a, c)
