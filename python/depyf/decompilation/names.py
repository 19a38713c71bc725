# SPDX-License-Identifier: MIT
"""Dotted names: a public path of an object, and the object at a path."""

from __future__ import annotations

import enum
import functools
import importlib
import sys
import types
from typing import Any

_NAMED_TYPES = (type, types.FunctionType, types.BuiltinFunctionType)


def public_name(value: Any) -> str:
    """A dotted path that gives this very object anywhere its module imports ("torch.abs"), or nothing.

    Looks only at modules already loaded, and past any `__getattr__`: nothing is imported and no code of others runs.
    """
    if isinstance(value, types.ModuleType):
        paths = [value.__name__]
    elif isinstance(value, enum.Enum):
        paths = [f"{type(value).__module__}.{type(value).__qualname__}.{value.name}"]
    elif isinstance(value, _NAMED_TYPES):
        module = getattr(value, "__module__", None) or "builtins"
        paths = [f"torch.{value.__name__}", f"{module}.{value.__qualname__}"]
    else:
        return ""
    return next((path for path in paths if "<" not in path and _loaded(path) is value), "")


def _loaded(path: str) -> Any:
    parts = path.split(".")
    for cut in range(len(parts), 0, -1):
        value: Any = sys.modules.get(".".join(parts[:cut]))
        if value is None:
            continue
        for part in parts[cut:]:
            value = vars(value).get(part) if isinstance(value, types.ModuleType | type) else None
        return value
    return None


def resolve(path: str) -> Any:
    """The object at a dotted path, its module imported."""
    parts = path.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            value: Any = importlib.import_module(".".join(parts[:cut]))
        except (ImportError, ValueError):
            continue
        return functools.reduce(getattr, parts[cut:], value)
    raise LookupError(path)
