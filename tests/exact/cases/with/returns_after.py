# What follows a with statement is copied to where its handler swallows the exception, behind what drops the context manager.
def one_return_each(path, other):
    if path:
        with open(path) as f:
            a(f)
        return g(f)
    with other as f:
        b(f)
    return g(f)


def one_in_another(a, b, output, *args):
    if a:
        with a, b:
            pass
        return output
    if b:
        with a:
            output = b
    else:
        with b:
            output = a(*args)
    return output


# The exit of the statement around is copied, too.
def before_others(a, b, f, c):
    if a:
        with a, b:
            output = a
        return output
    if b:
        with a:
            f()
    else:
        with b:
            c()
    a.x = True
