# SPDX-License-Identifier: MIT
# A conditional expression whose arm is an operation, as an operand: a test of the arm leads past the one of the whole, with
# the same outcome and with the other.


def other_outcome(a, b, c, d, f):
    x = (b if a else c or d) and f
    y = (b if a else c and d) or f
    return x, y, (b if a else c or d or a) and f


def same_outcome(a, b, c, d, f):
    f(1, (b if a else c or d) or f)
    x = (b if a else c and d) and f or b
    return [((c or d) if a else (b or c) if b else d) or f, x]


def protected(a, b, c, d, f):
    try:
        f((b if a else c or d) or f)
        x = ((b if a else c) or d) or f
        y = (d or c or b) and ((f or a) if b and a else c or f or a)
    except OSError:
        return None
    return x, y


def same_last_operands(a, b, c, d):
    return ((a or a or d) if (b if d else b) else (c or d)) and a and (a and b)


def arms_that_meet(a, b, c, d, f):
    f(1, ((b or d) if not f else f) or c)
