# SPDX-License-Identifier: MIT
"""Values on a frame's evaluation stack and in its local variables, by the instruction that produced them.

The core determines these instructions. Invariant: the stack is read only as deep as the core is certain, and the
operands of the instruction in progress are not read, because a callee may already own them.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

from depyf import _core
from depyf.decompilation.errors import DecompilationError
from depyf.torch.internals import dynamo

Origin = tuple[int, str]  # the offset and the operation of the instruction that produced a value


def values_by_origin(frame: FrameType) -> dict[Origin, Any]:
    """Returns the values that instructions of a running frame left on its stack, in lists on it, and in variables."""
    called = _called_by(frame)
    if called is None or frame.f_lasti < 0:
        return {}
    try:
        stack, lists, variables = _core.stack_origins(frame.f_code, frame.f_lasti, begun=not _is_line_event(called))
    except DecompilationError:
        return {}
    local = frame.f_locals
    values = {origin: local[name] for name, origin in variables.items() if name in local}
    ambiguous: set[Origin] = set()
    waiting = list(zip(stack, dynamo.frame_stack(frame, len(stack)) if stack else []))
    while waiting:
        origin, value = waiting.pop()
        if origin is None:
            continue
        if values.setdefault(origin, value) is not value:  # the instruction was executed more than once
            ambiguous.add(origin)
        items = lists.get(origin)
        if items and type(value) is list and len(value) == len(items):
            waiting += zip(items, value)
    return {origin: value for origin, value in values.items() if origin not in ambiguous}


def _called_by(frame: FrameType) -> FrameType | None:
    """Returns the frame that `frame` has called; None if it has ended or belongs to another thread."""
    candidate: FrameType | None = sys._getframe()
    while candidate is not None and candidate.f_back is not frame:
        candidate = candidate.f_back
    return candidate


def _is_line_event(called: FrameType) -> bool:
    """Returns whether a frame runs a trace function for a `line` or `opcode` event, before the instruction begins."""
    code = called.f_code
    arguments = [called.f_locals.get(name) for name in code.co_varnames[: code.co_argcount]]
    return any(type(a) is str and a in ("line", "opcode") for a in arguments[-2:])
