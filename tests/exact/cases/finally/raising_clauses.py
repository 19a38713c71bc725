# SPDX-License-Identifier: MIT
# No `return` leaves a body or a clause of a module for a finally body that raises.
for x in y:
    try:
        if a:
            break
        b
    except c:
        d
    except e:
        if f:
            continue
        g
    finally:
        raise x
try:
    a
except b:
    c
except:
    d
finally:
    raise
