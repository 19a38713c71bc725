# SPDX-License-Identifier: MIT
"""Compiles a seeded sample of the running interpreter's standard library, and unusual constants, to .pyc files.

Runs under each interpreter 3.8-3.15 and needs nothing but it. Arguments: folder, number of library files, seed.
"""

import importlib.util
import marshal
import os
import random
import sys
import warnings

HEADER = importlib.util.MAGIC_NUMBER + bytes(12)


def library_files():
    """Returns the names of the standard library's files, including its tests, in a fixed order."""
    found = []
    library = os.path.dirname(os.__file__)
    for folder, folders, names in os.walk(library):
        folders[:] = sorted(f for f in folders if f not in ("site-packages", "dist-packages", "__pycache__"))
        found += [os.path.join(folder, name) for name in sorted(names) if name.endswith(".py")]
    return found


def odd_constants(version):
    """Yields constants for every type of a version of the marshal format that a code object can contain."""
    big = 10**40
    yield from (0, 1, -1, 2**31 - 1, -(2**31), 2**31, -(2**31) - 1, 2**32, 2**63, -(2**64), 2**90, -(3**200), big**40)
    yield from (0.0, -0.0, 1.5, 5e-324, 1.7976931348623157e308, float("inf"), float("-inf"), float("nan"))
    yield from (0j, -0j, complex(-0.0, 1e300), complex(float("nan"), float("-inf")))
    yield from ("", "a", "x" * 255, "y" * 256, "\xe9", "\u20ac", "\U0001f600", "\ud800", "a\udfffb", '\x00\n"\\')
    yield from (b"", b'\x00\xff"\\', b"z" * 300)
    shared = ("shared", 2**70, (1.0, b"x"))
    yield from ((), (1,), tuple(range(300)), (shared, shared, (shared,)), frozenset(), frozenset({1, "b", (2, 3)}))
    yield from (None, True, False, Ellipsis, StopIteration, (None, (True, (Ellipsis,))), [1, 2], {3, 4, 5}, {6: 7})
    deep = ()
    for _ in range(300):
        deep = (deep, 1)
    yield deep
    if version >= 5:  # 3.14
        yield slice(1, None, "x")
    if version >= 6:  # 3.15
        yield frozendict({1: (2, 3)})  # noqa: F821


def odd_code(version):
    """Returns a code object with unusual constants, unusual fields, and a child that is used twice."""
    source = "def f(a, /, b, *c, d, **e):\n    x = a\n    return [lambda: (x, y, b) for y in c]\n"
    module = compile(source, "odd\ud800.py", "exec")
    child = next(c for c in module.co_consts if hasattr(c, "co_code"))
    constants = module.co_consts + tuple(odd_constants(version)) + (child, (child,))
    return module.replace(co_consts=constants, co_firstlineno=7, co_name="<\u20ac>")


def main(folder, count, seed):
    warnings.simplefilter("ignore")
    for version in range(marshal.version + 1):
        if version == 0 or version >= 2:  # 1 is 0 with interned strings
            with open(os.path.join(folder, "odd%d.pyc" % version), "wb") as stream:
                stream.write(HEADER + marshal.dumps(odd_code(version), version))
    count_written = 0
    files = library_files()
    random.Random(seed).shuffle(files)
    for path in files:
        if count_written == count:
            break
        with open(path, "rb") as stream:
            source = stream.read()
        try:
            code = compile(source, "<source>", "exec", 0, True, count_written % 3)
        except (SyntaxError, ValueError):
            continue  # a test file with bad source
        with open(os.path.join(folder, "%05d.pyc" % count_written), "wb") as stream:
            stream.write(HEADER + marshal.dumps(code))
        count_written += 1


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
