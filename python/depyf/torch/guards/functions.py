# SPDX-License-Identifier: MIT
"""Why a call goes where it goes: runs an entry's guards and says which one fails, what it expected and what it found.

Works on the guard functions of a full-code file, one `yield` a guard. Invariant: never asks torch's guard manager, and
evaluates nothing but the parts of the failing guard itself.
"""

from __future__ import annotations

import ast
import functools
import linecache
import re
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, TracebackType
from typing import Any

import torch

from depyf.torch.guards import advice
from depyf.torch.guards.answers import Explanation, Failure, not_evaluated_note
from depyf.torch.guards.checks import Frame, Mismatch, short

__all__ = [
    "Explanation",
    "Failure",
    "not_evaluated_note",
]  # and all that is defined here

Guards = Callable[[Frame], Any]  # a generator: one `yield` a guard
_ROOT = re.compile(r"^[LG]\['(\w+)'\]")


def holds(guards: Guards, frame: Frame) -> bool:
    """Whether every guard holds. A guard whose expression raises does not hold, as in torch."""
    try:
        return all(guards(frame))
    except Exception:  # whatever the user's objects raise
        return False


def first_failure(guards: Guards, frame: Frame, entry: str = "") -> Failure | None:
    """The first guard that does not hold, or None."""
    checks = guards(frame)
    index = -1
    try:
        for index, outcome in enumerate(checks):
            if not outcome:
                return _failure(
                    entry, index, outcome, checks.gi_code.co_filename, checks.gi_frame.f_lineno, guards, frame
                )
    except Exception as error:
        line = line_in(error.__traceback__, checks.gi_code)
        found = f"{type(error).__name__}: {error}"
        what = Mismatch("access", "a value", found)
        return _failure(entry, index + 1, what, checks.gi_code.co_filename, line, guards, frame)
    return None


def _check_in(line: str) -> str:
    try:
        (statement,) = ast.parse(line.strip()).body
    except (SyntaxError, ValueError):
        return ""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Yield) and statement.value.value is not None:
        return ast.get_source_segment(line.strip(), statement.value.value) or ""
    return ""


def line_in(trace: TracebackType | None, code: Any) -> int:
    """The line of a code object at which an exception left it; 0 where it has no part in the traceback."""
    line = 0
    while trace is not None:
        if trace.tb_frame.f_code is code:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _failure(entry: str, index: int, outcome: Any, file: str, line: int, guards: Guards, frame: Frame) -> Failure:
    text = linecache.getline(file, line)
    check = _check_in(text) or text.strip().removeprefix("yield ")
    remark = _remark(text) or _remark(linecache.getline(file, line - 1), alone=True)
    torch_text, _, where = remark.rpartition("   ")
    if where and not re.fullmatch(r"\S+:\d+", where):
        torch_text, where = remark, ""
    if not isinstance(outcome, Mismatch):
        outcome = explained(check, getattr(guards, "__globals__", {}), frame)
    return Failure(
        entry,
        check,
        source_of(check),
        outcome.what,
        outcome.expected,
        outcome.found,
        index,
        torch_text or check,
        where,
        subject=subject_of(check, getattr(guards, "__globals__", {}), frame),
    )


_ITEM_OF_ARGUMENT = re.compile(r"L\['(?!_)\w+'\](?:\[(?:'\w+'|\d+)\])*")


def subject_of(check: str, namespace: dict[str, Any], frame: Frame) -> str:
    """What the value that a check looks at is to the program, as `advice.advise` takes it."""
    source = raw_source(check)
    if _ITEM_OF_ARGUMENT.fullmatch(source):
        return advice.ARGUMENT
    owner = _owner(source)
    try:
        value = eval(owner, namespace, {"L": frame.locals, "G": frame.globals}) if owner is not None else None
    except Exception:  # whatever the user's objects raise
        return ""
    return advice.MODULE_ATTRIBUTE if isinstance(value, torch.nn.Module) else ""


@functools.lru_cache(maxsize=1024)
def _owner(source: str) -> CodeType | None:
    """What the value at a source is an attribute of."""
    owner = source.rpartition(".")[0]
    try:
        return compile(owner, "<guard>", "eval", dont_inherit=True) if owner else None
    except (SyntaxError, ValueError):
        return None


def _remark(line: str, alone: bool = False) -> str:
    """The comment of a line."""
    text = line.strip()
    if alone:
        return text[2:] if text.startswith("# ") else ""
    check = _check_in(line)
    rest = text[len("yield ") + len(check) :].strip() if check else ""
    return rest[2:] if rest.startswith("# ") else ""


@functools.lru_cache(maxsize=1024)
def source_of(check: str) -> str:
    """The first thing a check looks at, as the user would write it: `a`, `self.factor`, `d['k']`."""
    return friendly(raw_source(check))


@functools.lru_cache(maxsize=1024)
def raw_source(check: str) -> str:
    """The first thing a check looks at, over L and G."""
    try:
        tree = ast.parse(check, mode="eval")
    except (SyntaxError, ValueError):
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript | ast.Attribute) and _is_source(node):
            return ast.unparse(node)
    return ""


def _is_source(node: ast.expr) -> bool:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in ("L", "G")


def friendly(source: str) -> str:
    """torch's source without its roots: `L['a'].b` is `a.b`."""
    return _ROOT.sub(r"\1", source)


def explained(check: str, namespace: dict[str, Any], frame: Frame) -> Mismatch:
    """Expected and found for a check that is a plain expression, from the values of its parts."""
    scope = {"L": frame.locals, "G": frame.globals}
    parts = _parts(check)
    if parts is None:
        return Mismatch("condition", friendly_text(check), "false")
    try:
        if parts.compared is not None:
            found = short(eval(parts.compared, namespace, scope))
        else:
            found = ", ".join(f"{text} = {short(eval(code, namespace, scope))}" for text, code in parts.read) or "false"
    except Exception:  # the parts may be the user's own objects
        return Mismatch("condition", friendly_text(check), "false")
    return Mismatch(parts.what, parts.expected, found)


@dataclass(frozen=True)
class _Parts:
    """What to say of a check that does not hold, its parts compiled."""

    what: str
    expected: str
    compared: CodeType | None  # the left side of a comparison with a constant
    read: tuple[tuple[str, CodeType], ...]  # what it reads of the program, as the user writes it


@functools.lru_cache(maxsize=1024)
def _parts(check: str) -> _Parts | None:
    try:
        node = ast.parse(check, mode="eval").body
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and not _has_source(node.comparators[0]):
            operator = type(node.ops[0])
            prefix = {ast.Is: "", ast.Eq: ""}.get(operator, f"{_SIGNS.get(operator, '')} ")
            return _Parts(_property(node.left), prefix + ast.unparse(node.comparators[0]), _compiled(node.left), ())
        parts = {ast.unparse(n): n for n in ast.walk(node) if isinstance(n, ast.expr) and _is_whole_source(n, node)}
        read = tuple((friendly(text), _compiled(part)) for text, part in parts.items())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return _Parts("condition", friendly_text(check), None, read)


def _compiled(node: ast.expr) -> CodeType:
    return compile(ast.Expression(node), "<guard>", "eval", dont_inherit=True)


_SIGNS = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.NotEq: "!=", ast.IsNot: "not", ast.In: "in",
    ast.NotIn: "not in",
}  # fmt: skip


def _property(node: ast.expr) -> str:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return {"len": "length", "type": "type"}.get(node.func.id, friendly_text(ast.unparse(node)))
    return "value" if _is_source(node) else friendly_text(ast.unparse(node))


def friendly_text(text: str) -> str:
    """A whole check without torch's roots."""
    return re.sub(r"\b[LG]\['(\w+)'\]", r"\1", text)


def _has_source(node: ast.expr) -> bool:
    return any(isinstance(n, ast.Name) and n.id in ("L", "G") for n in ast.walk(node))


def _is_whole_source(node: ast.expr, root: ast.expr) -> bool:
    """Whether the node reads one value of the program and is no part of a longer such read."""
    if not _reads(node):
        return False
    return not any(
        child is node and _reads(parent)
        for parent in ast.walk(root)
        if isinstance(parent, ast.expr)
        for child in ast.iter_child_nodes(parent)
    )


def _reads(node: ast.expr) -> bool:
    while isinstance(node, ast.Subscript | ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return isinstance(node, ast.Name) and node.id in ("L", "G")
