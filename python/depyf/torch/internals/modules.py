# SPDX-License-Identifier: MIT
"""How a call of a module reaches its `forward`: hooks, what `Module.compile()` keeps, torch's context decorators."""

from __future__ import annotations

import copy
import functools
import types
from collections.abc import Callable
from typing import Any

from depyf.torch.internals.conversions import skip_rule
from depyf.torch.internals.names import attribute, optional, probe

_BEFORE_FORWARD = ("Module._forward_pre_hooks", "Module._backward_pre_hooks", "Module._backward_hooks")


def check_names() -> None:
    """Looks up each private name of modules: what lacks is in `missing()` then."""
    import torch

    module = torch.nn.Identity()
    runs_before_forward(module)
    attribute(module, "Module._forward_hooks")
    attribute(module, COMPILED_CALL)


def runs_before_forward(module: Any) -> bool:
    """Whether a call of the module runs hooks that may give `forward` other arguments than the call has."""
    found = [attribute(module, name) for name in _BEFORE_FORWARD]
    any_global = probe("torch.nn.modules.module._has_any_global_hook")
    return any(found) or bool(any_global is not None and any_global())


def runs_hooks(module: Any) -> bool:
    """Whether a call of the module runs more than `forward`."""
    return runs_before_forward(module) or bool(attribute(module, "Module._forward_hooks"))


COMPILED_CALL = "Module._compiled_call_impl"


def compiled_call(module: Any) -> Any:
    """What calls of a module go to after its `compile()`; None before."""
    return optional(module, COMPILED_CALL)


def calls_forward(method: types.MethodType) -> bool:
    """Whether a method is how torch calls a module's `forward`: `Module.__call__` and what it calls, not user code."""
    import torch

    function: Any = method.__func__
    if not isinstance(function, types.FunctionType):
        return False
    is_modules = vars(torch.nn.Module).get(function.__name__) is function
    return is_modules or (type(method.__self__).__call__ is function and bool(skip_rule(function.__code__)))


def _copying(context: Any) -> Callable[[], Any]:
    """What makes copies of a context: it keeps what to restore, and the program may be within it."""
    return functools.partial(copy.copy, context)


# Each of torch's decorators: its path, the cell that tells the context, and what makes one from that cell's contents.
_DECORATORS: tuple[tuple[str, str, Callable[[Any], Callable[[], Any]]], ...] = (
    ("torch.utils._contextlib.context_decorator", "ctx_factory", lambda factory: factory),
    ("torch.amp.autocast_mode.autocast_decorator", "autocast_instance", _copying),
)


def context_of(function: types.FunctionType) -> Callable[[], Any] | None:
    """What makes the context that one of torch's decorators (`no_grad` and its like) runs a function in, if any."""
    file = function.__code__.co_filename
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    for path, cell, maker_of in _DECORATORS:
        decorate = probe(path)
        if decorate is not None and decorate.__code__.co_filename == file and cell in cells:
            return maker_of(cells[cell].cell_contents)
    return None
