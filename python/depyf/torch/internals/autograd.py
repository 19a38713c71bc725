# SPDX-License-Identifier: MIT
"""Which nodes of autograd's graph a call made, and what compiled autograd tells of the passes that it captures.

Invariant: nothing here runs a node, or keeps one.
"""

from __future__ import annotations

from typing import Any

from depyf.torch.internals import names

_OF_LEAVES = 2**64 - 1  # what accumulates a leaf's gradient comes before all else


def latest_number() -> int:
    """The number of the node that this thread made last: one is made to tell."""
    import torch

    with torch.inference_mode(False), torch.enable_grad():
        made = torch.ones((), requires_grad=True).clone().grad_fn
    return int(made._sequence_nr()) if made is not None else 0


def is_made_since(start: int, node: Any) -> bool:
    """Whether a node was made in this thread after `latest_number()` gave `start`; leaves' nodes are no call's."""
    return node is not None and start < node._sequence_nr() < _OF_LEAVES


def settle_verbose_log() -> None:
    """Takes compiled autograd's verbose log from its C++ part, unless the program asks for that log."""
    enabled = names.probe("torch._dynamo.compiled_autograd.snapshot_verbose_logging_enabled")
    set_logger = names.probe("torch._C._dynamo.compiled_autograd.set_verbose_logger")
    if enabled is not None and set_logger is not None and not enabled():
        set_logger(None)
