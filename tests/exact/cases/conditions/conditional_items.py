# SPDX-License-Identifier: MIT
# A conditional expression as the only item, and operands after it: no compiler copies more than four instructions.
def item(c):
    return ("39" if c else "49",)


def operands(c, a, b, n):
    return (str(a + n if c else b + n),)


def operand_after(c, a, b, n):
    return str((a if c else b) + n)


# Many keywords are put into a dict one by one, by instructions without a line.
def keywords(o, b, d):
    m = f(a=b, b=b, c=b, d=b, e=b, f=b, g=b, h=b, i=b, j=b, k=b, l=b, m=b, n=b, o=b, p=b, q=b, r=b if b is not d else o.b)
    return cast(d, m)
