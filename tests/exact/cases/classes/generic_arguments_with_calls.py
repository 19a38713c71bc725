class C[T](*bases, k=f(*a)):
    pass


class D[T: g(*a), *Ts](*[A], *more(*a, **k), m=len(*b)):
    x = f(*a)
