# A `return` in a with statement is not the implicit one at the end, but copies of a `raise` are one statement.
def before_tries(c, F, E, a):
    with c(2) as d:
        return
    try:
        x = d
    except F:
        pass
    try:
        raise
    except E:
        pass
    for x in a:
        pass


def before_a_loop(c, F, E, a):
    with c():
        return
    for x in a:
        try:
            c(x)
        except F:
            pass
        try:
            raise E
        except E:
            pass
    a()
