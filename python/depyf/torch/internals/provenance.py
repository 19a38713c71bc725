# SPDX-License-Identifier: MIT
"""Inductor's own record of which source lines and nodes its kernels come from: switched on, and read.

Invariant: the level has its old value again when the last one who asked for it has let go. It is part of the key of
Inductor's cache, so that it is never switched on unasked.
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
    """Has Inductor keep provenance from now on, unless it does already; the way to undo it."""
    importlib.import_module("torch._inductor.config")
    path, _, name = _LEVEL.rpartition(".")
    holder = object()
    with _lock:
        if names.module_of(_NODES) in sys.modules:  # it is not imported for this, perhaps within torch's own import
            names.setting(_NODES)  # what is lost is told even where nothing is compiled
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
    """Kernels compiled in the present compilation, with their debug handles, to their nodes in the post-grad graph.

    Read while torch logs the provenance: it logs no nodes for a backward graph. Earlier backward graphs are in it, too.
    """
    found = names.setting(_NODES)  # torch binds the name anew for each compilation
    return {key: list(nodes) for key, nodes in found.items()} if isinstance(found, dict) else {}
