# Class bodies that only read what they declare global: their own namespace may have been given the name.
class Read:
    global x
    x
    y = [z for z in x]


class BesideComprehensions:
    global a, b
    c = [d for d in e if g]
    a
    h = lambda: b
    i = [b for j in k]
    l = b


def function():
    class Inner:
        global x
        y = x

    return Inner
