def loop_that_never_goes_on(a):
    while True:
        for x in a:
            raise x


def loop_that_never_goes_on_in_a_loop(a, y):
    for z in a:
        for b in y:
            break
        else:
            return 1
        for z in a:
            raise z


def with_in_a_handler_in_a_finally(a, b, g):
    try:
        g()
    finally:
        try:
            a()
        except ValueError as e:
            with b:
                g(e)


def chained_comparison_in_a_message(a, y):
    assert a, a or a < y <= a


def chained_comparison_that_is_raised(a, b, y):
    if y:
        raise b < y <= a from b


def yield_in_a_finally_in_a_handler(a, d):
    try:
        a()
    except d as b:
        try:
            x = a(b)
        finally:
            yield a


def test_decided_by_a_constant(a, b):
    return [x for x in a if (b and x or 1)]
