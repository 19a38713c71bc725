# Bodies of try statements that do nothing, and try statements whose ends nothing reaches.
def body_of_pass(a):
    try:
        pass
    finally:
        a()


def body_of_pass_in_a_loop(a, b):
    while a:
        try:
            pass
        except A:
            a()
        except B as e:
            b(e)
    while b:
        try:
            try:
                pass
            finally:
                a()
        finally:
            b()


def finally_of_pass(a):
    if a:
        return 1
    try:
        pass
    finally:
        pass


def else_clause_within_finally_in_a_loop(a, b):
    while a:
        try:
            a()
        except A:
            b(1)
        except:
            b(2)
        else:
            b(3)
        finally:
            b(4)


def behind_what_always_raises(a, b):
    try:
        raise a
    except A:
        raise b
    a(b)
    return b


def behind_what_always_returns(a, b):
    try:
        return a
    finally:
        b()
    while a:
        b(a)
    return b


def function_behind_what_always_raises(a):
    try:
        raise a
    except A as e:
        raise e

    def inner(b):
        return a + b

    return inner


def loop_that_only_such_an_end_leads_back_to(a, b):
    while True:
        try:
            return a()
        except A:
            raise
        except B as e:
            if e:
                return None
            raise


def behind_such_an_end_in_a_loop(a, b):
    for x in a:
        try:
            raise x
        except A:
            break
        b(x)
    return b


def else_clause_that_nothing_reaches(a, b):
    try:
        raise a
    except A:
        a()
    else:
        b()
    return a


def nested_ends(a, b):
    try:
        try:
            raise a
        finally:
            b()
        a(1)
    except A:
        raise b
    b(2)


def arms_of_such_ends(a, b):
    if a:
        try:
            return a
        finally:
            b()
    else:
        try:
            raise b
        except A:
            return b
    return a(b)
