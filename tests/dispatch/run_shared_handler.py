# SPDX-License-Identifier: MIT
"""Runs code whose handler is also reached without an exception, with the interpreter under test (3.11 on).

    run_shared_handler.py DEPYFC FOLDER [OPTION...]

compiles `return x or -y` and adds an exception table: after an exception of `-y`, control continues at the return, with
the exception in place of the value. Prints the results of calls, both as compiled and from the text of its .pyc.
"""

import dis
import sys

from twice import print_outcomes

SOURCE = """
def f(x, y):
    return x or -y
def in_a_list(x, y):
    return [x, x or -y]
"""


def with_handler(code):
    """Returns the code object with one entry in its exception table."""
    instructions = list(dis.get_instructions(code))
    raises = next(n for n, i in enumerate(instructions) if i.opname == "UNARY_NEGATIVE")
    # the two paths join at the next instruction
    start, target = instructions[raises].offset // 2, instructions[raises + 1].offset // 2
    depth = 0 if code.co_name == "f" else 1
    assert max(start, target) < 64  # one byte each
    return code.replace(co_exceptiontable=bytes([start | 0x80, 1, target, depth << 1]))


def outcome(code):
    space = {}
    exec(code, space)
    arguments = [(5, 1), (0, 3), (0, "a"), ("", 0), (None, [])]
    return repr([space[name](x, y) for name in ("f", "in_a_list") for x, y in arguments])


if __name__ == "__main__":
    code = compile(SOURCE, "shared.py", "exec")
    code = code.replace(co_consts=tuple(with_handler(c) if hasattr(c, "co_code") else c for c in code.co_consts))
    print_outcomes(code, outcome, sys.argv[3:])
