# SPDX-License-Identifier: MIT
"""depyf: CPython bytecode back to source, and PyTorch's compiler opened up.

`import depyf` imports no torch; what needs it is loaded when asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._decompiled import Decompiled, MapEntry, RecompileContext, Verdict
from ._errors import DecompilationError
from .decompiler import Decompiler, decompile

if TYPE_CHECKING:
    from .torch.logs import install, uninstall
    from .torch.session import debug, prepare_debug
    from .torch.trace import from_trace

__all__ = [
    "DecompilationError",
    "Decompiled",
    "Decompiler",
    "MapEntry",
    "RecompileContext",
    "Verdict",
    "__version__",
    "debug",
    "decompile",
    "from_trace",
    "install",
    "prepare_debug",
    "uninstall",
]

__version__: str

_NEEDS_TORCH = {
    "debug": "depyf.torch.session",
    "from_trace": "depyf.torch.trace",
    "install": "depyf.torch.logs",
    "prepare_debug": "depyf.torch.session",
    "uninstall": "depyf.torch.logs",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        value: Any = _version()
    elif name in _NEEDS_TORCH:
        try:
            value = getattr(importlib.import_module(_NEEDS_TORCH[name]), name)
        except ImportError as error:
            raise AttributeError(f"depyf.{name} needs PyTorch: {error}") from error
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
