# The last case leaves what it protects at once; the case before has a guard, and both lead there.
match subject(1):
    case [] if g0:
        pass
    case _:
        try:
            pass
        finally:
            g2()


def function(a, b):
    match a:
        case [x] if b:
            x()
        case _:
            try:
                pass
            finally:
                b()
                try:
                    pass
                except g0:
                    pass
