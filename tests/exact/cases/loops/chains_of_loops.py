# Loops that nothing but a break in a clause of the one before leads to.


def chain(source):
    while True:
        try:
            source.first()
        except KeyError:
            break
        source.go(1)
    while True:
        try:
            source.second()
        except KeyError:
            break
        source.go(2)
    while True:
        try:
            source.third()
        except KeyError:
            break
        source.go(3)
    while True:
        try:
            source.fourth()
        except (KeyError, ValueError) as error:
            if error.final:
                break
        source.go(4)
    return source
