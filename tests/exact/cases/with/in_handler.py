# SPDX-License-Identifier: MIT
# 3.11+: a with statement that ends a clause, beside an else clause that returns and ends in `except*`.
def f(a, g):
    try:
        for v in g: pass
    except E3:
        with v: x
    else:
        if not a.c if a or g and 0 else g: return g
        try: del x
        except* E1:
            if g: pass
