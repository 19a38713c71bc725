# SPDX-License-Identifier: MIT
# A conditional expression as the only item, and operands after it: no compiler copies more than four instructions.
def item(c):
    return ("39" if c else "49",)


def operands(c, a, b, n):
    return (str(a + n if c else b + n),)


def operand_after(c, a, b, n):
    return str((a if c else b) + n)
