# SPDX-License-Identifier: MIT
# try / finally: bodies that branch, loop and handle, ways out through them, nested ones.


def plain(f, g):
    try:
        f()
    finally:
        g()


def then(f, g):
    try:
        f()
    finally:
        g()
    print(1)


def inner_try(self, name, func):
    try:
        func()
    finally:
        try:
            self.delete(name)
        except KeyError:
            pass


def inner_if(self):
    try:
        file = self.file
        self.file = None
        if file is not None:
            file.close()
    finally:
        sock = self.sock
        self.sock = None
        if sock is not None:
            sock.close()


def inner_if_else(self, f):
    try:
        f()
    finally:
        if self.a:
            f(1)
        elif self.b:
            f(2)
        else:
            f(3)
    return f


def inner_loop(self, f):
    try:
        f()
    finally:
        for i in self:
            i.close()


def inner_loop_then(self, f):
    try:
        f()
    finally:
        while self.x:
            self.x()
        print(1)
    print(2)


def inner_with(self, f):
    try:
        f()
    finally:
        with self.lock:
            f(2)


def except_finally(self):
    if self.sock is not None:
        try:
            self.quit()
        except (OSError, EOFError):
            pass
        finally:
            if self.sock is not None:
                self.close()


def all_clauses(f, g):
    try:
        f()
    except ValueError as e:
        g(e)
    except TypeError:
        raise
    else:
        g(1)
    finally:
        g(2)
    g(3)


def value(f, g):
    try:
        return f()
    finally:
        g()


def constant(f, g):
    try:
        f()
        return 1
    finally:
        g()


def value_in_branch(f, g):
    try:
        if f():
            return g
        f(1)
    finally:
        g()
    return f


def value_after(f, g):
    x = None
    try:
        x = f()
    finally:
        g()
    return x


def values_by_branch(self, f, g):
    try:
        if f():
            return 1
        elif g():
            return 2
        else:
            return f(3)
    finally:
        if self.x:
            g()


def nested(self, f, g):
    try:
        fut = f()
        try:
            g(fut)
            return True
        finally:
            self.remove(fut)
    finally:
        self.acquire()


def nested_then(self, f, g):
    try:
        try:
            f()
        finally:
            g()
        del f
        g()
    finally:
        try:
            self.remove()
        except OSError:
            pass


def generator(reader, remove):
    fd, path = remove.make()
    try:
        try:
            remove.write(fd, reader())
        finally:
            remove.close(fd)
        del reader
        yield path
    finally:
        try:
            remove(path)
        except FileNotFoundError:
            pass


def break_through(items, g):
    for i in items:
        try:
            if i:
                break
            if i.a:
                continue
            i()
        finally:
            g()
    return g


def break_through_while(f, g):
    while True:
        try:
            x = f()
            if x:
                break
        finally:
            g()
        print(x)
    print(2)


def return_through_loop(items, g):
    for i in items:
        try:
            if i:
                return i
        finally:
            g()
    return None


def return_in_finally(f, g):
    try:
        f()
    finally:
        return g


def return_in_finally_branch(f, g):
    try:
        f()
    finally:
        if g:
            return g
    return f


def raise_in_finally(f, g):
    try:
        f()
    finally:
        if g():
            raise ValueError


def reraise_in_finally(self, f):
    try:
        f()
    except ValueError:
        try:
            self.close()
        finally:
            raise
    finally:
        self.x = None


def loop_in_finally(self, f):
    try:
        f()
    finally:
        cancelled = False
        while True:
            try:
                self.acquire()
                break
            except ValueError:
                cancelled = True
        if cancelled:
            raise ValueError


def handlers_return(f, g):
    try:
        return f()
    except ValueError as e:
        return e
    except TypeError:
        g()
        return None
    finally:
        g(1)


def handlers_continue(items, g):
    for i in items:
        try:
            i()
        except ValueError:
            continue
        except TypeError:
            break
        finally:
            g()
        g(i)
    else:
        g(1)


def else_and_finally(f, g):
    try:
        x = f()
    except ValueError:
        return None
    else:
        return x
    finally:
        g()


def finally_in_handler(f, g):
    try:
        f()
    except ValueError:
        try:
            g()
        finally:
            f(1)
    print(1)


def finally_raises_all(f, g):
    try:
        raise ValueError
    finally:
        g()


def raise_only(f, g):
    try:
        f()
        raise ValueError(f)
    finally:
        g()


def several(self, f, g):
    try:
        f()
    finally:
        self.a = 1
        self.b = None
        for i in self.c:
            if i:
                g(i)
                continue
            try:
                i()
            except OSError as e:
                g(e)
            finally:
                f(i)


def with_inside(self, f):
    try:
        with self.lock as x:
            f(x)
            return x
    finally:
        f()


def inside_with(self, f):
    with self.lock:
        try:
            return f()
        finally:
            self.x = 1


def closure(f):
    def g():
        return x

    try:
        x = f()
    finally:
        del f
    return g


def whole_loop(f, g):
    try:
        for i in f:
            if i:
                return i
            g(i)
        else:
            g()
    finally:
        f.close()


def whole_while(f, g):
    try:
        while True:
            x = f()
            if not x:
                break
            g(x)
    finally:
        f.close()


def finally_returns(x):
    try:
        f1()
        return
    finally:
        f2()
        return x


def finally_may_break(x):
    for i in x:
        try:
            f1()
            if x:
                return x()
        finally:
            if f2():
                break
            f3()
    f4()


def finally_may_return(x):
    while True:
        try:
            f1()
        finally:
            if f2():
                return x.y
            if f3():
                return x()


def finally_in_finally(self):
    try:
        if self.mode:
            self.buffer.close()
        elif self.other:
            self.write(self.flush())
    finally:
        try:
            if self.closefp:
                self.fp.close()
        finally:
            self.fp = None
            self.closefp = False


def loop_in_finally(z, b, e, f):
    try:
        z += 1
    finally:
        with f():
            for i in e():
                with b.x:
                    f()
                break
            else:
                b()
                if f(f):
                    z = e
