# SPDX-License-Identifier: MIT
"""Which nodes of the autograd graph a call has created, and the verbose log of compiled autograd.

Invariant: no node is run, and no reference to one is kept.
"""

from __future__ import annotations

from typing import Any

from depyf.torch.internals import names

_LEAF_NUMBER = 2**64 - 1  # the sequence number of all nodes that accumulate the gradient of a leaf


def latest_number() -> int:
    """Returns the sequence number of a new node, which is larger than that of all nodes this thread created before."""
    import torch

    with torch.inference_mode(False), torch.enable_grad():
        node = torch.ones((), requires_grad=True).clone().grad_fn
    return int(node._sequence_nr()) if node is not None else 0


def is_made_since(start: int, node: Any) -> bool:
    """Returns whether this thread created a node after `latest_number()` returned `start`.

    Returns False for nodes of leaves.
    """
    return node is not None and start < node._sequence_nr() < _LEAF_NUMBER


def settle_verbose_log() -> None:
    """Removes the verbose logger from the C++ part of compiled autograd, unless the program has enabled this log."""
    enabled = names.probe("torch._dynamo.compiled_autograd.snapshot_verbose_logging_enabled")
    set_logger = names.probe("torch._C._dynamo.compiled_autograd.set_verbose_logger")
    if enabled is not None and set_logger is not None and not enabled():
        set_logger(None)
