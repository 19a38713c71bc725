# SPDX-License-Identifier: MIT
# Annotations of attributes, items and names in brackets: 3.14+ keeps none, but what it makes ready for them.
a.b: int = 0


class Attribute:
    a.b: int = 0


class Item:
    "doc"
    a[0]: int = 0


class Name:
    (a): int


class Conditional:
    if a:
        a.b: int = 2


class Repeated:
    for b in a:
        b.c: int = 3


class BesideKept:
    b: int = 1
    if b:
        a.b: int = 2


class BesideUnreached:
    if 0:
        b: int = 1
    a.b: int = 2
