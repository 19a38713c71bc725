# SPDX-License-Identifier: MIT
"""Values on a frame's evaluation stack and in its local variables, by the instruction that left each of them.

The core tells which instruction that is. Invariant: the stack is read only as deep as the core is certain of, and what
the instruction in progress takes is not: a callee may own it by now.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

from depyf import _core
from depyf.decompilation.errors import DecompilationError
from depyf.torch.internals import dynamo

Origin = tuple[int, str]  # the offset of an instruction, and the operation that left the value


def values_by_origin(frame: FrameType) -> dict[Origin, Any]:
    """What instructions of a running frame have left: on its stack, in lists that lie there, and in variables."""
    called = _called_by(frame)
    if called is None or frame.f_lasti < 0:
        return {}
    try:
        stack, lists, variables = _core.stack_origins(frame.f_code, frame.f_lasti, begun=not _tells_of_a_line(called))
    except DecompilationError:
        return {}
    held = frame.f_locals
    found = {origin: held[name] for name, origin in variables.items() if name in held}
    ambiguous: set[Origin] = set()
    waiting = list(zip(stack, dynamo.frame_stack(frame, len(stack)) if stack else []))
    while waiting:
        origin, value = waiting.pop()
        if origin is None:
            continue
        if found.setdefault(origin, value) is not value:  # an instruction that ran twice
            ambiguous.add(origin)
        items = lists.get(origin)
        if items and type(value) is list and len(value) == len(items):
            waiting += zip(items, value)
    return {origin: value for origin, value in found.items() if origin not in ambiguous}


def _called_by(frame: FrameType) -> FrameType | None:
    """The frame that `frame` called; None when it calls none: it has ended, or belongs to another thread."""
    other: FrameType | None = sys._getframe()
    while other is not None and other.f_back is not frame:
        other = other.f_back
    return other


def _tells_of_a_line(called: FrameType) -> bool:
    """Whether a frame is that of a trace function which is told of a line: the instruction has not begun."""
    code = called.f_code
    arguments = [called.f_locals.get(name) for name in code.co_varnames[: code.co_argcount]]
    return any(type(a) is str and a in ("line", "opcode") for a in arguments[-2:])
