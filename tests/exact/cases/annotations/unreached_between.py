# SPDX-License-Identifier: MIT
# Annotations in code that is never reached, between annotations that are.
try:
    a
except b as e:
    n: T
except c:
    raise d
    m: U
    k: U
else:
    z: (f()) = g
w: 3


class C:
    try:
        a
    except b as e:
        n: T
    except c:
        raise d
        m: U
        k: U
    else:
        z: (f()) = g
    w: 3
