# SPDX-License-Identifier: MIT
"""Names of torch's in texts: what Dynamo calls things, what a user writes for a compilation, what graphs import.

Importing this module does not import torch.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from depyf.torch.internals.names import probe
from depyf.torch.internals.vocabulary import GENERAL_HINTS

COMPILED_FN = re.compile(r"^__compiled_fn_(-?\d+)(?:_[0-9a-f_]+)?$")
RESUME_FN = re.compile(r"^__resume_at_\w+$")
DYNAMO = "torch._dynamo"  # the package whose first import means that this process compiles
EXPORTER = "torch.export._trace"  # imports Dynamo, and is hooked itself

WARNED_OF = "WON'T CONVERT "  # what torch tells of an exception, before it tells the graph break that it makes of it
# How the sources of symbols begin that Dynamo can guard nothing of, and of tensors that no frame has by a name.
EPHEMERAL = ("<ephemeral: ", "__meta_utils_unknown_tensor")
# Guards that torch names by a number alone: on what a tensor subclass (a NestedTensor), a DTensor's `_spec` or an
# object such as a DeviceMesh says of itself.
OWN_METADATA = re.compile(r"(?:___check_metadata|__dtensor_spec|___check_opaque_guard_fn)_\w+(?:/\d+)*")
# What torch names where a tensor is not marked (`mark_dynamic` and its like) as the one was that it compiled for: marks
# of one kind, or any.
MARKS = re.compile(r"(?P<any>_has_dynamo_dim_marking)|_dynamo_\w+_indices")
# How torch's own guard text begins where it reads private state.
FUNCTORCH_CHECK = "torch._functorch.pyfunctorch.compare_functorch_state("
SAVED_TENSORS_HOOKS = "top_saved_tensors_hooks ids =="
FORWARD_AD_CHECK = "torch.autograd.forward_ad._current_level =="

# A frame as torch prints it behind guards (format_frame in torch/utils/_traceback.py): path, line and function; in
# parentheses, what is no line of the program.
PRINTED_FRAME = re.compile(r"# \(?((?:(?!  # ).)+?):(\d+) in ([\w<>]*)")

# What a user writes to change a compilation. torch documents each of them under these names.
MARK_DYNAMIC = "torch._dynamo.maybe_mark_dynamic"  # unlike mark_dynamic it never raises ConstraintViolationError
FLOATS_AS_INPUTS = "torch._dynamo.config.specialize_float = False"
MODULE_INTS_AS_INPUTS = "torch._dynamo.config.allow_unspec_int_on_nn_module = True"

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
# Of what max-pooling saved under Inductor; the second name until torch 2.7.
POOLING_OFFSETS = ("_low_memory_max_pool_offsets_to_indices", "_low_memory_max_pool2d_offsets_to_indices")
# What at::detail::computeStride gives a view and what torch foretells may differ along dimensions of one element; a
# convolution takes the memory format of its result from all strides of its input.
AS_RECORDED = '''

class AsRecorded(torch.utils._python_dispatch.TorchDispatchMode):
    """Views have the strides that torch recorded, along dimensions of one element too: convolutions look at them."""

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        found = operator(*args, **(kwargs or {}))
        if operator is not torch.ops.aten.view.default:
            return found
        with torch._subclasses.FakeTensorMode() as mode:
            recorded = operator(mode.from_tensor(args[0]), args[1])
        return found.as_strided(found.shape, recorded.stride(), found.storage_offset())
'''
# A setting that torch advises without a hint of its own (2.15).
_SET_IN_EXPLANATION = re.compile(r"\bSet (torch\._dynamo\.config\.\w+) ?= ?\w+(?: to [^.]+)?")
# One of torch's hints names a setting where there is none, so that setting it would change nothing.
_SETTING = re.compile(r"\btorch\._dynamo\.(?=\w+ ?= ?(?:True|False)\b)")
_PRIM = re.compile(r"\btorch\.ops\.prims\.(\w+)")


# Higher-order operators that `import torch` alone does not register.
_LATE = {
    "control_deps": "torch._inductor.fx_passes.control_dependencies",
    "register_hook": "torch._higher_order_ops.register_hook",
    "trace_wrapped": "torch._dynamo._trace_wrapped_higher_order_op",
}


def settings_named(hint: str) -> str:
    """A hint of torch's with the whole names of the settings in it."""
    return _SETTING.sub("torch._dynamo.config.", hint)


_EXPLANATION = re.compile(
    r"^  Explanation: (.*?)(?=^  Hint: |^  Developer debug context: |\Z)", re.MULTILINE | re.DOTALL
)
_HINT = re.compile(r"^  Hint: (.*?)(?=^  Hint: |^  Developer debug context: |^\s*$|\Z)", re.MULTILINE | re.DOTALL)


def explanation_in(text: str) -> str:
    """Why Dynamo could not trace something, out of torch's words on a graph break or on a failed compilation.

    It has torch's lines: after a sentence may come the steps that computed a value, or names, one a line.
    """
    found = _EXPLANATION.search(text)
    lines = (" ".join(line.split()) for line in found[1].splitlines()) if found is not None else ()
    return "\n".join(filter(None, lines))


def hints_in(text: str) -> tuple[str, ...]:
    """What torch advises on this very break or failure, out of the same words."""
    hints = [settings_named(" ".join(found[1].split())) for found in _HINT.finditer(text)]
    explained = _SET_IN_EXPLANATION.finditer(explanation_in(text))
    hints += [found[0] for found in explained if not any(found[1] in hint for hint in hints)]
    return tuple(hint for hint in hints if not hint.startswith(GENERAL_HINTS))


WHAT_TO_DO = "what to do"
_OF_PYTORCH = "PyTorch's hint for its own code"


def can_follow(hint: str, *, is_pytorchs_line: bool) -> bool:
    """Whether torch's hint on a graph break is for the program: of those on PyTorch's own code, settings alone are."""
    return not is_pytorchs_line or f"{DYNAMO}.config" in hint


def told_hints(hints: Iterable[str], *, is_pytorchs_line: bool) -> list[str]:
    """torch's hints on a graph break, each with whose it is."""
    whose = {True: WHAT_TO_DO, False: _OF_PYTORCH}
    return [f"{whose[can_follow(hint, is_pytorchs_line=is_pytorchs_line)]}: {hint}" for hint in hints]


def told_beside(hints: Iterable[str], explanation: str, *, is_pytorchs_line: bool) -> list[str]:
    """What is told below the reason of a graph break: torch's hints or, where it has none, its explanation."""
    return told_hints(hints, is_pytorchs_line=is_pytorchs_line) or explanation.splitlines()


def failure_reason(kind: str, text: str) -> str:
    """An exception that ended a compilation, without torch's hints and traceback; of a limit, with its value."""
    paragraphs = [" ".join(_until_hints(part).split()) for part in text.strip().split("\n\n")]
    said = paragraphs[0]
    if said.endswith(":") and len(paragraphs) > 1:
        said += f" {paragraphs[1]}"
    limit = _LIMIT.search(text)
    return (f"{kind}: {said}" if said else kind) + (f" ({limit[1]} = {limit[2]})" if limit is not None else "")


def _until_hints(text: str) -> str:
    return _HINTS.split(text)[0]


_LIMIT = re.compile(r"exceeding the (\w+) cache size limit \(currently set to (\d+)\)")
_HINTS = re.compile(r"^\s*(?:Explanation|Hint|Higher Order Operator|Developer debug context): ", re.MULTILINE)


def operator_imports(text: str) -> list[str]:
    """Imports for operators that torch.ops lacks until a part of torch is imported."""
    found = [f"import {module}" for name, module in _LATE.items() if f"torch.ops.higher_order.{name}(" in text]
    names = set(_PRIM.findall(text))
    if names:
        prims = probe("torch._prims")
        if prims is not None and not names <= vars(prims).keys():
            found.append("import torch._inductor.inductor_prims")
    return found


def suffix_of(kind: object) -> str:
    """Of a file that torch says is of this type; raises ValueError for other than letters and digits, which is none."""
    if not isinstance(kind, str) or not re.fullmatch("[A-Za-z0-9]{1,8}", kind):
        raise ValueError(f"a type of file, {kind!r}")
    return f".{kind}"
