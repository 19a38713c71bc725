# SPDX-License-Identifier: MIT
"""`depyf.values()`: the values of names in a dumped file that are not local variables of the running frame.

Dynamo's bytecode keeps values on the evaluation stack, or in variables such as `tmp_1`; decompiled text gives them
descriptive names. Invariant: a value is shown only if it is certain. Either its expression can be read again from
variables that have not changed, without running code, or the value is still on the stack or in the variable where the
instruction of the expression left it. Otherwise the expression is shown, never a guess.
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
    """A name in the text, with its value if that is known."""

    name: str
    expression: str  # the expression that the text assigns to it
    line: int  # the line of the assignment
    known: bool  # whether `value` is its value
    value: Any = None
    unknown: str = "only inside the interpreter"  # why the value is not known

    def __str__(self) -> str:
        shown = _short(self.value) if self.known else f"({self.unknown})"
        return f"{self.name} = {shown}   line {self.line}: {self.expression}"


def _short(value: Any) -> str:
    """Returns a short description of a value; for a tensor without dimensions, also its number."""
    from depyf.torch.guards.checks import short

    text = short(value)
    if isinstance(value, torch.Tensor) and value.ndim == 0:
        with contextlib.suppress(Exception):  # fake tensors and those on the meta device have no number
            return f"{value.item()!r} ({text})"
    return text


class Values(dict[str, Any]):
    """The values by name. `repr()` also shows the names whose values are not known.

    Attributes:
        shown: All names, also those whose values are not known.

    Examples:
        >>> import depyf
        >>> dict(depyf.values())  # not in a dumped file
        {}
        >>> depyf.values()
        no values: no dumped file is running

    """

    def __init__(self, shown: list[Shown], absence: str = "no dumped file is running") -> None:
        super().__init__({s.name: s.value for s in shown if s.known})
        self.shown = shown
        self._absence = absence  # why there are no names, if there are none

    def __repr__(self) -> str:
        return "\n".join(map(str, self.shown)) or f"no values: {self._absence}"


def values(frame: FrameType | None = None) -> Values:
    """Return the values of names in a dumped file that are not local variables.

    In decompiled text, these are the names assigned so far that are not local variables of the bytecode. In a graph,
    they are its inputs and the results so far. Use it in a debugger that has stopped in a dumped file:
    `p depyf.values()`. Graphs do not import depyf: in debuggers other than that of `depyf.debug()`, write
    `p __import__("depyf").values()` there.

    Args:
        frame: A frame that runs a dumped file; by default, the nearest such frame among the callers.

    Returns:
        The values by name; empty if no frame runs a dumped file.

    Raises:
        TypeError: `frame` is not a frame.

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
        return Values(_of_graph(frame), "this graph has no inputs and has computed nothing so far")
    function = _function_of(frame)
    if function is None:
        return Values([], "the dumped file that is running is missing or was edited")
    variables = {*frame.f_code.co_varnames, *frame.f_code.co_cellvars, *frame.f_code.co_freevars}
    shown = _constants(function, frame, variables)
    value_of = {constant.name: constant.value for constant in shown}
    on_stack: dict[_Expression, Any] | None = None
    for name, (node, line, stale) in _assignments(function, frame.f_lineno).items():
        if name in variables:
            continue
        value = _ABSENT if stale else _read(node, frame, value_of)
        if value is _ABSENT:
            on_stack = _on_stack(frame) if on_stack is None else on_stack
            value = on_stack.get((type(node), *_place(node)), _ABSENT)
        if value is not _ABSENT:
            value_of[name] = value
        is_known = value is not _ABSENT
        shown.append(Shown(name, ast.unparse(node), line, is_known, value if is_known else None))
    return Values(shown, "every name assigned so far is a local variable")


def _dumped_frame(frame: FrameType | None) -> FrameType | None:
    """Returns the nearest frame that runs a dumped file, past the frames of a debugger; None if there is none."""
    while frame is not None and not _is_dumped(frame) and not _is_graph(frame):
        frame = frame.f_back
    return frame


def _is_graph(frame: FrameType) -> bool:
    """Returns whether the frame runs the text of a captured graph."""
    file = os.path.basename(frame.f_code.co_filename)
    return frame.f_code.co_name == "forward" and re.match(r"__compiled_fn_\w+\.\w+\.\d+\.py$", file) is not None


def _of_graph(frame: FrameType) -> list[Shown]:
    """Returns the inputs of a graph and its assignments above the frame's line; `x = None` there frees a value."""
    function = _function_of(frame)
    if function is None:
        return []
    assigned = {a.arg: ("an input", a.lineno) for a in function.args.args[1:]}
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
                assigned[target.id] = (ast.unparse(value), statement.lineno)
    local = frame.f_locals
    return [
        Shown(name, *place, name in local and name not in freed, local.get(name), "freed after its last use")
        for name, place in assigned.items()
    ]


def _is_dumped(frame: FrameType) -> bool:
    """Returns whether the frame has the line numbers of decompiled text; in other files, all names are variables."""
    return os.path.basename(frame.f_code.co_filename).startswith(_FILES)


_FILES = ("__transformed_code_", "full_code_for_", "<full code of ")


def _constants(function: ast.FunctionDef, frame: FrameType, variables: Collection[str]) -> list[Shown]:
    """Returns the names that represent opaque constants of the code."""
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    bound = {*variables, *(n.id for n in names if not isinstance(n.ctx, ast.Load)), *vars(builtins)}
    scope = StableGlobals(frame.f_globals)
    unbound = {n.id: n.lineno for n in reversed(names) if n.id not in bound and n.id not in scope}
    if not unbound:
        return []
    try:
        constants = decompile(stable_code(frame.f_code)).context.opaque
    except DecompilationError:
        return []
    return [Shown(n, "a constant of the code", unbound[n], True, constants[n]) for n in unbound if n in constants]


Assigned = dict[str, tuple[ast.expr, int, bool]]  # name -> expression, line, whether a variable in it has changed


def _assignments(function: ast.FunctionDef, current_line: int) -> Assigned:
    """Returns the plain assignments that have been executed when a line is reached."""
    assigned: Assigned = {}
    for statement in _run_so_far(function.body, current_line):
        changed = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        for name, (node, line, _) in list(assigned.items()):
            if changed & {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}:
                assigned[name] = (node, line, True)
        for name in changed:
            assigned.pop(name, None)
        assigned.update(_pairs(statement))
    return assigned


def _pairs(statement: ast.stmt) -> Assigned:
    """Returns the names and expressions of `a = x`, `a, b = x, y` and `a, b = x`; empty for other statements."""
    if not isinstance(statement, ast.Assign):
        return {}
    pairs: Assigned = {}
    for target in statement.targets:
        if isinstance(target, ast.Name):
            pairs[target.id] = (statement.value, statement.lineno, False)
        elif isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
            if len(target.elts) == len(statement.value.elts):
                both = zip(target.elts, statement.value.elts, strict=True)
                pairs.update({t.id: (v, statement.lineno, False) for t, v in both if isinstance(t, ast.Name)})
        elif isinstance(target, ast.Tuple) and all(isinstance(t, ast.Name) for t in target.elts):
            for position, name in enumerate(n for n in target.elts if isinstance(n, ast.Name)):
                item = ast.Subscript(statement.value, ast.Constant(position), ast.Load())
                pairs[name.id] = (ast.copy_location(item, name), statement.lineno, False)
    return pairs


def _function_of(frame: FrameType) -> ast.FunctionDef | None:
    """Returns the innermost function that contains the current line of a frame; None if the file does not parse."""
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
    """Yields statements that have certainly run before a line: those before it in its block and in enclosing blocks.

    A loop that contains the line is yielded as a whole, because any assignment in it may have been executed.
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
            yield statement
        elif isinstance(statement, ast.Try | ast.With):
            yield from _run_so_far(statement.body, line)


_Expression = tuple[type[ast.expr], int, int, int, int]  # the kind of an expression, and its place in the text
# The operations whose result is the value of an expression; other operations of the expression have other results.
_EXPRESSION_OF = {
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
    """Returns the values on the frame's stack and in its variables, by their expressions in the text.

    The location table of the code has only one place for each instruction, so the source map of a new decompilation is
    used.
    """
    values = {
        offset: (_EXPRESSION_OF[operation], value)
        for (offset, operation), value in values_by_origin(frame).items()
        if operation in _EXPRESSION_OF
    }
    if not values:
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
        return {}  # the file was not written from this text
    by_expression: dict[_Expression, Any] = {}
    for entry in text.source_map:
        if entry.code == 0 and entry.offset in values:
            kind, value = values[entry.offset]
            line, column, end_line, end_column = placed.moved(Location(*entry[2:]))
            place = (kind, line + header, column, end_line + header, end_column)
            if by_expression.setdefault(place, value) is not value:
                by_expression[place] = _ABSENT  # two different values: neither is certain
    return by_expression


_ABSENT = object()
_GRAPH_OUTPUT = re.compile(r"^graph_out(_\d+)?$")  # Dynamo never mutates the list of a graph's outputs


def _read(node: ast.expr, frame: FrameType, value_of: dict[str, Any]) -> Any:
    """Returns the value of an expression if it can be read without running code; else `_ABSENT`."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        for scope in (frame.f_locals, value_of, StableGlobals(frame.f_globals), vars(builtins)):
            if node.id in scope:
                return scope[node.id]
        return _ABSENT
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        owner = _read(node.value, frame, value_of)
        fixed = isinstance(node.value, ast.Name) and _GRAPH_OUTPUT.match(node.value.id) and type(owner) is list
        if type(owner) is tuple or fixed:
            try:
                return owner[node.slice.value]
            except (LookupError, TypeError):
                return _ABSENT
        return _ABSENT
    if isinstance(node, ast.Attribute):
        owner = _read(node.value, frame, value_of)
        if owner is not _ABSENT and type(owner) is ModuleType:  # attributes of other objects may run code
            return vars(owner).get(node.attr, _ABSENT)
    return _ABSENT
