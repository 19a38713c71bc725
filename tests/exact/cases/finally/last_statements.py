"""What a finally clause says last, behind statements that the compiler copies it behind."""


def w1(self, w):
    try:
        f(w)
    finally:
        with z(self):
            w = None
        s = None


def w2(self, w):
    try:
        f(w)
    finally:
        with z(self):
            u()
        s = None


def w3(self, w):
    g()
    try:
        f(w)
    finally:
        with z(self):
            u()
        s = None


def w4(self, w):
    g()
    try:
        f(w)
    finally:
        with z(self):
            w = None
        s = None


def w5(self, w):
    try:
        f(w)
    finally:
        with z(self):
            w = None
        s = None
        g()


def w6(self, w):
    try:
        f(w)
        h()
    finally:
        with z(self):
            w = None
        s = None


def w7(self, w):
    try:
        f(w)
        h()
    finally:
        with z(self):
            w()
        s = None


def v2(self, c):
    if c:
        w = 1
    try:
        f(w)
        self.g(w)
        h()
    finally:
        with z(self):
            w = None
        s = None


def v3(self, c):
    if c:
        w = 1
    try:
        f(w)
        self.g(w)
        h()
    finally:
        w = None


def v4(self, c):
    if c:
        w = 1
    try:
        f(w)
        self.g(w)
        h()
    finally:
        with z(self):
            s = None
        f(s)


def v5(self, c):
    if c:
        w = 1
    f(w)
    del w


def v6(self, c):
    if c:
        w = 1
    f(w)
    w = 2


def v7(self, c):
    if c:
        w = 1
    f(w)
    with z(self):
        w = None


def v8(self, c):
    if c:
        w = 1
    f(w)
    try:
        z(self)
    finally:
        w = None


def t1(self, w):
    try:
        f(w)
    finally:
        try:
            a()
        except E:
            b()
        s = None


def t2(self, w):
    try:
        f(w)
    finally:
        try:
            a()
        except E as e:
            b()
        s = None


def t3(self, w):
    try:
        f(w)
    finally:
        try:
            a()
        except E as e:
            b()
        except D:
            d()
        else:
            c()
        s = None


def t4(self, w):
    try:
        f(w)
    finally:
        if a:
            b()
        elif c:
            d()
        s = None


def t5(self, w):
    try:
        f(w)
    finally:
        for x in w:
            if x:
                break
        s = None


def t6(self, w):
    try:
        f(w)
    finally:
        for x in w:
            if x:
                break
        else:
            g()
        s = None


def t7(self, w):
    try:
        f(w)
    finally:
        while w:
            w()
        s = None


def t8(self, w):
    try:
        f(w)
    finally:
        try:
            a()
        finally:
            b()
        s = None


def t9(self, w):
    try:
        f(w)
    finally:
        with a:
            b()
        with c:
            d()
        s = None


def t10(self, w):
    try:
        f(w)
    finally:
        with a, c:
            d()
        s = None


def t11(self, w):
    try:
        f(w)
    finally:
        with a:
            if x:
                d()
        s = None


def t12(self, w):
    try:
        f(w)
    except E:
        g()
    finally:
        with a:
            d()
        w.p = None


def t13(self, w):
    for x in w:
        try:
            f(w)
        finally:
            with a:
                d()
            w.p = None


def t14(self, w):
    for x in w:
        try:
            f(w)
            return x
        finally:
            with a:
                d()
            w.p = None


async def t15(self, w):
    try:
        f(w)
    finally:
        async with a:
            await d()
        w.p = None


def t16(self, w):
    try:
        f(w)
    finally:
        with a:
            d()
        if w:
            s = 1


def t17(self, w):
    try:
        f(w)
    finally:
        with a:
            d()
        if w:
            s = 1
        else:
            s = 2


def t18(self, w):
    try:
        f(w)
    finally:
        try:
            a()
        except E:
            pass
        except D:
            pass
        s = None


def z1():
    try:
        w()
    finally:
        try:
            q
        except E:
            q
        else:
            a


def z2():
    with m as n:
        q
    try:
        w()
    finally:
        try:
            q()
        except E:
            q()
        else:
            a()


def z3():
    with m as n:
        q
    try:
        w()
    finally:
        try:
            q()
        except E:
            q()


def z4():
    with m as n:
        q
    try:
        w()
    finally:
        try:
            q()
        except E:
            pass


def z5():
    with m as n:
        q
    try:
        w()
    finally:
        z


def z6():
    with m as n:
        q
    try:
        w()
    finally:
        if a:
            z


def z7():
    if u:
        with m as n:
            q
    try:
        w()
    finally:
        try:
            q
        except E:
            q
        else:
            a
