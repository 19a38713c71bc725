# SPDX-License-Identifier: MIT
"""Allow-lists of the guards that depyf evaluates: the known kinds, and the names that a rendered guard may use.

A guard of an unknown kind, or one that calls anything else, is counted as not evaluated, because the text of an unknown
kind does not show what it compares.
"""

from __future__ import annotations

import ast
import builtins

# Leaf guards of torch (torch/csrc/dynamo/guards.cpp) whose printed text contains everything that they compare, or for
# whose text `render` has a rule.
KINDS = frozenset((
    "COMPLEX_IS_NAN", "DATA_PTR_MATCH", "DEFAULT_DEVICE", "DICT_CONTAINS", "DICT_LENGTH", "DICT_VERSION",
    "DIMENSION_DYNAMIC_MARKING_GUARD", "DISPATCH_KEY_SET_MATCH", "DUAL_LEVEL_MATCH", "DYNAMIC_INDICES", "EQUALS_MATCH",
    "FAKE_SCRIPT_TYPE_MATCH", "FALSE_MATCH", "FLOAT_IS_NAN", "GLOBAL_STATE", "ID_MATCH", "LAMBDA_GUARD", "LENGTH_CHECK",
    "MAPPING_KEYS_MATCH", "NONE_MATCH", "NOT_NONE", "NO_HASATTR", "NO_TENSOR_ALIASING", "OBJECT_ALIASING",
    "RANGE_ITERATOR_MATCH", "SET_CONTAINS", "STORAGE_OVERLAPPING", "SYMBOLIC_SHAPE_GUARD", "TENSOR_MATCH",
    "TORCH_FUNCTION_MODE_STACK", "TRUE_MATCH", "TUPLE_ITERATOR_LEN", "TYPE_MATCH", "WEAKREF_ALIVE",
))  # fmt: skip

# Helpers that torch's own guard text calls. They run as torch implements them.
PRIVATE_NAMES = (
    "___as_tensor", "___dataclass_fields", "___dict_contains", "___dict_version", "___from_numpy",
    "___get_current_stream", "___get_torch_function_mode_stack_at", "___key_to_id", "___list_reverseiterator_len",
    "___list_reverseiterator_backing_list", "___namedtuple_fields", "___normalize_count_iter",
    "___normalize_range_iter", "___odict_getitem", "___set_getitem", "___tuple_iterator_getitem",
    "___tuple_iterator_len", "___unwrap_async_collective_tensor", "__load_module", "__math_isnan", "__numpy_isnan",
    "IsNonOverlappingAndDenseIndicator", "cast_symbool_to_symint_guardless",
)  # fmt: skip

# Helpers defined in `checks`.
PUBLIC_NAMES = (
    "Frame", "built_in_class", "check_overlapping", "default_device_is", "dict_is", "dict_length_is", "equals",
    "forward_ad_level_is", "function_modes_are", "functorch_layers_are", "global_state_is", "identities", "length_is",
    "metadata_is", "named", "not_aliased", "not_evaluated", "object_is", "readable", "saved_tensors_hooks_are",
    "set_contains", "shown_as", "tensor_matches", "type_is", "version_is",
)  # fmt: skip

_NAMES = frozenset((
    *PRIVATE_NAMES, *PUBLIC_NAMES, *vars(builtins), "G", "L", "device", "inf", "math", "nan",
    "same_process_id", "torch",
))  # fmt: skip


def unknown_in(tree: ast.AST) -> str:
    """Returns the first name in an expression that is not allowed, or private attribute of torch; "" if none."""
    bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    bound |= {a.arg for a in ast.walk(tree) if isinstance(a, ast.arg)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in _NAMES and node.id not in bound:
            return node.id
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and _root(node) == "torch":
            return ast.unparse(node)
    return ""


def helpers_in(tree: ast.AST) -> set[str]:
    """Returns torch's own helpers that an expression calls."""
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} & {*PRIVATE_NAMES}


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
