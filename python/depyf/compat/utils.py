# SPDX-License-Identifier: MIT
"""`depyf.utils` of depyf 0.20: small helpers that other tools import."""

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
    """Return the line `def name(parameters):` of a code object, with a line end."""
    return f"def {overwite_fn_name or code_obj.co_name}({', '.join(parameters_of(code_obj).listed())}):\n"


def collect_all_code_objects(code: CodeType) -> list[CodeType]:
    """Return the code object and those nested in it, parents before children."""
    return codes_of(code)


def safe_create_directory(path: str | os.PathLike[str]) -> None:
    """Create a directory unless it exists, even if another process creates it at the same time."""
    os.makedirs(path, exist_ok=True)


def get_code_owner(fn: Any) -> Any:
    """Return the object that owns the code of `fn`, below wrappers, methods and callable objects."""
    return owner_of(fn)


def decompile_ensure(fn: CodeType | Callable[..., Any], overwite_fn_name: str | None = None) -> str:
    """Return the decompiled text, or, if decompilation fails, a function that contains the error message.

    Raises:
        DecompilationError: `fn` has no Python code.

    """
    decompiler = Decompiler(fn)
    try:
        return decompiler.decompile(overwite_fn_name=overwite_fn_name)
    except DecompilationError as error:
        return get_function_signature(decompiler.code, overwite_fn_name) + f"    {f'Failed to decompile: {error}'!r}\n"
