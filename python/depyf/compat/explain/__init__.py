# SPDX-License-Identifier: MIT
"""The names that code written against depyf 0.20 imports from `depyf.explain`. New code uses `depyf` itself."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import CodeType
from typing import Any

from . import enable_debugging, enhance_logging, global_variables, utils
from .utils import DynamoOptimizationResult


def _extract_artifacts(original_code: CodeType, module: Any) -> Any:
    """What Dynamo made of a code object, as depyf 0.20's result class."""
    return DynamoOptimizationResult(original_code, None, module)


def dump_src(original_code: CodeType | Callable[..., Any], module: Any = None) -> str:
    """The source of everything Dynamo made of a function (or of its code object, with its module's globals)."""
    code = original_code if isinstance(original_code, CodeType) else inspect.unwrap(original_code).__code__
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
