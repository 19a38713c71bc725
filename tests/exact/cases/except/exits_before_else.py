# SPDX-License-Identifier: MIT
# An arm that ends with a `try` statement which never comes to its end: 3.8 keeps the jump after it, which tells whether what
# comes next is an `elif`, an `else`, or follows the `if`.
def elif_that_returns(self, a):
    if self.a:
        try:
            return a, self.b
        except Exception:
            return 1
    elif self.c:
        return 5
    return self.z


def elif_that_goes_on(self, a):
    if self.a:
        try:
            return a, self.b
        except Exception:
            return 1
    elif self.c:
        a()
    return self.z


def elif_with_loop(self, a):
    if self.a:
        try:
            return a, self.b
        except Exception:
            return 1
    elif self.b:
        try:
            return self.b
        except Exception:
            return 2
    elif self.c:
        for f in a:
            try:
                return f
            except Exception:
                pass
        return 5
    return self.z


def no_elif(self, a):
    if self.a:
        try:
            return a, self.b
        except Exception:
            return 1
    if self.c:
        return 5
    return self.z


def in_loop(self, a):
    for b in a:
        if b:
            try:
                return b.x
            except Exception:
                return 1
        elif b.y:
            try:
                return b.y
            except Exception:
                raise
        self(b)
    return a


def raises_after(value, kind):
    if kind is Date:
        if isinstance(value, (str, Date)):
            try:
                return Single(value)
            except ValueError:
                return Text(str(value))

        raise Error(2)

    if kind is int:
        try:
            return int(value)
        except ValueError as e:
            raise Error(3) from e

    raise Error("invalid")


def raises_in_else(value, kind):
    if kind is int:
        try:
            return int(value)
        except ValueError:
            return 3
    else:
        raise Error("invalid")


# Several tests after a statement that never comes to its end.
def chain_after_try(s, b):
    if s == 1:
        try:
            return b.p()
        except TypeError:
            g(b)
            return False
    elif s == 2:
        return b.q()
    elif s == 3:
        b.c = 1
        return True
    raise Exception(s)
