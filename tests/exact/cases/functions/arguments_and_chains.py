class C:
    def f(self, g):
        g(__x=1, _C__y=2)
        g(**{'__z': 1}, _C__w=3, __v=4)
        g(*(1, 2, 3)), g(*()), g(*(1, 2), a=3), g(*(1, 2), **self.a)

    def chain_at_the_end(self, x, lst, ref):
        self.assertTrue(set(x) == set(lst) == set(ref))

    def chain_returned(self, x):
        return self.check(0 <= x.a <= 255 < x.b, x)

    def one(self):
        data = start = end = lambda *a: None
        self.a["x"] = self.a["y"] = self.a["z"] = lambda x: float(x.replace(",", "."))
        return data

    def sets(self):
        return {1, 1, 2}, {1, 1.0, True}, {1, 2, 3}

    def slices(self, x):
        return x[500 - 150:], x[: 1 << 30], x[1:2], x[7:7 + 8], x[-1:], x[1:2:self], x[:: 1 + 1]

    data = start = end = lambda *a: None
