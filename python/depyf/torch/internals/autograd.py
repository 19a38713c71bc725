# SPDX-License-Identifier: MIT
"""Which nodes of autograd's graph a call made.

Invariant: nothing here runs a node, or keeps one.
"""

from __future__ import annotations

from typing import Any

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
