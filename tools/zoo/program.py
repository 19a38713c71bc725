# SPDX-License-Identifier: MIT
"""`python -m tools.zoo.program MODEL`: a model of the zoo, compiled with Inductor, forward and backward, and no more.

It knows nothing of depyf: a program for `depyf run`.
"""

from __future__ import annotations

import sys
from typing import Any

import torch

from tools.zoo import every_model, spec


def main(name: str) -> None:
    """Builds the model with its inputs, compiles and calls it, and takes the gradients of what it gives."""
    spec.define_missing_operators()
    torch.manual_seed(0)
    module, inputs = every_model()[name].build()
    output = torch.compile(module)(**inputs)
    found = [value.float().square().mean() for value in tensors(output) if value.requires_grad]
    if found:
        torch.stack(found).sum().backward()


def tensors(value: Any) -> list[torch.Tensor]:
    """Those in a result, in order."""
    if isinstance(value, torch.Tensor):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [found for item in items for found in tensors(item)]


if __name__ == "__main__":
    main(sys.argv[1])
