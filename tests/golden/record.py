# SPDX-License-Identifier: MIT
"""Records the frames that Dynamo makes of PyTorch's toy example, as cases of this folder.

    python tests/golden/record.py

Each frame becomes `cases/toy_FRAME.X.Y.pyc`, whose module holds the frame's code object alone, of the Python and the
torch that run this; names of graphs are cut to their numbers, so that recording again gives the same file.
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
    """A module's code object that makes the function of `code` and nothing else."""
    names = tuple(re.sub(r"(__compiled_fn_\d+)_\w+", r"\1", name) for name in code.co_names)
    code = code.replace(co_names=names, co_filename="toy.py")
    shell = compile(f"def {code.co_name}(): pass", "toy.py", "exec", dont_inherit=True)
    return shell.replace(co_consts=tuple(code if isinstance(c, types.CodeType) else c for c in shell.co_consts))


def main() -> None:
    """Compiles the example for both of its ways and writes what Dynamo made."""
    seen: dict[str, int] = {}

    def record(code: types.CodeType, new_code: types.CodeType) -> None:
        short = "resume" if code.co_name.startswith("torch_dynamo_resume") else "frame"
        number = seen[short] = seen.get(short, -1) + 1
        head = importlib.util.MAGIC_NUMBER + bytes(12)
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        path = CASES / f"toy_{short}_{number}.{version}.pyc"
        path.write_bytes(head + marshal.dumps(module_of(new_code)))

    torch._dynamo.convert_frame.register_bytecode_hook(record)
    compiled = torch.compile(toy_example, backend="eager")
    compiled(torch.ones(10), torch.ones(10))
    compiled(torch.ones(10), -torch.ones(10))


if __name__ == "__main__":
    main()
