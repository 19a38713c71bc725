# SPDX-License-Identifier: MIT
# Conditions that lead back to a loop's start, with and without a `continue` of their own, where a handler covers them.


def own_continue(items):
    try:
        for x in items:
            if x:
                continue
            print(x)
    except ValueError:
        pass


def no_continue(items):
    try:
        for x in items:
            if not x:
                print(x)
    except ValueError:
        pass


def two_tests(items):
    try:
        for x in items:
            if x.a:
                continue
            if x.b:
                print(x)
    except ValueError:
        pass


def joined_tests(items):
    for x in items:
        if x.a and x.b:
            yield x
        if x.c or x.d:
            continue
        yield x.e


def loop_in_loop(lock, items):
    with lock:
        for x in items:
            while x:
                x = x.next


def generator(items):
    for x in items:
        if x is None:
            continue
        yield x


def named_none(items):
    for x in items:
        if x.a:
            while (y := x.next()) is not None:
                print(y)


def asserted_for_ever(a):
    while True:
        assert a
    yield


def asserted_for_ever_in_try(a):
    try:
        while True:
            assert a
    finally:
        a()
