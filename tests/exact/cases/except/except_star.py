# SPDX-License-Identifier: MIT
# except* clauses: names, several of them, else and finally, nested ones, in loops.


def one(f):
    try:
        f()
    except* ValueError:
        print(1)


def named(f):
    try:
        f()
    except* ValueError as e:
        print(e)
    print(2)


def several(f):
    try:
        f()
    except* ValueError as e:
        print(e)
    except* (TypeError, OSError):
        print(1)
    except* f.error as x:
        pass
    return f


def with_else(f, g):
    try:
        f()
    except* ValueError:
        print(1)
    else:
        g()
    finally:
        print(3)
    return 4


def raises(f):
    try:
        f()
    except* ValueError as e:
        raise KeyError from e
    except* TypeError:
        raise


def branches(f, g):
    try:
        f()
    except* ValueError as e:
        if g(e):
            print(e)
        else:
            print(1)
    print(2)


def inside_loop(items):
    for i in items:
        try:
            i()
            if i.a:
                break
        except* ValueError as e:
            print(e)
    return items


def loop_inside(f):
    try:
        f()
    except* ValueError as group:
        for e in group.exceptions:
            if e.args:
                continue
            print(e)


def nested(f, g):
    try:
        try:
            f()
        except* ValueError as e:
            print(e)
    except* TypeError as e:
        try:
            g()
        except* OSError as e2:
            print(e, e2)
    except* KeyError:
        try:
            g()
        except OSError as e3:
            print(e3)
        finally:
            g(2)


def with_inside(f, g):
    try:
        f()
    except* ValueError:
        with g() as x:
            x()


def try_else_last(f, g):
    try:
        f()
    except* ValueError:
        try:
            f()
        except KeyError:
            g()
        else:
            g(1)


def try_else_before_return(f, g):
    try:
        f()
    except* ValueError:
        try:
            f()
        except KeyError:
            g()
        else:
            def inner():
                return 5
    else:
        return 4


def try_else_in_loop(f, g):
    for x in f:
        try:
            f()
        except* ValueError as e:
            try:
                f()
            except KeyError as k:
                g()
            else:
                g(1)


def loops_in_clause(f, g):
    while f():
        try:
            f()
        except* ValueError:
            for x in g:
                if x:
                    break
                try:
                    f()
                except KeyError:
                    continue
                g(x)
            else:
                g()


try:
    import a
except* ImportError as e:
    b = e


def loop_that_ends_a_clause(a, b):
    if a:
        try:
            a()
        except* KeyError as x:
            for i in b:
                if i:
                    break
            else:
                b.c(x)


def always_raises(p, q, s):
    try:
        raise E(any(p < q for i in s) and "t")
    except* E if p else F:
        raise E(q)
    finally:
        a, b = a, *b = ["u" for i in s]
