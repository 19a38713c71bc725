class C(*bases, k=f(*a)):
    pass


class D(*bases, *more(*a, **k), m=[g(*a) for a in b], **h(**k)):
    x = f(*a)


class E(A, *bases, f(*a, **k)):
    def m(self):
        return f(*self)
