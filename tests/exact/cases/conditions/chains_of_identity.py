# SPDX-License-Identifier: MIT
# Chained comparisons whose last one is with None: a jump of its own (CPython 3.11 on).
def last_is_none(a, b, c):
    if a is b is not None:
        c()
    if a is b is None:
        c()
    while a is b is not None:
        c()
    if not (a is b is not None):
        c()
    if a is b is not None and c:
        c()
    if a < b is not None or c:
        c()
    return [x for x in a if x is b is not None], (1 if a is b is not c is None else 2)
