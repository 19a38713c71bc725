# SPDX-License-Identifier: MIT
"""Finds the code object of whatever a caller passes.

Invariant: runs no code of the object except for reading attributes. An object without code raises a DecompilationError
that names it; nothing is guessed.
"""

from __future__ import annotations

import builtins
import functools
import sys
from pathlib import PurePath
from types import CodeType, FunctionType, MethodType
from typing import Any

from depyf.decompilation.inline_caches import check_inline_caches
from depyf.torch.internals.vocabulary import ORIGINAL_CALLABLE

from .errors import NoCodeError
from .names import attribute_of

__all__ = ["code_and_function", "codes_of", "hidden_builtins", "owner_of"]

# Attributes in which wrappers store what they wrap: those of torch.compile (preferred) and of functools.wraps.
_WRAPPED = (ORIGINAL_CALLABLE, "__wrapped__")
# Wrappers may form a cycle, and a mock object has every attribute.
_MAX_STEPS = 100
_RUNNING = ("gi_code", "cr_code", "ag_code", "f_code")


def owner_of(obj: Any) -> Any:
    """Returns the innermost object below wrappers, methods, descriptors and callables; `obj` itself if it is none."""
    for _ in range(_MAX_STEPS):
        inner = _step(obj)
        if inner is None:
            return obj
        obj = inner
    return obj


def _step(obj: Any) -> Any:
    """Returns the object directly below a wrapper, method, descriptor or callable; None if there is none."""
    if isinstance(obj, (CodeType, type)):
        return None
    for name in _WRAPPED:
        inner = attribute_of(obj, name)
        if inner is not None:
            return inner
    if isinstance(obj, FunctionType):
        return None
    if isinstance(obj, (MethodType, staticmethod, classmethod)):
        return obj.__func__
    if isinstance(obj, property):
        return obj.fget
    if isinstance(obj, (functools.partial, functools.partialmethod, functools.cached_property)):
        return obj.func
    if isinstance(attribute_of(obj, "__code__"), CodeType):
        return None
    for name in _RUNNING:
        code = attribute_of(obj, name)
        if isinstance(code, CodeType):
            return code
    return _call_of(obj)


def _call_of(obj: Any) -> Any:
    """Returns the Python function that calling an object runs: `forward` of a torch module, else `__call__`.

    Returns None if there is none.
    """
    torch_nn = sys.modules.get("torch.nn")
    module_type = getattr(torch_nn, "Module", None)
    if isinstance(module_type, type) and isinstance(obj, module_type):
        return attribute_of(obj, "forward")
    call = attribute_of(type(obj), "__call__")
    return call if isinstance(attribute_of(call, "__code__"), CodeType) or hasattr(call, "__wrapped__") else None


def code_and_function(obj: Any) -> tuple[CodeType, FunctionType | None]:
    """Returns the code object of `obj`, and the function with its defaults and annotations, or None.

    Raises:
        NoCodeError: The object has no Python code.
        DecompilationError: Its code, or that of a function in it, cannot be read.

    """
    owner = owner_of(obj)
    code = owner if isinstance(owner, CodeType) else None
    if code is None and not isinstance(owner, type):
        code = attribute_of(owner, "__code__")
    if isinstance(code, CodeType):
        check_inline_caches(code)
        return code, owner if isinstance(owner, FunctionType) else None
    if isinstance(owner, type):
        what = f"class {owner.__qualname__!r} has no code of its own; pass one of its methods"
    else:
        reads_files = "; decompile_pyc reads files" if isinstance(obj, str | bytes | PurePath) else ""
        what = f"{_shown(obj)} has no code to decompile{reads_files}"
    raise NoCodeError(obj, None, what)


def hidden_builtins(*functions: FunctionType | None) -> list[str]:
    """Returns the names of builtins that the globals of one of the functions redefine."""
    spaces = [function.__globals__ for function in functions if function is not None]
    original = vars(builtins)
    return sorted(
        name
        for name in original
        if any(dict.get(space, name, original[name]) is not original[name] for space in spaces)
    )


def codes_of(code: CodeType) -> list[CodeType]:
    """Returns the code object and those nested in it, parents before children, in the order of the core's indices."""
    codes: list[CodeType] = []
    todo = [code]
    while todo:
        code = todo.pop()
        codes.append(code)
        children = {id(const): const for const in code.co_consts if isinstance(const, CodeType)}
        todo.extend(reversed(children.values()))
    return codes


def _shown(obj: Any) -> str:
    name = getattr(obj, "__name__", None)
    kind = type(obj).__name__
    if isinstance(name, str):
        return f"{kind} {name!r}"
    if isinstance(obj, (int, float, complex, str, bytes, bool, type(None))):
        text = repr(obj)
        return f"{kind} {text if len(text) <= 60 else text[:57] + '...'}"
    return f"an object of type {kind!r}"
