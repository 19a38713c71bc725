# SPDX-License-Identifier: MIT
# Annotations of attributes, items and names in brackets where annotations are kept as strings.
from __future__ import annotations

a.b: int = 0


class Attribute:
    a.b: int = 0


class Name:
    (a): int


class Conditional:
    if a:
        a.b: int = 2


class BesideKept:
    b: int
    if b:
        a.b: int = 2
