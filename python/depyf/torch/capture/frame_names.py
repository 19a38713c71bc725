# SPDX-License-Identifier: MIT
"""Names of frames as the user knows them: qualified, without the wrappers that PyTorch puts around functions.

What a function continues in after a graph break is named by the line where it continues: the functions for both sides
of an `if` have one name in torch, after the line of the break. Invariant: reads code objects and the frame's variables,
calls nothing of the user's.
"""

from __future__ import annotations

import dis
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
_IDLE = ("NOP", "NOT_TAKEN", "EXTENDED_ARG", "CACHE")

# Code that runs in the place of Dynamo's, whose lines are those of its text, of whichever session: line of the text ->
# line of the program that it comes from.
program_lines: MutableMapping[types.CodeType, Mapping[int, Location]] = WeakIdKeyDictionary()


class FrameNames:
    """The names of a run's frames; resume functions that continue in one line are numbered from the second on."""

    def __init__(self) -> None:
        self._resumes: dict[str, list[weakref.ref[types.CodeType]]] = {}

    def of(self, code: types.CodeType, local: Mapping[str, Any]) -> str:
        """The name of a code object's frame, given its variables when it began: the same each time."""
        name = name_of_frame(code, local)
        if not resumed_function(code.co_name):
            return name
        same = self._resumes.setdefault(name, [])
        number = next((i for i, known in enumerate(same, start=1) if known() is code), 0)
        if not number:
            same.append(weakref.ref(code))
            number = len(same)
        return name if number == 1 else f"{name} ({number})"


def name_of_frame(code: types.CodeType, local: Mapping[str, Any]) -> str:
    """Names the frame of a code object, given its variables when it began.

    The frame of a function that PyTorch puts around the user's (by `torch.no_grad()`, say) is named after what it
    calls: "decorated, called by PyTorch's inner"; and what of it runs after a graph break in that call, "resume in
    PyTorch's inner around decorated at …". That of a function by which another decorator replaced a method, after both.
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
    own = name_of(qualified, Location.of(code))
    method, is_generated = _method(code, local)
    return method if is_generated else f"{method}, wrapped in {own}" if method else own


def _method(code: types.CodeType, local: Mapping[str, Any]) -> tuple[str, bool]:
    """The method that the frame of a code object is of, where the code does not tell its class, and why it does not.

    `exec()` made it (True), as it does those of dataclasses, or a decorator (False), one of whose functions have all
    one code: which it is, the free variables tell. "" for any other function. `self` is asked for nothing: its type's
    own table of methods is read. A class that was renamed, as FX does those of graph modules, has its new name.
    """
    is_generated = code.co_filename.startswith("<")
    parameters = code.co_varnames[: code.co_argcount] or code.co_varnames[code.co_kwonlyargcount :][:1]
    own = cell_value(local.get(parameters[0])) if parameters else None
    if not code.co_argcount:
        own = own[0] if type(own) is tuple and own else None
    for base in type.mro(type(own)) if is_generated or code.co_freevars else ():
        for name, method in base.__dict__.items():
            is_it = isinstance(method, types.FunctionType) and method.__code__ is code
            if is_it and (
                name == code.co_name if is_generated else name != code.co_name and _closes_over(method, local)
            ):
                is_renamed = not f".{base.__qualname__}".endswith(f".{base.__name__}")
                return _without_outer(f"{base.__name__ if is_renamed else base.__qualname__}.{name}"), is_generated
    return "", False


def _closes_over(function: types.FunctionType, local: Mapping[str, Any]) -> bool:
    """Whether a function's free variables have the values that a frame's have."""
    pairs = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return all(cell_value(cell) is cell_value(local.get(name)) for name, cell in pairs)


def wrapped_by(code: types.CodeType, local: Mapping[str, Any]) -> Location:
    """What the frame of a function of PyTorch's calls for the user: its name, and where it begins if that is known."""
    for variable in vocabulary.WRAPPED if names.is_torchs(code.co_filename) else ():
        found = callables.called(cell_value(local.get(variable)))
        if found is not None and (name := _without_outer(found.name)):
            own = found.function.__code__ if found.function is not None else None
            return Location(own.co_filename, own.co_firstlineno, name) if own is not None else Location("", 0, name)
    return NOWHERE


def name_of(qualified: str, start: Location) -> str:
    """Shortens a code object's (qualified) name; a resume function's, whose code is not known, tells the break."""
    function = resumed_function(qualified)
    return f"resume in {function} after {start}" if function else _without_outer(qualified)


def resumed_function(qualified: str) -> str:
    """The name of the function that a resume function continues, by its own; "" for another function."""
    match = _RESUME.match(_without_outer(qualified))
    return match[1] + match[2] if match else ""


def callers() -> Iterator[tuple[Location, Location]]:
    """The lines that wait for the call that Dynamo is converting, innermost first.

    Each as Python has it, and as the line of the program that it comes from where it is one of transformed code.
    """
    for frame in dynamo.calling_frames():
        code, line = frame.f_code, frame.f_lineno
        place = Location(code.co_filename, line, code.co_name, linecache.getline(code.co_filename, line).strip())
        own = program_lines.get(code, {}).get(line)
        yield place, place if own is None else replace(own, function=code.co_name)


def of_program(stack: Iterable[Location]) -> tuple[Location, ...]:
    """A stack of lines of the program, outermost first, as it were without torch.compile.

    A frame that waits for a resume function which continues it is left out: they are one call of the program.
    """
    found = [*stack]
    return tuple(p for p, inner in zip(found, [*found, NOWHERE][1:], strict=True) if not _continues(inner, p))


def _continues(inner: Location, outer: Location) -> bool:
    function = resumed_function(inner.function)
    same_file = inner.path == outer.path
    return bool(function) and same_file and function == (resumed_function(outer.function) or outer.function)


def start_of(code: types.CodeType) -> Location:
    """Where the frames of a code object begin: its first line, or the line where a resume function continues."""
    place = continues_at(code) if resumed_function(code.co_name) else NOWHERE
    return Location(place.path, place.line, code.co_name) if place else Location.of(code)


def continues_at(code: types.CodeType) -> Location:
    """The line of the program where a resume function continues; `NOWHERE` if it cannot be told.

    Its prologue ends with the first unconditional jump, into the middle of the original frame's instructions
    (torch's resume_execution.py).
    """
    goal = goal_of(code)
    if goal is None:
        return NOWHERE
    line = next((line for begin, end, line in code.co_lines() if begin <= goal < end), None)
    return Location(code.co_filename, line) if line else NOWHERE


def goal_of(code: types.CodeType) -> int | None:
    """The offset of the instruction of the original frame with which a resume function continues."""
    instructions = iter(dis.get_instructions(code))
    jump = next((i for i in instructions if i.opname in _JUMPS), None)
    if jump is None:
        return None
    return next((i.offset for i in instructions if i.offset >= jump.argval and i.opname not in _IDLE), None)


def _without_outer(qualified: str) -> str:
    return qualified.rpartition("<locals>.")[2]


def cell_value(value: Any) -> Any:
    """What a cell holds (None: nothing), or the value itself where it is no cell."""
    if isinstance(value, types.CellType):
        try:
            return value.cell_contents
        except ValueError:  # an empty cell
            return None
    return value
