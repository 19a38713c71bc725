# SPDX-License-Identifier: MIT
"""Names of torch's in texts: what Dynamo calls things, what a user writes for a compilation, what graphs import."""

from __future__ import annotations

import math
import re

from depyf.torch.seams.probe import probe

COMPILED_FN = re.compile(r"^__compiled_fn_(-?\d+)(?:_[0-9a-f_]+)?$")
RESUME_FN = re.compile(r"^__resume_at_\w+$")
RESUME_CODE = "torch_dynamo_resume_in_"
DYNAMO = "torch._dynamo"  # the package whose first import means that this process compiles

# How torch's own guard text begins where it reads private state.
FUNCTORCH_CHECK = "torch._functorch.pyfunctorch.compare_functorch_state("
FORWARD_AD_CHECK = "torch.autograd.forward_ad._current_level =="

# What a user writes to change a compilation. torch documents each of them under these names.
MARK_DYNAMIC = "torch._dynamo.mark_dynamic"
FLOATS_AS_INPUTS = "torch._dynamo.config.specialize_float = False"
SIZES_APART = "torch.fx.experimental._config.use_duck_shape = False"
STATE_CONDITION = "torch._check(...)"

# The names a printed graph may use, beside the statement that imports each.
GRAPH_IMPORTS = {
    "torch": "import torch",
    "fx_pytree": "import torch.fx._pytree as fx_pytree",
    "pytree": "import torch.utils._pytree as pytree",
    "device": "from torch import device",
    "inf": "from math import inf",
    "nan": "from math import nan",
    "NoneType": "from types import NoneType",
    "operator": "import operator",
    # FX calls functions of other modules by their dotted path with underscores
    **{f"math_{name}": f"from math import {name} as math_{name}" for name in vars(math) if not name.startswith("_")},
}
POOLING_OFFSETS = "_low_memory_max_pool_offsets_to_indices"  # of what max-pooling saved under Inductor
_PRIM = re.compile(r"\btorch\.ops\.prims\.(\w+)")


def operator_imports(text: str) -> list[str]:
    """Imports for operators that torch.ops lacks until a part of Inductor is imported."""
    found = []
    if "torch.ops.higher_order.control_deps(" in text:
        found.append("import torch._inductor.fx_passes.control_dependencies")
    names = set(_PRIM.findall(text))
    if names:
        prims = probe("torch._prims", "imports of Inductor's own operators in graph files")
        if prims is not None and not names <= vars(prims).keys():
            found.append("import torch._inductor.inductor_prims")
    return found
