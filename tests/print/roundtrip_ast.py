# SPDX-License-Identifier: MIT
"""Tests the printer with CPython: parses a file, prints the tree with depyf's printer, parses the text, and compares.

Runs under the interpreter under test (3.8-3.15)::

    python3.X tests/print/roundtrip_ast.py --program build/roundtrip_ast [--sample N | --all] [files...]

For each file the two syntax trees must be equal, the text must compile, and both code trees must have the same
constants. Differences without effect are removed first: the `u` of `u''`, the parts of an f-string's text, and the
indentation of docstrings where the compiler strips it (3.13+). ``--constants`` checks instead that the text of
generated constants (nan, -0j, frozensets, slices, huge integers, unusual strings ...) compiles to the constant itself.
"""

import argparse
import ast
import dis
import math
import os
import random
import struct
import subprocess
import sys
import threading
import warnings

from serialise import MINOR, Serialiser, as_hex, clean

ALWAYS = [
    "test_fstring",
    "test_grammar",
    "test_patma",
    "test_tstring",
    "test_unpack_ex",
    "test_unparse",
    "test_lambda",
    "test_type_params",
    "test_except_star",
    "test_named_expressions",
    "test_syntax",
    "test_string_literals",
    "test_positional_only_arg",
    "test_coroutines",
    "test_decorators",
    "test_genexps",
    "test_dictcomps",
    "test_unicode_identifiers",
    "test_descr",
    "test_typing",
    "test_slice",
    "test_lazy_import",
]


def normalize(tree):
    """Removes the differences that have no effect."""
    for n in ast.walk(tree):
        if isinstance(n, ast.Constant):
            n.kind = None
        values = getattr(n, "values", None)
        if type(n).__name__ in ("JoinedStr", "TemplateStr"):
            merged = []
            for v in values:
                if isinstance(v, ast.Constant) and merged and isinstance(merged[-1], ast.Constant):
                    merged[-1] = ast.Constant(merged[-1].value + v.value, kind=None)
                elif not (isinstance(v, ast.Constant) and v.value == ""):
                    merged.append(v)
            n.values = merged
        if isinstance(n, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            if ast.get_docstring(n, clean=False) is not None:
                n.body[0].value.value = clean(n.body[0].value.value)


def same_value(a, b):
    return type(a) is type(b) and (a == b or a != a) and repr(a) == repr(b)


def difference(a, b):
    """Returns the first difference of two trees, or None."""
    todo = [(a, b)]
    while todo:
        a, b = todo.pop()
        if type(a) is not type(b):
            return "%s:%s != %s" % (getattr(a, "lineno", "?"), type(a).__name__, type(b).__name__)
        if isinstance(a, ast.AST):
            todo.extend((getattr(a, f, None), getattr(b, f, None)) for f in a._fields)
            if (
                isinstance(a, ast.expr)
                and getattr(a, "value", 0) != getattr(b, "value", 0)
                and isinstance(a, ast.Constant)
                and not same_value(a.value, b.value)
            ):
                return "%s: %r != %r" % (a.lineno, a.value, b.value)
        elif isinstance(a, list):
            if len(a) != len(b):
                return "a list of %d != %d: %s" % (len(a), len(b), [type(x).__name__ for x in a[:4]])
            todo.extend(zip(a, b))
        elif not same_value(a, b):
            return "%r != %r" % (a, b)
    return None


def constants_of(code):
    """Returns all constants of a code tree, except numbers that may be line numbers.

    Equal lambdas may be one constant.
    """
    found, todo = [], [code]
    while todo:
        for c in todo.pop().co_consts:
            if hasattr(c, "co_consts"):
                todo.append(c)
            elif not isinstance(c, int) and not isinstance(c, frozenset):
                found.append(repr(c))
    return sorted(set(found))


class Printer:
    """The program under test, started once."""

    def __init__(self, program, width):
        self.process = subprocess.Popen([program, str(width)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, lines):
        self.process.stdin.write(("\n".join(lines) + "\n").encode())
        self.process.stdin.flush()
        word, size = self.process.stdout.readline().split()
        return word == b"ok", self.process.stdout.read(int(size)).decode("utf-8")


def check_file(printer, path):
    """Returns what is wrong with the text of a file: None if nothing, "" if the file does not compile."""
    with open(path, "rb") as f:
        source = f.read()
    try:
        tree = ast.parse(source)
        code = compile(source, "<file>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    writer = Serialiser()
    body = writer.body(tree.body)
    ok, text = printer.ask(writer.lines + ["print " + body])
    if not ok:
        return "error: " + text
    try:
        again = ast.parse(text)
        recompiled = compile(text, "<text>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as e:
        return "%s: %s" % (e, getattr(e, "text", ""))
    normalize(tree)
    normalize(again)
    found = difference(tree, again)
    if found is None and constants_of(code) != constants_of(recompiled):
        found = "constants differ: %s" % list(set(constants_of(code)) ^ set(constants_of(recompiled)))[:3]
    return found


def check_files(printer, paths, keep):
    done, bad = 0, []
    for path in paths:
        fault = check_file(printer, path)
        done += fault != ""
        if fault:
            bad.append((path, fault))
            print("FAIL %s\n     %s" % (path, fault))
            if len(bad) >= keep:
                break
    print("3.%d: %d files, %d differ" % (MINOR, done, len(bad)))
    return not bad


# ---- constants
def odd_constants(seed):
    """Returns constants of every kind, unusual ones first."""
    inf, nan = math.inf, -math.nan
    numbers = [
        0.0,
        -0.0,
        inf,
        -inf,
        nan,
        -nan,
        1e16,
        1e15,
        123456789012345680.0,
        1e-4,
        1e-5,
        5e-324,
        1.7e308,
        0.1,
        -1.5,
        1e22,
        1e23,
        100.0,
    ]
    parts = [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, inf, -inf, 1e100]
    values = numbers + [complex(a, b) for a in parts for b in parts]
    values += [
        0,
        1,
        -1,
        2**31,
        -(2**31),
        2**63,
        -(2**63),
        2**64 - 1,
        10**35,
        10**4299,
        10**4300,
        -(10**5000),
        1 << 40000,
    ]
    values += [
        "",
        "'",
        '"',
        "'\"",
        "a\nb",
        "\\",
        "\0\x7f\x80\xa0\xad\u2028\ud800\U0001f600\U000e0001",
        "{x}",
        "\ufeff",
        "tab\t\r",
        b"",
        b"'",
        b'"',
        b"'\"\\\n\xff\0",
        "\u0301e",
        "日本",
    ]
    values += [(), (1,), (1, (2, 3), ("a",)), (-1, -1.0, -0.0), (None, True, Ellipsis, 1j, -1j, b"x"), ((), ((),))]
    rng = random.Random(seed)
    for _ in range(300):
        values.append(struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64)))[0])
        values.append(rng.getrandbits(rng.choice([8, 40, 200])) * rng.choice([1, -1]))
        pool = "ab'\"\\\n{}%\t\0é\u200b\U0001f600\udc80"
        values.append("".join(rng.choice(pool) for _ in range(rng.randrange(12))))
        values.append(bytes(rng.choice(b"ab'\"\\\n\0\xff") for _ in range(rng.randrange(12))))
    return values


def identical(a, b):
    if isinstance(a, float) and isinstance(b, float):
        return struct.pack("<d", a) == struct.pack("<d", b)
    if isinstance(a, complex) and isinstance(b, complex):
        if a != a or b != b:
            return repr(a) == repr(b)
        return identical(a.real, b.real) and identical(a.imag, b.imag)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(identical, a, b))
    return type(a) is type(b) and a == b


def compiled_constant(text):
    """Returns the result of `lambda: text` if its code only returns a constant; raises ValueError otherwise."""
    code = compile("(lambda: %s)" % text, "<constant>", "eval").co_consts[0]
    unlimited = getattr(sys, "set_int_max_str_digits", lambda digits: None)  # dis formats the constants
    unlimited(0)
    names = [i.opname for i in dis.get_instructions(code) if i.opname not in ("RESUME", "NOP", "COPY_FREE_VARS")]
    unlimited(4300)
    if names[0] in ("LOAD_CONST", "LOAD_SMALL_INT", "RETURN_CONST", "LOAD_COMMON_CONSTANT") and len(names) <= 2:
        return eval(code)
    raise ValueError("no constant: %s" % names)


def check_constants(printer, seed):
    bad = 0
    values = odd_constants(seed)
    for value in values:
        writer = Serialiser()
        ok, text = printer.ask(writer.printing("ConstantExpr", writer.const(value)))
        try:
            good = ok and identical(compiled_constant(text), value)
        except (SyntaxError, ValueError) as e:
            good, text = False, "%s (%s)" % (text, e)
        if not good:
            bad += 1
            print("FAIL a constant of type %s printed as %.200s" % (type(value).__name__, text))
    bad += check_in_display(printer) + check_slices(printer)
    print("3.%d: %d constants, %d differ" % (MINOR, len(values), bad))
    return not bad


def check_in_display(printer):
    """Checks that a frozenset after `in` is the constant of the comparison."""
    writer = Serialiser()
    right = writer.add("expr", "ConstantExpr", writer.const(frozenset([1, (2, 3), "a"])))
    left = writer.add("expr", "Name", as_hex("x"))
    ok, text = printer.ask(writer.printing("Compare", left, "1 8 1", right))
    code = compile(text, "<in>", "eval")
    good = ok and frozenset([1, (2, 3), "a"]) in code.co_consts
    if not good:
        print("FAIL %s" % text)
    return int(not good)


def check_slices(printer):
    """Checks that slices and tuples of slices (constants from 3.14 on) in brackets are printed as slices."""
    bad = 0
    for value, want in [
        (slice(1, None, 2), "x[1::2]"),
        (slice(None), "x[:]"),
        ((slice(1, 2), 3), "x[1:2, 3]"),
        ((slice(None, -1),), "x[:-1,]"),
        ((1, 2), "x[1, 2]"),
        ((1,), "x[(1,)]"),
        ((), "x[()]"),
        (((1, 2), 3), "x[(1, 2), 3]"),
    ]:
        writer = Serialiser()
        index = writer.add("expr", "ConstantExpr", writer.const(value))
        target = writer.add("expr", "Name", as_hex("x"))
        ok, text = printer.ask(writer.printing("Subscript", target, index))
        if not ok or text != want:
            print("FAIL %r printed as %s, not %s" % (value, text, want))
            bad += 1
    return bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=int, default=20, help="stop after this many failures")
    parser.add_argument("--constants", action="store_true")
    parser.add_argument("--width", type=int, default=120, help="maximum length of lines; longer ones are broken")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    printer = Printer(options.program, options.width)
    if options.constants:
        return check_constants(printer, options.seed)
    paths = options.files
    if not paths:
        lib, every = os.path.dirname(os.__file__), []
        for folder, _, names in os.walk(lib):
            if "site-packages" not in folder:
                every += [os.path.join(folder, n) for n in sorted(names) if n.endswith(".py")]
        every = sorted(p for p in every if os.path.isfile(p))  # without dangling links
        chosen = [p for p in every if os.path.basename(p)[:-3] in ALWAYS]
        paths = every if options.all else chosen + random.Random(options.seed).sample(every, options.sample)
    return check_files(printer, paths, options.keep)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(100000)
    threading.stack_size(256 * 1024 * 1024)
    results = []
    thread = threading.Thread(target=lambda: results.append(main()))
    thread.start()
    thread.join()
    sys.exit(0 if results == [True] else 1)
