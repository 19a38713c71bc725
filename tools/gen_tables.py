#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes src/bytecode/tables/pyXYY.inc: the facts about one CPython's instruction set, from that CPython itself.

Each table lists opcode numbers, names, arguments, caches and jump kinds, and the names of small numbers (binary
operators, intrinsics, common constants, special methods). What an opcode means is in src/bytecode/meaning.def, once for
all versions. With --check nothing is written, and a stale table gives exit status 1.

Everything up to `emit` runs under every supported interpreter, so this file keeps to the syntax of Python 3.8.
"""

import argparse
import dis
import json
import opcode
import subprocess
import sys
from pathlib import Path

# dis lists END_ASYNC_FOR as a jump from 3.14 on, but its argument only tells where the loop's SEND is (for monitoring);
# it never jumps there.
NOT_JUMPS = {"END_ASYNC_FOR"}

# The names in src/bytecode/instruction.h of what LOAD_COMMON_CONSTANT pushes and LOAD_SPECIAL looks up.
COMMON_CONSTANTS = {
    "<class 'AssertionError'>": "kAssertionError",
    "<class 'NotImplementedError'>": "kNotImplementedError",
    "<class 'tuple'>": "kTuple",
    "<built-in function all>": "kAll",
    "<built-in function any>": "kAny",
    "<class 'list'>": "kList",
    "<class 'set'>": "kSet",
    "None": "kNone",
    "''": "kEmptyStr",
    "True": "kTrue",
    "False": "kFalse",
    "-1": "kMinusOne",
}
SPECIAL_METHODS = {
    "__enter__": "kEnter",
    "__exit__": "kExit",
    "__aenter__": "kAenter",
    "__aexit__": "kAexit",
}


def caches_of(name, number):
    """Returns the number of cache words after an opcode.

    Opcode.py has them by number (3.11-3.12) or by name (3.13+).
    """
    entries = getattr(opcode, "_inline_cache_entries", None)
    if entries is None:
        return 0
    if isinstance(entries, (list, tuple)):
        return entries[number]
    return entries.get(name, 0)


def jump_kind(name, number):
    """Returns how an opcode's argument encodes the jump target."""
    if name in NOT_JUMPS:
        return "kNone"
    if number in opcode.hasjabs:
        return "kAbsolute"
    if number in opcode.hasjrel:
        return "kBackward" if "BACKWARD" in name else "kForward"
    return "kNone"


def jump_unit():
    """Returns the number of bytes per unit of a jump's argument, measured because no module tells it."""
    code = compile("for a in b:\n  c\n  d", "unit", "exec")
    for ins in dis.get_instructions(code):
        if ins.opname == "FOR_ITER":
            after = ins.offset + 2 + 2 * caches_of(ins.opname, ins.opcode)
            return (ins.argval - after) // ins.arg
    raise SystemExit("no FOR_ITER in a for loop")


def compare_shift():
    """Returns by how many bits the operator is shifted in COMPARE_OP's argument, measured."""
    args = []
    for text in ("<", "<=", "==", "!=", ">", ">="):
        compares = [
            i for i in dis.get_instructions(compile("a %s b" % text, "cmp", "eval")) if i.opname == "COMPARE_OP"
        ]
        args.append(compares[0].arg)
    for shift in range(8):
        if [(arg or 0) >> shift for arg in args] == [0, 1, 2, 3, 4, 5]:
            return shift
    raise SystemExit("COMPARE_OP has an unknown encoding: %s" % args)


def rows():
    """Yields the lines of this interpreter's table, each a macro call."""
    yield "DEPYF_FACTS(%d, %d)  // jump unit in bytes, shift of COMPARE_OP's operator" % (jump_unit(), compare_shift())
    hasarg = set(getattr(opcode, "hasarg", [])) or {n for n in opcode.opmap.values() if n >= opcode.HAVE_ARGUMENT}
    instrumented = getattr(opcode, "MIN_INSTRUMENTED_OPCODE", 256)
    for name, number in sorted(opcode.opmap.items(), key=lambda item: item[1]):
        # Pseudo opcodes exist only in the compiler, and instrumented ones never appear in co_code.
        if number < 256 and not (number >= instrumented and name.startswith("INSTRUMENTED_")):
            yield "DEPYF_OPCODE(%d, %s, %s, %d, %s)" % (
                number, name, "true" if number in hasarg else "false", caches_of(name, number), jump_kind(name, number)
            )  # fmt: skip
    for i, (name, _) in enumerate(getattr(opcode, "_nb_ops", [])):
        yield "DEPYF_NB_OP(%d, %s)" % (i, name)
    for i, name in enumerate(getattr(opcode, "_intrinsic_1_descs", [])):
        yield "DEPYF_INTRINSIC_1(%d, %s)" % (i, name)
    for i, name in enumerate(getattr(opcode, "_intrinsic_2_descs", [])):
        yield "DEPYF_INTRINSIC_2(%d, %s)" % (i, name)
    for i, value in enumerate(getattr(opcode, "_common_constants", [])):
        yield "DEPYF_COMMON_CONSTANT(%d, %s)" % (i, COMMON_CONSTANTS[repr(value)])
    for i, name in enumerate(getattr(opcode, "_special_method_names", [])):
        yield "DEPYF_SPECIAL_METHOD(%d, %s)" % (i, SPECIAL_METHODS[name])


def emit():
    """Prints the table of the running interpreter."""
    print("// SPDX-License-Identifier: MIT")
    version = "%d.%d" % sys.version_info[:2]
    print("// The instruction set of CPython %s. Written by tools/gen_tables.py; do not edit." % version)
    for row in rows():
        print(row)


def table_of(command):
    """Returns the table that an interpreter emits; it reads this script from stdin, so it may see other files."""
    script = Path(__file__).read_text(encoding="utf-8")
    done = subprocess.run([*command, "-", "--emit"], input=script, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{command} failed:\n{done.stderr}")
    return done.stdout


def main():
    """Writes or checks the tables of all interpreters, and returns the exit status."""
    parser = argparse.ArgumentParser(description="Writes src/bytecode/tables/*.inc with the available interpreters.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a table is stale")
    parser.add_argument("--emit", action="store_true", help="print the table of the running interpreter")
    parser.add_argument("--interpreters", type=Path, help="JSON file {version: [command]} instead of interpreters.py")
    options = parser.parse_args()
    if options.emit:
        emit()
        return 0
    here = Path(__file__).resolve().parent
    if options.interpreters:
        commands = json.loads(options.interpreters.read_text(encoding="utf-8"))
    else:
        commands = json.loads(subprocess.check_output([sys.executable, str(here / "interpreters.py")], text=True))
    stale = []
    for version, command in sorted(commands.items(), key=lambda item: int(item[0].split(".")[1])):
        path = here.parent / "src" / "bytecode" / "tables" / "py3{:02d}.inc".format(int(version.split(".")[1]))
        text = table_of(command)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
            if not options.check:
                path.write_text(text, encoding="utf-8")
    print(("stale: " if options.check else "written: ") + (", ".join(stale) or "none"))
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
