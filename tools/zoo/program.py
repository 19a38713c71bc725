# SPDX-License-Identifier: MIT
"""`python -m tools.zoo.program MODEL`: compiles a model of the zoo with Inductor, and runs forward and backward.

It does not use depyf: it is a program for `depyf run`.
"""

from __future__ import annotations

import sys
from typing import Any

import torch

from tools.zoo import every_model, spec


def main(name: str) -> None:
    """Builds the model with its inputs, compiles and calls it, and computes gradients of its outputs."""
    spec.define_missing_operators()
    torch.manual_seed(0)
    module, inputs = every_model()[name].build()
    output = torch.compile(module)(**inputs)
    losses = [value.float().square().mean() for value in tensors(output) if value.requires_grad]
    if losses:
        torch.stack(losses).sum().backward()


def tensors(value: Any) -> list[torch.Tensor]:
    """Returns the tensors in a result, in order."""
    if isinstance(value, torch.Tensor):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [tensor for item in items for tensor in tensors(item)]


if __name__ == "__main__":
    main(sys.argv[1])
