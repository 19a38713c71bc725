# SPDX-License-Identifier: MIT
"""`DEPYF_DUMP=folder`: opens a `prepare_debug` block for the whole process when Dynamo is first imported.

Started by depyf-activate.pth, at interpreter start, only where the variable is set. Invariant: costs one meta path
entry until Dynamo is imported; imports no torch by itself; a failure is a warning.
"""

from __future__ import annotations

import importlib.machinery
import os
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from types import ModuleType
from typing import Any

from depyf.torch import seams


class _Loader(Loader):
    """Torch's own loader, with our block opened once the module is complete."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)  # type: ignore[no-any-return]

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        _open()


class _Finder(MetaPathFinder):
    """Waits for Dynamo."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != seams.DYNAMO:
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)
        return spec


def folder() -> str:
    """Where this process dumps: a process that another dumping one started (a worker) gets a folder of its own."""
    base, rank = os.environ["DEPYF_DUMP"], os.environ.get("RANK", "")
    parent, _, parent_rank = os.environ.get("DEPYF_DUMP_PARENT", "").partition(":")
    if parent and parent != str(os.getpid()) and parent_rank == rank:
        return os.path.join(base, f"process_{os.getpid()}")
    os.environ["DEPYF_DUMP_PARENT"] = f"{os.getpid()}:{rank}"
    return base


def watch() -> None:
    """Arranges for the block; called at interpreter start."""
    if os.environ.get("DEPYF_DUMP"):
        sys.meta_path.insert(0, _Finder())


def _open() -> None:
    try:
        from depyf.torch.session import Session

        path = folder()
        block = Session(path, "lines", log_bytecode=False, when_used=path != os.environ["DEPYF_DUMP"])
        block.__enter__()  # left when the interpreter ends
    except Exception as error:
        warnings.warn(f"depyf: DEPYF_DUMP has no effect: {type(error).__name__}: {error}", stacklevel=2)
