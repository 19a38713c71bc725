# SPDX-License-Identifier: MIT
# Imports of a part of a package under a name of its own, in statements of every kind.
import a.b as c
import a.b.c as d
import a.b.c.d as e

for x in c:
    import a.b.c as y


def inside(manager):
    with manager:
        import a.b.c.d as z
    return z
