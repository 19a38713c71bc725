# Constants that are evaluated and dropped: a statement that is one alone compiles to no code.
def in_loops(a):
    for i in a:
        1 or i
    while a:
        () and a
        i
    return a


def in_try(a):
    try:
        False and a
    except E:
        a
    (1, 2) if 1 else a
    'text' or a
    -1 or a
    '' and a


... or a
(x): 1 = a
(x): 'text'
a.b: 5
a[0]: ''
