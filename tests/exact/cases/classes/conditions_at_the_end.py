# What the compiler adds to the end of a class body is duplicated for each test that leads there.
class A:
    if x != "a" or (not y and z(x)):

        @w(x, a=x, u=y)
        async def send(self, b: x, a: z = (), f: int = 0, address: z = None, /) -> int:
            pass


class B:
    if x:
        if x or (not y and z):
            a = 1
    elif x or (not y and z):
        c: int = 2
    else:
        if x or (not y and z):

            def f(self):
                self.x = super().f(a)


class C:
    for x in y:
        if x or (not y and z):
            break
        with m:
            if x or (not y and z):

                def g(self, x: z = y):
                    return super().f(a)
