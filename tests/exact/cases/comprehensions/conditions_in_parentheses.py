# SPDX-License-Identifier: MIT
# `(a and b) and c` within a comprehension: a test that a jump was threaded through has no handler (3.14+).
assert {a: (b and c) and a for a in d}, e
[(a or b) or c for a in d]
try:
    [(a or b) or c for a in d if (a and b) and c]
except KeyError:
    pass


def f(d):
    return [[(a and b) and c for a in d] for d in d]
