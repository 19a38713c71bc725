# SPDX-License-Identifier: MIT
"""Instructions of code objects, also of malformed ones.

`dis.get_instructions` looks up what each argument refers to, and raises an error such as IndexError if there is none.
CPython accepts such instructions where control never gets, so well-formed code has them, too.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator
from types import CodeType
from typing import NamedTuple

_CACHE = dis.opmap.get("CACHE")  # 3.11 on


class Instruction(NamedTuple):
    """An instruction, whose argument is not looked up, or an EXTENDED_ARG prefix of one."""

    offset: int
    opcode: int
    argument: int

    @property
    def name(self) -> str:
        """The name of the operation."""
        return dis.opname[self.opcode]


def instructions_of(code: CodeType) -> Iterator[Instruction]:
    """Yields the instructions of a code object, in order, without inline caches."""
    units, prefix = code.co_code, 0
    for offset in range(0, len(units) - 1, 2):
        opcode, argument = units[offset], units[offset + 1] | prefix
        prefix = argument << 8 if opcode == dis.EXTENDED_ARG else 0
        if opcode != _CACHE:
            yield Instruction(offset, opcode, argument)
