# SPDX-License-Identifier: MIT
# A conditional expression as the only item, and operands after it: no compiler copies more than four instructions.
def item(c):
    return ("39" if c else "49",)


def operands(c, a, b, n):
    return (str(a + n if c else b + n),)


def operand_after(c, a, b, n):
    return str((a if c else b) + n)


# What follows a conditional of constants is copied into its first arm, too, and from 3.14 on that copy alone is folded.
def tuples(c, d, f):
    if d == 1:
        return ("a" if c else "b", None, 3, True)
    elif d == 2:
        return ("a" if c else "b" if d else "c", "d")
    elif d == 3:
        return (2 if not c.b else (), False)
    return f((0 if c else -1, 300, ...))


def within(c):
    with c:
        return (1 if c.d else 2, 3)


def lists(c):
    if c.one:
        return ["a" if c else "b", "c", "d"]
    return ["a" if c else "b" if c.two else "c", "d", 1]


def operations(c):
    if c.one:
        return (("a", "b") if c else ("c", "d")) in c.all
    elif c.two:
        return 3 * (1 if c else 2)
    return (c or 3) + 4


def folded_operations(c):
    if c.one:
        return -(1 if c else 2)
    elif c.two:
        return ("a" if c else "b") + "c"
    elif c.three:
        return {"a" if c else "b", "c", "d"}
    elif c.four:
        return not (1 if c else 2)
    return (("a", "b") if c else ("c", "d"))[0]


# Many keywords are put into a dict one by one, by instructions without a line.
def keywords(o, b, d):
    m = f(a=b, b=b, c=b, d=b, e=b, f=b, g=b, h=b, i=b, j=b, k=b, l=b, m=b, n=b, o=b, p=b, q=b, r=b if b is not d else o.b)
    return cast(d, m)


# A lambda has no statement that says so.
in_lambdas = [
    lambda e: ("a" if e.one else "b", "c"),
    lambda e: ("a" if e.one else "b" if e.two else "c", "d"),
    lambda e, _: (
        "a" if e.one else "b",
        "c",
    ),
]


# What follows is copied, but not folded with the constant of the last arm, which falls through to it.
def small(m):
    if m.one:
        return m.g(1) if m.two else None, 0
    return m.g(2) if m.two else None, "a", 300
