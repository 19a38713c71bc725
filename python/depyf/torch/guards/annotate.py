# SPDX-License-Identifier: MIT
"""What torch's text of a guard does not tell, from the running program.

Invariant: the program's values are read, never kept; no attribute is read that the guard itself does not read.
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
    """Spellings of the objects that guards ask for by identity; (modules, other names) of the globals they read.

    `scope` (the frame's globals) and `local` are read, not kept. Reading a guard's source is what Dynamo just did.
    """
    modules: dict[str, str] = {}
    others: set[str] = set()
    for guard in guards:
        for name in _GLOBAL.findall(guard.text):
            if isinstance(scope.get(name), types.ModuleType):
                modules[name] = scope[name].__name__
            else:
                others.add(name)
        match = OBJECT_ID.match(guard.text)
        if match is not None:
            source, identity, shown = match.groups()
            read = _read(source.removesuffix(_CODE), scope, local or {})
            is_read = id(_compared(read, source)) == int(identity)
            candidates = [read] if is_read else _living(shown or "", scope)
            found = (c for c in candidates if id(_compared(c, source)) == int(identity))
            suffix = _CODE if source.endswith(_CODE) else ""
            guard.public = next((name + suffix for name in map(public_name, found) if name), guard.public)
        elif (typed := TYPE_ID.match(guard.text)) is not None and typed.group(3) is None:
            cls = type(_read(typed.group(1), scope, local or {}))
            if id(cls) == int(typed.group(2)):
                guard.public = (
                    cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"
                )
        elif local is not None and texts.OWN_METADATA.fullmatch(guard.text):
            with contextlib.suppress(Exception):  # of the program's own objects
                guard.public = guard_state.own_metadata(_read(guard.source, scope, local))
        elif guard.kind == DICT_MANAGER:
            value = _read(guard.source, scope, local or {})
            if isinstance(value, dict):
                guard.public = _length_then(guard.public, dict.__len__(value), local is not None)
                if local is not None:
                    _name_class(guard, type(value))
    return modules, others


def note_callers(
    guards: Iterable[Guard], origins: Iterable[guard_state.Origin], outer: tuple[Location, ...] = ()
) -> None:
    """Notes the program's frames in which Dynamo made each guard, and its line where PyTorch's own asked for it.

    torch prints the innermost line alone. A guard whose origin is not told for sure keeps what torch printed. `outer`:
    the program's lines that call the frame.
    """
    printed = [(guard, frames[-1]) for guard in guards if (frames := texts.PRINTED_FRAME.findall(guard.comment))]
    told = {line for _, line in printed}
    by_check: dict[tuple[Any, str], set[Any]] = collections.defaultdict(set)  # a line and a text -> stacks
    by_source: dict[tuple[Any, str], set[Any]] = collections.defaultdict(set)  # a line and a source -> stacks
    for origin in origins:
        met = {(shortened(path), str(line), function) for path, line, function in origin.stack}
        for line in met & told:
            for check in origin.checks:
                by_check[line, check].add(origin.stack)
            by_source[line, origin.source].add(origin.stack)
    for guard, line in printed:
        # else the text is of what a guard is made of, and torch keeps no text of that
        parts = (guard.source[:end] for end in range(len(guard.source), 0, -1))
        found = by_check.get((line, guard.text)) or next(
            (by_source[line, p] for p in parts if (line, p) in by_source), ()
        )
        if len(found) == 1:
            stack = tuple(Location(*place) for place in next(iter(found)) if not is_torchs(place[0]))
            guard.location = stack[-1] if stack else guard.location
            guard.stack = with_callers(guard.location, stack, outer)


def _living(shown: str, scope: dict[str, Any]) -> Iterator[Any]:
    """Objects with names of their own that a guard may be of whose value is not at hand; `shown`: their type, by torch.

    Of a class torch shows the class itself.
    """
    named = _CLASS.match(shown)
    cls = loaded(named[1]) if named is not None else None
    yield cls
    if isinstance(cls, enum.EnumMeta):
        yield from (*cls.__members__.values(), *cls._value2member_map_.values())  # flags that were combined, too
    yield from (*scope.values(), *vars(torch).values())


def _compared(value: Any, source: str) -> Any:
    """What torch compares by identity: of a function of the program's its code."""
    if not source.endswith(_CODE):
        return value
    return value.__code__ if isinstance(value, types.FunctionType) else None


_CODE = ".__code__"
_CLASS = re.compile(r"^<(?:class|enum) '([\w.]+)'>$")


def _length_then(guarded: str, now: int, compiling: bool) -> str:
    """A dictionary's length when its guard was made: known then; later, if it is what all guarded items add up to."""
    return str(now) if compiling or guarded == str(now) else ""


def name_dictionary_classes(
    guards: list[Guard], scope: dict[str, Any], is_for: Callable[[str, dict[str, Any]], bool | None]
) -> None:
    """Notes the exact class that a guarded dictionary must have, where torch's text does not tell (until 2.6).

    `is_for(source, locals)` asks torch about one in these locals, or in the program's globals (`scope`).
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
    """Notes which torch function modes were active, if known; torch's text of that guard does not tell."""
    for guard in guards if names is not None else ():
        if guard.kind == "TORCH_FUNCTION_MODE_STACK":
            guard.public = ", ".join(map(repr, names or ())) or NO_MODES


NO_MODES = "none"


def note_global_state(guards: list[Guard], state: dict[str, Any]) -> None:
    """Notes the state that the guard of global state compares with, where torch's text of it does not tell."""
    for guard in guards:
        if guard.kind == "GLOBAL_STATE" and AGAINST not in guard.text:
            guard.public = json.dumps(state)


def compares_untold_state(guard: Guard) -> bool:
    """Whether a guard compares state that neither torch's text tells nor was noted."""
    untold = guard.kind == "TORCH_FUNCTION_MODE_STACK" or (guard.kind == "GLOBAL_STATE" and AGAINST not in guard.text)
    return untold and not guard.public


def _read(source: str, scope: dict[str, Any], local: dict[str, Any]) -> Any:
    """The value of a source of names, loaded modules, attributes, keys and items, or None: no more is evaluated."""
    try:
        return _value(ast.parse(source, mode="eval").body, {"G": scope, "L": local})
    except Exception:  # user objects' own __getattr__ may raise anything
        return None


def _value(node: ast.expr, roots: dict[str, Any]) -> Any:
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
            args=[ast.Call(func=ast.Attribute(value=ast.Name(id="dict"), attr="keys"), args=[of], keywords=[])],
            keywords=[],
        ):
            return list(dict.keys(_value(of, roots)))
        case ast.Call(func=ast.Name(id="__import__"), args=[ast.Constant(value=str(module))], keywords=[]):
            return sys.modules[module]
    raise LookupError(ast.dump(node))
