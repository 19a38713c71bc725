# SPDX-License-Identifier: MIT
# A finally body that raises has no end: the body and the clauses that it follows have one each.


def with_loop(a, b, c, d, e, g):
    try:
        if a:
            for b in c:
                pass
            d
        else:
            e
        g
    except:
        pass
    finally:
        raise


def without_loop(a, d, g, x):
    try:
        if a:
            d
        g
    except E:
        pass
    finally:
        raise x


def left_by_break(a, g, x, y):
    for x in y:
        try:
            if a:
                break
            g
        except E:
            pass
        finally:
            raise x


try:
    if a:
        for b in c:
            pass
        d
    else:
        e
    g
except:
    pass
finally:
    raise
