# A finally body that never ends has no copy that anything follows: who left the statement still left it.
def returns_before_more(a, k):
    try:
        if k:
            if a.b: return
        elif a.c:
            pass
        if a.d: return
    finally:
        raise KeyError


def returns_in_loop(a):
    try:
        while a.b():
            if a.c(): return
            a.d()
        a.e()
    finally:
        raise KeyError


def returns_value(a, k):
    try:
        if k: return a.b
        if a.c: return
        a.d()
    finally:
        while True:
            a.e()


def in_clause(a):
    try:
        try:
            a.b()
        except KeyError:
            if a.c: return
            a.d()
        a.e()
    finally:
        raise a


def within(a):
    try:
        try:
            if a.b: return
            a.c()
        finally:
            raise a
    finally:
        a.d()


def does_nothing_forever(a):
    try:
        a()
    finally:
        while True:
            pass


def does_nothing_forever_in_a_loop(a, c):
    while c:
        try:
            a()
        finally:
            while True:
                pass
    a.b()
