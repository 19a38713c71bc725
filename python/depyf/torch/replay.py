# SPDX-License-Identifier: MIT
"""What `full_code_for_*.py` calls to stand on its own: captured graphs and the program's globals.

Invariant: a thing that is not there is named in an error when it is used, never replaced by a guess.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any


def captured_graph(here: str, file: str) -> Callable[..., Any]:
    """The `forward` of a captured graph's file that lies beside the file `here`."""
    path = Path(os.path.abspath(here)).parent / file
    loaded: list[Callable[..., Any]] = []

    def run(*args: Any) -> Any:
        if not loaded:
            loaded.append(_load(path))
        return loaded[0](*args)

    return run


def _load(path: Path) -> Callable[..., Any]:
    spec = importlib.util.spec_from_file_location(f"depyf_graph_{abs(hash(path))}", path)
    if spec is None or spec.loader is None:
        raise LookupError(f"cannot load {path}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    graphs = [v for v in vars(module).values() if isinstance(v, type) and v.__module__ == module.__name__]
    if not graphs:
        raise LookupError(f"{path} holds no graph module")
    forward: Callable[..., Any] = graphs[0]().forward
    return forward


def missing(name: str, why: str) -> Callable[..., Any]:
    """A stand-in for something the file could not be given; says so when it is called."""

    def absent(*_args: Any, **_kwargs: Any) -> Any:
        raise LookupError(f"{name}: {why}")

    return absent


def bind(namespace: dict[str, Any], live: dict[str, Any], names: Iterable[str]) -> None:
    """Gives a full-code file the program's own objects: the globals it names, and compiled graphs where they live."""
    for name in names:
        if name in live:
            namespace[name] = live[name]
