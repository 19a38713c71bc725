# SPDX-License-Identifier: MIT
# Displays of more than 16 items (dicts) or 30 (lists, sets), which the compiler builds piece by piece on the stack
# (codegen_dict, starunpack_helper), with branches among their items and before them.
A = 1 if p and q else None
B = {"a": 1, "b": a and b, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7, "h": 8, "i": 9, "j": 10, "k": 11, "l": 12,
     "m": 13, "n": 14, "o": 15, "p": 16}  # fmt: skip
C = {"a": (0, u() + 1 if p() and q and r else None), "b": a("x") and b + c}


def f(a, b):
    x = 1 if a and b else None
    y = {"a": a(1), "b": b(2), "c": a if b else 3, "d": 4, "e": 5, "f": 6, "g": 7, "h": 8, "i": 9, "j": 10, "k": 11,
         "l": 12, "m": 13, "n": 14, "o": a or b, "p": 16, "q": 17, "r": 18, "s": a and b, "t": b}  # fmt: skip
    return x, y


def g(a, b):
    x = 1 if a and b else None
    return x, [a, b, a or b, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
               28, 29, a and b, 31, a if b else 32, 33]  # fmt: skip


def h(a, b):
    x = 1 if a and b else None
    return x, {a, b, a or b, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
               28, 29, a and b, 31, a if b else 32, 33}  # fmt: skip
