# SPDX-License-Identifier: MIT
"""`DEPYF_DUMP=folder`: opens a `prepare_debug` block for the whole process when Dynamo is first imported.

Started by `import depyf`, only where the variable is set; and at interpreter start by the `sitecustomize` of the folder
SITE, in processes that `depyf run` started and in the children of any that is watched. Invariant: costs one meta path
entry until Dynamo is imported; imports no torch by itself; a failure is a warning.
"""

from __future__ import annotations

import contextlib
import importlib.machinery
import os
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from depyf.torch.internals import texts

SITE = Path(__file__).resolve().parent / "site"
"""Holds the `sitecustomize` that begins to watch."""


class _Loader(Loader):
    """Torch's own loader; the finder is told when the module is complete."""

    def __init__(self, loader: Any, finder: _Finder) -> None:
        self._loader = loader
        self._finder = finder

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)  # type: ignore[no-any-return]

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        with self._finder.importing():
            self._loader.exec_module(module)
            package, _, name = module.__name__.rpartition(".")
            setattr(sys.modules[package], name, module)  # the import does so next; our hooks look for it there


class _Finder(MetaPathFinder):
    """Waits for Dynamo, and for what imports it and is hooked too: our block opens when they are complete."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._process = os.getpid()  # it may fork before it imports torch
        self._depth = 0

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name not in (texts.DYNAMO, texts.EXPORTER):
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self)
        return spec

    @contextlib.contextmanager
    def importing(self) -> Iterator[None]:
        """The time in which one of the modules is imported."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
        if self._depth == 0 and texts.DYNAMO in sys.modules and self in sys.meta_path:
            sys.meta_path.remove(self)
            _open(self._folder if os.getpid() == self._process else _below(os.environ["DEPYF_DUMP"]))


def watch() -> None:
    """Arranges for the block, once, in this process and in the Python processes that it starts."""
    if not os.environ.get("DEPYF_DUMP") or any(isinstance(finder, _Finder) for finder in sys.meta_path):
        return
    os.environ["DEPYF_DUMP"] = os.path.abspath(os.environ["DEPYF_DUMP"])  # wherever it, or its children, go
    os.environ["PYTHONPATH"] = python_path(os.environ)
    folder = _folder_of_this_process()
    if texts.DYNAMO in sys.modules:  # depyf was imported late: what is compiled from now on is seen
        _open(folder)
    else:
        sys.meta_path.insert(0, _Finder(folder))


def python_path(environment: Mapping[str, str]) -> str:
    """PYTHONPATH with SITE before what the environment has there."""
    entries = [entry for entry in environment.get("PYTHONPATH", "").split(os.pathsep) if entry and entry != str(SITE)]
    return os.pathsep.join([str(SITE), *entries])


def _folder_of_this_process() -> str:
    """Where this process dumps: the first one into the folder itself, those that it starts below it.

    Told at interpreter start, so that a launcher that never imports torch is the first one all the same.
    """
    base, rank = os.environ["DEPYF_DUMP"], os.environ.get("RANK", "")
    first, first_rank, below = (os.environ.get("DEPYF_DUMP_PARENT", "").split(":", 2) + ["", ""])[:3]
    if first == str(os.getpid()):  # it has become another program, by exec
        return os.path.join(base, below) if below else base
    if first and first_rank == rank:
        return _below(base)
    below = f"rank_{rank}" if first and rank.isdigit() else ""
    os.environ["DEPYF_DUMP_PARENT"] = f"{os.getpid()}:{rank}:{below}"
    return os.path.join(base, below) if below else base


def _below(base: str) -> str:
    return os.path.join(base, f"process_{os.getpid()}")


def _open(path: str) -> None:
    try:
        from depyf.torch.model import Execution
        from depyf.torch.session import Session

        base = os.environ["DEPYF_DUMP"]
        report = os.environ.get("DEPYF_REPORT") != "0"
        provenance = os.environ.get("DEPYF_PROVENANCE") == "1"
        trial = os.environ.get("DEPYF_TRIAL")  # of `depyf why --try`
        execution = Execution.ORIGINAL if trial else Execution.LINE_MAPPED
        block = Session(
            path, execution, log_bytecode=False, when_used=path != base, ranks_in=base,
            report=report, provenance=provenance,
        )  # fmt: skip
        block.__enter__()  # left when the interpreter ends
        if trial and path == base:
            from depyf.torch.trial import begin

            begin(Path(trial))
    except Exception as error:
        warnings.warn(f"depyf: DEPYF_DUMP has no effect: {type(error).__name__}: {error}", stacklevel=2)
