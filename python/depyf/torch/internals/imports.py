# SPDX-License-Identifier: MIT
"""Calls a function as soon as a module has been imported. Until then, it costs one entry in `sys.meta_path`."""

from __future__ import annotations

import contextlib
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from types import ModuleType
from typing import Any


class _Loader(Loader):
    """Wraps the loader of a module, and notifies the finder when the module is complete."""

    def __init__(self, loader: Any, finder: Finder) -> None:
        self._loader = loader
        self._finder = finder

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)  # type: ignore[no-any-return]

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        with self._finder.importing():
            self._loader.exec_module(module)
            package, _, name = module.__name__.rpartition(".")
            if package:
                setattr(sys.modules[package], name, module)  # as the import does next, because the action may need it


class Finder(MetaPathFinder):
    """Waits until the first of some modules is imported, and none of the others is still being imported."""

    def __init__(self, names: Sequence[str], action: Callable[[], None]) -> None:
        self._names = names
        self._action = action
        self._busy = False
        self._depth = 0

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name not in self._names or self._busy:
            return None
        self._busy = True  # another finder may wait for the same module: it is asked next, and wraps the same loader
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._busy = False
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self)
        return spec

    @contextlib.contextmanager
    def importing(self) -> Iterator[None]:
        """Context manager around the import of one of the modules."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
        if self._depth == 0 and self._names[0] in sys.modules and self in sys.meta_path:
            self.stop()
            self._action()

    def stop(self) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)


def when_imported(name: str, action: Callable[[], None], importers: Sequence[str] = ()) -> Callable[[], None]:
    """Calls `action` as soon as a module has been imported.

    Args:
        name: The module, which is not imported yet.
        action: The function to call. It must not raise an exception, which would reach the importing code.
        importers: Modules that import it. While one of them is being imported, the action waits for it, too.

    Returns:
        A function that cancels the action.

    """
    finder = Finder((name, *importers), action)
    sys.meta_path.insert(0, finder)
    return finder.stop
