# SPDX-License-Identifier: MIT
"""Writes mutated .pyc files of the running interpreter: valid code with one or a few changes.

Runs under each interpreter 3.8-3.15 and needs nothing but it. Arguments: folder, first number, count, seed, sources...
File NNNNNN.pyc depends only on its number, the seed and the sources. Half of the mutants have changed jumps.
"""

import dis
import importlib.util
import marshal
import os
import random
import sys
import warnings

HEADER = importlib.util.MAGIC_NUMBER + bytes(12)
JUMPS = set(dis.hasjrel) | set(dis.hasjabs)
FIELDS = ("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_stacksize", "co_flags", "co_firstlineno")
CACHE = dis.opmap.get("CACHE", -1) if sys.version_info >= (3, 11) else -1
OPCODES = sorted(op for op in dis.opmap.values() if op < 256)


def compiled(paths):
    """Yields the code objects of the sources that this version can compile."""
    for path in paths:
        with open(path, "rb") as stream:
            source = stream.read()
        try:
            yield compile(source, "<source>", "exec", 0, True, 0)
        except (SyntaxError, ValueError):
            continue


def places(code):
    """Returns the paths, as indices of co_consts, to a code object and the nested ones."""
    found = [()]
    for path in found:
        inner = at(code, path)
        found.extend(path + (i,) for i, c in enumerate(inner.co_consts) if hasattr(c, "co_code"))
    return found


def at(code, path):
    """Returns the code object at a path."""
    for i in path:
        code = code.co_consts[i]
    return code


def with_inner(code, path, inner):
    """Returns the code object with another one at a path."""
    if not path:
        return inner
    consts = list(code.co_consts)
    consts[path[0]] = with_inner(consts[path[0]], path[1:], inner)
    return code.replace(co_consts=tuple(consts))


def near(rnd, size):
    """Returns a number that is usually small."""
    return rnd.choice((0, 1, 2, 3, rnd.randrange(8), rnd.randrange(max(1, size)) % 256, rnd.randrange(256)))


def starts(raw):
    """Returns the offsets of the instructions, without caches."""
    return [i for i in range(0, len(raw), 2) if raw[i] != CACHE]


def aim(rnd, raw, i):
    """Returns an argument with which the jump at `i` leads to an instruction, usually a near one."""
    op, targets = raw[i], starts(raw)
    at = targets.index(i) if i in targets else 0
    to = (
        targets[max(0, min(len(targets) - 1, at + rnd.randrange(-9, 10)))]
        if rnd.random() < 0.7
        else rnd.choice(targets)
    )
    unit = 2 if sys.version_info >= (3, 10) else 1
    if op in dis.hasjabs:
        return to // unit % 256
    after = i + 2
    while sys.version_info >= (3, 12) and after < len(raw) and raw[after] == CACHE:
        after += 2
    distance = (to - after) // unit
    return abs(distance) % 256


def change_jump(rnd, raw):
    """Changes the target or the kind of a jump."""
    jumps = [i for i in starts(raw) if raw[i] in JUMPS and i + 2 < len(raw)]
    if not jumps:
        return change_instruction(rnd, raw)
    i = rnd.choice(jumps)
    if rnd.random() < 0.2:
        raw[i] = rnd.choice([raw[j] for j in jumps])
    else:
        raw[i + 1] = aim(rnd, raw, i)


def change_instruction(rnd, raw):
    """Changes an operation, an argument or the order, or removes an instruction."""
    places = starts(raw)
    i = rnd.choice(places)
    how = rnd.randrange(6)
    if how == 0:
        raw[i] = rnd.choice(OPCODES)
    elif how == 1:
        raw[i + 1] = near(rnd, len(raw))
    elif how == 2:
        raw[i] = dis.opmap["NOP"]
    elif how == 3:
        j = rnd.choice(places)
        raw[i : i + 2], raw[j : j + 2] = raw[j : j + 2], raw[i : i + 2]
    elif how == 4:
        raw[i : i + 2] = bytes([dis.opmap.get("COPY", dis.opmap.get("DUP_TOP", 9)), 1])
    else:
        raw[i] = rnd.choice([raw[j] for j in places])


def change_parts(rnd, code):
    """Changes a table, a number, or the list of names or constants."""
    how = rnd.randrange(4)
    if how == 0 and getattr(code, "co_exceptiontable", b""):
        table = bytearray(code.co_exceptiontable)
        table[rnd.randrange(len(table))] ^= 1 << rnd.randrange(6)
        return code.replace(co_exceptiontable=bytes(table))
    if how == 1:
        field = rnd.choice(FIELDS)
        return code.replace(**{field: rnd.choice((0, 1, getattr(code, field) ^ (1 << rnd.randrange(9))))})
    if how == 2 and code.co_names:
        names = list(code.co_names)
        del names[rnd.randrange(len(names))]
        return code.replace(co_names=tuple(names))
    consts = list(code.co_consts)
    rnd.shuffle(consts)
    return code.replace(co_consts=tuple(consts[: rnd.randrange(len(consts) + 1)]))


def mutant(rnd, code, jumps):
    """Returns the bytes of one mutated file."""
    if not jumps and rnd.random() < 0.1:
        data = bytearray(marshal.dumps(code))
        for _ in range(rnd.choice((1, 1, 2, 8))):
            data[rnd.randrange(len(data))] = rnd.randrange(256)
        return HEADER + bytes(data[: rnd.choice((len(data), len(data), rnd.randrange(len(data))))])
    path = rnd.choice(places(code))
    inner = at(code, path)
    raw = bytearray(inner.co_code)
    if jumps:
        for _ in range(rnd.choice((1, 1, 1, 2, 3))):
            change_jump(rnd, raw)
    elif rnd.random() < 0.6:
        for _ in range(rnd.choice((1, 1, 2, 4))):
            change_instruction(rnd, raw)
    if raw != inner.co_code:  # in the bytes, because replace() may crash
        data = marshal.dumps(code)
        place = data.find(inner.co_code)
        return HEADER + data[:place] + bytes(raw) + data[place + len(raw) :]
    try:
        return HEADER + marshal.dumps(with_inner(code, path, change_parts(rnd, inner)))
    except (ValueError, TypeError, SystemError):  # CPython refuses such a code object
        return None


def main(folder, first, count, seed, paths):
    warnings.simplefilter("ignore")
    codes = list(compiled(paths))
    for number in range(first, first + count):
        rnd = random.Random("%s %d" % (seed, number))
        made = None
        while made is None:
            made = mutant(rnd, rnd.choice(codes), number % 2 == 0)
        with open(os.path.join(folder, "%06d.pyc" % number), "wb") as stream:
            stream.write(made)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5:])
