# SPDX-License-Identifier: MIT
"""Remarks in the margin of a transformed frame's text: which file shows a graph, and where a resume function continues.

A remark is a comment at the end of a statement's last line, so no place of the source map moves.
"""

from __future__ import annotations

import ast
import dis
import re
import types
from collections.abc import Iterable, Mapping
from pathlib import Path

WIDTH = 130  # columns; what would be wider stays without a remark
_SIGN = "  # "
_RANGES = 3  # places of a graph that a remark names; with more of them the graph's file has to tell
_PLACE = re.compile(r"(.+):(\d+)\Z")
_JUMPS = ("JUMP_FORWARD", "JUMP_ABSOLUTE")
_IDLE = ("NOP", "NOT_TAKEN", "EXTENDED_ARG", "CACHE")


def continues_at(code: types.CodeType) -> str:
    """Where a resume function goes on in the program, as "file.py:12"; "" where it cannot be told.

    Its prologue ends with the first unconditional jump, into the middle of the original frame's instructions
    (torch's resume_execution.py).
    """
    instructions = iter(dis.get_instructions(code))
    jump = next((i for i in instructions if i.opname in _JUMPS), None)
    goal = next((i for i in instructions if i.offset >= jump.argval and i.opname not in _IDLE), None) if jump else None
    if goal is None:
        return ""
    line = next((line for begin, end, line in code.co_lines() if begin <= goal.offset < end), None)
    return f"{Path(code.co_filename).name}:{line}" if line else ""


def of_resumes(continues: Mapping[str, str]) -> dict[str, str]:
    """Remarks for calls of resume functions, from where each goes on."""
    return {name: f"continues at {place}" for name, place in continues.items() if place}


def shows(file: str, places: Iterable[str]) -> str:
    """A remark that names a graph's file, and the places of the program ("toy.py:6") it came from if they are few."""
    ranges = _ranges(places)
    return f"{file}: {', '.join(ranges)}" if 0 < len(ranges) <= _RANGES else file


def _ranges(places: Iterable[str]) -> list[str]:
    lines: dict[str, set[int]] = {}
    for place in places:
        if match := _PLACE.match(place):
            lines.setdefault(match[1], set()).add(int(match[2]))
    found = []
    for file, numbers in lines.items():
        for first in sorted(n for n in numbers if n - 1 not in numbers):
            last = first
            while last + 1 in numbers:
                last += 1
            found.append(f"{file}:{first}" if first == last else f"{file}:{first}-{last}")
    return found


def remarked(text: str, remarks: Mapping[str, str]) -> str:
    """The text with each function's remark behind the statements that call it, by its name or a variable's.

    A text that does not parse comes back as it is.
    """
    if not remarks:
        return text
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text
    known, found = dict(remarks), dict[int, str]()
    for node in _simple_statements(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id in known:
            known.update((target.id, known[node.value.id]) for target in node.targets if isinstance(target, ast.Name))
            continue
        for part in ast.walk(node):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in known:
                found[node.end_lineno or node.lineno] = known[part.func.id]
    lines = text.split("\n")
    for number, remark in found.items():
        if len(with_remark := lines[number - 1] + _SIGN + remark) <= WIDTH:
            lines[number - 1] = with_remark
    return "\n".join(lines)


def is_remarked(line: str, bare: str) -> bool:
    """Whether a line is another one, with or without a remark."""
    return line == bare or line.startswith(bare + _SIGN)


def _simple_statements(tree: ast.Module) -> list[ast.stmt]:
    """In the order of the text; ast.walk would give the outer ones first."""
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and not hasattr(node, "body")]
    simple = [node for node in statements if not isinstance(node, ast.Match)]
    return sorted(simple, key=lambda node: (node.lineno, node.col_offset))
