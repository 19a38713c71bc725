# SPDX-License-Identifier: MIT
"""What to do about a guard that failed. Advice only: nothing here looks at values or decides anything."""

from __future__ import annotations

import re

from depyf.torch import seams

_NUMBERS = re.compile(r"\w+")
_RULES: tuple[tuple[str, str], ...] = (
    # (what the check starts with, advice); the first that fits
    ("object_is(", "pass the same object each time: one made anew for each call (a lambda, a class) never matches"),
    ("type_is(", "pass values of one type, or accept one entry for each type"),
    ("type(", "pass values of one type, or accept one entry for each type"),
    ("length_is(", "keep the number of items fixed, or stack the items into one tensor with a dynamic dimension"),
    ("dict_is(", "keep the dictionary's keys and their order fixed"),
    ("dict_length_is(", "keep the dictionary's keys fixed"),
    ("___dict_contains(", "keep the dictionary's keys fixed"),
    ("not ___dict_contains(", "set attributes before the first call, not between calls"),
    ("not hasattr(", "set attributes before the first call, not between calls"),
    ("hasattr(", "mark tensors (mark_dynamic and its like) before the first call, always in the same way"),
    ("not_aliased(", "pass distinct tensors, or the same pair aliased in every call"),
    ("check_overlapping(", "keep views of one storage overlapping in the same way, or clone them"),
    ("function_modes_are(", "enter the same torch function modes around every call"),
    ("default_device_is(", "call under one default device"),
    ("saved_tensors_hooks_are(", "call under the same saved-tensor hooks"),
    ("functorch_layers_are(", "call under the same nesting of vmap, grad and their like"),
)
_STATE = {
    "grad_mode": "call under one grad mode (or accept an entry for training and one for no_grad)",
    "num_threads": "set the number of threads before the first call",
    "default_dtype": "set the default dtype before the first call",
    "autocast_state": "call under one autocast setting",
    "deterministic_algorithms": "set deterministic algorithms before the first call",
}


def advise(check: str, source: str, what: str, expected: str, found: str) -> str:
    """One sentence, or nothing when there is nothing better to say than the failure itself."""
    if check.startswith("tensor_matches("):
        return _tensor(source, what, expected, found)
    if check.startswith("global_state_is("):
        return next((text for key, text in _STATE.items() if what.startswith(key)), "call under the same global state")
    if what == "access":
        return "keep the attributes and items that the function reads in place"
    if check.startswith("equals("):
        return _value(source, expected)
    for start, text in _RULES:
        if check.startswith(start):
            return text
    if " is True" in check or " is False" in check:
        return "a flag is compiled in: keep it fixed, or accept one entry for each value"
    if "None" in check and " is " in check:
        return "always pass a value, or never: None and a value are two entries"
    if ".size()" in check or ".stride()" in check or "storage_offset" in check:
        return _shape_condition(check)
    return ""


def _tensor(source: str, what: str, expected: str, found: str) -> str:
    if what == "size":
        wanted, given = _NUMBERS.findall(expected), _NUMBERS.findall(found)
        differing = [i for i, (a, b) in enumerate(zip(wanted, given, strict=False)) if a not in (b, "any")]
        dims = ", ".join(map(str, differing)) or "0"
        dims = dims if len(differing) < 2 else f"[{dims}]"
        return f"{seams.MARK_DYNAMIC}({source}, {dims}), or let automatic dynamic shapes compile it once more"
    if what == "stride":
        return f"pass {source}.contiguous(), or always the same memory layout"
    if what == "rank":
        return "each number of dimensions is an entry of its own: reshape before the call"
    if what == "dtype":
        return f"convert {source} to one dtype before the call"
    if what == "requires_grad":
        return f"detach {source}, or let it require gradients in every call"
    if what == "type":
        return "pass values of one type, or accept one entry for each type"
    if what.startswith("dispatch keys"):
        return "keep tensors on one kind of device, and calls either inside or outside inference_mode"
    return ""


def _value(source: str, expected: str) -> str:
    if expected.lstrip("-").isdigit():
        return f"an int is compiled in until it changes: then it becomes dynamic; pass {source} as a tensor to be sure"
    if expected.lstrip("-").replace(".", "", 1).replace("e-", "", 1).isdigit():
        return f"pass {source} as a tensor, or set {seams.FLOATS_AS_INPUTS}"
    return "this value is compiled in: keep the number of distinct values small"


def _shape_condition(check: str) -> str:
    if re.search(r"== |!= 1|2 <= ", check) and ("!= 1" in check or "2 <= " in check or "!= 0" in check):
        return "sizes 0 and 1 are compiled apart from all others (0/1 specialization)"
    if "==" in check:
        return f"two sizes were taken to be the same; {seams.SIZES_APART} keeps them apart"
    bounds = "mark_dynamic(min=, max=) bounds it"
    return f"a condition on the size was compiled in; {seams.STATE_CONDITION} states it, {bounds}"
