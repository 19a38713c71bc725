# SPDX-License-Identifier: MIT
# Ways out of for loops: what drops the iterator, and where it leads.


def raise_behind(f, a, e):
    for j in f:
        break
    else:
        if f:
            y = a
        y = e
    raise a


def break_into_outer_test(f, d, e):
    while f:
        for i in d:
            if e is None:
                x = d
                break
    if d:
        x()
    f()


def never_again(f, e, a, b, c, d):
    for j in f():
        for j in e:
            if c or f(b) and not f:
                raise a(b)
            if f() == 1 or d(a):
                raise a
            else:
                f()
                raise a(b)


def common_end(items, key):
    for item in items:
        if item.key == key:
            found = item
            break
        if item.alias == key:
            found = item.target
            break
    else:
        found = None
    return found.value


def returned_value(items, limit):
    for item in items:
        if item > limit:
            break
        if not item:
            return item
    return item


def break_in_clause(items):
    for item in items:
        try:
            item()
        except ValueError:
            break
        except KeyError:
            continue
        else:
            items = item
    items.close()
    return items


def break_in_with(items, lock):
    for item in items:
        with lock:
            if item:
                break
            item()
    items.close()


async def break_in_async(items):
    async for item in items:
        if item:
            break
    else:
        items()
    raise item


def break_to_outer_loop(self):
    while True:
        line = self.readline()
        if line.startswith("a"):
            self.append(line)
            while True:
                line = self.readline()
                if line == "b":
                    self.stop(1)
                    break
                elif not line:
                    self.stop(2)
                    break
        elif not line:
            break
    self.end()


def arm_goes_on(self, oid=None):
    if self.info:
        typ, val, tb = self.info
    else:
        return None
    flist = None
    if oid is not None:
        flist = self.get(oid)
    while tb and tb.name in ["rpc", "run"]:
        tb = tb.next
    self.last = typ
    return item(flist, tb)


def tests_that_end_both_arms(a, b):
    while a:
        for x in b:
            if x.a:
                x.b()
                if not x.c:
                    break
            elif x.b:
                if not x.c:
                    break


# A loop that begins with a `try` that begins with a loop: two headers, of which one is protected.
def loops_that_begin_in_a_protected_loop(a, c, q):
    while True:
        try:
            while c:
                a()
        finally:
            q()
        c.x


def and_one_that_continues(a, c, q):
    while True:
        try:
            while c:
                if q:
                    continue
                a()
        except ValueError as e:
            q(e)
        else:
            break
        finally:
            q()
        c.x


# What follows the loop is short: it is duplicated at a `break` out of a `with` statement, but not after the else.
def else_beside_a_copied_exit(c, m, n, z):
    while c:
        with m as w, n:
            if w:
                break
        z()
    else:
        z.x
    m.y


def else_of_a_for_beside_a_copied_exit(c, m, z):
    for x in c:
        with m as w:
            if w:
                break
        z(x)
    else:
        z.x
    m.y
