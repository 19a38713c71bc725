# SPDX-License-Identifier: MIT
"""Which function a call of an object runs: of what PyTorch's wrappers call, and users call by their own names.

Invariant: no code of the program runs. Importing this module does not import torch.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Mapping
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, NamedTuple

from depyf.torch.internals.names import is_torchs


class Called(NamedTuple):
    """What a call runs."""

    name: str  # qualified
    function: FunctionType | None
    given: int  # how many positional arguments the call adds before the caller's

    def parameter(self, position: int) -> str:
        """The name of the parameter that takes the caller's positional argument; "" where none does alone."""
        if self.function is None:
            return ""
        code = self.function.__code__
        at = self.given + position
        return code.co_varnames[at] if code.co_posonlyargcount <= at < code.co_argcount else ""


def called(value: Any) -> Called | None:
    """What a call of an object runs; None where that cannot be told."""
    if isinstance(value, functools.partial):
        inner = called(value.func)
        return inner and inner._replace(given=inner.given + len(value.args))
    if isinstance(value, FunctionType):
        inside = vars(value).get("__wrapped__") if is_torchs(value.__code__.co_filename) else None
        return called(inside) if isinstance(inside, FunctionType) else Called(value.__qualname__, value, 0)
    if isinstance(value, BuiltinFunctionType):
        return Called(value.__name__, None, 0)
    runs_forward = _call_of_modules()
    if isinstance(value, MethodType):
        if value.__func__ is runs_forward:
            return _forward(value.__self__)
        return _bound(value.__func__)
    kind = type(value)
    call = inspect.getattr_static(kind, "__call__", None)
    if call is not None and call is runs_forward:
        return _forward(value)
    return _named(_of_class(call), f"{kind.__qualname__}.__call__")


def _call_of_modules() -> Any:
    """What a call of a module runs, where its class does not say: its hooks and its `forward`."""
    modules = sys.modules.get("torch.nn.modules.module")
    return vars(modules.Module).get("__call__") if modules is not None else None


def _forward(module: Any) -> Called | None:
    kind = type(module)
    own = vars(module).get("forward")
    found = called(own) if own is not None else _of_class(inspect.getattr_static(kind, "forward", None))
    return _named(found or Called("", None, 0), f"{kind.__qualname__}.forward")


def _of_class(attribute: Any) -> Called | None:
    """What an attribute of a class runs, called of an instance."""
    if isinstance(attribute, staticmethod):
        return called(attribute.__func__)
    if isinstance(attribute, classmethod):
        return _bound(attribute.__func__)
    return _bound(attribute) if isinstance(attribute, FunctionType) else None


def _bound(function: Any) -> Called | None:
    found = called(function)
    return found and found._replace(given=found.given + 1)


def _named(found: Called | None, name: str) -> Called | None:
    return found and found._replace(name=name)


def is_frame_around_compiled(scope: Mapping[str, Any]) -> bool:
    """Whether globals are of the function by which torch.compile calls what it does not compile by code of its own.

    That is what PyTorch's package defines, an object with `__call__`, a built-in function: all share its entries.
    """
    return scope.get("__name__") == "torch._dynamo.external_utils"
