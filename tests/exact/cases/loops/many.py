# More loops behind each other than may be nested.


def many(source):
    while True:
        try:
            source.take(0)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(1)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(2)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(3)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(4)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(5)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(6)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(7)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(8)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(9)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(10)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(11)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(12)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(13)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(14)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(15)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(16)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(17)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(18)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(19)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(20)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(21)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(22)
        except KeyError:
            break
        source.go()
    while True:
        try:
            source.take(23)
        except KeyError:
            break
        source.go()
