# SPDX-License-Identifier: MIT
"""Looks up private names of torch, in the notation of the table of capabilities.

All private names are looked up here, so that a name that was moved or removed only costs its capability, and one line
in the index. Invariant: no lookup raises an error; a name that this torch lacks is recorded once in `missing()`.
Importing this module does not import torch.
"""

from __future__ import annotations

import functools
import inspect
import os
import re
import sys
from collections.abc import Mapping
from types import CodeType, FrameType
from typing import Any

from depyf.torch.internals.capabilities import CAPABILITIES, LOGGERS, Capability

_BY_NAME: dict[str, Capability] = {name: c for c in CAPABILITIES for name in c.needs}
_VARIABLE = re.compile(r"^(.+)\((\w+)\)$")
_CLASS = re.compile(r"\.(?!_C$)_*[A-Z]\w*$")

_missing: dict[str, str] = {}
_looked_up: dict[str, Any] = {}
_NOTHING = object()


def capability(name: str) -> Capability:
    """Returns the capability with this name."""
    return next(c for c in CAPABILITIES if c.name == name)


def missing() -> dict[str, str]:
    """Returns the names found missing in this torch; the values say what is lost."""
    return dict(_missing)


def record_missing(name: str, lost: str = "") -> None:
    """Records a name that this torch lacks; `lost` overrides what the table says is lost."""
    import torch

    capability = _BY_NAME.get(name)
    if capability is not None and release() < capability.since:
        return
    _missing[name] = (
        f"torch {torch.__version__} has no {name}: {capability.lost if capability is not None and not lost else lost}"
    )


def release() -> tuple[int, int]:
    """Returns the major and minor version of torch."""
    import torch

    numbers = re.match(r"(\d+)\.(\d+)", torch.__version__)
    return (int(numbers[1]), int(numbers[2])) if numbers is not None else (sys.maxsize, 0)


_OLDEST = (2, 6)  # the first release that has guard managers


def unsupported() -> str:
    """Returns a message if torch is older than the oldest supported release; "" otherwise."""
    import torch

    if release() >= _OLDEST:
        return ""
    needed = ".".join(map(str, _OLDEST))
    return (
        f"depyf needs torch {needed} or later: with torch {torch.__version__}, guards, entries and which_entry do not "
        "work (depyf.doctor() lists what else does not)"
    )


def is_torchs(path: str) -> bool:
    """Returns whether a file belongs to PyTorch's package."""
    import torch

    return path.startswith(os.path.join(torch.__path__[0], ""))


@functools.lru_cache(maxsize=1 << 14)  # called for the files of all modules at each recompile
def shortened(path: str) -> str:
    """Returns the path of a file as torch prints it in guards, without the folders shared with PyTorch's package."""
    import torch

    try:
        common = os.path.commonpath([path, torch.__path__[0]])
    except ValueError:  # a relative path, or one on another drive
        return path
    return path[len(common) + 1 :]


def probe(path: str, lost: str = "") -> Any:
    """Returns the object at a dotted path in torch, after importing its module; None, and records it, if there is none.

    `lost` is what is lost without the name, if it is not in the table.
    """
    if path not in _looked_up:
        try:
            _looked_up[path] = _at_path(path)
        except Exception:  # a module that torch cannot import here may raise anything
            record_missing(path, lost)
            _looked_up[path] = _NOTHING
    return None if _looked_up[path] is _NOTHING else _looked_up[path]


def attribute(value: Any, name: str, default: Any = None) -> Any:
    """Returns the attribute `x` of a value, for a name `Kind.x`.

    Returns the default, and records the name as missing, if the value lacks it.
    """
    try:
        return _attribute(value, name)
    except AttributeError:
        record_missing(name)
        return default


def optional(value: Any, name: str, default: Any = None) -> Any:
    """Like `attribute`, for a value that may be of another kind: nothing is recorded."""
    try:
        return _attribute(value, name)
    except AttributeError:
        return default


def setting(path: str, default: Any = None) -> Any:
    """Returns the current value of a variable in a module of torch.

    Returns the default, and records the name as missing, if there is none.
    """
    try:
        return _at_path(path)
    except Exception:  # as in probe()
        record_missing(path)
        return default


def running(path: str) -> FrameType | None:
    """Returns the innermost running frame of a function of torch, or None. Do not keep it."""
    name = path.rpartition(".")[2]
    if probe(path) is None:
        return None
    file = module_of(path).rpartition(".")[2] + ".py"
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not (frame.f_code.co_name == name and frame.f_code.co_filename.endswith(file)):
        frame = frame.f_back
    return frame


def variable(local: Mapping[str, Any], name: str, default: Any = None) -> Any:
    """Returns the local variable `x` of a frame, for a name `path(x)`.

    Returns the default, and records the name as missing, if there is none.
    """
    try:
        return _variable(local, name)
    except KeyError:
        record_missing(name)
        return default


def check(*, loaded_only: bool = True) -> None:
    """Looks up all paths and variables of the table, and records missing ones; with `loaded_only`, imports nothing."""
    for name in _BY_NAME:
        path = _path_of(name)
        if not path.startswith("torch.") or path in LOGGERS or (loaded_only and module_of(path) not in sys.modules):
            continue
        probe(path)
        if _looked_up[path] is _NOTHING or (path != name and not _has_variable(_looked_up[path], name)):
            record_missing(name)


def module_of(path: str) -> str:
    """Returns the module that contains the object at a path, which may be an attribute of a class."""
    holder = path.rpartition(".")[0]
    while _CLASS.search(holder):
        holder = holder.rpartition(".")[0]
    return holder


def _path_of(name: str) -> str:
    matched = _VARIABLE.match(name)
    return matched[1] if matched is not None else name


# ---- the lookups themselves, which tests replace to simulate missing names


def _at_path(path: str) -> Any:
    import torch

    value: Any = torch
    parts = path.split(".")
    for end, part in enumerate(parts[1:], start=2):
        if not hasattr(value, part):
            __import__(".".join(parts[:end]))
        # A module that is still being imported is not yet an attribute of its package.
        value = getattr(value, part, None) or sys.modules.get(".".join(parts[:end])) or getattr(value, part)
    return value


def _attribute(value: Any, name: str) -> Any:
    return getattr(value, name.rpartition(".")[2])


def _variable(local: Mapping[str, Any], name: str) -> Any:
    matched = _VARIABLE.match(name)
    return local[matched[2] if matched is not None else name]


def _has_variable(function: Any, name: str) -> bool:
    matched = _VARIABLE.match(name)
    function = inspect.unwrap(function) if callable(function) else function
    code = getattr(function, "__code__", None)
    return (
        matched is not None
        and isinstance(code, CodeType)
        and matched[2] in (*code.co_varnames, *code.co_cellvars, *code.co_freevars)
    )
