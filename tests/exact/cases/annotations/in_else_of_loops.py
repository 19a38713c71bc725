# SPDX-License-Identifier: MIT
# Annotations in the `else` of a loop that has no `break`, and below constant tests: they are conditional.
class Loops:
    while a:
        b
    else:
        n: T
    for x in a:
        b
    else:
        m: T = 1
        k: U
    if True:
        i: int = 3
    z: int = 2
