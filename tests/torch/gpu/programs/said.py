# SPDX-License-Identifier: MIT
"""What the programs beside this file print of tensors: digests of their bits, so that two runs can be compared."""

from __future__ import annotations

import hashlib

import torch


def say(*tensors: torch.Tensor) -> None:
    """Prints a line a tensor: dtype, shape, a digest of its bits."""
    for tensor in tensors:
        bits = tensor.detach().cpu().contiguous().view(-1).view(torch.uint8).numpy().tobytes()
        print(tensor.dtype, tuple(tensor.shape), hashlib.sha256(bits).hexdigest()[:16], flush=True)
