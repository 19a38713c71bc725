# SPDX-License-Identifier: MIT
"""Adds to guards what torch's text of them lacks, from the running program: names, classes, callers and state.

Invariant: values of the program are read but not kept, and only attributes that the guard itself reads are read.
"""

from __future__ import annotations

import ast
import collections
import contextlib
import enum
import json
import re
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import torch

from depyf.decompilation.names import loaded, public_name
from depyf.torch.guards.parse import AGAINST, DICT_MANAGER, OBJECT_ID, TYPE_ID
from depyf.torch.internals import guard_state, texts
from depyf.torch.internals.names import is_torchs, shortened
from depyf.torch.model.guard import Guard
from depyf.torch.model.location import Location, with_callers

_GLOBAL = re.compile(r"\bG\['(\w+)'\]")


@guard_state.without_torch_function()
def find_public_names(
    guards: list[Guard], scope: dict[str, Any], local: dict[str, Any] | None = None
) -> tuple[dict[str, str], set[str]]:
    """Notes the public names of the objects that guards compare by identity.

    Dynamo has just read the same sources, so reading them has no new side effects.

    Args:
        guards: The guards; their `public` is set where a name is found.
        scope: The globals of the frame.
        local: The local variables of the frame, or None if the frame has already run.

    Returns:
        The global variables that the guards read: those that hold modules, with the modules' names; the names of all
        others.

    """
    modules: dict[str, str] = {}
    other_names: set[str] = set()
    for guard in guards:
        for name in _GLOBAL.findall(guard.text):
            if isinstance(scope.get(name), types.ModuleType):
                modules[name] = scope[name].__name__
            else:
                other_names.add(name)
        match = OBJECT_ID.match(guard.text)
        if match is not None:
            source, identity, shown_type = match.groups()
            value = _read(source.removesuffix(_CODE), scope, local or {})
            is_same = id(_object_compared(value, source)) == int(identity)
            candidates = [value] if is_same else _live_objects(shown_type or "", scope)
            matching = (c for c in candidates if id(_object_compared(c, source)) == int(identity))
            suffix = _CODE if source.endswith(_CODE) else ""
            guard.public = next((name + suffix for name in map(public_name, matching) if name), guard.public)
        elif (typed := TYPE_ID.match(guard.text)) is not None and typed.group(3) is None:
            cls = type(_read(typed.group(1), scope, local or {}))
            if id(cls) == int(typed.group(2)):
                guard.public = (
                    cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"
                )
        elif local is not None and texts.OWN_METADATA.fullmatch(guard.text):
            with contextlib.suppress(Exception):  # objects of the program may raise anything
                guard.public = guard_state.own_metadata(_read(guard.source, scope, local))
        elif guard.kind == DICT_MANAGER:
            value = _read(guard.source, scope, local or {})
            if isinstance(value, dict):
                guard.public = _length_when_guarded(guard.public, dict.__len__(value), local is not None)
                if local is not None:
                    _name_class(guard, type(value))
    return modules, other_names


def note_callers(
    guards: Iterable[Guard], origins: Iterable[guard_state.Origin], outer: tuple[Location, ...] = ()
) -> None:
    """Notes the stack of the program at which Dynamo created each guard.

    torch prints only the innermost line, which may be in PyTorch's own code. A guard whose origin is ambiguous keeps
    the location that torch printed.

    Args:
        guards: The guards; their `location` and `stack` are set.
        origins: The stacks that Dynamo recorded, with the sources and checks of their guards.
        outer: Lines of the program that call the frame.

    """
    printed = [(guard, frames[-1]) for guard in guards if (frames := texts.PRINTED_FRAME.findall(guard.comment))]
    printed_lines = {line for _, line in printed}
    by_check: dict[tuple[Any, str], set[Any]] = collections.defaultdict(set)  # (line, text of a check) -> stacks
    by_source: dict[tuple[Any, str], set[Any]] = collections.defaultdict(set)  # (line, source) -> stacks
    for origin in origins:
        lines = {(shortened(path), str(line), function) for path, line, function in origin.stack}
        for line in lines & printed_lines:
            for check in origin.checks:
                by_check[line, check].add(origin.stack)
            by_source[line, origin.source].add(origin.stack)
    for guard, line in printed:
        # Some guards are printed as several leaves, whose texts torch does not keep: use the longest source
        prefixes = (guard.source[:end] for end in range(len(guard.source), 0, -1))
        stacks = by_check.get((line, guard.text)) or next(
            (by_source[line, p] for p in prefixes if (line, p) in by_source), ()
        )
        if len(stacks) == 1:
            stack = tuple(Location(*place) for place in next(iter(stacks)) if not is_torchs(place[0]))
            guard.location = stack[-1] if stack else guard.location
            guard.stack = with_callers(guard.location, stack, outer)


def _live_objects(shown_type: str, scope: dict[str, Any]) -> Iterator[Any]:
    """Yields objects with public names that a guard may refer to, for a guard whose source cannot be read.

    `shown_type` is their type as torch prints it; for a class, torch prints the class itself.
    """
    named = _CLASS.match(shown_type)
    cls = loaded(named[1]) if named is not None else None
    yield cls
    if isinstance(cls, enum.EnumMeta):
        yield from cls.__members__.values()
        yield from cls._value2member_map_.values()  # combined flags are only in this one
    yield from (*scope.values(), *vars(torch).values())


def _object_compared(value: Any, source: str) -> Any:
    """Returns the object that torch compares by identity: the value, or the code of a function."""
    if not source.endswith(_CODE):
        return value
    return value.__code__ if isinstance(value, types.FunctionType) else None


_CODE = ".__code__"
_CLASS = re.compile(r"^<(?:class|enum) '([\w.]+)'>$")


def _length_when_guarded(guarded: str, now: int, compiling: bool) -> str:
    """Returns the length of a dictionary when its guard was created, or "" if that is unknown.

    It is known during the compilation; later, only if the length now is the number of guarded items.
    """
    return str(now) if compiling or guarded == str(now) else ""


def name_dictionary_classes(
    guards: list[Guard], scope: dict[str, Any], is_for: Callable[[str, dict[str, Any]], bool | None]
) -> None:
    """Notes the exact class that a guarded dictionary must have, where torch's text lacks it (up to 2.6).

    `is_for(source, locals)` asks torch whether the guard accepts the dictionary at the source, given these local
    variables and the globals of the program (`scope`).
    """
    for guard in guards:
        named = _NAME.match(guard.source)
        if named is None or guard.kind != DICT_MANAGER or not guard.text.endswith(_NO_TYPE):
            continue
        root, name = named.groups()
        candidates: tuple[Any, ...] = ({}, collections.defaultdict()) if root == "L" else (scope.get(name),)
        for value in candidates:
            if is_for(guard.source, {name: value} if root == "L" else {}):
                _name_class(guard, type(value))
                break


_NO_TYPE = ", type=)"
_NAME = re.compile(r"^([LG])\['(\w+)'\]$")


def _name_class(guard: Guard, cls: type) -> None:
    if guard.text.endswith(_NO_TYPE):
        guard.text = f"{guard.text[:-1]}{cls!r})"


def name_function_modes(guards: list[Guard], names: Sequence[str] | None) -> None:
    """Notes which torch function modes were active, if known; torch's text of the guard does not contain them."""
    for guard in guards if names is not None else ():
        if guard.kind == "TORCH_FUNCTION_MODE_STACK":
            guard.public = ", ".join(map(repr, names or ())) or NO_MODES


NO_MODES = "none"


def note_global_state(guards: list[Guard], state: dict[str, Any]) -> None:
    """Notes the state that the guard of global state compares with, where torch's text does not contain it."""
    for guard in guards:
        if guard.kind == "GLOBAL_STATE" and AGAINST not in guard.text:
            guard.public = json.dumps(state)


def compares_unknown_state(guard: Guard) -> bool:
    """Returns whether a guard compares state that is neither in torch's text nor noted."""
    modes_or_state = guard.kind == "TORCH_FUNCTION_MODE_STACK" or (
        guard.kind == "GLOBAL_STATE" and AGAINST not in guard.text
    )
    return modes_or_state and not guard.public


def _read(source: str, scope: dict[str, Any], local: dict[str, Any]) -> Any:
    """Returns the value of a source, or None. Only names, loaded modules, attributes, keys and items are evaluated."""
    try:
        return _value(ast.parse(source, mode="eval").body, {"G": scope, "L": local})
    except Exception:  # user objects' own __getattr__ may raise anything
        return None


def _value(node: ast.expr, roots: dict[str, Any]) -> Any:
    """Returns the value of an expression of the allowed kinds; raises LookupError for others."""
    if isinstance(node, ast.Name):
        return roots[node.id]
    if isinstance(node, ast.Attribute):
        return getattr(_value(node.value, roots), node.attr)
    if isinstance(node, ast.Subscript):
        return _value(node.value, roots)[_value(node.slice, roots)]
    if isinstance(node, ast.Constant):
        return node.value
    match node:
        case ast.Call(
            func=ast.Name(id="list"),
            args=[ast.Call(func=ast.Attribute(value=ast.Name(id="dict"), attr="keys"), args=[dictionary], keywords=[])],
            keywords=[],
        ):
            return list(dict.keys(_value(dictionary, roots)))
        case ast.Call(func=ast.Name(id="__import__"), args=[ast.Constant(value=str(module))], keywords=[]):
            return sys.modules[module]
    raise LookupError(ast.dump(node))
