# SPDX-License-Identifier: MIT
"""Names of torch in texts: generated names, settings that users write, imports of graphs, hints on graph breaks.

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
DYNAMO = "torch._dynamo"  # a process that imports this package may compile
EXPORTER = "torch.export._trace"  # imports Dynamo, and has hooks of depyf itself

WARNED_OF = "WON'T CONVERT "  # in torch's log of an exception, which precedes that of the resulting graph break
# Beginnings of the sources of symbols that Dynamo cannot guard, and of tensors that are not variables of a frame.
EPHEMERAL = ("<ephemeral: ", "__meta_utils_unknown_tensor")
# Guards for which torch prints only a number: on the metadata of a tensor subclass (such as NestedTensor), of the
# `_spec` of a DTensor, or of an object such as a DeviceMesh.
OWN_METADATA = re.compile(r"(?:___check_metadata|__dtensor_spec|___check_opaque_guard_fn)_\w+(?:/\d+)*")
# Attributes in guards on the marks of a tensor (by `mark_dynamic` and similar functions): of one kind, or of any.
MARKS = re.compile(r"(?P<any>_has_dynamo_dim_marking)|_dynamo_\w+_indices")
# Beginnings of torch's guard text that reads private state.
FUNCTORCH_CHECK = "torch._functorch.pyfunctorch.compare_functorch_state("
SAVED_TENSORS_HOOKS = "top_saved_tensors_hooks ids =="
FORWARD_AD_CHECK = "torch.autograd.forward_ad._current_level =="

# A frame as torch prints it after guards (format_frame in torch/utils/_traceback.py): path, line and function; in
# parentheses if it is not a line of the program.
PRINTED_FRAME = re.compile(r"# \(?((?:(?!  # ).)+?):(\d+) in ([\w<>]*)")

# What users write to change a compilation. PyTorch's documentation uses these names.
MARK_DYNAMIC = "torch._dynamo.maybe_mark_dynamic"  # unlike mark_dynamic it never raises ConstraintViolationError
FLOATS_AS_INPUTS = "torch._dynamo.config.specialize_float = False"
EVERY_DICTIONARY_READ = "torch._dynamo.config.use_recursive_dict_tags_for_guards = False"
MODULE_INTS_AS_INPUTS = "torch._dynamo.config.allow_unspec_int_on_nn_module = True"

# The names that a printed graph may use, with the statements that import them.
GRAPH_IMPORTS = {
    "torch": "import torch",
    "fx_pytree": "import torch.fx._pytree as fx_pytree",
    "pytree": "import torch.utils._pytree as pytree",
    "device": "from torch import device",
    "inf": "from math import inf",
    "nan": "from math import nan",
    "NoneType": "from types import NoneType",
    "operator": "import operator",
    # FX refers to functions of other modules by their dotted path with underscores.
    **{f"math_{name}": f"from math import {name} as math_{name}" for name in vars(math) if not name.startswith("_")},
}
# The operator that uses what max-pooling saves for backward in Inductor; the second name is used until torch 2.7.
POOLING_OFFSETS = ("_low_memory_max_pool_offsets_to_indices", "_low_memory_max_pool2d_offsets_to_indices")
# The strides that at::detail::computeStride gives a view may differ from the recorded ones in dimensions of one
# element. A convolution derives the memory format of its result from all strides of its input.
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
# A setting that torch advises in an explanation instead of a hint (2.15).
_SET_IN_EXPLANATION = re.compile(r"\bSet (torch\._dynamo\.config\.\w+) ?= ?\w+(?: to [^.]+)?")
# A setting that one of torch's hints names without `config`; setting it like this would have no effect.
_SETTING = re.compile(r"\btorch\._dynamo\.(?=\w+ ?= ?(?:True|False)\b)")
_PRIM = re.compile(r"\btorch\.ops\.prims\.(\w+)")


# The modules that register higher-order operators which `import torch` alone does not register.
_REGISTERING_MODULES = {
    "control_deps": "torch._inductor.fx_passes.control_dependencies",
    "register_hook": "torch._higher_order_ops.register_hook",
    "trace_wrapped": "torch._dynamo._trace_wrapped_higher_order_op",
}


def settings_named(hint: str) -> str:
    """Completes the names of settings in a hint of torch."""
    return _SETTING.sub("torch._dynamo.config.", hint)


_EXPLANATION = re.compile(
    r"^  Explanation: (.*?)(?=^  Hint: |^  Developer debug context: |\Z)", re.MULTILINE | re.DOTALL
)
_HINT = re.compile(r"^  Hint: (.*?)(?=^  Hint: |^  Developer debug context: |^\s*$|\Z)", re.MULTILINE | re.DOTALL)


def explanation_in(text: str) -> str:
    """Returns the explanation in torch's message about a graph break or a failed compilation; "" if it has none.

    Line breaks are those of torch: a sentence may be followed by the steps that computed a value, or by names, one per
    line.
    """
    match = _EXPLANATION.search(text)
    lines = (" ".join(line.split()) for line in match[1].splitlines()) if match is not None else ()
    return "\n".join(filter(None, lines))


def hints_in(text: str) -> tuple[str, ...]:
    """Returns the specific hints in torch's message about a graph break or failed compilation, without general ones."""
    hints = [settings_named(" ".join(match[1].split())) for match in _HINT.finditer(text)]
    explained = _SET_IN_EXPLANATION.finditer(explanation_in(text))
    hints += [match[0] for match in explained if not any(match[1] in hint for hint in hints)]
    return tuple(hint for hint in hints if not hint.startswith(GENERAL_HINTS))


WHAT_TO_DO = "what to do"
_PYTORCHS_HINT = "PyTorch's hint for its own code"


def can_follow(hint: str, *, is_pytorchs_line: bool) -> bool:
    """Returns whether the program can follow a hint on a graph break.

    For PyTorch's own code, it can only change settings.
    """
    return not is_pytorchs_line or f"{DYNAMO}.config" in hint


def hints_with_addressee(hints: Iterable[str], *, is_pytorchs_line: bool) -> list[str]:
    """Returns torch's hints on a graph break, each with the addressee: the program or PyTorch."""
    whose = {True: WHAT_TO_DO, False: _PYTORCHS_HINT}
    return [f"{whose[can_follow(hint, is_pytorchs_line=is_pytorchs_line)]}: {hint}" for hint in hints]


def details_of_break(hints: Iterable[str], explanation: str, *, is_pytorchs_line: bool) -> list[str]:
    """Returns the lines below the reason of a graph break: torch's hints, or its explanation if there are no hints."""
    return hints_with_addressee(hints, is_pytorchs_line=is_pytorchs_line) or explanation.splitlines()


def failure_reason(kind: str, text: str) -> str:
    """Returns the exception that ended a compilation, without torch's hints and traceback.

    For a limit, the text contains its value.
    """
    paragraphs = [" ".join(_until_hints(part).split()) for part in text.strip().split("\n\n")]
    message = paragraphs[0]
    if message.endswith(":") and len(paragraphs) > 1:
        message += f" {paragraphs[1]}"
    limit = _LIMIT.search(text)
    return (f"{kind}: {message}" if message else kind) + (f" ({limit[1]} = {limit[2]})" if limit is not None else "")


def _until_hints(text: str) -> str:
    return _HINTS.split(text)[0]


_LIMIT = re.compile(r"exceeding the (\w+) cache size limit \(currently set to (\d+)\)")
_HINTS = re.compile(r"^\s*(?:Explanation|Hint|Higher Order Operator|Developer debug context): ", re.MULTILINE)


def operator_imports(text: str) -> list[str]:
    """Returns the import statements for operators in a text that `import torch` alone does not register."""
    imports = [
        f"import {module}" for name, module in _REGISTERING_MODULES.items() if f"torch.ops.higher_order.{name}(" in text
    ]
    names = set(_PRIM.findall(text))
    if names:
        prims = probe("torch._prims")
        if prims is not None and not names <= vars(prims).keys():
            imports.append("import torch._inductor.inductor_prims")
    return imports


def suffix_of(kind: object) -> str:
    """Returns the suffix for a file type in torch's trace.

    Raises ValueError if it is not one to eight letters and digits.
    """
    if not isinstance(kind, str) or not re.fullmatch("[A-Za-z0-9]{1,8}", kind):
        raise ValueError(f"a type of file, {kind!r}")
    return f".{kind}"


# Part of a graph's script that has `tensor` (write/runnable.py).
AS_GRAPH_MODULE = '''

def as_graph_module(owner, name, recorded):
    """Replaces a graph that is an attribute of `owner` by a graph module that calls it, as operators require.

    Some releases of torch also require examples of its inputs: tensors of the recorded layouts, without memory.
    """
    body, graph = vars(owner)[name], torch.fx.Graph()
    code = body.forward.__code__
    inputs = tuple(graph.placeholder(argument) for argument in code.co_varnames[1 : code.co_argcount])
    with torch._subclasses.FakeTensorMode():
        for node in inputs:
            if node.target in recorded:
                example = recorded[node.target]
                node.meta["example_value"] = tensor(*example) if isinstance(example, tuple) else example
    graph.output(graph.call_module("body", inputs))
    vars(owner)[name] = torch.fx.GraphModule({"body": body}, graph)
'''
