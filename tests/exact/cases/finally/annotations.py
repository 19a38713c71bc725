# SPDX-License-Identifier: MIT
# Annotations of a module or class within `finally`, of which each copy of its body has marks of its own (3.14+).
class Class:
    try:
        a: int = 1
    except ValueError:
        pass
    finally:
        b: str = 2
        try:
            a
        finally:
            c: list
            b: dict = {}


for x in y:
    try:
        if x:
            break
        if y:
            continue
    except ValueError:
        d: int = 3
    else:
        e
    finally:
        f: lambda: x = 4
        g: [x for x in y]
        if x:
            f: int
