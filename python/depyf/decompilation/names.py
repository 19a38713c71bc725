# SPDX-License-Identifier: MIT
"""Dotted names: a public path of an object, and the object at a path."""

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
_NO_FLAG = "(0)"  # after their class: none of them
_NAMED_TYPES = (type, types.FunctionType, types.BuiltinFunctionType)
_NAMED_BY_REPR = {("torch", "dtype"), ("torch", "layout"), ("torch", "memory_format"), ("torch", "qscheme")}


def is_dotted_name(text: str) -> bool:
    """Whether a text is a path that source can have."""
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in text.split("."))


def public_name(value: Any) -> str:
    """A dotted path that gives this very object anywhere its module imports ("torch.abs"), or nothing.

    Looks only at modules already loaded, and past any `__getattr__`: nothing is imported and no code of others runs.
    """
    return next(paths_of(value), "")


def paths_of(value: Any) -> Iterator[str]:
    """Dotted paths under which loaded modules have this object, the shortest first; `a | b` and `cls(0)` for flags."""
    return (path for path in _claims(value) if loaded(path) is value)


def _claims(value: Any) -> Iterator[str]:
    """Paths that the object itself says it has."""
    if isinstance(value, types.ModuleType):
        yield value.__name__
    elif isinstance(value, enum.Enum):
        cls = f"{type(value).__module__}.{type(value).__qualname__}"
        single = f"{cls}.{value._name_}" if value._name_ else f"{cls}{_NO_FLAG}"
        yield _OR.join(f"{cls}.{name}" for name in _flags_in(value)) or single
    elif isinstance(value, _NAMED_TYPES):
        module = getattr(value, "__module__", None) or "builtins"
        yield from (f"torch.{value.__name__}", f"{module}.{value.__qualname__}")
        yield f"{module}.{value.__name__}"  # a builtin of a hidden class
    elif type(value).__module__ == "typing" or (type(value).__module__, type(value).__name__) in _NAMED_BY_REPR:
        yield repr(value)  # typing.Any, torch.float32


def _flags_in(value: enum.Enum) -> list[str]:
    """The names of the single flags that a combination without a name of its own is made of; none of anything else."""
    if not isinstance(value, enum.Flag) or any(member is value for member in type(value).__members__.values()):
        return []
    singles = {m._value_: m._name_ for m in type(value).__members__.values() if m._value_.bit_count() == 1}
    held = [number for number in singles if number & value._value_]
    return [str(singles[number]) for number in held] if sum(held) == value._value_ else []


def loaded(path: str) -> Any:
    """The object at a dotted path below a module that is loaded, or a combination of flags; None without one."""
    if path.endswith(_NO_FLAG):
        cls = loaded(path.removesuffix(_NO_FLAG))
        return cls._value2member_map_.get(0) if isinstance(cls, enum.EnumMeta) else None
    if _OR in path:
        flags = [loaded(part) for part in path.split(_OR)]
        if not all(isinstance(flag, enum.Flag) for flag in flags):
            return None
        known = type(flags[0])._value2member_map_  # not `|`, which may be the program's own
        return known.get(functools.reduce(operator.or_, (flag._value_ for flag in flags)))
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
        return owner.__members__[name]  # before 3.12 they are no plain attributes
    found = vars(owner).get(name) if isinstance(owner, types.ModuleType | type) else None
    return found.__func__ if isinstance(found, staticmethod) else found


def resolve(path: str) -> Any:
    """The object at a dotted path, its module imported; of several paths the combination of these flags."""
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
