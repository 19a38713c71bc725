# SPDX-License-Identifier: MIT
"""Refuses code objects whose last instruction lacks inline caches, before anything reads their `co_code`.

CPython 3.11 and later compute `co_code` from the specialized instructions, and clear the caches of each instruction
without comparing with the length of the code: for such a code object, which `replace` accepts, they write beyond the
end of the result. Invariant: this module does not read `co_code`, and accepts everything that CPython itself compiles.
"""

from __future__ import annotations

import dis
import functools
from types import CodeType
from typing import Any

from depyf.decompilation.errors import DecompilationError

_INSTRUMENTED = "INSTRUMENTED_"
_HIDE_THE_OPERATION = ("INSTRUMENTED_LINE", "INSTRUMENTED_INSTRUCTION", "ENTER_EXECUTOR")


def check_inline_caches(code: CodeType) -> None:
    """Raises DecompilationError if the code, or that of a function in it, ends within the caches of an instruction."""
    waiting: list[Any] = [code]
    seen: set[int] = set()  # ids: several code objects can share one
    while waiting:
        current = waiting.pop()
        if type(current) is not CodeType or id(current) in seen:  # isinstance believes what an object claims to be
            continue
        seen.add(id(current))
        offset = _truncated(current)
        if offset is not None:
            raise DecompilationError(current, offset, "the code ends within the inline caches of this instruction")
        waiting += current.co_consts


def _truncated(code: CodeType) -> int | None:
    """Returns the offset of a last instruction that lacks inline caches, or None."""
    units = getattr(code, "_co_code_adaptive", None)  # the instructions as they are, a copy; since 3.11
    if units is None:
        return None
    caches, offset = _cache_counts(), 0
    if not any(caches[op] != 0 for op in units[-2 * max(filter(None, caches)) :: 2]):
        return None
    while offset < len(units):
        count = caches[units[offset]]
        if count is None:
            return None
        if offset + 2 * (1 + count) > len(units):
            return offset
        offset += 2 * (1 + count)
    return None


@functools.cache
def _cache_counts() -> list[int | None]:
    """Returns the number of cache entries after each instruction, by its number; None where that is not known."""
    private: Any = dis  # also lists specialized and instrumented instructions
    numbers, entries = private._all_opmap, private._inline_cache_entries
    counts: list[int | None] = [0] * 256
    for name, number in numbers.items():
        if name in _HIDE_THE_OPERATION:
            counts[number] = None
        elif number < len(counts):  # others occur only within the compiler
            base = private.deoptmap.get(name, name).removeprefix(_INSTRUMENTED)
            counts[number] = entries[numbers[base]] if isinstance(entries, list) else entries.get(base, 0)
    return counts
