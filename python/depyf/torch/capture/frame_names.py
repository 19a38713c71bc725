# SPDX-License-Identifier: MIT
"""Names of frames as the user knows them: qualified, without the wrappers that PyTorch puts around functions.

Invariant: reads code objects and the frame's variables, calls nothing of the user's.
"""

from __future__ import annotations

import functools
import re
import types
from collections.abc import Mapping
from typing import Any

import torch

from depyf.torch.internals import vocabulary

_RESUME = re.compile(rf"^{vocabulary.RESUME_CODE}(.+)_at_(\d+)$")


def name_of_frame(code: types.CodeType, local: Mapping[str, Any]) -> str:
    """Names the frame of a code object, given its variables when it began.

    The frame of a function that PyTorch puts around the user's (by `torch.no_grad()`, say) is named after what it
    calls: "decorated, called by PyTorch's inner".
    """
    if code.co_filename.startswith(torch.__path__[0]):
        for variable in vocabulary.WRAPPED:
            name = _name_of_callable(_cell_value(local.get(variable)))
            if name:
                return f"{name}, called by PyTorch's {code.co_name}"
    return name_of(code.co_name if _RESUME.match(code.co_name) else getattr(code, "co_qualname", code.co_name))


def name_of(qualified: str) -> str:
    """Shortens a code object's (qualified) name: nothing of the functions around, resume functions in words."""
    name = qualified.rpartition("<locals>.")[2]
    match = _RESUME.match(name)
    return f"resume in {match[1]} at line {match[2]}" if match else name


def _cell_value(value: Any) -> Any:
    if isinstance(value, types.CellType):
        try:
            return value.cell_contents
        except ValueError:  # an empty cell
            return None
    return value


def _name_of_callable(value: Any) -> str:
    while isinstance(value, functools.partial):
        value = value.func
    name = ""
    if isinstance(value, types.MethodType) and isinstance(value.__self__, torch.nn.Module):
        name = f"{type(value.__self__).__qualname__}.forward"
    elif isinstance(value, types.MethodType):
        name = value.__func__.__qualname__
    elif isinstance(value, types.FunctionType):
        name = value.__qualname__
    elif isinstance(value, torch.nn.Module):
        name = f"{type(value).__qualname__}.forward"
    return name.rpartition("<locals>.")[2]
