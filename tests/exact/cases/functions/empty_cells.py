"""Variables that inner functions share and that only unreachable code binds: the cell is there all the same."""


def shared(a):
    def inner():
        return late

    if 0:
        late = 1
    return a + inner()


def after_the_end():
    return lambda: late
    late = 2


class Mangled:
    def method(self):
        if 0:
            __private = 1
        return lambda: __private


def parameter_too(given, *rest):
    if 0:
        empty = 1
    return lambda: (given, rest, empty)


def shared_with_nobody(given):
    kept = given
    if 0:
        return lambda: (kept, given)
    return kept
