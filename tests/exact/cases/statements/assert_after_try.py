# What an assertion after a try statement raises has no handler there.
def one(tok):
    try:
        if tok == "a":
            return 1
    except Exception as e:
        raise ValueError(str(e)) from e
    assert False, repr(tok)


def several(tok):
    try:
        if tok == "a":
            return 1
        elif tok == "w":
            g()
            return 2
    except Exception as e:
        raise ValueError(str(e)) from e
    assert False, repr(tok)


def managed(tok):
    with m:
        if tok == "a":
            return 1
    assert False, repr(tok)


def loops(tok):
    try:
        while True:
            if tok():
                continue
            break
    except ValueError:
        pass
    assert 0, tok


def clause(tok):
    try:
        g()
    except ValueError:
        if tok == "a":
            return 1
    raise AssertionError
