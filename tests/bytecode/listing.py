# SPDX-License-Identifier: MIT
"""Prints dis's data on Python files, in the format in which dump_bytecode.cpp prints the data of src/bytecode.

Runs under the interpreter under test (3.8-3.15, so it keeps to the syntax of 3.8). Reads names of source files from
standard input, writes a .pyc for each into the given folder, named by number, and prints the listings. Files that do
not compile are skipped and get no .pyc.
"""

import dis
import importlib.util
import io
import marshal
import sys
import warnings
from pathlib import Path

VERSION = sys.version_info[1]
NAMES = dis.opmap


def exempt(name):
    """Returns whether dis.stack_effect differs from the effect of the instruction at run time.

    3.8 counts six entries for each finally body to balance its blocks; GEN_START and RETURN_GENERATOR include values
    that the runtime itself pushes; for returns it depends on the version whether the value counts as popped.
    """
    if VERSION == 8 and name in (
        "BEGIN_FINALLY", "CALL_FINALLY", "END_FINALLY", "POP_FINALLY", "WITH_CLEANUP_START", "WITH_CLEANUP_FINISH",
    ):  # fmt: skip
        return True
    return name in ("GEN_START", "RETURN_GENERATOR", "RETURN_VALUE", "RETURN_CONST")


def effect(ins, jump):
    """Returns the net stack effect as CPython's compiler counts it."""
    arg = ins.arg if ins.opcode >= dis.HAVE_ARGUMENT or ins.arg is not None else None
    if ins.opname == "PRECALL":  # 3.11 divides a call's effect between two instructions
        return 0
    if ins.opname == "CALL" and VERSION == 11:
        return dis.stack_effect(NAMES["PRECALL"], arg) + dis.stack_effect(ins.opcode, arg)
    return dis.stack_effect(ins.opcode, arg, jump=jump)


def line_of_each(code):
    """Returns the line of each offset, -1 if there is none (up to 3.10, where dis has no positions)."""
    lines = {}
    if VERSION == 10:
        for start, end, line in code.co_lines():
            for offset in range(start, end, 2):
                lines[offset] = -1 if line is None else line
        return lines
    starts = dict(dis.findlinestarts(code))
    line = code.co_firstlineno
    for offset in range(0, len(code.co_code), 2):
        line = starts.get(offset, line)
        lines[offset] = line
    return lines


def position(ins, lines):
    """Returns an instruction's position in the format of the dump."""
    if lines is not None:
        line = lines.get(ins.offset, -1)
        return "%d,%d,-1,-1" % (line, line)
    return ",".join(
        "-1" if n is None else str(n)
        for n in (
            ins.positions.lineno, ins.positions.end_lineno, ins.positions.col_offset, ins.positions.end_col_offset,
        )
    )  # fmt: skip


def target_of(ins):
    """Returns the offset that an instruction jumps to, or None.

    END_ASYNC_FOR (3.14+) only refers to its loop's SEND.
    """
    if ins.opname == "END_ASYNC_FOR" or ins.opcode not in JUMPS:
        return None
    return ins.argval


JUMPS = set(dis.hasjrel) | set(dis.hasjabs)
DROPPED = {"PRECALL", "KW_NAMES", "NOT_TAKEN"}


def list_code(code, out):
    """Prints one code object."""
    out.write("code %s\n" % code.co_name)
    lines = line_of_each(code) if VERSION <= 10 else None
    for ins in dis.get_instructions(code):
        if ins.opname == "EXTENDED_ARG":
            continue
        target = target_of(ins)
        out.write("%d %d %s %s " % (
            ins.offset, ins.opcode, "-" if ins.arg is None else ins.arg, "-" if target is None else target,
        ))  # fmt: skip
        out.write("dropped" if ins.opname in DROPPED else position(ins, lines))
        if exempt(ins.opname):
            out.write(" * %s\n" % ("-" if target is None else "*"))
        else:
            out.write(" %d %s\n" % (effect(ins, False), "-" if target is None else effect(ins, True)))
    if VERSION >= 11:
        for e in dis._parse_exception_table(code):
            out.write("handler %d %d %d %d %d\n" % (e.start, e.end, e.target, e.depth, e.lasti))
    for const in code.co_consts:
        if hasattr(const, "co_code"):
            list_code(const, out)


def main():
    """Lists every file that standard input names."""
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(10000)
    folder = Path(sys.argv[1])
    out = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", errors="surrogatepass", newline="\n")
    for number, name in enumerate(sys.stdin.read().splitlines()):
        try:
            code = compile(Path(name).read_bytes(), name, "exec", dont_inherit=True)
        except (OSError, SyntaxError, ValueError, RecursionError):
            continue
        pyc = importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)
        (folder / ("%05d.pyc" % number)).write_bytes(pyc)
        out.write("file\n")
        list_code(code, out)
    out.flush()


if __name__ == "__main__":
    main()
