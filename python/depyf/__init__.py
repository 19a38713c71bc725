# SPDX-License-Identifier: MIT
"""depyf: decompiles CPython bytecode, and shows what PyTorch's compiler does with a program.

`import depyf` does not import torch. Names that need torch are loaded when they are first used.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from typing import TYPE_CHECKING, Any

from depyf.decompilation.api import decompile, decompile_pyc
from depyf.decompilation.errors import DecompilationError
from depyf.decompilation.result import Decompiled, MapEntry, RecompileContext, Verdict, VerdictKind
from depyf.decompilation.verification import Verification, verify

if TYPE_CHECKING:
    from depyf.compat.decompiler import Decompiler
    from depyf.torch.capture.bytecode_log import install, uninstall
    from depyf.torch.capture.route import NotCompiled
    from depyf.torch.debug.values import Values, values
    from depyf.torch.doctor import doctor
    from depyf.torch.expect import expect
    from depyf.torch.explain.dispatch import Decision, entries, which_entry
    from depyf.torch.guards.answers import Explanation, Failure
    from depyf.torch.model import Execution, FrameStatus, Run, Stage
    from depyf.torch.model.record import Entry
    from depyf.torch.replay.bound_full_code import BoundFullCode
    from depyf.torch.replay.bound_full_code import full_code_of as full_code
    from depyf.torch.session import Session, debug, prepare_debug
    from depyf.torch.stages import ProgramStage, Stages, stages
    from depyf.torch.trace_folder import from_trace

__all__ = [
    "BoundFullCode",
    "Decision",
    "DecompilationError",
    "Decompiled",
    "Decompiler",
    "Entry",
    "Execution",
    "Explanation",
    "Failure",
    "FrameStatus",
    "MapEntry",
    "NotCompiled",
    "ProgramStage",
    "RecompileContext",
    "Run",
    "Session",
    "Stage",
    "Stages",
    "Values",
    "Verdict",
    "VerdictKind",
    "Verification",
    "__version__",
    "debug",
    "decompile",
    "decompile_pyc",
    "doctor",
    "entries",
    "expect",
    "from_trace",
    "full_code",
    "install",
    "prepare_debug",
    "stages",
    "uninstall",
    "values",
    "verify",
    "which_entry",
]

__version__: str

# The modules of depyf 0.20 keep their names (`import depyf.utils`), although their files are in a folder of their own.
__path__.append(os.path.join(__path__[0], "compat"))

_LAZY = {  # these do not need torch
    "Decompiler": ("depyf.decompiler", "Decompiler"),
    "Execution": ("depyf.torch.model", "Execution"),
    "FrameStatus": ("depyf.torch.model", "FrameStatus"),
    "Run": ("depyf.torch.model", "Run"),
    "Stage": ("depyf.torch.model", "Stage"),
}
_NEEDS_TORCH = {
    "BoundFullCode": ("depyf.torch.replay.bound_full_code", "BoundFullCode"),
    "Decision": ("depyf.torch.explain.dispatch", "Decision"),
    "Entry": ("depyf.torch.model.record", "Entry"),
    "Explanation": ("depyf.torch.guards.answers", "Explanation"),
    "Failure": ("depyf.torch.guards.answers", "Failure"),
    "ProgramStage": ("depyf.torch.stages", "ProgramStage"),
    "Session": ("depyf.torch.session", "Session"),
    "Stages": ("depyf.torch.stages", "Stages"),
    "Values": ("depyf.torch.debug.values", "Values"),
    "NotCompiled": ("depyf.torch.capture.route", "NotCompiled"),
    "debug": ("depyf.torch.session", "debug"),
    "doctor": ("depyf.torch.doctor", "doctor"),
    "entries": ("depyf.torch.explain.dispatch", "entries"),
    "expect": ("depyf.torch.expect", "expect"),
    "from_trace": ("depyf.torch.trace_folder", "from_trace"),
    "full_code": ("depyf.torch.replay.bound_full_code", "full_code_of"),
    "install": ("depyf.torch.capture.bytecode_log", "install"),
    "prepare_debug": ("depyf.torch.session", "prepare_debug"),
    "stages": ("depyf.torch.stages", "stages"),
    "uninstall": ("depyf.torch.capture.bytecode_log", "uninstall"),
    "values": ("depyf.torch.debug.values", "values"),
    "which_entry": ("depyf.torch.explain.dispatch", "which_entry"),
}
_COMPAT = ("code_transform", "decompiler", "explain", "optimization", "utils")


def _has_torch() -> bool:
    try:
        return importlib.util.find_spec("torch") is not None
    except ImportError:
        return False
    except ValueError:  # it is in sys.modules without a __spec__: no finder of Python's has loaded it
        return True


if not _has_torch():  # `from depyf import *` would fail at the names that need torch
    __all__ = [name for name in __all__ if name not in _NEEDS_TORCH]


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
            # `from depyf import name` turns every AttributeError into "cannot import name", which hides the reason.
            # hasattr() needs an AttributeError, and no class can derive from both.
            is_import = sys._getframe(1).f_code.co_name == "_handle_fromlist"  # a function of importlib
            kind = ImportError if is_import else AttributeError
            raise kind(f"depyf.{name} needs PyTorch: {error}") from error
        module, attribute = _NEEDS_TORCH[name]
        value = getattr(importlib.import_module(module), attribute)
    elif name in _COMPAT:  # depyf 0.20 imported all of them: programs use depyf.utils after a plain `import depyf`
        return importlib.import_module(f"depyf.{name}")
    else:
        raise AttributeError(f"module 'depyf' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: Any) -> None:
    """Add the cell magic `%%depyf`; IPython calls this function for `%load_ext depyf`."""
    importlib.import_module("depyf.notebook").load_ipython_extension(shell)


def _version() -> str:
    from importlib import metadata

    try:
        return metadata.version("depyf")
    except metadata.PackageNotFoundError:  # used from a source tree
        return "0+unknown"


if os.environ.get("DEPYF_DUMP"):
    importlib.import_module("depyf.cli.activate").watch()
