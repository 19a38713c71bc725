# An `if` that ends a loop's body, before the copy of its test, does what the one before the loop does.
def conditions(a, b, c, d):
    if a > 0 and b == 0 and c < 9:
        x = a[b]
        y = x - c
    while d:
        for _ in d:
            pass
        if b == 0 and c < 9:
            x = a[b]
            y = x - c


def one_test(a, b, c):
    if a:
        b()
    while c or b:
        c.d()
        if a:
            b()
    return c


def loops(a, b, c):
    for x in a:
        if x:
            b()
        while c < x < b:
            c.d()
            if x:
                b()
    b(c)


def an_else(a, b, c):
    if a:
        b()
    else:
        c()
    while not (c and b):
        c.d()
        if a:
            b()
        else:
            c()
    return c
