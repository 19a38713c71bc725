# SPDX-License-Identifier: MIT
"""Which function a call of an object runs: of what PyTorch's wrappers call, and users call by their own names.

Invariant: no code of the program runs. Importing this module does not import torch.
"""

from __future__ import annotations

import functools
import inspect
import sys
from types import FunctionType, MethodType
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
    """What a call of an object runs; None where that is not Python, or cannot be told."""
    if isinstance(value, functools.partial):
        inner = called(value.func)
        return inner and inner._replace(given=inner.given + len(value.args))
    if isinstance(value, FunctionType):
        inside = vars(value).get("__wrapped__") if is_torchs(value.__code__.co_filename) else None
        return called(inside) if isinstance(inside, FunctionType) else Called(value.__qualname__, value, 0)
    modules = sys.modules.get("torch.nn.modules.module")
    is_method = isinstance(value, MethodType)
    if modules is not None and isinstance(value.__self__ if is_method else value, modules.Module):
        owner = value.__self__ if is_method else value
        own = vars(owner).get("forward")
        found = called(own) if own is not None and not is_method else None
        forward = inspect.getattr_static(type(owner), "forward", None)
        found = found or Called("", _python(forward), 1)
        return found._replace(name=f"{type(owner).__qualname__}.forward")
    own_call = value.__func__ if is_method else inspect.getattr_static(type(value), "__call__", None)
    function = _python(own_call)
    name = function.__qualname__ if is_method and function is not None else f"{type(value).__qualname__}.__call__"
    return Called(name, function, 1) if function is not None else None


def _python(value: Any) -> FunctionType | None:
    return value if isinstance(value, FunctionType) else None
