# Statements that only make a list or tuple, at the start of a block and after code.
def alone():
    ([0],)


def in_try(a):
    try:
        ([0],)
    except ValueError:
        pass
    ([a],)
    ((a,),)
    [(a,)]


def after_code(a, b):
    a = b
    ([0],)
    (x,) = [a]
    return x
