# A local that nothing but a comprehension of its name stores is local all the same: reading it behind raises.
def behind():
    try:
        x
    except NameError:
        pass
    [x for x in range(3)]
    try:
        return x
        x = 1
    except UnboundLocalError:
        return None


def of_a_global():
    global shared
    shared = 1
    made = {shared: None for shared in range(3)}
    return shared, made


def kept(x):
    y = [x for x in range(x)]
    return x, y


def bound_by_import():
    import os

    names = [os for os in (1, 2)]
    return os, names


def bound_by_walrus(values):
    total = [last := value for value in values]
    return last, total


def bound_elsewhere(values):
    for value in values:
        pass
    doubled = [value * 2 for value in values]
    return value, doubled
