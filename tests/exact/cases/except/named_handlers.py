# SPDX-License-Identifier: MIT
# What stands behind a clause with a name: in 3.8 it unbinds the name in one way at its end and in another before a jump.


def break_behind_continue(self):
    while True:
        try:
            print(self)
        except OSError as e:
            if self:
                continue
        break
    return 4


def break_behind_other_clause(self):
    while True:
        try:
            print(self)
        except OSError as e:
            if self:
                print(e)
        except ValueError:
            continue
        break
    return 4


def break_of_a_test(self, a):
    while self:
        try:
            print(self)
        except OSError as e:
            if self:
                self.offset += 1
                continue
        except ValueError:
            if self.offset == 0:
                raise OSError("empty")
        except KeyError as e:
            raise OSError(str(e))
        break
    return a


def else_that_returns(self, p, f, g):
    if p:
        try:
            m = f()
        except OSError as e:
            return 1
        except:
            return 2
        else:
            g(m)
            return 3
    elif self:
        g()
        return 4
    else:
        return 5


def else_with_finally(self, p, f, g):
    if p:
        g()
    elif self:
        try:
            m = f()
        except OSError as e:
            return 1
        except:
            return 2
        else:
            g(m)
            try:
                g()
                return 7
            finally:
                f()
    else:
        return 5
