# Loops that begin with a `try` that does nothing, in another one.
try:
    while a:
        try:
            pass
        except E:
            pass
except E:
    pass


def counted(a):
    try:
        i = 3
        while i > 0:
            try:
                pass
            except E:
                pass
            i -= 1
        for i in a:
            b
            while i:
                try:
                    pass
                except E:
                    b
            b
    except E:
        pass
    return a


def beside_full_ones(a):
    try:
        while a:
            try:
                a()
            except E:
                pass
        while True:
            try:
                try:
                    pass
                except E:
                    pass
                a()
            except F:
                pass
    except E:
        pass


def ends():
    try:
        a()
    finally:
        while b:
            try:
                pass
            except E:
                pass
            c()

        class D:
            pass


def ends_alone():
    try:
        a()
    finally:
        while b:
            try:
                pass
            finally:
                c()

        class D:
            pass


def ends_by_break():
    try:
        a()
    finally:
        while c:
            try:
                pass
            except E:
                break
            else:
                b()

        class D:
            pass
