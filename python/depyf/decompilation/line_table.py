# SPDX-License-Identifier: MIT
"""Writes location tables of code objects, which map instructions to lines and columns of a given text.

Invariant: only locations change; every code unit gets exactly one location. The formats are described in
Objects/lnotab_notes.txt (3.10) and Objects/locations.md (3.11 and later). Versions up to 3.9 are not supported
(PyTorch does not run there).
"""

from __future__ import annotations

import ast
import bisect
import dis
import functools
import sys
from collections.abc import Container, Iterable, Iterator
from types import CodeType
from typing import Any, NamedTuple, cast

from .instructions import instructions_of


class Location(NamedTuple):
    """A range of the text: lines from 1, columns from 0 in UTF-8 bytes, end exclusive. Column -1: the whole line."""

    line: int
    column: int = -1
    end_line: int = -1
    end_column: int = -1


class Span(NamedTuple):
    """The code units [start, end), which share one location; None if they have no location."""

    start: int
    end: int
    location: Location | None


def values_in(text: str) -> frozenset[Location]:
    """Returns the places of the expressions that compute a value in a Python text; empty if it does not parse."""
    try:
        nodes = ast.walk(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    return frozenset(
        Location(node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or -1)
        for node in nodes
        if isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    )


_LEAVING_OPERATIONS = (
    *("RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE"),
    *("JUMP_FORWARD", "JUMP_ABSOLUTE", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT"),
)


def spans_of_map(
    code: CodeType, first_line: int, entries: Iterable[tuple[int, Location]], values: Container[Location] = ()
) -> list[Span]:
    """Extends the places of mapped instructions to all code units.

    An instruction that is not mapped gets the place of its predecessor. At the beginning of a block it gets the place
    of the next mapped instruction, because the instruction before it may not have been executed. A `finally` body is
    compiled once for each exit through it, but the source map has only the copy in the handler; the other copies get
    the same places.

    An instruction may be mapped to several places (its statement, a temporary created for it, parts that other
    instructions computed); `_preference` decides among them.
    """
    starts = _mapped_places(code.co_code, first_line, entries, values)
    _add_copies(code, starts)
    mapped = sorted(starts)
    for block in _blocks(code):
        following = bisect.bisect_left(mapped, block)
        if following < len(mapped):
            starts.setdefault(block, starts[mapped[following]])
    return _contiguous_spans(starts, first_line, len(code.co_code))


def _preference(place: Location, reached: int, values: Container[Location]) -> tuple[bool, bool, int, tuple[int, int]]:
    """Returns a sort key for the places of one instruction; the smallest is used.

    The first of these criteria that distinguishes the places decides:

    1. not before the line reached so far, so that stepping goes forward;
    2. one of `values`, since nothing runs at a `try:` or a comment;
    3. the smallest line;
    4. among values the widest range, which tracebacks mark as with Python's own compiler; otherwise the narrowest.
    """
    lines, columns = place.end_line - place.line, place.end_column - place.column
    is_value = place in values
    return place.line < reached, not is_value, place.line, (-lines, -columns) if is_value else (lines, columns)


def _mapped_places(
    raw: bytes, first_line: int, entries: Iterable[tuple[int, Location]], values: Container[Location]
) -> dict[int, Location]:
    """Returns the place of each mapped instruction, by the offset of the instruction or of its EXTENDED_ARG prefix."""
    prefix = dis.opmap["EXTENDED_ARG"]
    candidates: dict[int, list[Location]] = {}
    for offset, location in entries:
        if not 0 <= offset < len(raw) or location.line <= 0:
            continue
        while offset >= 2 and raw[offset - 2] == prefix:
            offset -= 2
        candidates.setdefault(offset - offset % 2, []).append(location)
    starts: dict[int, Location] = {}
    line = first_line
    for offset in sorted(candidates):
        starts[offset] = min(candidates[offset], key=functools.partial(_preference, reached=line, values=values))
        line = starts[offset].line
    return starts


def _add_copies(code: CodeType, starts: dict[int, Location]) -> None:
    """Adds the places of the instructions in handlers to unmapped copies of the handlers' code."""
    raw = code.co_code
    mapped = sorted(starts)
    for begin, end in _handlers(code):
        mapped_in_handler = mapped[bisect.bisect_left(mapped, begin) : bisect.bisect_left(mapped, end)]
        body, places = raw[begin:end], {offset - begin: starts[offset] for offset in mapped_in_handler}
        copy = raw.find(body) if places else -1
        while copy >= 0:
            if copy % 2 == 0 and starts.keys().isdisjoint(range(copy, copy + len(body))):
                starts.update({copy + offset: place for offset, place in places.items()})
            copy = raw.find(body, copy + 1)


def _contiguous_spans(starts: dict[int, Location], first_line: int, length: int) -> list[Span]:
    """Returns spans up to a length in bytes: each place extends to the next one, and the first line to the first."""
    spans: list[Span] = []
    position, current = 0, Location(first_line)
    for offset in sorted(starts):
        if offset > position:
            spans.append(Span(position // 2, offset // 2, current))
        position, current = offset, starts[offset]
    if position < length:
        spans.append(Span(position // 2, length // 2, current))
    return spans


def _handlers(code: CodeType) -> Iterator[tuple[int, int]]:
    """Yields the offsets of each exception handler, from its first instruction to its RERAISE (CPython 3.11+)."""
    begin = 0
    for instruction in instructions_of(code):
        if instruction.name == "PUSH_EXC_INFO":
            begin = instruction.offset + 2
        elif instruction.name == "RERAISE" and begin:
            yield begin, instruction.offset
            begin = 0


def _blocks(code: CodeType) -> Iterator[int]:
    """Yields the offsets of instructions that control reaches by a jump, and of the first one after the prologue."""
    instructions, targets = [*instructions_of(code)], frozenset(dis.findlabels(cast(Any, code.co_code)))
    prologue = next((n for n, i in enumerate(instructions) if i.name == "RESUME"), -1)
    for number, instruction in enumerate(instructions[prologue + 1 :], start=prologue):
        if number == prologue or instructions[number].name in _LEAVING_OPERATIONS or instruction.offset in targets:
            yield instruction.offset


def encode(spans: Iterable[Span], first_line: int, version: tuple[int, int] = sys.version_info[:2]) -> bytes:
    """Returns the location table of `spans`, contiguous from code unit 0, for code whose first line is `first_line`."""
    return _encode_locations(spans, first_line) if version >= (3, 11) else _encode_lines(spans, first_line)


def _varint(value: int) -> bytes:
    encoded = bytearray()
    while value >= 64:
        encoded.append(0x40 | (value & 0x3F))
        value >>= 6
    encoded.append(value)
    return bytes(encoded)


def _signed_varint(value: int) -> bytes:
    return _varint((-value << 1) | 1 if value < 0 else value << 1)


_LONG, _NO_COLUMNS, _NONE = 14, 13, 15


def _encode_locations(spans: Iterable[Span], first_line: int) -> bytes:
    """Returns the table of 3.11 and later: entries of at most eight code units, with lines and columns."""
    table = bytearray()
    line = first_line
    for start, end, location in spans:
        while start < end:
            length = min(end - start, 8)
            start += length
            if location is None:
                table.append(0x80 | _NONE << 3 | (length - 1))
                continue
            delta = _signed_varint(location.line - line)
            if location.column < 0 or location.end_column < 0 or location.end_line < location.line:
                table.append(0x80 | _NO_COLUMNS << 3 | (length - 1))
                table += delta
            else:
                table.append(0x80 | _LONG << 3 | (length - 1))
                table += delta + _varint(location.end_line - location.line)
                table += _varint(location.column + 1) + _varint(location.end_column + 1)
            line = location.line
    return bytes(table)


def _encode_lines(spans: Iterable[Span], first_line: int) -> bytes:
    """Returns the table of 3.10: pairs of (length in bytes, line delta).

    A delta of -128 means that the range has no line.
    """
    table = bytearray()
    line = first_line
    for start, end, location in spans:
        size = 2 * (end - start)
        if size == 0:
            continue
        if location is None:
            delta = -128
        else:
            delta, line = location.line - line, location.line
            while not -127 <= delta <= 127:
                step = 127 if delta > 0 else -127
                table += bytes((0, step & 0xFF))
                delta -= step
        while size > 254:
            table += bytes((254, delta & 0xFF))
            size -= 254
            delta = 0 if delta != -128 else -128
        table += bytes((size, delta & 0xFF))
    return bytes(table)
