# SPDX-License-Identifier: MIT
"""Small helpers that depyf 0.20 offered and that tools import."""

from __future__ import annotations

import os
from collections.abc import Callable
from types import CodeType
from typing import Any

from depyf.decompilation.errors import DecompilationError
from depyf.decompilation.parameters import parameters_of
from depyf.decompilation.resolve import codes_of, owner_of

from .decompiler import Decompiler

__all__ = [
    "collect_all_code_objects",
    "decompile_ensure",
    "get_code_owner",
    "get_function_signature",
    "safe_create_directory",
]


def get_function_signature(code_obj: CodeType, overwite_fn_name: str | None = None) -> str:
    """The line `def name(parameters):` of a code object, with its line end."""
    return f"def {overwite_fn_name or code_obj.co_name}({', '.join(parameters_of(code_obj).listed())}):\n"


def collect_all_code_objects(code: CodeType) -> list[CodeType]:
    """The code object and those nested in it, each before its own children."""
    return codes_of(code)


def safe_create_directory(path: str | os.PathLike[str]) -> None:
    """Create a directory unless it exists, also when another process does so at the same moment."""
    os.makedirs(path, exist_ok=True)


def get_code_owner(fn: Any) -> Any:
    """The object that owns the code of `fn`: wrappers, methods and callable objects taken off."""
    return owner_of(fn)


def decompile_ensure(fn: CodeType | Callable[..., Any], overwite_fn_name: str | None = None) -> str:
    """The decompiled text, or a function of that signature which says that there is none; raises for no code."""
    decompiler = Decompiler(fn)
    try:
        return decompiler.decompile(overwite_fn_name=overwite_fn_name)
    except DecompilationError as error:
        return get_function_signature(decompiler.code, overwite_fn_name) + f"    {f'Failed to decompile: {error}'!r}\n"
