# SPDX-License-Identifier: MIT
"""How a call of a module reaches its `forward`: hooks, the result of `Module.compile()`, torch's context decorators."""

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
    """Looks up all private names of modules; afterwards, `missing()` has those that this torch lacks."""
    import torch

    module = torch.nn.Identity()
    runs_before_forward(module)
    attribute(module, "Module._forward_hooks")
    attribute(module, COMPILED_CALL)


def runs_before_forward(module: Any) -> bool:
    """Returns whether a call of the module runs hooks that may change the arguments for `forward`."""
    hooks = [attribute(module, name) for name in _BEFORE_FORWARD]
    any_global = probe("torch.nn.modules.module._has_any_global_hook")
    return any(hooks) or bool(any_global is not None and any_global())


def runs_hooks(module: Any) -> bool:
    """Returns whether a call of the module runs hooks, before or after `forward`."""
    return runs_before_forward(module) or bool(attribute(module, "Module._forward_hooks"))


COMPILED_CALL = "Module._compiled_call_impl"


def compiled_call(module: Any) -> Any:
    """Returns the compiled function that calls of a module use after its `compile()`; None before."""
    return optional(module, COMPILED_CALL)


def calls_forward(method: types.MethodType) -> bool:
    """Returns whether a method is how torch calls a module's `forward`: `Module.__call__` or a method that it calls."""
    import torch

    function: Any = method.__func__
    if not isinstance(function, types.FunctionType):
        return False
    is_modules = vars(torch.nn.Module).get(function.__name__) is function
    return is_modules or (type(method.__self__).__call__ is function and bool(skip_rule(function.__code__)))


def _copying(context: Any) -> Callable[[], Any]:
    """Returns a factory of copies of a context manager: it stores what to restore, and the program may be using it."""
    return functools.partial(copy.copy, context)


# Torch's decorators: the path, the free variable with the context, and how to make a factory from its value.
_DECORATORS: tuple[tuple[str, str, Callable[[Any], Callable[[], Any]]], ...] = (
    ("torch.utils._contextlib.context_decorator", "ctx_factory", lambda factory: factory),
    ("torch.amp.autocast_mode.autocast_decorator", "autocast_instance", _copying),
)


def context_of(function: types.FunctionType) -> Callable[[], Any] | None:
    """Returns a factory of the context in which a decorator of torch, such as `no_grad`, runs a function.

    Returns None if there is none.
    """
    file = function.__code__.co_filename
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    for path, cell, maker_of in _DECORATORS:
        decorate = probe(path)
        if decorate is not None and decorate.__code__.co_filename == file and cell in cells:
            return maker_of(cells[cell].cell_contents)
    return None
