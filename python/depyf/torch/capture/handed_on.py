# SPDX-License-Identifier: MIT
"""What resume functions are handed of the evaluation stack: the program's expressions for `___stack0` and its like.

A graph break within an expression leaves values on the stack. Dynamo hands them on in variables of its own; the core
tells which instruction of the broken function left each, and the line table what that is of. Invariant: an expression
is told only where its value is certain to be it. Reads code objects, runs nothing of the program.
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

_OF_STACK = re.compile(r"___stack\d+")
_MOST = 60  # characters of an expression
# The operations that leave the value of the expression at their place in the source, and what that expression is.
_OF_EXPRESSION = {
    **dict.fromkeys(("CALL", "CALL_FUNCTION", "CALL_FUNCTION_EX", "CALL_FUNCTION_KW", "CALL_KW"), ast.Call),
    **dict.fromkeys(("LOAD_FAST", "LOAD_GLOBAL", "LOAD_DEREF"), ast.Name),
    **dict.fromkeys(("COMPARE_OP", "CONTAINS_OP", "IS_OP"), ast.Compare),
    **dict.fromkeys(("BINARY_SUBSCR", "BINARY_SLICE"), ast.Subscript),
    **dict.fromkeys(("UNARY_NEGATIVE", "UNARY_INVERT"), ast.UnaryOp),
    "BINARY_OP": ast.BinOp,
    "LOAD_ATTR": ast.Attribute,
}
_IN_WORDS = "what lay on the evaluation stack at the graph break"

_expressions: MutableMapping[types.CodeType, Mapping[str, str]] = WeakIdKeyDictionary()


def note(code: types.CodeType, resumed: types.CodeType) -> None:
    """Notes what a resume function is handed from the stack of the function that it continues."""
    goal = frame_names.goal_of(resumed) if resumed not in _expressions else None
    at = _same_instruction(resumed, goal, code) if goal is not None else None
    if goal is None or at is None:
        return
    try:
        left = _core.stack_origins(code, at, begun=False)[0]
        laid = _core.stack_origins(resumed, goal, begun=False)[0]
    except DecompilationError:
        return
    if len(left) != len(laid):
        return
    found = {}
    for origin, slot in zip(left, laid, strict=True):
        variable = _loaded(resumed, slot[0]) if slot is not None else ""
        if origin is None or left.count(origin) > 1 or not _OF_STACK.fullmatch(variable):
            continue
        own = _loaded(code, origin[0])
        text = _expressions.get(code, {}).get(own, "") if _OF_STACK.fullmatch(own) else _source(code, *origin)
        if text:
            found[variable] = text
    _expressions[resumed] = found


def expressions(code: types.CodeType | None) -> dict[str, str]:
    """The expressions for what a resume function is handed from the stack, as far as they are known."""
    return dict(_expressions.get(code, {})) if code is not None else {}


def told(code: types.CodeType | None, source: str, what: str) -> str:
    """A property of what a guard looks at, with words for the latter where it has a name of Dynamo's."""
    name = _OF_STACK.match(source)
    if name is None:
        return what
    meaning = expressions(code).get(name[0], _IN_WORDS)
    return f"{what} of {meaning}" if source == name[0] else f"{what} ({name[0]} is {meaning})"


def _same_instruction(resumed: types.CodeType, goal: int, code: types.CodeType) -> int | None:
    """The offset, in the code of a function, of the instruction with which a resume function continues.

    Known by its place in the source, if it is the only one there of its kind. The offset in the name that torch gives a
    resume function counts instructions of which Dynamo made several: `POP_JUMP_IF_NONE`, `STORE_FAST_LOAD_FAST`.
    """
    if not hasattr(code, "co_positions") or not hasattr(resumed, "co_positions"):  # before CPython 3.11
        return None
    place, places = [*resumed.co_positions()][goal // 2], [*code.co_positions()]
    wanted = next(i.opname for i in dis.get_instructions(resumed) if i.offset == goal)
    alike = [i for i in dis.get_instructions(code) if f"{i.opname}_".startswith(f"{wanted}_")]
    found = [i.offset for i in alike if places[i.offset // 2] == place and None not in place]
    return found[0] if len(found) == 1 else None


def _loaded(code: types.CodeType, offset: int) -> str:
    """The variable that the instruction at an offset loads; "" for another instruction."""
    found = next((i for i in dis.get_instructions(code) if i.offset == offset), None)
    return str(found.argval) if found is not None and found.opname.startswith("LOAD_FAST") else ""


def _source(code: types.CodeType, offset: int, operation: str) -> str:
    """The expression whose value an instruction left; "" where the line table has no columns, or it is of no one."""
    if not hasattr(code, "co_positions"):  # before CPython 3.11
        return ""
    first, last, start, end = [*code.co_positions()][offset // 2]
    if first is None or last is None or start is None or end is None:
        return ""
    lines = [linecache.getline(code.co_filename, n).encode() for n in range(first, last + 1)]
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][start:]
    text = " ".join(b"".join(lines).decode(errors="replace").split())
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return ""
    is_of_it = type(node) is _OF_EXPRESSION.get(operation)
    return textwrap.shorten(text, _MOST, placeholder=" …") if is_of_it else ""
