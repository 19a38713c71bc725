# SPDX-License-Identifier: MIT
# A last `case None` has a test that cannot raise, so from 3.11 on no handler protects it.
with a:
    while a:
        match a:
            case 1:
                pass
            case None:
                pass


def protected(x):
    try:
        match x:
            case 1:
                f()
            case None:
                g()
    finally:
        h()
