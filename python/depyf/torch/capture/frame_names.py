# SPDX-License-Identifier: MIT
"""Names of frames as the user knows them: qualified, without the wrappers that PyTorch puts around functions.

A resume function is named after the line where it continues, because in torch the resume functions for both branches of
an `if` have the same name, after the line of the break. Invariant: only code objects and the frame's variables are
read; no code of the user is called.
"""

from __future__ import annotations

import dis
import itertools
import linecache
import re
import types
import weakref
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import replace
from typing import Any

from torch.utils.weak import WeakIdKeyDictionary

from depyf.torch.internals import callables, dynamo, names, vocabulary
from depyf.torch.model.location import NOWHERE, Location

_RESUME = re.compile(rf"^(.*?){vocabulary.RESUME_CODE}(.+)_at_\d+$")
_JUMPS = ("JUMP_FORWARD", "JUMP_ABSOLUTE")
_NO_EFFECT = ("NOP", "NOT_TAKEN", "EXTENDED_ARG", "CACHE")

# For each code object that replaces Dynamo's and has the lines of its text, in any session: line of the text -> line of
# the program.
program_lines: MutableMapping[types.CodeType, Mapping[int, Location]] = WeakIdKeyDictionary()


class FrameNames:
    """Names of a run's frames. Resume functions that continue in the same line are numbered from the second on."""

    def __init__(self) -> None:
        self._resumes: dict[str, list[weakref.ref[types.CodeType]]] = {}

    def name_of_code(self, code: types.CodeType, local: Mapping[str, Any]) -> str:
        """Returns the name of a code object's frame, given its variables at the start; the same for each call."""
        name = name_of_frame(code, local)
        if not resumed_function(code.co_name):
            return name
        same = self._resumes.setdefault(name, [])
        number = next((i for i, reference in enumerate(same, start=1) if reference() is code), 0)
        if not number:
            same.append(weakref.ref(code))
            number = len(same)
        return name if number == 1 else f"{name} ({number})"


def name_of_frame(code: types.CodeType, local: Mapping[str, Any]) -> str:
    """Returns the name of the frame of a code object, given its variables at the start.

    The frame of a wrapper that PyTorch puts around the user's function (for example by `torch.no_grad()`) is named
    after that function: "decorated, called by PyTorch's inner". Its resume function after a graph break in the call is
    "resume in PyTorch's inner around decorated at …". A function with which another decorator replaced a method has
    both names.
    """
    qualified = getattr(code, "co_qualname", code.co_name)
    function = resumed_function(qualified)
    place = continues_at(code) if function else NOWHERE
    if wrapped := wrapped_by(code, local).function:
        if function:
            return f"resume in PyTorch's {function} around {wrapped}" + (f" at {place}" if place else "")
        return f"{wrapped}, called by PyTorch's {code.co_name}"
    if place:
        return f"resume in {function} at {place}"
    own_name = name_of(qualified, Location.of(code))
    method, is_generated = _method(code, local)
    return method if is_generated else f"{method}, wrapped in {own_name}" if method else own_name


def _method(code: types.CodeType, local: Mapping[str, Any]) -> tuple[str, bool]:
    """Returns the method to which a frame belongs, if its code does not contain the class; and why it does not.

    The second value is True if `exec()` created the method, as for dataclasses, and False if a decorator did. The
    functions of a decorator share one code object and are distinguished by their free variables. For other functions
    the name is "". No attribute of `self` is read, only the methods in its type. For a renamed class, as FX renames
    those of graph modules, the new name is used.
    """
    is_generated = code.co_filename.startswith("<")
    parameters = code.co_varnames[: code.co_argcount] or code.co_varnames[code.co_kwonlyargcount :][:1]
    receiver = cell_value(local.get(parameters[0])) if parameters else None
    if not code.co_argcount:
        receiver = receiver[0] if type(receiver) is tuple and receiver else None
    for base in type.mro(type(receiver)) if is_generated or code.co_freevars else ():
        for name, method in base.__dict__.items():
            has_code = isinstance(method, types.FunctionType) and method.__code__ is code
            if has_code and (
                name == code.co_name if is_generated else name != code.co_name and _closes_over(method, local)
            ):
                is_renamed = not f".{base.__qualname__}".endswith(f".{base.__name__}")
                return _without_outer(f"{base.__name__ if is_renamed else base.__qualname__}.{name}"), is_generated
    return "", False


def _closes_over(function: types.FunctionType, local: Mapping[str, Any]) -> bool:
    """Returns whether a function's free variables have the same values as those of a frame."""
    pairs = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return all(cell_value(cell) is cell_value(local.get(name)) for name, cell in pairs)


def wrapped_by(code: types.CodeType, local: Mapping[str, Any]) -> Location:
    """Returns name and first line (if known) of the user's function that a wrapper of PyTorch's calls, or NOWHERE."""
    for variable in vocabulary.WRAPPED if names.is_torchs(code.co_filename) else ():
        callee = callables.called(cell_value(local.get(variable)))
        if callee is not None and (name := _without_outer(callee.name)):
            code_of_callee = callee.function.__code__ if callee.function is not None else None
            return (
                Location(code_of_callee.co_filename, code_of_callee.co_firstlineno, name)
                if code_of_callee is not None
                else Location("", 0, name)
            )
    return NOWHERE


def name_of(qualified: str, start: Location) -> str:
    """Shortens the qualified name of a code object; for a resume function without code, names the line of the break."""
    function = resumed_function(qualified)
    return f"resume in {function} after {start}" if function else _without_outer(qualified)


def resumed_function(qualified: str) -> str:
    """Returns the name of the function that a resume function continues; "" for other functions."""
    match = _RESUME.match(_without_outer(qualified))
    return match[1] + match[2] if match else ""


def callers() -> Iterator[tuple[Location, Location]]:
    """Yields the lines of the stack above the call that Dynamo is converting, innermost first.

    Each line is a pair: the one that Python reports, and for transformed code the corresponding line of the program.
    """
    for frame in dynamo.calling_frames():
        code, line = frame.f_code, frame.f_lineno
        place = Location(code.co_filename, line, code.co_name, linecache.getline(code.co_filename, line).strip())
        program_line = program_lines.get(code, {}).get(line)
        yield place, place if program_line is None else replace(program_line, function=code.co_name)


def of_program(stack: Iterable[Location]) -> tuple[Location, ...]:
    """Returns a stack of lines of the program, outermost first, as it would be without torch.compile.

    A frame that waits for the resume function that continues it is omitted: both are the same call of the program.
    """
    lines = [*stack]
    return tuple(p for p, inner in zip(lines, [*lines, NOWHERE][1:], strict=True) if not _continues(inner, p))


def _continues(inner: Location, outer: Location) -> bool:
    function = resumed_function(inner.function)
    same_file = inner.path == outer.path
    return bool(function) and same_file and function == (resumed_function(outer.function) or outer.function)


def start_of(code: types.CodeType) -> Location:
    """Returns the first line of a code object, or the line where a resume function continues."""
    place = continues_at(code) if resumed_function(code.co_name) else NOWHERE
    return Location(place.path, place.line, code.co_name) if place else Location.of(code)


def continues_at(code: types.CodeType) -> Location:
    """Returns the line of the program where a resume function continues; `NOWHERE` if it is unknown.

    The prologue of a resume function ends with the first unconditional jump, into the middle of the original frame's
    instructions (torch's resume_execution.py).
    """
    goal = goal_of(code)
    if goal is None:
        return NOWHERE
    line = next((line for begin, end, line in code.co_lines() if begin <= goal < end), None)
    return Location(code.co_filename, line) if line else NOWHERE


def eager_from(code: types.CodeType, new_code: types.CodeType) -> Location:
    """Returns the line from which on transformed code is the frame's own code, which runs eagerly; or `NOWHERE`.

    If no resume function can continue after a graph break (it is in a block of a context manager of the program, for
    example), Dynamo compiles up to the last statement before that block, and appends the frame's own instructions, to
    which the code jumps (torch's symbolic_convert.py, `step_graph_break`). No other code jumps to its next instruction.
    """
    instructions = [i for i in dis.get_instructions(new_code) if i.opname not in _NO_EFFECT]
    own_lines = {line for *_, line in code.co_lines()}
    for jump, goal in itertools.pairwise(instructions):
        if jump.opname in _JUMPS and jump.argval <= goal.offset:
            line = next((line for begin, end, line in new_code.co_lines() if begin <= goal.offset < end), None)
            return Location(code.co_filename, line, code.co_name) if line and line in own_lines else NOWHERE
    return NOWHERE


def goal_of(code: types.CodeType) -> int | None:
    """Returns the offset of the original frame's instruction with which a resume function continues, or None."""
    instructions = iter(dis.get_instructions(code))
    jump = next((i for i in instructions if i.opname in _JUMPS), None)
    if jump is None:
        return None
    return next((i.offset for i in instructions if i.offset >= jump.argval and i.opname not in _NO_EFFECT), None)


def _without_outer(qualified: str) -> str:
    return qualified.rpartition("<locals>.")[2]


def cell_value(value: Any) -> Any:
    """Returns the content of a cell (None if it is empty), or the value itself if it is not a cell."""
    if isinstance(value, types.CellType):
        try:
            return value.cell_contents
        except ValueError:  # an empty cell
            return None
    return value
