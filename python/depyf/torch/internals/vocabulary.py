# SPDX-License-Identifier: MIT
"""Names that torch uses in objects of the program and in texts. Imports nothing."""

ORIGINAL_CALLABLE = "_torchdynamo_orig_callable"  # attribute of compiled functions: the original function
RESUME_CODE = "torch_dynamo_resume_in_"  # prefix of the names of resume functions (in torch 2.2 "<resume in")
NESTED_RESUMES = "__nested_resume_fns"  # the argument of a resume function with the resume functions of its callers
WRAPPED = ("fn", "func", "f")  # names of the wrapped function in PyTorch's wrappers

GENERAL_HINTS = (  # beginnings of hints that torch gives for whole classes of graph breaks
    "Your code may result in an error when running in eager",
    "Dynamo has detected that tracing the code will result in an error when running in eager",  # up to 2.9
    "This is likely to be a Dynamo bug",
    "This graph break may be difficult to debug",
    "This graph break is fundamental",
    "This graph break may have been caused by an earlier graph break",
    "It may be possible to write Dynamo tracing rules for this code",
    "Please report an issue to PyTorch",
    "Please open an issue",
    "Please file an issue to PyTorch",
    "If it is a Python builtin, please file an issue",
)
# The beginning of a comment with the source line of a node in a printed graph (torch/fx/graph.py). It may contain an
# annotation of the program, or data about activation checkpointing for the partitioner.
FROM_FILE = r"# (?:(?:Annotation|ac_graph_id|recompute): .*? )?File: "
GRAPH_CODE = "<eval_with_key>"  # prefix of the file names that FX gives to the code of graphs
NODE_ORIGIN = "set_node_origin"  # a function of compiled autograd, whose "lines" are nodes of the autograd graph


def module_imported(name: str) -> str:
    """Returns the module in a global that Dynamo added (`import_source` in _dynamo/symbolic_convert.py).

    Returns "" for others.
    """
    return name.removeprefix(_IMPORTED).replace("_dot_", ".") if name.startswith(_IMPORTED) else ""


_IMPORTED = "__import_"
