# SPDX-License-Identifier: MIT
# Assignment expressions without parentheses (3.10+).


def f(a, x):
    return x[y := 0], {z := 1, 2}, [x[i := j] for j in a]
