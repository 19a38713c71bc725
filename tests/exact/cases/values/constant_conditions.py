def decided(a, b, c):
    a = None and b or c
    b = "s" and b"x" or a
    c = (0 or 1) and a
    return (1 or a) and b or c


def decided_in_a_chain(a, b):
    return a or 1 and "s" or b


def same_target(a, b, e):
    b, b = e, a
    e, e = e, b
    a, a = a, a


def nothing_left(a, b, c):
    a = [b for c in a if 0]
    b = {b: c for c in a if 0}
    return (c for b in a for c in b if 0), a, b


def always(a, b):
    a = {x for x in a if b and x or 1}
    return (x for x in a if x or 1), a


def compared_at_the_end(a, b, c):
    if a:
        raise a < b < c from b
    if b:
        raise a or b < c
    if c:
        raise (a and b) is c
    return b, a < b < c < a


def made_by_folding(a, b):
    assert 10**3
    if 10**3 and a or b:
        a = b if 2.5 * 2 else a
    return (10**3 or b), a
