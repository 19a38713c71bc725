# Values that are kept for a second store beside an unpacking, where a loop's test is copied behind the store.
def kept_for_an_attribute():
    while q():
        d.last = x, y = q()


def kept_for_an_item():
    while q():
        d[0] = d[1] = [x, *y] = q()
    return x


def last_before_a_loop():
    d.last = x, y = q()
    while q(x, y):
        pass


def walrus_before_an_unpacking():
    [a] = (c := a)
    while q(a):
        [a] = (c := a)
