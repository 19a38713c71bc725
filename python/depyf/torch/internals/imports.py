# SPDX-License-Identifier: MIT
"""Something to do once a module is imported: one meta path entry until then. Imports nothing by itself."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from types import ModuleType
from typing import Any


class _Loader(Loader):
    """The module's own loader; what waited for it is called once the module is complete."""

    def __init__(self, loader: Any, action: Callable[[], None]) -> None:
        self._loader = loader
        self._action = action

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)  # type: ignore[no-any-return]

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._action()


class _Finder(MetaPathFinder):
    """Waits for one module."""

    def __init__(self, name: str, action: Callable[[], None]) -> None:
        self._name = name
        self._action = action
        self._busy = False

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != self._name or self._busy:
            return None
        self._busy = True  # another one may wait for the same module: it answers next, and wraps what we wrap
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._busy = False
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self._done)
        return spec

    def _done(self) -> None:
        self.stop()
        self._action()

    def stop(self) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)


def when_imported(name: str, action: Callable[[], None]) -> Callable[[], None]:
    """Calls `action` when the module of that name, not imported yet, has been; returns what calls that off.

    `action` must not raise: the importer would see it.
    """
    finder = _Finder(name, action)
    sys.meta_path.insert(0, finder)
    return finder.stop
