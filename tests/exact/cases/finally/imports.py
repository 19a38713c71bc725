# SPDX-License-Identifier: MIT
# Imports in finally bodies: from 3.15 on what a handler imports is never lazy, and after the body it may be.
try:
    try:
        e
    finally:
        import f
except E:
    from a import b
else:
    c
finally:
    from a.b import c as d
    import e.f


class C:
    try:
        d
    finally:
        import x


def g():
    try:
        d
    finally:
        import x
