# SPDX-License-Identifier: MIT
"""A small assembler for the bytecode of the running interpreter: turns text into a code object, checking only names.

Runs under each interpreter 3.8-3.15 and needs nothing but it. Facts (numbers, caches, kinds of arguments) come from the
interpreter's own ``opcode`` and ``dis``, never from this project's tables, which are what is tested. Instructions are
on separate lines or separated by semicolons; an argument is written as its meaning::

    LOAD_CONST ('k', 1)     any expression; code('g') is the code object g of the template
    LOAD_FAST a             also: two names with a comma; NAME+NULL, NAME+METHOD, NAME+TWO: bits of an argument
    BINARY_OP +=            COMPARE_OP <     CALL_INTRINSIC_1 INTRINSIC_PRINT
    L1:                     a label;   POP_JUMP_IF_TRUE L1   .try FROM TO HANDLER DEPTH [lasti]

Abbreviations: a lower-case name loads it, ``-name`` loads it and negates it, which recorders log; ``= name`` stores;
``ret``, ``pop`` and ``none`` return, pop and load None; ``fn name`` and ``call 2`` are a call in the version's form.
"""

import dis
import opcode
import sys

MINOR = sys.version_info[1]
STACK = 24
HAS_FREE = set(opcode.hasfree)
HAS_LOCAL = set(opcode.haslocal) | {
    opcode.opmap[name]
    for name in ("LOAD_FAST_LOAD_FAST", "STORE_FAST_STORE_FAST", "STORE_FAST_LOAD_FAST", "LOAD_FAST_AND_CLEAR")
    + ("LOAD_FAST_BORROW", "LOAD_FAST_CHECK", "LOAD_FAST_BORROW_LOAD_FAST_BORROW")
    if name in opcode.opmap
}
HAS_JUMP = set(opcode.hasjrel) | set(opcode.hasjabs)
BITS = {"NULL": 1, "METHOD": 1, "TWO": 2, "LAZY": 1, "EAGER": 2}
COMPARE_SHIFT = 0 if MINOR < 12 else 4 if MINOR == 12 else 5
# Bits for specialised comparisons: unordered 1, less 2, greater 4, equal 8 (Include/internal/pycore_code.h).
COMPARE_MASK = {"<": 2, "<=": 10, "==": 8, "!=": 7, ">": 4, ">=": 12} if MINOR >= 12 else {}
MACROS = {"ret": "RETURN_VALUE", "pop": "POP_TOP", "none": "LOAD_CONST None"}


class Unknown(Exception):
    """A sequence uses a name that this version does not have."""


def caches(name):
    """Returns the number of cache entries after an instruction."""
    table = getattr(opcode, "_inline_cache_entries", None) or getattr(dis, "_inline_cache_entries", None)
    if not table:
        return 0
    return table.get(name, 0) if hasattr(table, "get") else table[opcode.opmap[name]]


def name_shift(name):
    """Returns by how many bits the index of a name is shifted."""
    if name == "LOAD_GLOBAL":
        return 1 if MINOR >= 11 else 0
    if name == "LOAD_ATTR":
        return 1 if MINOR >= 12 else 0
    if name == "LOAD_SUPER_ATTR":
        return 2
    return 2 if name == "IMPORT_NAME" and MINOR >= 15 else 0


class Assembler:
    """Turns the text of one code object into its fields; `template` has the variables, flags and inner code objects."""

    def __init__(self, template):
        self.template = template
        self.consts = [None]
        self.names = []
        self.code = []  # (name, argument or label)
        self.labels = {}
        self.handlers = []
        variables = list(template.co_varnames)
        cells = list(template.co_cellvars) + list(template.co_freevars)
        self.fast = variables + [c for c in cells if c not in variables] if MINOR >= 11 else variables
        self.deref = self.fast if MINOR >= 11 else cells

    def inner(self, name):
        """Returns an inner code object of the template."""
        codes = [c for c in self.template.co_consts if hasattr(c, "co_code") and c.co_name.strip("<>") == name]
        return codes[0]

    def const(self, value):
        """Adds a constant and returns its index; equal constants are not shared."""
        if value is None:
            return 0
        self.consts.append(value)
        return len(self.consts) - 1

    def name(self, name):
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def argument(self, name, text):
        """Returns the number that the text of an argument means."""
        number = opcode.opmap[name]
        if text == "":
            return 0
        if number in opcode.hasconst:
            return self.const(eval(text, {"code": self.inner}))
        if name == "BINARY_OP":
            return [symbol for _, symbol in opcode._nb_ops].index(text)
        if name == "COMPARE_OP":
            text, _, to_bool = text.partition("+")
            mask = COMPARE_MASK.get(text, 0)
            return (opcode.cmp_op.index(text) << COMPARE_SHIFT) | mask | (16 if to_bool else 0)
        if name == "CALL_INTRINSIC_1":
            return opcode._intrinsic_1_descs.index(text)
        if name == "CALL_INTRINSIC_2":
            return opcode._intrinsic_2_descs.index(text)
        if text.isdigit():
            return int(text)
        if number in HAS_LOCAL and "," in text:
            first, second = (self.fast.index(part.strip()) for part in text.split(","))
            return first << 4 | second
        if name == "MAKE_CELL" or number in HAS_FREE:
            return self.deref.index(text)
        if number in HAS_LOCAL:
            return self.fast.index(text)
        if number in opcode.hasname:
            text, *bits = text.split("+")
            return self.name(text) << name_shift(name) | sum(BITS[bit] for bit in bits)
        raise Unknown("%s %s" % (name, text))

    def load(self, name):
        self.add("LOAD_FAST" if name in self.fast else "LOAD_NAME", name)

    def add(self, name, text=""):
        if name not in opcode.opmap:
            raise Unknown(name)
        if opcode.opmap[name] in HAS_JUMP and not text.isdigit():
            self.code.append((name, text))
        else:
            self.code.append((name, self.argument(name, text)))

    def call(self, text):
        if MINOR == 11:
            self.add("PRECALL", text)
        self.add("CALL" if MINOR >= 11 else "CALL_FUNCTION", text)

    def line(self, line):
        """Adds one instruction, label, directive or abbreviation."""
        first, _, rest = line.partition(" ")
        rest = rest.strip()
        if line.endswith(":"):
            self.labels[line[:-1]] = len(self.code)
        elif first == ".try":
            self.handlers.append(rest.split())
        elif first in MACROS:
            self.line(MACROS[first])
        elif first == "=":
            self.add("STORE_FAST" if rest in self.fast else "STORE_NAME", rest)
        elif first == "fn":
            if MINOR in (11, 12):
                self.add("PUSH_NULL")
            self.load(rest)
            if MINOR >= 13:
                self.add("PUSH_NULL")
        elif first == "call":
            self.call(rest)
        elif first.startswith("-"):
            self.load(first[1:])
            self.add("UNARY_NEGATIVE")
        elif first == "EXTENDED_ARG" or (len(first) > 1 and first.isupper()) or "_" in first:
            self.add(first, rest)
        else:
            self.load(first)

    def prologue(self):
        """Adds the instructions that the interpreter expects at the start of each function."""
        if MINOR < 10:
            return
        flags = self.template.co_flags
        generator = flags & 0x220 or flags & 0x80
        if MINOR == 10:
            if generator:
                self.add("GEN_START", str(1 if flags & 0x80 else 2 if flags & 0x200 else 0))
            return
        if self.template.co_freevars:
            self.add("COPY_FREE_VARS", str(len(self.template.co_freevars)))
        for name in self.template.co_cellvars:
            self.add("MAKE_CELL", name)
        if generator:
            self.add("RETURN_GENERATOR")
            self.add("POP_TOP")
        self.add("RESUME", "0")

    def offsets(self):
        """Returns the byte offset of each instruction, and of the end."""
        at, offsets = 0, []
        for name, argument in self.code:
            offsets.append(at)
            wide = argument if isinstance(argument, int) else 0
            at += 2 * (1 + (wide > 0xFF) + (wide > 0xFFFF) + (wide > 0xFFFFFF) + caches(name))
        return offsets + [at]

    def resolve(self, name, label, following, offsets):
        """Returns the argument of a jump."""
        target = offsets[self.labels[label]]
        unit = 2 if MINOR >= 10 else 1
        if opcode.opmap[name] in opcode.hasjabs:
            return target // unit
        distance = following - target if "BACKWARD" in name or name == "END_ASYNC_FOR" else target - following
        assert distance >= 0, (name, label)
        return distance // unit

    def bytecode(self):
        offsets = self.offsets()
        out = bytearray()
        for index, (name, argument) in enumerate(self.code):
            if isinstance(argument, str):
                argument = self.resolve(name, argument, offsets[index + 1], offsets)
                assert argument < 256
            for shift in (24, 16, 8):
                if argument >> shift:
                    out += bytes([opcode.opmap["EXTENDED_ARG"], argument >> shift & 0xFF])
            out += bytes([opcode.opmap[name], argument & 0xFF]) + bytes(2 * caches(name))
        return bytes(out)

    def exception_table(self):
        """Encodes the table (Objects/exception_handling_notes.txt): start, size, target, depth << 1 | lasti."""
        offsets = self.offsets()
        out = bytearray()
        for start, end, handler, depth, *lasti in self.handlers:
            start, end, handler = (offsets[self.labels[label]] // 2 for label in (start, end, handler))
            for index, value in enumerate((start, end - start, handler, int(depth) << 1 | bool(lasti))):
                digits = [value & 63]
                while value := value >> 6:  # written for 3.8 and later
                    digits.append(value & 63 | 64)
                digits[-1] |= 128 if index == 0 else 0
                out += bytes(reversed(digits))
        return bytes(out)

    def line_table(self, size):
        """Returns a table without any line numbers."""
        if MINOR < 10:
            return b""
        if MINOR == 10:
            whole, rest = divmod(size, 254)
            return bytes([254, 128]) * whole + (bytes([rest, 128]) if rest else b"")
        units = size // 2
        return b"".join(bytes([0xF8 | min(8, units - at) - 1]) for at in range(0, units, 8))


def assemble(text, template, names=()):
    """Returns the code object of a text; `names` come first in co_names."""
    assembler = Assembler(template)
    assembler.names.extend(names)
    assembler.prologue()
    for line in text.replace(";", "\n").splitlines():
        if line.strip():
            assembler.line(line.strip())
    code = assembler.bytecode()
    fields = {
        "co_code": code,
        "co_consts": tuple(assembler.consts),
        "co_names": tuple(assembler.names),
        "co_stacksize": STACK,
    }
    fields["co_linetable" if MINOR >= 10 else "co_lnotab"] = assembler.line_table(len(code))
    if MINOR >= 11:
        fields["co_exceptiontable"] = assembler.exception_table()
    return template.replace(**fields)
