# SPDX-License-Identifier: MIT
"""Cells that are values of their own, as PyTorch's frames have them: run by the interpreter under test.

    run_cells.py DEPYFC FOLDER [OPTION...]

compiles a function that makes another one, takes the making out, so that the tuple of cells stays, and prints what a
call gives, run as compiled and from the text of its .pyc.
"""

import dis
import sys

from twice import print_outcomes

SOURCE = """
def makes(call, x):
    def inner():
        return x, call
    x += 1
    return call(inner)
"""


def without_making(code):
    """The code object, with nothing where it makes a function of its closure."""
    found = list(dis.get_instructions(code))
    first = next(n for n, i in enumerate(found) if hasattr(i.argval, "co_code"))
    last = max(n for n, i in enumerate(found) if i.opname in ("MAKE_FUNCTION", "SET_FUNCTION_ATTRIBUTE"))
    raw = bytearray(code.co_code)
    for i in found[first : last + 1]:
        raw[i.offset : i.offset + 2] = bytes([dis.opmap["NOP"], 0])
    return code.replace(co_code=bytes(raw))


def outcome(code):
    """What the cells of a call hold."""
    space = {}
    exec(code, space)
    return repr([cell.cell_contents for cell in space["makes"](tuple, 1)][1:])


if __name__ == "__main__":
    code = compile(SOURCE, "cells.py", "exec")
    code = code.replace(co_consts=tuple(without_making(c) if hasattr(c, "co_code") else c for c in code.co_consts))
    print_outcomes(code, outcome, sys.argv[3:])
