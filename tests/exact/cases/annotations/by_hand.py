# SPDX-License-Identifier: MIT
# Keys that nothing annotated, keys that are no names, and arguments of the kind.
class Keys(type):
    __annotations__["123"] = 123
    __annotations__["class"] = int
    __annotations__["\ufb01"] = str
    kind: type = object


class Plain:
    __annotations__ = {}
    __annotations__["name"] = int


__annotations__["a b"] = int


def call(f, *a):
    return f(*a, **{"class": 1}), f(**{"\ufb01": 1}, **a[0])
