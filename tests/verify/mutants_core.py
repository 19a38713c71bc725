# SPDX-License-Identifier: MIT
"""Makes wrong translations: one observable change to a function's bytecode, kept if a run shows a difference.

``mutants_core.py OUT COUNT SEED BASE FILE...`` takes functions of the files, writes OUT/N.a.pyc and OUT/N.b.pyc, and
prints one line of JSON for each pair. If BASE is "-", the original's own bytecode is changed. Otherwise it is a folder
of other bytecode for the same functions (a decompiled and recompiled MODULE.pyc for each MODULE.py), which is changed.
"""

import importlib.util
import json
import marshal
import os
import random
import sys
import types
from opcode import opmap

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from observe import differs, observed
from units import ENDS, VERSION, Row, Unit, depths, effect_of, put_together, take_apart

SEEDS = tuple(range(6))
TRIES = 12  # per function
PER_FILE = 12
EFFECTS = set(
    """
    CALL CALL_FUNCTION_EX LOAD_ATTR LOAD_METHOD STORE_ATTR DELETE_ATTR BINARY_SUBSCR STORE_SUBSCR DELETE_SUBSCR
    BINARY_OP COMPARE_OP CONTAINS_OP GET_ITER LOAD_GLOBAL STORE_GLOBAL STORE_DEREF LOAD_DEREF IMPORT_NAME YIELD_VALUE
    UNARY_NOT UNARY_NEGATIVE FORMAT_VALUE FORMAT_SIMPLE FORMAT_WITH_SPEC UNPACK_SEQUENCE CALL_KW LOAD_SUPER_ATTR
    CALL_FUNCTION CALL_FUNCTION_KW CALL_METHOD
""".split()
)
# up to 3.10 each operator has its own operation
OPERATORS = [
    kind + name
    for kind in ("BINARY_", "INPLACE_")
    for name in "ADD AND FLOOR_DIVIDE LSHIFT MODULO MULTIPLY OR POWER RSHIFT SUBTRACT TRUE_DIVIDE XOR".split()
    if kind + name in opmap
]
EFFECTS.update(OPERATORS)
NAMED = """
    LOAD_GLOBAL LOAD_ATTR LOAD_METHOD STORE_ATTR LOAD_FAST LOAD_FAST_BORROW LOAD_FAST_CHECK STORE_FAST DELETE_FAST
    LOAD_DEREF STORE_DEREF LOAD_CLOSURE STORE_GLOBAL IMPORT_NAME IMPORT_FROM
""".split()
PAIRS = ("STORE_FAST_LOAD_FAST", "STORE_FAST_STORE_FAST", "LOAD_FAST_LOAD_FAST", "LOAD_FAST_BORROW_LOAD_FAST_BORROW")
WITH_FLAG = ("LOAD_GLOBAL", "LOAD_ATTR") if VERSION >= (3, 12) else ("LOAD_GLOBAL",)  # the lowest bit is a flag
# calls whose arguments are on top of the stack
CALLS = ("CALL_FUNCTION", "CALL_METHOD") if VERSION < (3, 11) else ("PRECALL",) if VERSION < (3, 12) else ("CALL",)
# operations whose argument is one of so many numbers, shifted by so many bits above flags
COMPARE_SHIFT = 0 if VERSION < (3, 12) else 4 if VERSION == (3, 12) else 5
OPERANDS = {"BINARY_OP": (26, 0), "COMPARE_OP": (6, COMPARE_SHIFT), "IS_OP": (2, 0), "CONTAINS_OP": (2, 0)}
OPERANDS["FORMAT_VALUE"] = (4, 0)


class Work:
    """A code object taken apart, with the facts that mutations need."""

    def __init__(self, code, draw):
        self.code, self.draw = code, draw
        self.units, self.rows = take_apart(code)
        self.depth = depths(self.units, self.rows)
        self.fields = {}
        self.targets = {id(u.target) for u in self.units if u.target is not None}
        for row in self.rows:
            self.targets |= {id(row.start), id(row.target), id(row.end)}

    def places(self, *names):
        return [i for i, u in enumerate(self.units) if u.name in names and self.depth[i] is not None]

    def pick(self, found):
        return self.draw.choice(found) if found else None

    def done(self):
        return put_together(self.code, self.units, self.rows, **self.fields)


def swap(depth):
    return Unit("SWAP", depth) if VERSION >= (3, 11) else Unit("ROT_TWO")


def segments(work, limit=40):
    """Returns straight-line runs of instructions that have an effect and leave the stack as it was."""
    found = []
    units, depth = work.units, work.depth
    for i in range(len(units)):
        if depth[i] is None or units[i].name in ("KW_NAMES", "CALL", "RESUME", "MAKE_CELL", "COPY_FREE_VARS"):
            continue
        effect = False
        for j in range(i, min(i + limit, len(units))):
            u = units[j]
            plain = u.target is None and u.name not in ENDS and (j == i or id(u) not in work.targets)
            if (
                not plain
                or depth[j] is None
                or depth[j] < depth[i]
                or u.name.startswith(("RETURN_G", "POP_EX", "PUSH_EX", "SEND"))
            ):
                break
            if depth[j] + effect_of(u, False) < depth[i]:
                break
            effect = effect or u.name in EFFECTS
            if effect and j + 1 < len(units) and depth[j + 1] == depth[i] and u.name != "KW_NAMES":
                found.append((i, j + 1))
                break
    return found


def drop(work):
    """Removes a statement, or an operation whose left operand then becomes the result."""
    kind = work.draw.random()
    if kind < 0.6:
        part = work.pick(segments(work))
        if part is None:
            return False
        for u in work.units[part[0] : part[1]]:
            u.name, u.arg = "NOP", 0
        return True
    pops = {**dict.fromkeys(OPERATORS, 1), "BINARY_OP": 1,
            "COMPARE_OP": 1, "BINARY_SUBSCR": 1, "LOAD_ATTR": 0, "UNARY_NOT": 0, "STORE_ATTR": 2,
            "STORE_SUBSCR": 3, "DELETE_SUBSCR": 2, "DELETE_ATTR": 1, "STORE_GLOBAL": 1, "STORE_DEREF": 1}  # fmt: skip
    i = work.pick(work.places(*pops))
    if i is None:
        return False
    n = pops[work.units[i].name]
    work.units[i].name, work.units[i].arg = "POP_TOP" if n else "NOP", 0
    work.units[i + 1 : i + 1] = [Unit("POP_TOP") for _ in range(n - 1)]
    return True


def duplicate(work):
    part = work.pick(segments(work))
    if part is None:
        return False
    work.units[part[1] : part[1]] = [u.copy() for u in work.units[part[0] : part[1]]]
    return True


def swap_effects(work):
    """Two statements, or two operands, change places."""
    if work.draw.random() < 0.5:
        i = work.pick(
            work.places(
                "BINARY_OP", "COMPARE_OP", "BINARY_SUBSCR", "CONTAINS_OP", "STORE_ATTR", "STORE_SUBSCR", *OPERATORS
            )
        )
        if i is None:
            return False
        work.units.insert(i, swap(2))
        return True
    parts = segments(work)
    starts = {a: (a, b) for a, b in parts}
    pairs = [(p, starts[p[1]]) for p in parts if p[1] in starts and id(work.units[p[1]]) not in work.targets]
    pair = work.pick(pairs)
    if pair is None:
        return False
    (a, b), (_, c) = pair
    if id(work.units[a]) in work.targets:
        return False
    work.units[a:c] = work.units[b:c] + work.units[a:b]
    return True


def swap_arguments(work):
    found = [i for i in work.places(*CALLS) if work.units[i].arg >= 2 and work.units[i - 1].name != "KW_NAMES"]
    i = work.pick(found)
    if i is None:
        return False
    work.units.insert(i, swap(work.draw.randint(2, work.units[i].arg)))
    return True


def change_name(work):
    """Changes a name, variable or cell."""
    i = work.pick(work.places(*NAMED, *PAIRS))
    if i is None:
        return False
    u = work.units[i]
    names = work.code.co_names
    if u.name in PAIRS:
        other = work.draw.randrange(min(len(work.code.co_varnames), 16))
        u.arg = work.draw.choice((u.arg & 15 | other << 4, u.arg & ~15 | other))
    elif "FAST" in u.name:
        u.arg = work.draw.randrange(len(work.code.co_varnames))
    elif u.name.endswith(("DEREF", "CLOSURE")):
        cells = work.code.co_cellvars + work.code.co_freevars
        total = len(work.code.co_varnames) + len([c for c in cells if c not in work.code.co_varnames])
        firsts = [work.code.co_varnames.index(c) for c in work.code.co_cellvars if c in work.code.co_varnames]
        u.arg = work.draw.choice(firsts + list(range(len(work.code.co_varnames), total)))
    elif u.name in WITH_FLAG:
        u.arg = work.draw.randrange(len(names)) << 1 | u.arg & 1
    else:
        u.arg = work.draw.randrange(len(names))
    return True


def changed_constant(value, draw):
    """Returns another constant of a similar kind."""
    if value is None or value is Ellipsis:
        return draw.choice((0, False, ()))
    if isinstance(value, bool):
        return draw.choice((not value, int(value)))
    if isinstance(value, int):
        return draw.choice((value + 1, -value, float(value), bool(value)))
    if isinstance(value, float):
        return draw.choice((value + 1, -value))
    if isinstance(value, str):
        return draw.choice((value + "x", value.encode("utf-8", "replace"), value[1:]))
    if isinstance(value, bytes):
        return draw.choice((value + b"x", value.decode("latin-1")))
    if isinstance(value, tuple) and value and all(not isinstance(v, types.CodeType) for v in value):
        k = draw.randrange(len(value))
        other = value[k] + "x" if isinstance(value[k], str) else changed_constant(value[k], draw)
        return value[:k] + (other,) + value[k + 1 :]
    return value


def change_constant(work):
    """Changes a constant: of an operation, a default, an annotation, the names of arguments."""
    i = work.pick(work.places("LOAD_CONST", "KW_NAMES", "RETURN_CONST", "LOAD_SMALL_INT"))
    if i is not None and work.units[i].name == "LOAD_SMALL_INT":
        work.units[i].arg ^= 1
        return True
    if i is None or isinstance(work.code.co_consts[work.units[i].arg], types.CodeType):
        return False
    value = work.code.co_consts[work.units[i].arg]
    if work.units[i].name == "KW_NAMES":
        k = work.draw.randrange(len(value))
        other = value[:k] + (value[k] + "x",) + value[k + 1 :]
    else:
        other = changed_constant(value, work.draw)
    work.units[i].arg = len(work.code.co_consts)
    work.fields["co_consts"] = (*work.code.co_consts, other)
    return True


def change_operator(work):
    """Changes an operator or a flag."""
    i = work.pick(work.places(*OPERANDS, *OPERATORS))
    if i is None:
        return False
    u = work.units[i]
    if u.name in OPERATORS:
        u.name = work.draw.choice([name for name in OPERATORS if name != u.name])
        return True
    count, shift = OPERANDS[u.name]
    flags = u.arg & (4 if u.name == "FORMAT_VALUE" else (1 << shift) - 1)
    now = (u.arg & 3) if u.name == "FORMAT_VALUE" else u.arg >> shift
    u.arg = (now + work.draw.randrange(1, count)) % count << shift | flags
    return True


def change_branch(work):
    """Inverts a test, or makes a jump lead elsewhere."""
    found = [i for i in range(len(work.units)) if work.units[i].target is not None and work.depth[i] is not None]
    i = work.pick(found)
    if i is None:
        return False
    u = work.units[i]
    pairs = (("IF_TRUE", "IF_FALSE"), ("IF_FALSE", "IF_TRUE"), ("IF_NONE", "IF_NOT_NONE"), ("IF_NOT_NONE", "IF_NONE"))
    for old, new in pairs:
        if old in u.name and work.draw.random() < 0.5:
            u.name = u.name.replace(old, new)
            return True
    index = {id(v): k for k, v in enumerate(work.units)}
    there = work.depth[index[id(u.target)]]
    ahead = [
        k
        for k in range(i + 1, len(work.units))
        if work.depth[k] == there and work.units[k].name not in ("CALL", "PRECALL")
    ]
    if u.name == "FOR_ITER" and VERSION >= (3, 12):
        ahead = [k for k in ahead if work.units[k].name == "END_FOR"]  # FOR_ITER skips its target
    k = work.pick(ahead)
    if k is None or work.units[k] is u.target:
        return False
    u.target = work.units[k]
    return True


def change_handler(work):
    """Changes a row of the exception table: removes or shortens it, or changes its handler, depth or lasti."""
    row = work.pick(work.rows)
    if row is None:
        return False
    kind = work.draw.randrange(5)
    if kind == 0:
        work.rows.remove(row)
    elif kind == 1:
        k = work.units.index(row.start) + work.draw.randint(1, 4)
        if k >= len(work.units) or (row.end is not None and k >= work.units.index(row.end)):
            return False
        row.start = work.units[k]
    elif kind == 2:
        other = work.pick([r for r in work.rows if r.target is not row.target])
        if other is None:
            return False
        row.target = other.target
    elif kind == 3:
        row.depth = max(0, row.depth + work.draw.choice((-1, 1)))
    else:
        row.lasti = not row.lasti
    return True


def swallow_exception(work):
    """Makes a `raise` or the end of a handler return instead."""
    i = work.pick(work.places("RERAISE", "RAISE_VARARGS"))
    if i is None:
        return False
    u = work.units[i]
    pops = u.arg if u.name == "RAISE_VARARGS" else 0
    u.name, u.arg = "NOP", 0
    work.units[i + 1 : i + 1] = [*(Unit("POP_TOP") for _ in range(pops)), Unit("LOAD_CONST", 0), Unit("RETURN_VALUE")]
    return True


def return_other_value(work):
    """Changes the returned or yielded value."""
    i = work.pick(work.places("RETURN_VALUE", "YIELD_VALUE"))
    if i is None:
        return False
    work.units[i:i] = [Unit("POP_TOP"), Unit("LOAD_CONST", work.draw.randrange(len(work.code.co_consts)))]
    return True


# Other operations that accept the same entries of the stack.
OTHERS = {
    "LIST_EXTEND": ("LIST_APPEND",), "LIST_APPEND": ("LIST_EXTEND",), "SET_ADD": ("SET_UPDATE",),
    "SET_UPDATE": ("SET_ADD",), "DICT_MERGE": ("DICT_UPDATE",), "DICT_UPDATE": ("DICT_MERGE",),
    "GET_ITER": ("NOP",), "BUILD_TUPLE": ("BUILD_LIST", "BUILD_SET"), "BUILD_LIST": ("BUILD_TUPLE", "BUILD_SET"),
    "BUILD_SET": ("BUILD_LIST", "BUILD_TUPLE"), "UNARY_NEGATIVE": ("UNARY_INVERT", "NOP"), "UNARY_INVERT": ("NOP",),
    "STORE_FAST": ("POP_TOP",), "DELETE_FAST": ("NOP",), "FORMAT_SIMPLE": ("NOP",), "TO_BOOL": ("UNARY_NOT",),
    "LIST_TO_TUPLE": ("NOP",), "GET_AWAITABLE": ("NOP",), "GET_YIELD_FROM_ITER": ("NOP", "GET_ITER"),
    "LOAD_CLOSURE": ("LOAD_CONST",), "CONVERT_VALUE": ("NOP",), "COPY_DICT_WITHOUT_KEYS": ("POP_TOP",),
}  # fmt: skip
if VERSION >= (3, 11):
    OTHERS["POP_EXCEPT"] = ("POP_TOP",)  # the exception is still being handled afterwards


def replace_operation(work):
    """Changes an operation, repeats it, or exchanges its operands."""
    i = work.pick(work.places(*OTHERS, "UNPACK_SEQUENCE", "UNPACK_EX", "STORE_FAST", "GET_ITER"))
    if i is None:
        return False
    u = work.units[i]
    if u.name.startswith("UNPACK"):
        if u.name == "UNPACK_SEQUENCE" and u.arg < 2:
            return False
        work.units.insert(i + 1, swap(2))
    elif u.name == "GET_ITER" and work.draw.random() < 0.5:
        work.units.insert(i, Unit("GET_ITER"))
    elif u.name == "STORE_FAST" and work.draw.random() < 0.5:
        work.units.insert(i + 1, Unit("DELETE_FAST", u.arg))
    else:
        u.name = work.draw.choice([name for name in OTHERS[u.name] if name in opmap] or ["NOP"])
        u.arg = u.arg if u.name.startswith(("BUILD", "LIST_A", "LIST_E", "SET_", "DICT_")) else 0
    return True


def move_block_boundary(work):
    """Moves the beginning or end of a protected block, or removes it."""
    i = work.pick(work.places("POP_BLOCK", "POP_EXCEPT", "SETUP_FINALLY", "SETUP_WITH", "CALL_FINALLY"))
    if i is None:
        return False
    u = work.units[i]
    if u.target is None and work.draw.random() < 0.5:
        u.name = "NOP"
        return True
    k = min(len(work.units) - 1, max(0, i + work.draw.choice((-3, -2, -1, 1, 2, 3))))
    if id(work.units[k]) in work.targets or id(u) in work.targets or u.target is not None:
        return False
    work.units[i], work.units[k] = work.units[k], work.units[i]
    return True


def change_function_flags(work):
    """Changes a flag or a count of parameters of a nested code object."""
    inner = [k for k, c in enumerate(work.code.co_consts) if isinstance(c, types.CodeType)]
    k = work.pick(inner)
    if k is None:
        return False
    code = work.code.co_consts[k]
    field, step = work.draw.choice((("co_flags", 0), ("co_posonlyargcount", 1), ("co_kwonlyargcount", 1)))
    value = getattr(code, field) + work.draw.choice((step, -step))
    if field == "co_flags":
        value ^= work.draw.choice((0x4, 0x8, 0x20, 0x80, 0x100, 0x200))
    other = code.replace(**{field: value})
    work.fields["co_consts"] = (*work.code.co_consts[:k], other, *work.code.co_consts[k + 1 :])
    return True


def change_function_attributes(work):
    """Exchanges or removes an attribute that a function gets when it is made (defaults, annotations)."""
    i = work.pick([i for i in work.places("MAKE_FUNCTION", "SET_FUNCTION_ATTRIBUTE") if work.units[i].arg])
    if i is None:
        return False
    u = work.units[i]
    if u.name == "SET_FUNCTION_ATTRIBUTE" and work.draw.random() < 0.5:
        u.name, u.arg = "SWAP", 2
        work.units.insert(i + 1, Unit("POP_TOP"))
        return True
    bits = [b for b in (1, 2, 4, 8, 16) if u.arg & b]
    old, new = work.draw.choice(bits), work.draw.choice([b for b in (1, 2, 4) if not u.arg & b] or bits)
    u.arg = u.arg ^ old ^ new
    return old != new


def close_past_handlers(work):
    """Makes close() skip the handlers around a yield: removes the row that covers it, or sets a flag."""
    i = work.pick(work.places("YIELD_VALUE"))
    if i is None or i + 1 >= len(work.units):
        return False
    index = {id(u): k for k, u in enumerate(work.units)}

    def covers(row):
        return index[id(row.start)] < i and (row.end is None or i + 1 < index[id(row.end)])

    row = work.pick([row for row in work.rows if covers(row)])
    after = work.units[i + 1]
    if after.name == "RESUME" and VERSION >= (3, 13) and work.draw.random() < 0.5:
        after.arg ^= 4
    elif row is not None:
        work.rows.append(Row(after, row.end, row.target, row.depth, row.lasti))
        row.end = work.units[i]
    else:
        return False
    return True


KINDS = (
    replace_operation,
    replace_operation,
    move_block_boundary,
    drop,
    drop,
    duplicate,
    swap_effects,
    swap_arguments,
    change_name,
    change_name,
    change_constant,
    change_operator,
    change_branch,
    change_handler,
    change_handler,
    swallow_exception,
    return_other_value,
)


# kinds that few functions are suitable for: the operations that make a function suitable
RARE = {
    change_function_flags: ("MAKE_FUNCTION",),
    change_function_attributes: ("MAKE_FUNCTION", "SET_FUNCTION_ATTRIBUTE"),
    close_past_handlers: ("YIELD_VALUE",),
}


def mutant(code, draw):
    """Returns (kind, code) with one change in the code object or a nested one, or None if this attempt fails."""
    inner = [k for k, c in enumerate(code.co_consts) if isinstance(c, types.CodeType)]
    if inner and draw.random() < 0.35:
        k = draw.choice(inner)
        found = mutant(code.co_consts[k], draw)
        if found is None:
            return None
        consts = (*code.co_consts[:k], found[1], *code.co_consts[k + 1 :])
        return "nested " + found[0].replace("nested ", ""), code.replace(co_consts=consts)
    work = Work(code, draw)
    rare = [kind for kind, names in RARE.items() if work.places(*names)] + [change_handler] * bool(work.rows)
    kind = draw.choice(rare) if rare and draw.random() < 0.3 else draw.choice(KINDS)
    try:
        made = work.done() if kind(work) else None
    except (ValueError, SystemError):  # no such code object exists
        return None
    return None if made is None else (kind.__name__, made)


def functions(code, path=()):
    """Yields the functions of a module with their paths."""
    for k, c in enumerate(x for x in code.co_consts if isinstance(x, types.CodeType)):
        named = not c.co_name.startswith("<") and c.co_name != "__annotate__"  # which tests a value that is not a bool
        if c.co_flags & 1 and named and 20 < len(c.co_code) < 4000:
            yield (*path, c.co_name, k), c
        else:
            yield from functions(c, (*path, c.co_name, k))


def compiled(path):
    """Returns the module's code, or None if the source is invalid."""
    with open(path, "rb") as source:
        try:
            return compile(source.read(), os.path.basename(path), "exec", dont_inherit=True, optimize=0)
        except (SyntaxError, ValueError):
            return None


def write(path, code):
    with open(path, "wb") as out:
        out.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))


def main(out, count, seed, base, files):
    draw = random.Random(seed)
    made = 0
    draw.shuffle(files)
    for path in files:
        module = compiled(path)
        if module is None:
            continue
        others = {}
        if base != "-":
            with open(os.path.join(base, os.path.basename(path) + "c"), "rb") as source:
                others = dict(functions(marshal.loads(source.read()[16:])))
        every = list(functions(module))
        draw.shuffle(every)
        for path_of_function, code in every[:PER_FILE]:
            changed_code = code if base == "-" else others.get(path_of_function)
            expected = None if changed_code is None else observed(code, SEEDS)
            if expected is None or expected != observed(code, SEEDS):
                continue  # runs differ, because it has its own state
            if base != "-" and expected != observed(changed_code, SEEDS):
                continue
            for _ in range(TRIES):
                found = mutant(changed_code, draw)
                if found is None:
                    continue
                if not differs(code, expected, found[1], SEEDS):
                    continue  # no run shows a difference, or runs are not reproducible
                write("%s/%d.a.pyc" % (out, made), code)
                write("%s/%d.b.pyc" % (out, made), found[1])
                print(
                    json.dumps({"number": made, "kind": found[0], "function": path_of_function[-2], "file": path}),
                    flush=True,
                )
                made += 1
                if made >= count:
                    return
                if draw.random() < 0.6:
                    break


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5:])
