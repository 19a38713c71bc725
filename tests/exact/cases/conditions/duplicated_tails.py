# SPDX-License-Identifier: MIT
# Conditional values in lines whose end is short enough to be copied behind each of them.


def argument(self, state):
    object.__setattr__(self, "int", state["int"])
    object.__setattr__(self, "is_safe", Safe(state["is_safe"]) if "is_safe" in state else Safe.unknown)


def item(user, delim, passwd):
    return user, (passwd if delim else None)


def raised(self, msg=None):
    if not self.seekable():
        raise ValueError("not seekable" if msg is None else msg)


def operand(self):
    return ("Allow" if self.allowance else "Disallow") + ": " + self.path + ("$" if self.fullmatch else "")


def nested(a, b, c):
    return f(a, b if a else c if b else None)


def either(x, f):
    return f(x, x.a or x.b)


def both_items(x, y, c):
    return f((x, y) if c else (y, x))


def chained_else(mon):
    try:
        mon = months[mon]
    except KeyError:
        try:
            imon = int(mon)
        except ValueError:
            return None
        if 1 <= imon <= 12:
            mon = imon
        else:
            return None
    return mon


def chained_loop(text):
    i = 0
    n = len(text)
    res = []
    while 0 <= i < n:
        o = search(text, i)
        if not o:
            res.append(text[i:])
            break
        res.append(1)
    return joined(res)


def chained_assert(self, proto, doc):
    self.a = doc
    assert isinstance(proto, int) and 0 <= proto <= pickle.HIGHEST_PROTOCOL
    self.proto = proto


def item_in_try(encoded):
    pad = len(encoded) % 4
    try:
        return decode(encoded, validate=True), [defect()] if pad else []
    except ValueError:
        return 1


def callee(on, inner, outer, item):
    (inner if on.get() else outer)(item)


def argument_in_try(items, hits):
    try:
        for item in items:
            hits += item
        print("Hits" if hits else "No hits.")
    except AttributeError:
        pass


def attribute_called(self):
    (self.set_timeout if self.delay else self.set_no_timeout)()


def attribute_called_with(self, x):
    return (self.set_timeout if self.delay else self.set_no_timeout)(x, 1)


def explicit_return_behind_a_chain(a, b, c, x):
    if a:
        x = a < b < c
        return
    print(x)


def explicit_return_in_the_last_arm(a, b, c, x):
    if a:
        print(x)
    else:
        x = a < b < c
        return


def none_behind_a_chain(a, b, c, x):
    if a:
        x = a < b < c


# A condition that is a conditional expression: the arm that its two tests share has one copy for each.
def conditions_that_are_conditional(g, a, z):
    g(p if (q if r else s) else t)
    z.x = p if (q if r else s) else t
    del a, z[p if (q and w if r else s) else t]
    assert a, p if (q if r else s if u else v) else t
    return g, p if (q if r else not s) else t


in_a_lambda = lambda: p if (q if r else s) else t
in_another = lambda: p if (q if r else s if u else v) else t if w else x


class InABody:
    x = p if (q if r else s) else t


def calls_of_a_conditional_expression():
    if a:
        return (p if q else r)(s)
    if b:
        raise (p if q else r)(s)
    (p if q else r)(s, k=t)
    return lambda: (p if q else r)(s)


def calls_in_the_arms(a):
    if a:
        x = p(s) if q else r(s)
    if q:
        y = P + str(a)
    else:
        y = R + str(a)
    return p(s) if q else r(s)
