# An annotated assignment is completed by the store to __annotations__: what follows it, not part of it, begins a loop.
a: T() = {}
while q():
    f()

for x in y:
    b: T(x) = x
    while q(b):
        f()


class C:
    c: T() = {}
    while q():
        f()


class D:
    d: T()
    while q():
        f()
    e: T() = 1
    while not q():
        d = e
