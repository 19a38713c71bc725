# SPDX-License-Identifier: MIT
# From 3.14 the annotation of a name in brackets, an attribute or an item leaves the empty set of what was reached.
a = int
(b): a = 3
a.c: a = 4


class C:
    x = 1
    if x:
        (y): a = x
        x.z: a


class D:
    """Of an item."""

    d = {}
    for i in d:
        d[i]: a = 1
