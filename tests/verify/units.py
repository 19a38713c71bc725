# SPDX-License-Identifier: MIT
"""Takes code objects apart into instructions with labels, and puts them together again.

Runs under the interpreter whose bytecode it is and needs nothing but it. An instruction is a mutable object; jumps and
rows of the exception table refer to instructions, so that these can be moved. Line numbers are dropped.
"""

import dis
import opcode
import sys

VERSION = sys.version_info[:2]
# The argument of END_ASYNC_FOR in 3.14 is a position for monitoring; it does not jump.
JUMPS = (set(opcode.hasjrel) | set(opcode.hasjabs)) - {opcode.opmap["END_ASYNC_FOR"]}
ABSOLUTE = {opcode.opname[op] for op in opcode.hasjabs}  # none from 3.11 on
SCALE = 2 if VERSION < (3, 10) else 1  # up to 3.9 jumps count bytes, not code units
EXTENDED = opcode.opmap["EXTENDED_ARG"]
PLAIN_JUMPS = {"JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_ABSOLUTE"}
ENDS = {"RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE"} | PLAIN_JUMPS


def caches(name):
    """Returns the number of code units of inline cache after an instruction."""
    result = getattr(opcode, "_inline_cache_entries", {})
    if not result:
        return 0
    return result.get(name, 0) if hasattr(result, "get") else result[opcode.opmap[name]]


def with_direction(name, backward):
    """Returns a jump's name for its direction; conditional jumps of 3.12 and later only have the forward one."""
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
    """One instruction; `target` is the instruction that a jump leads to."""

    def __init__(self, name, arg=0, target=None):
        self.name, self.arg, self.target = name, arg, target
        self.at = None

    def copy(self):
        return Unit(self.name, self.arg, self.target)

    def __repr__(self):
        return "%s %s" % (self.name, self.arg)


class Row:
    """One row of the exception table: from `start` to before `end` (None: the end of the code)."""

    def __init__(self, start, end, target, depth, lasti):
        self.start, self.end, self.target, self.depth, self.lasti = start, end, target, depth, lasti


def take_apart(code):
    """Returns the instructions and the exception table of a code object; `at` is an instruction's offset in bytes."""
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
    """Returns the row of each instruction by id; where rows overlap, the last one counts."""
    index = {id(u): i for i, u in enumerate(units)}
    result = {}
    for row in rows:
        for u in units[index[id(row.start)] : len(units) if row.end is None else index[id(row.end)]]:
            result[id(u)] = row
    return result


def encode_rows(covered, places):
    """Returns the encoded exception table; `covered` has a row or None for each code unit."""
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
    """Returns the code object with other instructions; jumps are renamed for their direction.

    `rows` is a list of rows, or the row of each instruction by id.
    """
    index = {id(u): i for i, u in enumerate(units)}
    names = {
        id(u): u.name if u.target is None else with_direction(u.name, index[id(u.target)] <= i)
        for i, u in enumerate(units)
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
                end_of_jump = places[id(u)] + extra[id(u)] + sizes[id(u)]
                arg = SCALE * abs(places[id(u.target)] - (0 if names[id(u)] in ABSOLUTE else end_of_jump))
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
    fields.setdefault("co_consts", code.co_consts or (None,))  # inserted instructions may load the first constant
    if VERSION < (3, 11):
        fields["co_lnotab" if VERSION < (3, 10) else "co_linetable"] = b""
        return code.replace(co_code=bytes(out), **fields)
    row_of = rows if isinstance(rows, dict) else covering(units, rows)
    covered = [None] * (len(out) // 2)
    for u in units:
        for i in range(places[id(u)], places[id(u)] + extra[id(u)] + sizes[id(u)]):
            covered[i] = row_of.get(id(u))
    table = encode_rows(covered, places)
    return code.replace(co_code=bytes(out), co_exceptiontable=table, co_linetable=b"", **fields)


def next_of(units, i):
    """Returns where control may go after units[i], without exceptions: (next index or None, target or None)."""
    u = units[i]
    fall = None if u.name in ENDS or i + 1 >= len(units) else i + 1
    return fall, u.target


def effect_of(unit, jump):
    op = opcode.opmap[unit.name]
    if unit.target is not None:
        return dis.stack_effect(op, 0, jump=jump)
    return dis.stack_effect(op, unit.arg if op >= opcode.HAVE_ARGUMENT else None, jump=jump)


def depths(units, rows):
    """Returns the depth of the stack before each instruction, None if it is unreachable."""
    index = {id(u): i for i, u in enumerate(units)}
    result = [None] * len(units)
    todo = [(0, 0)]
    for row in rows:
        todo.append((index[id(row.target)], row.depth + bool(row.lasti) + 1))
    while todo:
        i, depth = todo.pop()
        while i is not None and result[i] is None:
            result[i] = depth
            fall, jump = next_of(units, i)
            if jump is not None:
                todo.append((index[id(jump)], depth + effect_of(units[i], True)))
            if fall is not None:
                depth += effect_of(units[i], False)
            i = fall
    return result
