# SPDX-License-Identifier: MIT
"""Runs a program with names that source cannot spell, as compiled and as decompiled text. Prints both results.

Usage: run_odd.py DEPYFC FOLDER SIGN [OPTION]: the names contain SIGN, which no identifier has. Runs under each
version's own interpreter (3.8 on).
"""

from __future__ import annotations

import ast
import sys

from twice import print_outcomes

SOURCE = """
import math as odd_m
import os.path as odd_p, sys as plain
from math import floor as odd_floor
odd_g = 3
def f(odd_a, b=1, *odd_rest, odd_k=2, **odd_more):
    odd_l = odd_a + b + odd_g
    def inner(x):
        nonlocal odd_l
        odd_l = odd_l + x
        return odd_l
    g = lambda odd_a, y: odd_a * y + odd_l
    return inner(odd_k) + g(2, 3) + len(odd_rest) + sorted(odd_more.values())[0], odd_l, odd_floor(odd_m.pi)
class C:
    odd_s = 5
    plain = odd_s + odd_g
    odd_s, more = odd_s + 1, 2
    def odd_method(self): return self.odd_v
def change():
    global odd_g, other
    odd_g = odd_g + 1
    other = [odd_x + 1 for odd_x in (1, 2)]
    for odd_x in other: odd_g += odd_x
    try: raise KeyError(odd_g)
    except KeyError as odd_e: return odd_e.args
c = C()
log = []
def seen(x): log.append(x); return x
seen(c).odd_v = seen(7)
results = [f(1, z=4, odd_w=1), C.plain, C.odd_s, c.odd_v, c.odd_method(), change(), odd_g, other, log[0], log[1] is c]
del c.odd_v, odd_g
class Base:
    def __init_subclass__(cls, **keywords): log.append(sorted(keywords.values()))
class Derived(Base, odd_k=3, plain=4): pass
results += [hasattr(c, "SIGNv"), "SIGNg" in globals(), odd_p.sep, log[2:]]
"""
# From 3.10 on.
PATTERNS = """
def tell(x):
    match x:
        case C(odd_s=6, more=1): return 1
        case C(odd_s=6, more=odd_c): return 2, odd_c
        case [1, odd_c, *odd_d] if odd_c: return odd_c, odd_d
        case {"a": odd_c, **odd_d}: return odd_c, odd_d
        case str() as odd_c: return odd_c
results += map(tell, [c, [1, 2, 3], [1, 0], {"a": 4, "b": 5}, {"b": 6}, "text"])
match [7, 8]:
    case [odd_c, plain]: results += [odd_c, plain]
"""


class Odd(ast.NodeTransformer):
    """Replaces the prefix odd_ of names by a sign that source cannot spell."""

    def __init__(self, sign: str) -> None:
        self.sign = sign

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Changes every field that is a name."""
        for field, value in ast.iter_fields(node):
            if isinstance(value, str) and not isinstance(node, ast.Constant):
                setattr(node, field, value.replace("odd_", self.sign))
            elif isinstance(value, list) and value and isinstance(value[0], str):
                setattr(node, field, [v.replace("odd_", self.sign) for v in value])
        return super().generic_visit(node)


def outcome(code: object) -> str:
    """Returns the results of a module."""
    space = {"__name__": "odd"}
    exec(code, space)  # type: ignore[arg-type]
    return repr(space["results"])


if __name__ == "__main__":
    source = SOURCE + (PATTERNS if sys.version_info >= (3, 10) else "")
    tree = Odd(sys.argv[3]).visit(ast.parse(source.replace("SIGN", sys.argv[3])))
    print_outcomes(compile(tree, "odd.py", "exec"), outcome, sys.argv[4:])
