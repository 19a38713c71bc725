# SPDX-License-Identifier: MIT
"""Writes .pyc files of a few hundred bytes whose text would be astronomically long if shared parts were repeated.

Runs under each interpreter 3.8-3.15 and needs nothing but it. Argument: folder.
"""

import dis
import importlib.util
import marshal
import os
import sys

OP = dis.opmap
HEADER = importlib.util.MAGIC_NUMBER + bytes(12)
TIMES = 60


def instructions(*rows):
    """Returns code for (name, argument) rows; each operation is followed by its caches."""
    out = bytearray()
    for name, argument in rows:
        out += bytes([OP[name], argument])
        caches = getattr(dis, "_inline_cache_entries", {})
        count = caches.get(name, 0) if hasattr(caches, "get") else caches[OP[name]]
        out += bytes([OP.get("CACHE", 0), 0]) * count
    return bytes(out)


def copy():
    return [("COPY", 1) if "COPY" in OP else ("DUP_TOP", 0)]


def swap():
    return [("SWAP", 2) if "SWAP" in OP else ("ROT_TWO", 0)]


def function(name, rows, consts=(None,)):
    """Returns a function without parameters that runs the rows and returns the top of the stack."""
    start = [("RESUME", 0)] if "RESUME" in OP else []

    def template():
        return None

    raw = instructions(*start, ("LOAD_CONST", 0), *rows, ("RETURN_VALUE", 0))
    changes = {"co_qualname": name} if hasattr(template.__code__, "co_qualname") else {}
    code = template.__code__.replace(co_name=name, co_consts=tuple(consts), co_stacksize=20, **changes)
    return code, raw


def file_of(name, rows):
    """Returns a module that defines the function `name`."""
    module = compile("def %s():\n    return None\n" % name, "<growth>", "exec")
    code, raw = function(name, rows)
    filler = bytes([OP["NOP"], 0]) * (len(raw) // 2)
    code = code.replace(co_code=filler[: len(raw)])
    module = module.replace(co_consts=tuple(code if hasattr(c, "co_code") else c for c in module.co_consts))
    data = marshal.dumps(module)
    offset = data.find(code.co_code)
    return HEADER + data[:offset] + raw + data[offset + len(raw) :]


def contexts():
    """Returns a module for 3.8 in which the end of a with statement starts it again, each time in a new context."""
    module = compile("def f():\n    with a:\n        b()\n", "<growth>", "exec")
    code = next(c for c in module.co_consts if hasattr(c, "co_code"))
    raw = bytearray(code.co_code)
    at = next(i for i in range(0, len(raw), 2) if raw[i] == OP["WITH_CLEANUP_FINISH"])
    raw[at : at + 2] = bytes([OP["JUMP_ABSOLUTE"], 0])
    return HEADER + marshal.dumps(module).replace(code.co_code, bytes(raw))


def nested(depth):
    """Returns nested functions that each make the next one twice."""
    source = "def f%d():\n    return 1\n" % depth
    code = compile(source, "<growth>", "exec").co_consts[0]
    for level in range(depth - 1, -1, -1):
        outer = compile("def f%d():\n    return (lambda: 0), (lambda: 0)\n" % level, "<growth>", "exec").co_consts[0]
        outer = outer.replace(co_consts=tuple(code if hasattr(c, "co_code") else c for c in outer.co_consts))
        code = outer
    module = compile("def f0():\n    return None\n", "<growth>", "exec")
    module = module.replace(co_consts=tuple(code if hasattr(c, "co_code") else c for c in module.co_consts))
    return HEADER + marshal.dumps(module)


def shared(name, free=()):
    """Returns a module whose class and function have code objects in them that each contain the next one twice."""
    source = "class C:\n    x: 1\ndef f(a):\n    x = [y for y in a]\n    return x\n"
    qualified = {"co_qualname": name} if sys.version_info >= (3, 11) else {}
    code = (lambda: None).__code__.replace(co_freevars=tuple(free))
    for level in range(40):
        code = code.replace(co_consts=(None, code, code), co_name=name, co_firstlineno=level + 1, **qualified)
    module = compile(source, "<growth>", "exec")
    consts = tuple(
        c.replace(co_consts=c.co_consts + (code, code)) if hasattr(c, "co_code") else c for c in module.co_consts
    )
    return HEADER + marshal.dumps(module.replace(co_consts=consts))


def deep(rows, times, stack):
    """Returns a module with the function f(a, b) that applies the rows TIMES over to its parameter a."""
    names = ["LOAD_FAST_BORROW" if "LOAD_FAST_BORROW" in OP else "LOAD_FAST", "RETURN_VALUE"]
    start = [("RESUME", 0)] if "RESUME" in OP else []
    raw = instructions(*start, (names[0], 0), *rows * times, (names[1], 0))
    module = compile("def f(a, b):\n    return None\n", "<growth>", "exec")
    consts = []
    for c in module.co_consts:
        if hasattr(c, "co_code"):
            c = c.replace(co_code=raw, co_stacksize=stack)
            if sys.version_info[:2] == (3, 11):  # one line, with columns
                c = c.replace(co_linetable=bytes([0x80 | (10 << 3), 10, 20]) * (len(raw) // 2))
        consts.append(c)
    return HEADER + marshal.dumps(module.replace(co_consts=tuple(consts)))


def deep_files():
    """Returns code that nests values thousands of levels deep."""
    b = [("LOAD_FAST", 1)]
    files = {
        "deep-dicts": deep(b + swap() + [("BUILD_MAP", 1)], 20000, 10),
        "deep-lists": deep([("BUILD_LIST", 0)] + swap() + [("LIST_EXTEND", 1)], 20000, 10),
    }
    if sys.version_info[:2] == (3, 11):
        rows = [("JUMP_IF_TRUE_OR_POP", 1)] + b + [("JUMP_IF_FALSE_OR_POP", 1)] + b
        files["deep-tests"] = deep(rows, 2000, 10)
    return files


def main(folder):
    files = {
        "tuples": file_of("tuples", (copy() + [("BUILD_TUPLE", 2)]) * TIMES),
        "lists": file_of("lists", (copy() + [("BUILD_LIST", 1)] + swap() + [("BUILD_TUPLE", 2)]) * TIMES),
        "sums": file_of("sums", (copy() + [("BINARY_OP", 0) if "BINARY_OP" in OP else ("BINARY_ADD", 0)]) * TIMES),
        "tests": file_of("tests", (copy() + [("COMPARE_OP", 2)]) * TIMES),
        "functions": nested(20),
        "shared-functions": shared("g"),
        "shared-lambdas": shared("<lambda>"),
        "shared-scopes": shared("<generic parameters of T>"),
        "shared-annotations": shared("__annotate__", ["__classdict__"]),
    }
    if sys.version_info[:2] in ((3, 11), (3, 13)):
        files.update(deep_files())
    if "LIST_APPEND" in OP:
        rows = copy() + [("BUILD_LIST", 0)] + swap() + [("LIST_APPEND", 1), ("BUILD_TUPLE", 2)]
        files["grown"] = file_of("grown", rows * TIMES)
    if "WITH_CLEANUP_FINISH" in OP and "BEGIN_FINALLY" in OP:
        files["contexts"] = contexts()
    for name, data in files.items():
        with open(os.path.join(folder, name + ".pyc"), "wb") as stream:
            stream.write(data)


main(sys.argv[1])
