# SPDX-License-Identifier: MIT
# Annotations in code that is never reached, and a nonlocal statement that nothing uses.
TYPE_CHECKING = False

if False:
    theme: Theme


class C:
    if 0:
        field: int
    other: str = ""


def cell():
    a = 1

    def f():
        nonlocal a

    return f.__closure__[0]

print(__annotations__)


class Read:
    if 0:
        unreached: int
    print(__annotations__)
