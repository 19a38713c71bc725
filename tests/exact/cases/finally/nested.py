"""Loops and comprehensions of finally clauses within finally clauses."""


def a1(self):
    try:
        call()
    finally:
        fds = [g() for _ in range(8)]


def a2(self):
    try:
        call()
    finally:
        fds = [g() for _ in range(8)]
        for fd in fds:
            f(fd)


def a3(self):
    try:
        call()
    finally:
        fds = [g() for _ in range(8)]
        try:
            f(fds)
        finally:
            g(fds)


def a4(self):
    try:
        call()
    finally:
        x()
        try:
            f(fds)
        finally:
            for fd in fds:
                g(fds)


def a5(self):
    try:
        call()
    finally:
        fds = [g() for _ in range(8)]
        try:
            f(fds)
        finally:
            for fd in fds:
                g(fds)


def b1(self):
    try:
        c()
    finally:
        x()
        try:
            f(fds)
        finally:
            for fd in fds:
                g(fds)
        y()


def b2(self):
    try:
        c()
    finally:
        x()
        try:
            f(fds)
        finally:
            while fds:
                g(fds)


def b3(self):
    try:
        c()
    finally:
        try:
            f(fds)
        finally:
            for fd in fds:
                g(fds)


def b4(self):
    try:
        c()
    except E:
        try:
            f(fds)
        finally:
            for fd in fds:
                g(fds)


def b5(self):
    try:
        c()
    finally:
        x()
        try:
            f(fds)
        finally:
            for fd in fds:
                g(fds)
    return 5


# In a finally body, an else whose except clause leaves more than one construct.
def else_in_finally(a, b, c):
    try:
        a()
    finally:
        try:
            b()
        except ValueError:
            c()
        else:
            if a:
                a.x
        finally:
            c.x


def else_of_a_clause_in_finally(a, b, c):
    try:
        a()
    finally:
        try:
            b()
        except ValueError:
            try:
                a()
            except TypeError:
                c()
            else:
                b.x


def last_in_a_with(a, b, c):
    try:
        a()
    finally:
        with a as w:
            try:
                b()
            except ValueError:
                c()
            else:
                raise w
            finally:
                c.x


def returns_before_a_guarded_call():
    try:
        try:
            a()
        finally:
            b()
            return
    finally:
        try:
            g()
        except E:
            h()
