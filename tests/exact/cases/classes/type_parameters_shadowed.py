# SPDX-License-Identifier: MIT
# Classes that bind the name of a type parameter in unreachable code, so that bounds look it up in the class first.
class Bounds:
    def f[T: int, U: T]():
        pass

    try:
        pass
    except KeyError as T:
        pass


class Annotations:
    def f[T](a: {b: a for b in T}):
        pass

    raise KeyError

    def T():
        pass
