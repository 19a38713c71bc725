# SPDX-License-Identifier: MIT
"""depyf: CPython bytecode back to source, and PyTorch's compiler opened up.

`import depyf` imports no torch; what needs it is loaded when asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._decompiled import Decompiled, MapEntry, RecompileContext, Verdict
from ._errors import DecompilationError
from ._verify import Verification, verify
from .decompiler import Decompiler, decompile

if TYPE_CHECKING:
    from .torch.dispatch import Decision, entries, which_entry
    from .torch.doctor import doctor
    from .torch.expect import expect
    from .torch.explain import Explanation, Failure
    from .torch.live import BoundFullCode
    from .torch.live import full_code_of as full_code
    from .torch.logs import install, uninstall
    from .torch.model import Entry
    from .torch.run import FrameStatus, Run
    from .torch.session import Session, debug, prepare_debug
    from .torch.trace import from_trace
    from .torch.values import Values, values

__all__ = [
    "BoundFullCode",
    "Decision",
    "DecompilationError",
    "Decompiled",
    "Decompiler",
    "Entry",
    "Explanation",
    "Failure",
    "FrameStatus",
    "MapEntry",
    "NotCompiled",
    "RecompileContext",
    "Run",
    "Session",
    "Values",
    "Verdict",
    "Verification",
    "__version__",
    "debug",
    "decompile",
    "doctor",
    "entries",
    "expect",
    "from_trace",
    "full_code",
    "install",
    "prepare_debug",
    "uninstall",
    "values",
    "verify",
    "which_entry",
]

__version__: str

_LAZY = {  # needs no torch
    "FrameStatus": ("depyf.torch.run", "FrameStatus"),
    "Run": ("depyf.torch.run", "Run"),
}
_NEEDS_TORCH = {
    "BoundFullCode": ("depyf.torch.live", "BoundFullCode"),
    "Decision": ("depyf.torch.dispatch", "Decision"),
    "Entry": ("depyf.torch.model", "Entry"),
    "Explanation": ("depyf.torch.explain", "Explanation"),
    "Failure": ("depyf.torch.explain", "Failure"),
    "Session": ("depyf.torch.session", "Session"),
    "Values": ("depyf.torch.values", "Values"),
    "NotCompiled": ("depyf.torch.caches", "NotCompiled"),
    "debug": ("depyf.torch.session", "debug"),
    "doctor": ("depyf.torch.doctor", "doctor"),
    "entries": ("depyf.torch.dispatch", "entries"),
    "expect": ("depyf.torch.expect", "expect"),
    "from_trace": ("depyf.torch.trace", "from_trace"),
    "full_code": ("depyf.torch.live", "full_code_of"),
    "install": ("depyf.torch.logs", "install"),
    "prepare_debug": ("depyf.torch.session", "prepare_debug"),
    "uninstall": ("depyf.torch.logs", "uninstall"),
    "values": ("depyf.torch.values", "values"),
    "which_entry": ("depyf.torch.dispatch", "which_entry"),
}
_SUBMODULES = ("code_transform", "explain", "optimization", "utils")


def __getattr__(name: str) -> Any:
    if name == "__version__":
        value: Any = _version()
    elif name in _LAZY:
        module, attribute = _LAZY[name]
        value = getattr(importlib.import_module(module), attribute)
    elif name in _NEEDS_TORCH:
        try:
            importlib.import_module("torch")
        except ImportError as error:
            raise AttributeError(f"depyf.{name} needs PyTorch: {error}") from error
        module, attribute = _NEEDS_TORCH[name]
        value = getattr(importlib.import_module(module), attribute)
    elif name in _SUBMODULES:  # depyf 0.20 imported them all: code says depyf.utils after a bare import depyf
        return importlib.import_module(f"depyf.{name}")
    else:
        raise AttributeError(f"module 'depyf' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _version() -> str:
    from importlib import metadata

    try:
        return metadata.version("depyf")
    except metadata.PackageNotFoundError:  # used from a source tree
        return "0+unknown"
