# SPDX-License-Identifier: MIT
# `except E as x` that comes to its end, and that is left by a statement.
def a(x):
    for i in x:
        try:
            y()
        except E as e:
            z(e)
            continue
        k()


def b(x):
    for i in x:
        try:
            y()
        except E as e:
            z(e)
        else:
            k()


def c(x):
    if x:
        try:
            y()
        except E as e:
            z(e)
            return
    else:
        foo()


def handler_of_four(self):
    if not self.closed:
        try:
            self.skip()
        finally:
            self.closed = True


def return_behind_two(self):
    try:
        path = self.find(1)
    except KeyError:
        self.error("no name")
        return None
    except ValueError:
        try:
            path = self.find()
        except TypeError:
            self.error("no file")
            return None
    return path


def return_behind_loop(item):
    try:
        importer = cache[item]
    except KeyError:
        for hook in hooks:
            try:
                importer = hook(item)
                break
            except ImportError:
                pass
        else:
            importer = None
    return importer


def last_clause_returns(self, how):
    try:
        if how == "CALL":
            return "OK", self
        return "ERROR", "type %s" % how
    except SystemExit:
        raise
    except ValueError as e:
        return "FAILED", e
    except:
        self.print(how)
        return "EXCEPTION", None


def break_to_clause_end(st):
    if st:
        try:
            st.change()
        except OSError as why:
            for name in "EOPNOTSUPP", "ENOTSUP":
                if hasattr(errno, name):
                    break
            else:
                raise
