# Cells that only code which is never reached stores or shares.
def unused_in_a_comprehension(a, z):
    return [None and z or b for b in a if b]


def unused_in_a_lambda(a, z):
    return lambda b: (None and z) or b


def unused_in_both(a, y, z):
    return {(0 and y, b): (lambda: 1 or z) for b in a}


def stored_behind_what_raises(a, b):
    try:
        with a as x:
            try:
                b = [-y for c in b]
                raise b
            finally:
                a.close()
        y = 1
    except KeyError:
        return lambda: y


def shared_behind_what_raises(a, b):
    try:
        raise a(b)
    except KeyError:
        raise
    finally:
        b = a
    return lambda: b


def captured_in_a_generator(a, b):
    return (False and (lambda: x) for x in a if [y for x in b])
