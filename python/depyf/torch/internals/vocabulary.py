# SPDX-License-Identifier: MIT
"""Names that torch gives to things in the program's own objects and texts. Imports nothing."""

ORIGINAL_CALLABLE = "_torchdynamo_orig_callable"  # attribute of what torch.compile makes: what it was made of
RESUME_CODE = "torch_dynamo_resume_in_"  # how names of resume functions begin; in torch 2.2 "<resume in"
NESTED_RESUMES = "__nested_resume_fns"  # the argument in which a resume function is given those to continue with
WRAPPED = ("fn", "func", "f")  # what PyTorch's wrappers call the function that they call

GENERAL_HINTS = (  # how the hints begin that torch gives for whole classes of graph breaks
    "Your code may result in an error when running in eager",
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
# Pattern of how the comment begins that names the line of a printed graph's node (torch/fx/graph.py): with what the
# program annotated, and of activation checkpointing with what the partitioner is told.
FROM_FILE = r"# (?:(?:Annotation|ac_graph_id|recompute): .*? )?File: "
GRAPH_CODE = "<eval_with_key>"  # how FX's names of the files of graphs' code begin
NODE_ORIGIN = "set_node_origin"  # a function of compiled autograd's: "lines" of it are nodes of autograd's graph


def module_imported(name: str) -> str:
    """The module that a global of Dynamo's holds (`import_source`, _dynamo/symbolic_convert.py); "" for others."""
    return name.removeprefix(_IMPORTED).replace("_dot_", ".") if name.startswith(_IMPORTED) else ""


_IMPORTED = "__import_"
