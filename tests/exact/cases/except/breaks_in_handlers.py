# What a `break` in a clause leads to: compilers write it next to the clause, or at the end.
def one_clause_goes_on(a, b, c, rest):
    while True:
        try:
            x = a()
        except KeyError:
            break
        except:
            c()
        b()
    rest()


def behind_a_statement(a, b, c, rest):
    while True:
        try:
            x = a()
        except KeyError:
            x = 2
            break
        except ValueError as error:
            c(error)
        b(x)
    rest()
    return 5


def a_name_is_unbound(a, b, c):
    while True:
        try:
            x = a()
        except KeyError as error:
            c(error)
            break
        except ValueError:
            pass
        b()
    return x.y


def in_a_for_loop(a, b, rest, after):
    for u in a:
        while b():
            try:
                x = a()
            except KeyError:
                break
            except ValueError:
                a.lost()
            b(x)
        rest()
    after()


# The test is the header of both loops, where compilers do not copy it.
def nested_loops(a, b, c, rest):
    while True:
        while a:
            try:
                b()
            except KeyError:
                break
            except ValueError:
                c()
            a.step()
        if rest():
            return a
        a.next()


def with_an_else(a, b, rest, after):
    for u in a:
        while b():
            try:
                x = a()
            except KeyError:
                break
            except ValueError:
                a.lost()
            b(x)
        else:
            after(1)
            continue
        rest()
    after()


def continues_in_a_finally(a, e):
    for c in e:
        try:
            continue
        except KeyError:
            continue
        finally:
            a.close(c)


def never_ends_in_a_finally(a, b):
    try:
        raise a
    except KeyError:
        raise b
    finally:
        a.close()


def breaks_in_a_finally(a, e):
    for z in a:
        try:
            break
        except KeyError:
            raise e
        finally:
            a.close()


def breaks_where_a_name_is_unbound(a, b):
    for x in a:
        try:
            a()
        except KeyError as error:
            try:
                b(x, error)
                break
            except:
                pass


def an_else_that_raises(a, b):
    try:
        a()
    except KeyError as error:
        try:
            b()
        except:
            raise error from b
        else:
            a.close()
        raise a


def an_else_that_ends_a_finally(a, b):
    try:
        a()
    finally:
        try:
            b()
        except:
            raise a from b
        else:
            a.close()


def break_to_a_short_end(source, first, last):
    while True:
        try:
            root = source.next()
            if first <= root.real <= last and first <= root.imag <= last:
                break
        except (KeyError, ValueError):
            pass
        source = source.refine()
    return root


def breaks_out_of_two_handlers(a, b, c):
    while c:
        try:
            a()
        except KeyError as x:
            try:
                b()
            except TypeError:
                if c.d:
                    break
        a.b()
