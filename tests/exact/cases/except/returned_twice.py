# SPDX-License-Identifier: MIT
# A value that is returned in a handler and in an arm of a conditional expression: one piece of code, two statements.


def in_handler(a, b):
    try:
        g()
    except (ImportError, ValueError):
        return "tasks"
    z = h(a)
    return "tasks" if z < b else "p2p"


def in_named_handler(a, b):
    try:
        g()
    except ValueError as e:
        return "tasks"
    return "tasks" if a < b else "p2p"


def in_other_arm(a, b):
    try:
        g()
    except ValueError:
        return "p2p"
    return "tasks" if a < b else "p2p"


def in_loop(a, b):
    for x in a:
        if x:
            return None
    return b if a else None


def in_with(a, b):
    with a:
        return 1
    return 1 if a < b else 2


def in_both(a, b):
    try:
        g()
    except ValueError:
        return 1 if a else 2
    except TypeError:
        return 2
    return 1 if b else 2


def after_what_never_ends(a, b):
    try:
        while True:
            pass
    except E:
        pass
    else:
        try:
            return 1 if a else g(b)
        except E:
            h()
