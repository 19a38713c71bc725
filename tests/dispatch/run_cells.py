# SPDX-License-Identifier: MIT
"""Runs code in which cells are ordinary values, as in PyTorch's frames, with the interpreter under test.

    run_cells.py DEPYFC FOLDER [OPTION...]

compiles a function that makes another one, removes the creation so that the tuple of cells stays on the stack, and
prints the result of a call, both as compiled and from the text of its .pyc.
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


def without_creation(code):
    """Returns the code object with NOPs in place of the creation of a function from its closure."""
    instructions = list(dis.get_instructions(code))
    first = next(n for n, i in enumerate(instructions) if hasattr(i.argval, "co_code"))
    last = max(n for n, i in enumerate(instructions) if i.opname in ("MAKE_FUNCTION", "SET_FUNCTION_ATTRIBUTE"))
    raw = bytearray(code.co_code)
    for i in instructions[first : last + 1]:
        raw[i.offset : i.offset + 2] = bytes([dis.opmap["NOP"], 0])
    return code.replace(co_code=bytes(raw))


def outcome(code):
    """Returns the contents of the cells of a call."""
    space = {}
    exec(code, space)
    return repr([cell.cell_contents for cell in space["makes"](tuple, 1)][1:])


if __name__ == "__main__":
    code = compile(SOURCE, "cells.py", "exec")
    code = code.replace(co_consts=tuple(without_creation(c) if hasattr(c, "co_code") else c for c in code.co_consts))
    print_outcomes(code, outcome, sys.argv[3:])
