# SPDX-License-Identifier: MIT
"""Records Dynamo's code for PyTorch's toy example as cases of this folder.

    python tests/golden/record.py

Each frame becomes `cases/toy_FRAME.X.Y.pyc`, a module with only the frame's code object, for the Python and the torch
that run this. Names of graphs are cut to their numbers, so that another recording gives the same file.
"""

from __future__ import annotations

import importlib.util
import marshal
import re
import sys
import types
from pathlib import Path

import torch

CASES = Path(__file__).parent / "cases"


def toy_example(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """PyTorch's own example."""
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


def module_of(code: types.CodeType) -> types.CodeType:
    """Returns a module's code object that only defines the function of `code`."""
    names = tuple(re.sub(r"(__compiled_fn_\d+)_\w+", r"\1", name) for name in code.co_names)
    code = code.replace(co_names=names, co_filename="toy.py")
    module = compile(f"def {code.co_name}(): pass", "toy.py", "exec", dont_inherit=True)
    return module.replace(co_consts=tuple(code if isinstance(c, types.CodeType) else c for c in module.co_consts))


def main() -> None:
    """Compiles the example for both of its branches and writes Dynamo's code."""
    counts: dict[str, int] = {}

    def record(code: types.CodeType, new_code: types.CodeType) -> None:
        kind = "resume" if code.co_name.startswith("torch_dynamo_resume") else "frame"
        number = counts[kind] = counts.get(kind, -1) + 1
        head = importlib.util.MAGIC_NUMBER + bytes(12)
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        path = CASES / f"toy_{kind}_{number}.{version}.pyc"
        path.write_bytes(head + marshal.dumps(module_of(new_code)))

    torch._dynamo.convert_frame.register_bytecode_hook(record)
    compiled = torch.compile(toy_example, backend="eager")
    compiled(torch.ones(10), torch.ones(10))
    compiled(torch.ones(10), -torch.ones(10))


if __name__ == "__main__":
    main()
