# SPDX-License-Identifier: MIT
"""Determines which function runs when an object is called, for a readable name of what PyTorch's wrappers call.

Invariant: no code of the program is run. Importing this module does not import torch.
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
    """The function that runs when an object is called."""

    name: str  # the qualified name
    function: FunctionType | None
    given: int  # the number of positional arguments that the call inserts before those of the caller

    def parameter(self, position: int) -> str:
        """Returns the name of the parameter for a positional argument of the caller.

        Returns "" for positional-only ones and *args.
        """
        if self.function is None:
            return ""
        code = self.function.__code__
        index = self.given + position
        return code.co_varnames[index] if code.co_posonlyargcount <= index < code.co_argcount else ""


def called(value: Any) -> Called | None:
    """Returns the function that runs when an object is called; None if it is not known."""
    if isinstance(value, functools.partial):
        inner = called(value.func)
        return inner and inner._replace(given=inner.given + len(value.args))
    if isinstance(value, FunctionType):
        wrapped = vars(value).get("__wrapped__") if is_torchs(value.__code__.co_filename) else None
        return called(wrapped) if isinstance(wrapped, FunctionType) else Called(value.__qualname__, value, 0)
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
    """Returns the default `__call__` of modules, which runs hooks and `forward`; None if torch is not imported."""
    modules = sys.modules.get("torch.nn.modules.module")
    return vars(modules.Module).get("__call__") if modules is not None else None


def _forward(module: Any) -> Called | None:
    kind = type(module)
    own_forward = vars(module).get("forward")
    forward = (
        called(own_forward) if own_forward is not None else _of_class(inspect.getattr_static(kind, "forward", None))
    )
    return _named(forward or Called("", None, 0), f"{kind.__qualname__}.forward")


def _of_class(attribute: Any) -> Called | None:
    """Returns the function that runs when an attribute of a class is called on an instance."""
    if isinstance(attribute, staticmethod):
        return called(attribute.__func__)
    if isinstance(attribute, classmethod):
        return _bound(attribute.__func__)
    return _bound(attribute) if isinstance(attribute, FunctionType) else None


def _bound(function: Any) -> Called | None:
    inner = called(function)
    return inner and inner._replace(given=inner.given + 1)


def _named(inner: Called | None, name: str) -> Called | None:
    return inner and inner._replace(name=name)


def is_frame_around_compiled(scope: Mapping[str, Any]) -> bool:
    """Returns whether these are the globals of the wrapper through which torch.compile calls objects without own code.

    It is used for functions of PyTorch's package, objects with `__call__`, and builtin functions. All of these share
    the entries of the wrapper.
    """
    return scope.get("__name__") == "torch._dynamo.external_utils"
