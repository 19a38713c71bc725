# SPDX-License-Identifier: MIT
"""Takes code objects apart into instructions with labels, and puts them together again.

Runs under the interpreter whose bytecode it is and needs nothing but it. An instruction is a mutable object; jumps and
rows of the exception table name instructions, so that they can be moved about. Line numbers are forgotten.
"""

import dis
import opcode
import sys

VERSION = sys.version_info[:2]
# END_ASYNC_FOR of 3.14 names the place it leaves, for those who watch; control does not go there
JUMPS = (set(opcode.hasjrel) | set(opcode.hasjabs)) - {opcode.opmap["END_ASYNC_FOR"]}
ABSOLUTE = {opcode.opname[op] for op in opcode.hasjabs}  # none from 3.11 on
SCALE = 2 if VERSION < (3, 10) else 1  # up to 3.9 jumps count bytes, not code units
EXTENDED = opcode.opmap["EXTENDED_ARG"]
PLAIN_JUMPS = {"JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_ABSOLUTE"}
ENDS = {"RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE"} | PLAIN_JUMPS


def caches(name):
    """How many code units of inline cache follow an instruction."""
    found = getattr(opcode, "_inline_cache_entries", {})
    if not found:
        return 0
    return found.get(name, 0) if hasattr(found, "get") else found[opcode.opmap[name]]


def turned(name, backward):
    """A jump's name for its direction: conditional ones lost theirs in 3.12, and then only go forward."""
    if name in PLAIN_JUMPS:
        if not backward or ABSOLUTE:
            return "JUMP_ABSOLUTE" if backward else "JUMP_FORWARD"
        return "JUMP_BACKWARD" if name == "JUMP_FORWARD" else name
    if name in ABSOLUTE:
        return name
    if "WARD" in name:
        return name.replace(*(("FORWARD", "BACKWARD") if backward else ("BACKWARD", "FORWARD")))
    if backward:
        raise ValueError("no backward form of " + name)
    return name


class Unit:
    """One instruction; `target` of a jump is another one."""

    def __init__(self, name, arg=0, target=None):
        self.name, self.arg, self.target = name, arg, target
        self.at = None

    def copy(self):
        return Unit(self.name, self.arg, self.target)

    def __repr__(self):
        return "%s %s" % (self.name, self.arg)


class Row:
    """One row of the exception table: from `start` to before `end` (None: the end)."""

    def __init__(self, start, end, target, depth, lasti):
        self.start, self.end, self.target, self.depth, self.lasti = start, end, target, depth, lasti


def take_apart(code):
    """The instructions and the exception table of a code object; an instruction's `at` is its offset, in bytes."""
    units, at = [], {}
    for insn in dis.get_instructions(code):
        if insn.opcode == EXTENDED:
            at[insn.offset] = len(units)
            continue
        at[insn.offset] = len(units)
        units.append((insn, Unit(insn.opname, insn.arg or 0)))
        units[-1][1].at = insn.offset
    first = {}
    for offset, index in at.items():
        first[offset] = units[index][1] if index < len(units) else None
    for insn, unit in units:
        if insn.opcode in JUMPS:
            unit.target = first[insn.argval]
    rows = []
    for e in dis._parse_exception_table(code) if VERSION >= (3, 11) else ():
        end = next((first[o] for o in sorted(first) if o >= e.end), None)
        rows.append(Row(first[e.start], end, first[e.target], e.depth, e.lasti))
    return [u for _, u in units], rows


def varint(value, begin):
    parts = [value & 63]
    while value > 63:
        value >>= 6
        parts.append(64 | value & 63)
    parts.reverse()
    return bytes([parts[0] | 128, *parts[1:]] if begin else parts)


def covering(units, rows):
    """The row of each instruction, by id; of rows that overlap the last one wins."""
    index = {id(u): i for i, u in enumerate(units)}
    found = {}
    for row in rows:
        for u in units[index[id(row.start)] : len(units) if row.end is None else index[id(row.end)]]:
            found[id(u)] = row
    return found


def encode_rows(covered, places):
    """The exception table; `covered` is a row or None for each code unit."""
    table, i, size = b"", 0, len(covered)
    while i < size:
        j = i
        while j < size and covered[j] is covered[i]:
            j += 1
        row = covered[i]
        if row is not None:
            table += varint(i, True) + varint(j - i, False) + varint(places[id(row.target)], False)
            table += varint(row.depth << 1 | bool(row.lasti), False)
        i = j
    return table


def put_together(code, units, rows, **fields):
    """The code object with other instructions. Jumps change direction by name as they must.

    `rows` is a list of rows, or the row of each instruction by id.
    """
    index = {id(u): i for i, u in enumerate(units)}
    names = {
        id(u): u.name if u.target is None else turned(u.name, index[id(u.target)] <= i) for i, u in enumerate(units)
    }
    sizes = {id(u): 1 + caches(names[id(u)]) for u in units}
    extra = {id(u): 0 for u in units}
    again = True
    while again:
        places, at, again = {}, 0, False
        for u in units:
            places[id(u)] = at
            at += extra[id(u)] + sizes[id(u)]
        args = {}
        for u in units:
            arg = u.arg
            if u.target is not None:
                behind = places[id(u)] + extra[id(u)] + sizes[id(u)]
                arg = SCALE * abs(places[id(u.target)] - (0 if names[id(u)] in ABSOLUTE else behind))
            need = max((max(arg, 0).bit_length() + 7) // 8, 1) - 1
            if need > extra[id(u)]:
                extra[id(u)], again = need, True
            args[id(u)] = arg
    out = bytearray()
    for u in units:
        arg = args[id(u)]
        for k in range(extra[id(u)], 0, -1):
            out += bytes([EXTENDED, arg >> 8 * k & 255])
        out += bytes([opcode.opmap[names[id(u)]], arg & 255]) + bytes(2 * (sizes[id(u)] - 1))
    fields.setdefault("co_consts", code.co_consts or (None,))  # what is put in may load the first constant
    if VERSION < (3, 11):
        fields["co_lnotab" if VERSION < (3, 10) else "co_linetable"] = b""
        return code.replace(co_code=bytes(out), **fields)
    of = rows if isinstance(rows, dict) else covering(units, rows)
    covered = [None] * (len(out) // 2)
    for u in units:
        for i in range(places[id(u)], places[id(u)] + extra[id(u)] + sizes[id(u)]):
            covered[i] = of.get(id(u))
    table = encode_rows(covered, places)
    return code.replace(co_code=bytes(out), co_exceptiontable=table, co_linetable=b"", **fields)


def next_of(units, i):
    """Where control may go after units[i], exceptions apart: (fall through, jump) as indices or None."""
    u = units[i]
    fall = None if u.name in ENDS or i + 1 >= len(units) else i + 1
    return fall, u.target


def effect_of(unit, jump):
    op = opcode.opmap[unit.name]
    if unit.target is not None:
        return dis.stack_effect(op, 0, jump=jump)
    return dis.stack_effect(op, unit.arg if op >= opcode.HAVE_ARGUMENT else None, jump=jump)


def depths(units, rows):
    """The depth of the stack before each instruction; None: unreachable."""
    index = {id(u): i for i, u in enumerate(units)}
    found = [None] * len(units)
    todo = [(0, 0)]
    for row in rows:
        todo.append((index[id(row.target)], row.depth + bool(row.lasti) + 1))
    while todo:
        i, depth = todo.pop()
        while i is not None and found[i] is None:
            found[i] = depth
            fall, jump = next_of(units, i)
            if jump is not None:
                todo.append((index[id(jump)], depth + effect_of(units[i], True)))
            if fall is not None:
                depth += effect_of(units[i], False)
            i = fall
    return found
