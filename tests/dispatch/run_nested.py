# SPDX-License-Identifier: MIT
"""Runs a function with more nested blocks and calls than source may have, as compiled and as decompiled text.

Usage: run_nested.py DEPYFC FOLDER LEVELS. Runs under each version's own interpreter (3.8 on).
"""

from __future__ import annotations

import ast
import sys

from twice import print_outcomes


def nested(levels: int) -> ast.Module:
    """Returns `def f(a, log)`, in which each `if` contains the next one and a call; `g` has nested calls."""
    module = ast.parse("def f(a, log): pass\ndef g(a): return len(a)")
    body = ast.parse("log(g(a))").body
    for i in range(levels):
        test = ast.parse("a[%d]" % i, mode="eval").body
        body = [
            ast.If(test, body, ast.parse("log(%d)" % -i).body if i % 3 == 0 else []),
            *ast.parse("log(%d)" % i).body,
        ]
    returned = module.body[1].body[0]  # type: ignore[attr-defined]
    for _ in range(levels):
        returned.value = ast.Call(ast.Name("abs", ast.Load()), [returned.value], [])
    module.body[0].body = body  # type: ignore[attr-defined]
    for node in ast.walk(module):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = 1
            node.col_offset = node.end_col_offset = 0
    return ast.fix_missing_locations(module)


def outcome(code: object, levels: int) -> list:
    """Returns what f logs when its tests fail first at some of the levels."""
    space: dict = {}
    exec(code, space)  # type: ignore[arg-type]
    logs: list = []
    for fails in range(0, levels + 1, 7):
        logs.append([])
        space["f"]([i != fails for i in range(levels)], logs[-1].append)
    return logs


if __name__ == "__main__":
    levels = int(sys.argv[3])
    print_outcomes(compile(nested(levels), "nested.py", "exec"), lambda code: outcome(code, levels), [])
