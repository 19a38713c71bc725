# SPDX-License-Identifier: MIT
"""Values on a frame's evaluation stack and in its local variables, by the instruction that put each on the stack.

Works on the compiler's static view of the bytecode: the stack's depth at an instruction is the same on every way that
leads there, so slots can be followed without running anything. Invariant: a slot is read only where its depth is
certain, and those that the instruction in progress takes are not: a callee may own them by now.
"""

from __future__ import annotations

import dis
import itertools
import re
import sys
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any

from depyf.torch.debug.stack_lists import Lists, Origins, escaped, evaluated, joined, slice_of, values_in
from depyf.torch.internals import dynamo

# Instructions that take what their effect says and leave nothing, and those that leave one value.
_LEAVE_NOTHING = (
    *("STORE_", "DELETE_", "POP_TOP", "POP_JUMP_", "JUMP_", "RETURN_VALUE", "LIST_EXTEND", "LIST_APPEND"),
    *("DICT_UPDATE", "NOP", "RESUME", "CACHE", "PRECALL", "KW_NAMES", "EXTENDED_ARG", "MAKE_CELL", "COPY_FREE_VARS"),
    "NOT_TAKEN",
)
_TAKE_NOTHING = ("LOAD_FAST", "LOAD_CONST", "LOAD_SMALL_INT", "LOAD_GLOBAL", "LOAD_DEREF", "LOAD_CLOSURE", "PUSH_NULL")
_LEAVE_ONE = (
    *("LOAD_ATTR", "BINARY_", "UNARY_", "COMPARE_OP", "IS_OP", "CONTAINS_OP", "CALL", "BUILD_", "TO_BOOL", "GET_ITER"),
)
_LOAD_CONSTANT = ("LOAD_CONST", "LOAD_SMALL_INT")
_TWO_IN_ONE = re.compile(r"(LOAD|STORE)_FAST\w*_(LOAD|STORE)_FAST")
_DEEPEST = 4  # no other instruction touches more slots
_LAST = ("RETURN_", "RAISE_", "RERAISE", "JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_ABSOLUTE")


class Stack:
    """The evaluation stack of frames that run one code object."""

    def __init__(self, code: CodeType) -> None:
        self.origins: dict[int, Origins] = {}  # at each instruction, of the slots from the bottom
        self.locals: dict[int, dict[str, int]] = {}  # at each instruction, of what the variables were assigned
        self.lists: dict[int, Lists] = {}
        self._instructions = {i.offset: i for i in dis.get_instructions(code)}
        # what a handler goes back to finds lists as they were wherever the exception came from
        handlers = any(i.opname.startswith("SETUP_") for i in self._instructions.values())
        self._follows_lists = not handlers and not getattr(code, "co_exceptiontable", b"")
        self.is_known = self._follow()

    def name_of(self, offset: int) -> str:
        """The operation at an offset."""
        return self._instructions[offset].opname

    def values(self, frame: FrameType) -> dict[int, Any]:
        """Offset of an instruction -> the value it left, for those on the stack of a frame that is being run, in lists
        that lie nowhere else, and in local variables.
        """
        origins = self.origins.get(frame.f_lasti)
        called = _called_by(frame)
        if not self.is_known or origins is None or called is None:
            return {}
        depth, lists = len(origins), self.lists[frame.f_lasti]
        if not _tells_of_a_line(called):  # in the middle of the instruction
            depth -= max(_taken(self._instructions[frame.f_lasti]), 0)
            lists = escaped(lists, origins[max(depth, 0) :])
        found = dynamo.frame_stack(frame, depth) if depth > 0 else []
        held = frame.f_locals
        left = {origin: held[name] for name, origin in self.locals[frame.f_lasti].items() if name in held}
        unsure: set[int] = set()
        for origin, value in values_in(origins, found, lists):
            if left.setdefault(origin, value) is not value:  # an instruction that ran twice
                unsure.add(origin)
        return {origin: value for origin, value in left.items() if origin not in unsure}

    def _follow(self) -> bool:
        """Follows each slot along all ways; whether every depth is certain."""
        offsets = sorted(self._instructions)
        following = dict(itertools.pairwise(offsets))
        waiting: list[tuple[int, Origins, Lists, dict[str, int]]] = [(offsets[0], (), {}, {})]
        while waiting:
            offset, origins, lists, names = waiting.pop()
            known = self.origins.get(offset)
            if known is not None:
                if len(known) != len(origins):
                    return False
                unsure = tuple(o for a, b in zip(known, origins) if a != b for o in (a, b))
                origins = tuple(a if a == b else None for a, b in zip(known, origins))
                lists = joined(self.lists[offset], lists, unsure)
                names = dict(names.items() & self.locals[offset].items())
                if (origins, lists, names) == (known, self.lists[offset], self.locals[offset]):
                    continue
            self.origins[offset], self.lists[offset], self.locals[offset] = origins, lists, names
            instruction = self._instructions[offset]
            assigned = _assigned(instruction, origins, names)
            left: int | None = offset
            if self._follows_lists:
                lists, left = evaluated(instruction, origins, lists, _taken(instruction), self._constant)
            for target, jump in _ways(instruction, following.get(offset)):
                after = _after(instruction, origins, jump)
                if after is None:
                    return False
                if left != offset and after and after[-1] == offset:  # an item of a list
                    after = (*after[:-1], left)
                waiting.append((target, after, lists, assigned))
        return True

    def _constant(self, origin: int | None) -> Any:
        """The constant, or the slice of constants, that an instruction leaves; an ellipsis for everything else."""
        instruction = self._instructions.get(origin) if origin is not None else None
        if instruction is None or origin is None:
            return ...
        if instruction.opname == "BUILD_SLICE":
            return slice_of([self._constant(part) for part in self.origins[origin][-(instruction.arg or 0) :]])
        return instruction.argval if instruction.opname in _LOAD_CONSTANT else ...


def _ways(instruction: dis.Instruction, following: int | None) -> Iterator[tuple[int, bool]]:
    """Where control goes next, and whether by a jump. Handlers are left out: what leads to them cannot be told."""
    if instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs:
        if not instruction.opname.startswith("SETUP_"):
            yield int(instruction.argval), True
    if following is not None and not instruction.opname.startswith(_LAST):
        yield following, False


def _assigned(instruction: dis.Instruction, origins: Origins, names: dict[str, int]) -> dict[str, int]:
    """What the local variables were assigned, after an instruction."""
    name = instruction.opname
    if "_FAST" not in name or (name.startswith("LOAD_") and "STORE" not in name and "CLEAR" not in name):
        return names
    changed = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
    left = {variable: origin for variable, origin in names.items() if variable not in changed}
    if name == "STORE_FAST" and origins and origins[-1] is not None:
        left[instruction.argval] = origins[-1]
    return left


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


def _effect(instruction: dis.Instruction, jump: bool | None) -> int:
    return dis.stack_effect(instruction.opcode, instruction.arg, jump=jump)


def _taken(instruction: dis.Instruction) -> int:
    """The most slots that an instruction takes."""
    name = instruction.opname
    if name.startswith("STORE_") and _TWO_IN_ONE.match(name):
        return 2
    if name.startswith(_LEAVE_NOTHING):
        return -min(_effect(instruction, True), _effect(instruction, False))
    if name.startswith(_TAKE_NOTHING):
        return 0
    if name.startswith(_LEAVE_ONE):
        return max(1 - _effect(instruction, None), 0 if name.startswith("BUILD_") else 1)
    return _DEEPEST + max(-_effect(instruction, True), -_effect(instruction, False), 0)


def _after(instruction: dis.Instruction, origins: Origins, jump: bool) -> Origins | None:
    """The stack after an instruction; None if it does not fit."""
    name, n, effect = instruction.opname, instruction.arg or 0, _effect(instruction, jump)
    if len(origins) + effect < 0:
        return None
    if name in ("SWAP", "COPY"):
        if not 0 < n <= len(origins):
            return None
        if name == "COPY":
            return (*origins, origins[-n])
        moved = list(origins)
        moved[-1], moved[-n] = moved[-n], moved[-1]
        return tuple(moved)
    if name.startswith(("ROT_", "DUP_TOP")):  # up to 3.10
        return _rotated(name, n, origins)
    if name == "UNPACK_SEQUENCE":
        return (*origins[:-1], *((None,) * n))
    if name.startswith(_TAKE_NOTHING) and effect > 0:
        return (*origins, *((instruction.offset if effect == 1 else None,) * effect))
    if name.startswith(_LEAVE_NOTHING) and effect <= 0 and not _TWO_IN_ONE.match(name):
        return origins[: len(origins) + effect]
    if name.startswith(_LEAVE_ONE) and effect <= 1 and not (name == "LOAD_ATTR" and effect == 1):
        return (*origins[: len(origins) + effect - 1], instruction.offset)
    kept = origins[: max(0, len(origins) - _DEEPEST)]
    return (*kept, *((None,) * (len(origins) + effect - len(kept)))) if len(origins) + effect >= len(kept) else None


def _rotated(name: str, n: int, origins: Origins) -> Origins | None:
    count = {"ROT_TWO": 2, "ROT_THREE": 3, "ROT_FOUR": 4, "DUP_TOP": 1, "DUP_TOP_TWO": 2}.get(name, n)
    if not 0 < count <= len(origins):
        return None
    if name.startswith("DUP"):
        return (*origins, *origins[-count:])
    return (*origins[:-count], origins[-1], *origins[-count:-1])
