# SPDX-License-Identifier: MIT
"""Dotted names: finds a public path of an object, and the object at a path."""

from __future__ import annotations

import enum
import functools
import importlib
import keyword
import operator
import sys
import types
from collections.abc import Iterator
from typing import Any

_OR = " | "  # between the names of flags that are combined
_NO_FLAG = "(0)"  # after the name of a flag class: no flag is set
_NAMED_TYPES = (type, types.FunctionType, types.BuiltinFunctionType)
_NAMED_BY_REPR = {("torch", "dtype"), ("torch", "layout"), ("torch", "memory_format"), ("torch", "qscheme")}


def attribute_of(value: Any, name: str) -> Any:
    """Returns an attribute of an object of the program; None if it is missing, or if reading it raises an exception."""
    try:
        return getattr(value, name, None)
    except Exception:  # raised by a property or __getattr__ of the program
        return None


def is_dotted_name(text: str) -> bool:
    """Returns whether the text is a dotted name that can be written in source: identifiers that are not keywords."""
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in text.split("."))


def public_name(value: Any) -> str:
    """Returns a dotted path that evaluates to this object after its module is imported ("torch.abs"), or "".

    Considers only modules that are loaded, and bypasses `__getattr__`: nothing is imported, and no foreign code runs.
    """
    return next(paths_of(value), "")


def paths_of(value: Any) -> Iterator[str]:
    """Yields dotted paths of this object in loaded modules, the shortest first; `a | b` and `cls(0)` for flags."""
    return (path for path in _claims(value) if loaded(path) is value)


def _claims(value: Any) -> Iterator[str]:
    """Yields the paths that the attributes of the object claim; they may be wrong."""
    if isinstance(value, types.ModuleType):
        yield value.__name__
    elif isinstance(value, enum.Enum):
        cls = f"{type(value).__module__}.{type(value).__qualname__}"
        single = f"{cls}.{value._name_}" if value._name_ else f"{cls}{_NO_FLAG}"
        yield _OR.join(f"{cls}.{name}" for name in _flags_in(value)) or single
    elif isinstance(value, _NAMED_TYPES):
        module = getattr(value, "__module__", None) or "builtins"
        yield from (f"torch.{value.__name__}", f"{module}.{value.__qualname__}")
        yield f"{module}.{value.__name__}"  # for a builtin whose qualified name has a class that is not accessible
    elif type(value).__module__ == "typing" or (type(value).__module__, type(value).__name__) in _NAMED_BY_REPR:
        yield repr(value)  # typing.Any, torch.float32


def _flags_in(value: enum.Enum) -> list[str]:
    """Returns the names of the flags in a combination that has no name of its own; empty for anything else."""
    if not isinstance(value, enum.Flag) or any(member is value for member in type(value).__members__.values()):
        return []
    singles = {m._value_: m._name_ for m in type(value).__members__.values() if m._value_.bit_count() == 1}
    bits = [number for number in singles if number & value._value_]
    return [str(singles[number]) for number in bits] if sum(bits) == value._value_ else []


def loaded(path: str) -> Any:
    """Returns the object at a dotted path in a loaded module, or a combination of flags; None if there is none."""
    if path.endswith(_NO_FLAG):
        cls = loaded(path.removesuffix(_NO_FLAG))
        return cls._value2member_map_.get(0) if isinstance(cls, enum.EnumMeta) else None
    if _OR in path:
        flags = [loaded(part) for part in path.split(_OR)]
        if not all(isinstance(flag, enum.Flag) for flag in flags):
            return None
        members = type(flags[0])._value2member_map_  # not `|`, which the program may have overridden
        return members.get(functools.reduce(operator.or_, (flag._value_ for flag in flags)))
    if not is_dotted_name(path):
        return None
    parts = path.split(".")
    for cut in range(len(parts), 0, -1):
        value: Any = sys.modules.get(".".join(parts[:cut]))
        if value is None:
            continue
        for part in parts[cut:]:
            value = _member(value, part)
        return value
    return None


def _member(owner: Any, name: str) -> Any:
    if isinstance(owner, enum.EnumMeta) and name in owner.__members__:
        return owner.__members__[name]  # before 3.12, members are not plain attributes
    value = vars(owner).get(name) if isinstance(owner, types.ModuleType | type) else None
    return value.__func__ if isinstance(value, staticmethod) else value


def undecorated(value: Any, name: str) -> types.FunctionType | None:
    """Returns the first function whose code has this name, among a function and those that its decorators wrap."""
    seen: list[types.FunctionType] = []
    while isinstance(value, types.FunctionType) and all(value is not other for other in seen):
        if value.__code__.co_name == name:
            return value
        seen.append(value)
        value = vars(value).get("__wrapped__")  # set by functools.wraps
    return None


def resolve(path: str) -> Any:
    """Returns the object at a dotted path, importing its module, or the combination of several flags.

    Raises:
        LookupError: No part of the path is a module that can be imported.
        AttributeError: The module has no such attribute.

    """
    if path.endswith(_NO_FLAG):
        return resolve(path.removesuffix(_NO_FLAG))(0)
    if _OR in path:
        return functools.reduce(operator.or_, map(resolve, path.split(_OR)))
    parts = path.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            value: Any = importlib.import_module(".".join(parts[:cut]))
        except (ImportError, ValueError):
            continue
        return functools.reduce(getattr, parts[cut:], value)
    raise LookupError(path)
