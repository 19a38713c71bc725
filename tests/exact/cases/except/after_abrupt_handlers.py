# SPDX-License-Identifier: MIT
# Statements that do not come to their end: what stands behind them, and how they are left.
def clauses_leave(self):
    try:
        conn, addr = self.socket.accept()
    except TypeError:
        return None
    except OSError as why:
        if why.args[0] in (A, B):
            return None
        else:
            raise
    else:
        return conn, addr


def body_breaks(values):
    for value in reversed(values):
        try:
            high = bits(value)
            break
        except Exception:
            raise TypeError("I") from None
    return 2 ** (high + 1)


def else_breaks(i):
    while True:
        try:
            tasks = list(everything)
        except RuntimeError:
            i += 1
            if i >= 1000:
                raise
        else:
            break
    return tasks


def next_behind_if(s):
    if isinstance(s, str):
        try:
            return s.encode("ascii")
        except UnicodeError:
            raise ValueError("no")
    if isinstance(s, bytes):
        return s
    return memoryview(s).tobytes()


def finally_left(self):
    try:
        for i in self:
            if i:
                continue
            i()
        return True
    finally:
        self.close()


def with_left(name):
    with open(name) as f:
        for line in f:
            if line:
                return line
        return None


def return_of_constant(s):
    if not s:
        return True
    try:
        int(s)
        return True
    except ValueError:
        return False


def else_breaks_for(names):
    for name in names:
        try:
            found = load(name)
        except ImportError:
            pass
        else:
            break
    else:
        found = None
    return found


def assignment_ends_function(self, z, g, c):
    with z as e:
        g()
    c = e


def attribute_ends_function(self, z, g, c):
    if c:
        with z:
            g()
    elif g:
        z()
    self.x = c


def deletion_ends_function(self, z, g, c):
    try:
        g()
    except ValueError:
        z()
    del c
