# SPDX-License-Identifier: MIT
"""Runs classes whose body's code object has another name, as compiled and as decompiled text. Prints both results.

Usage: run_renamed.py DEPYFC FOLDER [OPTION]. Runs under each version's own interpreter (3.8 on).
"""

from __future__ import annotations

import sys
import types

from twice import print_outcomes

SOURCE = """
log = []
class Meta(type):
    def __new__(cls, name, bases, space, **keywords):
        log.append((name, sorted(keywords.items()), sorted(key for key in space if key[:2] != "__")))
        return type.__new__(cls, name, bases, space)
    def __init__(cls, *anything, **keywords): pass
def seen(x): log.append(x); return x
class Renamed(seen(object), metaclass=Meta, **seen({"a": 1})):
    x = seen(1)
    def f(self): return 2
class Renamed(*[seen(object)], metaclass=Meta):
    y = seen(1)
def within(bases):
    @seen
    class Renamed(*bases, metaclass=Meta, **seen({"a": 1})):
        z = seen(len(bases))
    return Renamed().__class__.__name__
log.append(within([object]))
class Renamed(metaclass=Meta): t = 1
"""


def renamed(code: types.CodeType) -> types.CodeType:
    inner = [renamed(c) if isinstance(c, types.CodeType) else c for c in code.co_consts]
    name = "Other" if code.co_name == "Renamed" else code.co_name
    return code.replace(co_name=name, co_consts=tuple(inner))


def outcome(code: object) -> str:
    """Returns what the classes were created from."""
    space = {"__name__": "renamed"}
    exec(code, space)  # type: ignore[arg-type]
    return repr(space["log"])


if __name__ == "__main__":
    print_outcomes(renamed(compile(SOURCE, "renamed.py", "exec")), outcome, sys.argv[3:])
