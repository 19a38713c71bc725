# SPDX-License-Identifier: MIT
"""`depyf.values()`: what the names in a dumped file refer to that are no locals of the running frame.

Dynamo's bytecode keeps values on the interpreter's stack, or in variables named `tmp_1`; the decompiled text gives them
names that say what they hold. Invariant: a value is shown only where it is certain: read again from variables that have
not changed since, without running any code, or found on the stack or in the variable where its expression's instruction
left it. Else the expression is shown, never a guess.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import itertools
import linecache
import os
import re
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from types import FrameType, ModuleType
from typing import Any

import torch

from depyf.decompilation.api import decompile
from depyf.decompilation.closures import wrap_in_closure
from depyf.decompilation.errors import DecompilationError
from depyf.decompilation.line_table import Location
from depyf.torch.debug.stack_values import values_by_origin
from depyf.torch.internals.stable_names import StableGlobals, stable_code
from depyf.torch.write.trailing_comments import is_annotated


@dataclass(frozen=True)
class Shown:
    """One name of the text."""

    name: str
    expression: str  # what the text assigns to it
    line: int  # where
    known: bool  # whether `value` is it
    value: Any = None
    unknown: str = "held by the interpreter only"  # why it is not known

    def __str__(self) -> str:
        shown = _short(self.value) if self.known else f"({self.unknown})"
        return f"{self.name} = {shown}   line {self.line}: {self.expression}"


def _short(value: Any) -> str:
    """A value in a few words; a tensor of one number and no dimension is that number."""
    from depyf.torch.guards.checks import short

    words = short(value)
    if isinstance(value, torch.Tensor) and value.ndim == 0:
        with contextlib.suppress(Exception):  # a fake one has no number, nor one on the meta device
            return f"{value.item()!r} ({words})"
    return words


class Values(dict[str, Any]):
    """Names and their values; `shown` also lists the names whose values cannot be had.

    Examples:
        >>> import depyf
        >>> dict(depyf.values())  # no frame of a dumped file here
        {}
        >>> depyf.values()
        every name in this text is a local

    """

    def __init__(self, shown: list[Shown]) -> None:
        super().__init__({s.name: s.value for s in shown if s.known})
        self.shown = shown

    def __repr__(self) -> str:
        return "\n".join(map(str, self.shown)) or "every name in this text is a local"


def values(frame: FrameType | None = None) -> Values:
    """What the names assigned so far in the caller's (or the given) frame's text refer to.

    In decompiled text: those that are no locals. In a graph: its inputs and the results so far. Meant for a debugger
    that has stopped in a dumped file: `p depyf.values()`. Graphs do not import depyf: where the debugger is not the one
    of `depyf.debug()`, it is `p __import__("depyf").values()` there.

    Raises:
        TypeError: `frame` is no frame.

    Examples:
        >>> import depyf
        >>> depyf.values().shown
        []

    """
    if not isinstance(frame, FrameType | None):
        raise TypeError(f"values: wanted a frame, found {frame!r}")
    frame = _dumped_frame(frame or sys._getframe(1))
    if frame is None:
        return Values([])
    if _is_graph(frame):
        return Values(_of_graph(frame))
    function = _function_of(frame)
    if function is None:
        return Values([])
    own = {*frame.f_code.co_varnames, *frame.f_code.co_cellvars, *frame.f_code.co_freevars}
    shown = _constants(function, frame, own)
    known = {each.name: each.value for each in shown}
    lying: dict[_Expression, Any] | None = None
    for name, (node, line, stale) in _assignments(function, frame.f_lineno).items():
        if name in own:
            continue
        value = _ABSENT if stale else _read(node, frame, known)
        if value is _ABSENT:
            lying = _on_stack(frame) if lying is None else lying
            value = lying.get((type(node), *_place(node)), _ABSENT)
        if value is not _ABSENT:
            known[name] = value
        found = value is not _ABSENT
        shown.append(Shown(name, ast.unparse(node), line, found, value if found else None))
    return Values(shown)


def _dumped_frame(frame: FrameType | None) -> FrameType | None:
    """The nearest frame that runs a dumped file: a debugger's own frames lie in between."""
    while frame is not None and not _is_dumped(frame) and not _is_graph(frame):
        frame = frame.f_back
    return frame


def _is_graph(frame: FrameType) -> bool:
    """Whether the frame runs the text of a captured graph."""
    file = os.path.basename(frame.f_code.co_filename)
    return frame.f_code.co_name == "forward" and re.match(r"__compiled_fn_\w+\.\w+\.\d+\.py$", file) is not None


def _of_graph(frame: FrameType) -> list[Shown]:
    """A graph's inputs, and what it has assigned above the frame's line; it lets go of what it needs no more."""
    function = _function_of(frame)
    if function is None:
        return []
    found = {a.arg: ("an input", a.lineno) for a in function.args.args[1:]}
    freed: set[str] = set()
    for statement in function.body:
        if statement.lineno >= frame.f_lineno:
            break
        value = getattr(statement, "value", None)
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        for target in itertools.chain.from_iterable(t.elts if isinstance(t, ast.Tuple) else [t] for t in targets):
            if isinstance(target, ast.Name) and isinstance(value, ast.Constant) and value.value is None:
                freed.add(target.id)
            elif isinstance(target, ast.Name) and value is not None:
                freed.discard(target.id)
                found[target.id] = (ast.unparse(value), statement.lineno)
    local, own = frame.f_locals, [*found]
    return [Shown(n, *found[n], n in local and n not in freed, local.get(n), "let go after its last use") for n in own]


def _is_dumped(frame: FrameType) -> bool:
    """Whether the frame's lines are those of decompiled text (else its names are the user's, all of them its own)."""
    return os.path.basename(frame.f_code.co_filename).startswith(_FILES)


_FILES = ("__transformed_code_", "full_code_for_", "<full code of ")


def _constants(function: ast.FunctionDef, frame: FrameType, own: Collection[str]) -> list[Shown]:
    """Names that stand for constants of the code which Python has no literal for."""
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    bound = {*own, *(n.id for n in names if not isinstance(n.ctx, ast.Load)), *vars(builtins)}
    scope = StableGlobals(frame.f_globals)
    loose = {n.id: n.lineno for n in reversed(names) if n.id not in bound and n.id not in scope}
    if not loose:
        return []
    try:
        constants = decompile(stable_code(frame.f_code)).context.opaque
    except DecompilationError:
        return []
    return [Shown(n, "a constant of the code", loose[n], True, constants[n]) for n in loose if n in constants]


Assigned = dict[str, tuple[ast.expr, int, bool]]  # name -> expression, line, whether what it reads has changed since


def _assignments(function: ast.FunctionDef, at: int) -> Assigned:
    """Plain assignments that have run at a line: above it, in the blocks around it."""
    found: Assigned = {}
    for statement in _run_so_far(function.body, at):
        changed = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        for name, (node, line, _) in list(found.items()):
            if changed & {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}:
                found[name] = (node, line, True)
        for name in changed:
            found.pop(name, None)
        found.update(_pairs(statement))
    return found


def _pairs(statement: ast.stmt) -> Assigned:
    """`a = x`, `a, b = x, y` and `a, b = x`, name by name; other statements assign nothing that can be read again."""
    if not isinstance(statement, ast.Assign):
        return {}
    made: Assigned = {}
    for target in statement.targets:
        if isinstance(target, ast.Name):
            made[target.id] = (statement.value, statement.lineno, False)
        elif isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
            if len(target.elts) == len(statement.value.elts):
                both = zip(target.elts, statement.value.elts, strict=True)
                made.update({t.id: (v, statement.lineno, False) for t, v in both if isinstance(t, ast.Name)})
        elif isinstance(target, ast.Tuple) and all(isinstance(t, ast.Name) for t in target.elts):
            for position, name in enumerate(n for n in target.elts if isinstance(n, ast.Name)):
                item = ast.Subscript(statement.value, ast.Constant(position), ast.Load())
                made[name.id] = (ast.copy_location(item, name), statement.lineno, False)
    return made


def _function_of(frame: FrameType) -> ast.FunctionDef | None:
    """The innermost function that a frame's line lies in."""
    try:
        tree = ast.parse("".join(linecache.getlines(frame.f_code.co_filename)))
    except (SyntaxError, ValueError, RecursionError):
        return None
    line = frame.f_lineno
    inside = [
        n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.lineno <= line <= (n.end_lineno or n.lineno)
    ]
    return max(inside, key=lambda n: n.lineno, default=None)


def _run_so_far(body: list[ast.stmt], line: int) -> Iterator[ast.stmt]:
    """Statements certain to have run before a line: those before it in its own block and the blocks around it.

    Loops come whole: what they assigned last cannot be told from the text.
    """
    for statement in body:
        if statement.lineno >= line:
            return
        end = statement.end_lineno or statement.lineno
        if end < line:
            yield statement
            continue
        if isinstance(statement, ast.If):
            for block in (statement.body, statement.orelse):
                if block and block[0].lineno <= line <= (block[-1].end_lineno or block[-1].lineno):
                    yield from _run_so_far(block, line)
        elif isinstance(statement, ast.While | ast.For):
            yield statement  # whatever is assigned anywhere in it may have changed
        elif isinstance(statement, ast.Try | ast.With):
            yield from _run_so_far(statement.body, line)


_Expression = tuple[type[ast.expr], int, int, int, int]  # what it is, and its place in the text
# The operations that leave the value of an expression; others that represent a part of it leave something else.
_LEFT_BY = {
    "BINARY_SUBSCR": ast.Subscript,
    "LOAD_ATTR": ast.Attribute,
    "CALL": ast.Call,
    "CALL_FUNCTION": ast.Call,
    "CALL_FUNCTION_EX": ast.Call,
    "CALL_KW": ast.Call,
    "COMPARE_OP": ast.Compare,
}


def _place(node: ast.expr) -> tuple[int, int, int, int]:
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


def _on_stack(frame: FrameType) -> dict[_Expression, Any]:
    """Values on the frame's stack and in its variables, by the expression in the text that each is of.

    The frame's code has one place for each instruction; decompiling it again tells all that an instruction represents.
    """
    left = {
        offset: (_LEFT_BY[operation], value)
        for (offset, operation), value in values_by_origin(frame).items()
        if operation in _LEFT_BY
    }
    if not left:
        return {}
    try:
        text = decompile(stable_code(frame.f_code))
    except DecompilationError:
        return {}
    lines = [line.rstrip("\n") for line in linecache.getlines(frame.f_code.co_filename)]
    placed = wrap_in_closure("", text, frame.f_code.co_freevars)
    content = placed.content.splitlines()
    header = len(lines) - len(content)
    if header < 0 or not all(map(is_annotated, lines[header:], content)):
        return {}  # it was not written from this text
    found: dict[_Expression, Any] = {}
    for entry in text.source_map:
        if entry.code == 0 and entry.offset in left:
            kind, value = left[entry.offset]
            line, column, end_line, end_column = placed.moved(Location(*entry[2:]))
            place = (kind, line + header, column, end_line + header, end_column)
            if found.setdefault(place, value) is not value:
                found[place] = _ABSENT  # two values: neither is certain
    return found


_ABSENT = object()
_GRAPH_OUTPUT = re.compile(r"^graph_out(_\d+)?$")  # Dynamo never changes the container of a graph's outputs


def _read(node: ast.expr, frame: FrameType, known: dict[str, Any]) -> Any:
    """What an expression reads, if reading runs no code; `_ABSENT` otherwise."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        for scope in (frame.f_locals, known, StableGlobals(frame.f_globals), vars(builtins)):
            if node.id in scope:
                return scope[node.id]
        return _ABSENT
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        owner = _read(node.value, frame, known)
        fixed = isinstance(node.value, ast.Name) and _GRAPH_OUTPUT.match(node.value.id) and type(owner) is list
        if type(owner) is tuple or fixed:
            try:
                return owner[node.slice.value]
            except (LookupError, TypeError):
                return _ABSENT
        return _ABSENT
    if isinstance(node, ast.Attribute):
        owner = _read(node.value, frame, known)
        if owner is not _ABSENT and type(owner) is ModuleType:  # modules only: other reads may run code
            return vars(owner).get(node.attr, _ABSENT)
    return _ABSENT
