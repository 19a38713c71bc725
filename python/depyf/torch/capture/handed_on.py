# SPDX-License-Identifier: MIT
"""Expressions of the program for the values that resume functions receive from the evaluation stack (`___stack0`).

A graph break inside an expression leaves values on the stack, which Dynamo passes on in variables of its own. The core
finds the instruction of the broken function that pushed each value, and the line table its expression. Invariant: an
expression is reported only if it is certain to have this value. Code objects are read; no code of the program runs.
"""

from __future__ import annotations

import ast
import dis
import linecache
import re
import textwrap
import types
from collections.abc import Mapping, MutableMapping

from torch.utils.weak import WeakIdKeyDictionary

from depyf import _core
from depyf.decompilation.errors import DecompilationError
from depyf.torch.capture import frame_names
from depyf.torch.model.words import one_line

_STACK_VARIABLE = re.compile(r"___stack\d+")
_MAX_LENGTH = 60  # maximum number of characters of an expression
# Operations that push the value of the expression at their position in the source, and the type of that expression.
_EXPRESSION_TYPES = {
    **dict.fromkeys(("CALL", "CALL_FUNCTION", "CALL_FUNCTION_EX", "CALL_FUNCTION_KW", "CALL_KW"), ast.Call),
    **dict.fromkeys(("LOAD_FAST", "LOAD_GLOBAL", "LOAD_DEREF"), ast.Name),
    **dict.fromkeys(("COMPARE_OP", "CONTAINS_OP", "IS_OP"), ast.Compare),
    **dict.fromkeys(("BINARY_SUBSCR", "BINARY_SLICE"), ast.Subscript),
    **dict.fromkeys(("UNARY_NEGATIVE", "UNARY_INVERT"), ast.UnaryOp),
    "BINARY_OP": ast.BinOp,
    "LOAD_ATTR": ast.Attribute,
}
_UNKNOWN_OPERAND = "an operand on the evaluation stack at the graph break"

_expressions: MutableMapping[types.CodeType, Mapping[str, str]] = WeakIdKeyDictionary()


def note(code: types.CodeType, resumed: types.CodeType) -> None:
    """Notes the expressions of the values that a resume function receives from the stack."""
    goal = frame_names.goal_of(resumed) if resumed not in _expressions else None
    offset = _same_instruction(resumed, goal, code) if goal is not None else None
    if goal is None or offset is None:
        return
    try:
        broken = _core.stack_origins(code, offset, begun=False)[0]
        restored = _core.stack_origins(resumed, goal, begun=False)[0]
    except DecompilationError:
        return
    if len(broken) != len(restored):
        return
    expressions = {}
    for origin, slot in zip(broken, restored, strict=True):
        variable = _loaded(resumed, slot[0]) if slot is not None else ""
        if origin is None or broken.count(origin) > 1 or not _STACK_VARIABLE.fullmatch(variable):
            continue
        loaded = _loaded(code, origin[0])
        is_passed_on = _STACK_VARIABLE.fullmatch(loaded)  # by an earlier resume function
        text = _expressions.get(code, {}).get(loaded, "") if is_passed_on else _source(code, *origin)
        if text:
            expressions[variable] = text
    _expressions[resumed] = expressions


def expressions(code: types.CodeType | None) -> dict[str, str]:
    """Returns the known expressions of the values that a resume function receives from the stack, by variable."""
    return dict(_expressions.get(code, {})) if code is not None else {}


def with_expression(code: types.CodeType | None, source: str, property_text: str) -> str:
    """Returns a property of a guarded value, with the expression of the program if the value is from the stack."""
    name = _STACK_VARIABLE.match(source)
    if name is None:
        return property_text
    meaning = expressions(code).get(name[0], _UNKNOWN_OPERAND)
    return f"{property_text} of {meaning}" if source == name[0] else f"{property_text} ({name[0]} is {meaning})"


def _same_instruction(resumed: types.CodeType, goal: int, code: types.CodeType) -> int | None:
    """Returns the offset, in the original function, of the instruction with which a resume function continues, or None.

    It is found by its position in the source, if it is the only instruction of its kind there. The offset in the name
    of a resume function cannot be used: Dynamo splits instructions (`POP_JUMP_IF_NONE`, `STORE_FAST_LOAD_FAST`) before
    it counts.
    """
    if not hasattr(code, "co_positions") or not hasattr(resumed, "co_positions"):  # before CPython 3.11
        return None
    place, places = [*resumed.co_positions()][goal // 2], [*code.co_positions()]
    operation = next(i.opname for i in dis.get_instructions(resumed) if i.offset == goal)
    same_kind = [i for i in dis.get_instructions(code) if f"{i.opname}_".startswith(f"{operation}_")]
    offsets = [i.offset for i in same_kind if places[i.offset // 2] == place and None not in place]
    return offsets[0] if len(offsets) == 1 else None


def _loaded(code: types.CodeType, offset: int) -> str:
    """Returns the variable that the instruction at an offset loads; "" for other instructions."""
    instruction = next((i for i in dis.get_instructions(code) if i.offset == offset), None)
    return str(instruction.argval) if instruction is not None and instruction.opname.startswith("LOAD_FAST") else ""


def _source(code: types.CodeType, offset: int, operation: str) -> str:
    """Returns the expression whose value an instruction pushed; "" if it is none or the line table has no columns."""
    if not hasattr(code, "co_positions"):  # before CPython 3.11
        return ""
    first, last, start, end = [*code.co_positions()][offset // 2]
    if first is None or last is None or start is None or end is None:
        return ""
    lines = [linecache.getline(code.co_filename, n).encode() for n in range(first, last + 1)]
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][start:]
    text = one_line(b"".join(lines).decode(errors="replace"))
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return ""
    is_of_it = type(node) is _EXPRESSION_TYPES.get(operation)
    return textwrap.shorten(text, _MAX_LENGTH, placeholder=" …") if is_of_it else ""
