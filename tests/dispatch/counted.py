# SPDX-License-Identifier: MIT
"""Counts operations in bytecode, with `dis` only, to find those that a decompiled text lacks.

Counts every operation of reachable code that uses a name, an attribute, an item, an operator, a call, an import or the
caller (yield, raise, await), with its operand; nested functions count as part of the enclosing one, because a text may
write them in another form. A text may have more operations (those of the dispatch loop), but never fewer. Runs under
each version's own interpreter (3.8 on).
"""

from __future__ import annotations

import dis
from collections import Counter
from types import CodeType

OPTIMIZED = 0x1  # CO_OPTIMIZED: a function, whose nested functions count as part of it
# Functions that count as part of the enclosing code, because a text may write them in another form.
PARTS = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<lambda>", "__annotate__"}
# Names of the compiler in class bodies and scopes of type parameters; it duplicates them with the exits of these.
COMPILERS = {"__classcell__", "__classdict__", "__classdictcell__", "__static_attributes__", "__type_params__"}
LEAVES = {"RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE"}
LEAVES |= {"JUMP_FORWARD", "JUMP_ABSOLUTE", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "INTERPRETER_EXIT"}

# Operations that count with their name or operator; operations of several versions with the same meaning are together.
NAMED = {
    "attribute": ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR"),
    "attribute set": ("STORE_ATTR",),
    "attribute deleted": ("DELETE_ATTR",),
    "read": (
        *("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"),
        *("LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF"),
        *("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_BORROW"),
    ),
    "written": ("STORE_NAME", "STORE_GLOBAL", "STORE_DEREF", "STORE_FAST", "STORE_FAST_MAYBE_NULL"),
    "deleted": ("DELETE_NAME", "DELETE_GLOBAL"),
    "import": ("IMPORT_NAME",),
    "import from": ("IMPORT_FROM",),
    "operator": ("BINARY_OP",),
}
# Operations that count without an operand.
PLAIN = {
    "call": (
        *("CALL", "CALL_FUNCTION", "CALL_METHOD", "CALL_FUNCTION_KW", "CALL_FUNCTION_EX", "CALL_KW"),
        *("CALL_FUNCTION_EX_KW",),
    ),
    "item": ("BINARY_SUBSCR",),
    "item set": ("STORE_SUBSCR", "STORE_SLICE"),
    "item deleted": ("DELETE_SUBSCR",),
    "yield": ("YIELD_VALUE",),
    "raise": ("RAISE_VARARGS",),
    "import all": ("IMPORT_STAR",),
    "class": ("LOAD_BUILD_CLASS",),
    "comparison": ("COMPARE_OP", "CONTAINS_OP", "IS_OP"),
    "unpacking": ("UNPACK_SEQUENCE", "UNPACK_EX"),
}
KINDS = {op: (kind, True) for kind, ops in NAMED.items() for op in ops}
KINDS.update({op: (kind, False) for kind, ops in PLAIN.items() for op in ops})


def reachable(code: CodeType) -> list[dis.Instruction]:
    """Returns the instructions that are reachable through jumps and handlers."""
    every = [i for i in dis.get_instructions(code) if i.opname not in ("CACHE", "EXTENDED_ARG")]
    index: dict[int, int] = {}  # offset -> number of the instruction at it, or whose prefixes include it
    last = 0
    for number, instruction in enumerate(every):
        for offset in range(last, instruction.offset + 2, 2):
            index[offset] = number
        last = instruction.offset + 2
    parse = getattr(dis, "_parse_exception_table", None)
    ranges = parse(code) if parse is not None else ()
    todo, seen = [0], set()
    while todo:
        number = todo.pop()
        if number in seen or number >= len(every):
            continue
        seen.add(number)
        instruction = every[number]
        todo += [index[entry.target] for entry in ranges if entry.start <= instruction.offset < entry.end]
        if instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs:
            todo.append(index[instruction.argval])
        if instruction.opname not in LEAVES:
            todo.append(number + 1)
    return [every[number] for number in sorted(seen)]


def kinds(instruction: dis.Instruction) -> list[tuple[str, str]]:
    """Returns what an instruction counts as; superinstructions count as each of their parts."""
    name = instruction.opname
    if name.count("_FAST") == 2:  # STORE_FAST_LOAD_FAST and its like
        first, second = instruction.argrepr.split(", ")
        ways = [
            "written" if part.startswith("STORE") else "read"
            for part in (name, name.partition("_FAST_")[2].replace("BORROW_", ""))
        ]
        return [(ways[0], first), (ways[1], second)]
    if name.startswith(("BINARY_", "INPLACE_")) and name not in ("BINARY_OP", "BINARY_SUBSCR", "BINARY_SLICE"):
        return [("operator", name)]
    if name not in KINDS:
        return []
    kind, named = KINDS[name]
    if not named:
        return [(kind, "")]
    if name == "BINARY_OP":
        if instruction.argrepr == "%":
            return []  # 3.14 compiles "%s" % (x,) as an f-string
        return [("item", "")] if instruction.argrepr == "[]" else [(kind, instruction.argrepr)]
    return [(kind, str(instruction.argval[-1] if isinstance(instruction.argval, tuple) else instruction.argval))]


def calls_exit(before: list[dis.Instruction], instruction: dis.Instruction) -> bool:
    """Returns whether this is the call of `__exit__` at the end of a with statement, which the compiler duplicates."""
    nones = [i for i in before if i.opname != "PRECALL"][-3:]
    calls = instruction.opname in ("CALL", "CALL_FUNCTION")
    return calls and len(nones) == 3 and all(i.opname.startswith("LOAD_C") and i.argval is None for i in nones)


def is_compiler_name(code: CodeType, looked_up: set[str], instruction: dis.Instruction, name: str) -> bool:
    """Returns whether a name is not the program's: hidden arguments, the end of a class body, closures being built."""
    if name.startswith(".") or name in COMPILERS:
        return True
    if "_FAST" not in instruction.opname:
        return False
    own = not code.co_flags & OPTIMIZED or name in looked_up  # the variable of an inlined comprehension
    return own or name in code.co_cellvars or name in code.co_freevars


def counts(code: CodeType, place: str = "", found: dict[str, Counter] | None = None) -> dict[str, Counter]:
    """Returns how often each thing occurs, by class body and function (with its nested functions)."""
    found = {} if found is None else found
    own = found.setdefault(place, Counter())
    every = reachable(code)
    looked_up = {i.argval for i in every if i.opname.endswith("_GLOBAL")}
    for number, instruction in enumerate(every):
        if calls_exit(every[max(0, number - 4) : number], instruction):
            continue
        own.update(what for what in kinds(instruction) if not is_compiler_name(code, looked_up, instruction, what[1]))
        inner = instruction.argval
        if isinstance(inner, CodeType):  # counts each use, because equal code objects may be one constant
            part = code.co_flags & OPTIMIZED or inner.co_name in PARTS
            counts(inner, place if part else place + "." + inner.co_name, found)
    return found


def folded(found: dict[str, Counter], places: set[str]) -> dict[str, Counter]:
    """Returns the counts of the given places; those of any other place are added to the enclosing one."""
    kept = {place: Counter() for place in places}
    for place, own in found.items():
        while place not in places:
            place = place.rpartition(".")[0]
        kept[place].update(own)
    return kept


def left_out(code: CodeType, text: CodeType) -> list[str]:
    """Returns what the text has fewer of than the code, one line each."""
    here, there = counts(code), counts(text)
    both = here.keys() & there.keys()  # a text may define functions under other names and rename them
    there = folded(there, both)
    return [
        "%s: %s, %d of %d" % (place or "module", " ".join(what).strip(), there[place][what], times)
        for place, own in folded(here, both).items()
        for what, times in own.items()
        if there[place][what] < times
    ]
