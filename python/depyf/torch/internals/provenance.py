# SPDX-License-Identifier: MIT
"""Inductor's provenance tracking, which records the source lines and nodes of its kernels: enables and reads it.

Invariant: the tracking level is restored when its last user has finished. It is part of the key of Inductor's cache, so
it is only enabled on request.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any

from depyf.torch.internals import names

_LEVEL = "torch._inductor.config.trace.provenance_tracking_level"
_NODES = "torch._inductor.debug._inductor_triton_kernel_to_post_grad_node_info"
_lock = threading.Lock()
_holders: list[object] = []
_before: list[Any] = []


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()  # another thread of the parent may have held it


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_after_fork)


def track() -> Callable[[], None]:
    """Enables provenance tracking, unless it is enabled already; returns a function that undoes it."""
    importlib.import_module("torch._inductor.config")
    path, _, name = _LEVEL.rpartition(".")
    holder = object()
    with _lock:
        if names.module_of(_NODES) in sys.modules:  # do not import it here, possibly during the import of torch
            names.setting(_NODES)  # records a missing name even if nothing is compiled
        settings = names.probe(path) if names.probe(_LEVEL) is not None else None
        if settings is None:
            return lambda: None
        if not _holders:
            _before[:] = [getattr(settings, name)]
            if not _before[0]:
                setattr(settings, name, 1)
        _holders.append(holder)

    def undo() -> None:
        with _lock:
            if holder in _holders:
                _holders.remove(holder)
                if not _holders:
                    setattr(settings, name, _before.pop())

    return undo


def nodes_of_kernels() -> Mapping[str, list[str]]:
    """Returns the post-grad nodes of each kernel of the current compilation, by kernel name and debug handle.

    Call it while torch logs the provenance, which lacks the nodes of backward graphs. The result may also have kernels
    of earlier backward graphs.
    """
    nodes_by_kernel = names.setting(_NODES)  # not `probe`: torch assigns a new dictionary for each compilation
    return {key: list(nodes) for key, nodes in nodes_by_kernel.items()} if isinstance(nodes_by_kernel, dict) else {}
