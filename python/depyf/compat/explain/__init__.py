# SPDX-License-Identifier: MIT
"""`depyf.explain` of depyf 0.20. New code uses `depyf` itself."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any

from depyf.decompilation.resolve import code_and_function

from . import enable_debugging, enhance_logging, global_variables, utils
from .utils import DynamoOptimizationResult


def _extract_artifacts(original_code: CodeType, module: Any) -> Any:
    """The cache entries of a code object, as the result class of depyf 0.20."""
    return DynamoOptimizationResult(original_code, None, module)


def dump_src(original_code: CodeType | Callable[..., Any], module: Any = None) -> str:
    """Return guards and decompiled code of all cache entries of a function or code object as text.

    Args:
        original_code: The function, method or module, or its code object.
        module: The globals of the function's module; not used.

    Returns:
        The entries, one after another.

    Raises:
        DecompilationError: The object has no Python code.

    """
    code, _ = code_and_function(original_code)
    return str(_extract_artifacts(code, module).to_src())


__all__ = [
    "DynamoOptimizationResult",
    "_extract_artifacts",
    "dump_src",
    "enable_debugging",
    "enhance_logging",
    "global_variables",
    "utils",
]
