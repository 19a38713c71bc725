# SPDX-License-Identifier: MIT
"""Advice: one sentence about what to do when a guard has failed.

Invariant: advice never recommends a setting that is already the default, a value that the user cannot name, or a change
that can raise an exception where the program raised none. If the cause is not established, there is no advice. This
module works on descriptions of values only, never on the values.
"""

from __future__ import annotations

import re

from depyf.torch.guards.parse import DICT_MANAGER
from depyf.torch.internals import cache_entries, dynamo, texts
from depyf.torch.model.guard import Guard

_NUMBERS = re.compile(r"\w+")
_TYPES = "pass values of one type, or accept one entry for each type"
FIXED_KEYS = "keep the dictionary's keys fixed"
FIXED_NAMES = "pass the same named arguments in every call"
_ATTRIBUTES = "set attributes before the first call, not between calls"
_MARKS = "mark tensors (mark_dynamic and similar functions) before the first call, always in the same way"
_FLAG = "a flag is compiled in: keep it fixed, or accept one entry for each value"
_NONE_ARGUMENT = "always pass a value, or never: None and a value are two entries"
_NONE_VALUE = "have a value there in every call, or in no call: None and a value are two entries"
_NONE_ATTRIBUTE = "set this attribute before the first call, or never: None and a value are two entries"
_ZERO_ONE = "sizes 0 and 1 are compiled separately from all others (0/1 specialization)"
_LAYOUT = "pass tensors of one memory layout"
_SAME_OBJECTS = "pass the same object for both in every call, or two different ones in every call"
_AT_LEAST_TWO = re.compile(r"2 <= \S+\.(?:size|stride)\(\)\[\d+\]")  # added by Dynamo on its own
_PINNED_NUMBER = re.compile(r"L\['\S+ == -?\d+")  # a number of the program that was a symbol in Dynamo
_KEY = re.compile(r"list\(.+\)\[\d+\]")  # the n-th key of a dictionary
_ZERO_OR_ONE = re.compile(r" = [01]$")
_WITH_TYPE = re.compile(r".+ \([\w.]+\)")  # `2 (int)`: the call passed a value of another type
_BY_KIND = {
    "ID_MATCH": "pass the same object each time: one created for each call (a lambda, a class) never matches",
    "TYPE_MATCH": _TYPES,
    "FAKE_SCRIPT_TYPE_MATCH": _TYPES,
    "LENGTH_CHECK": "keep the number of items fixed, or stack the items into one tensor with a dynamic dimension",
    DICT_MANAGER: "keep the dictionary's keys and their order fixed",
    "DICT_LENGTH": FIXED_KEYS,
    "NO_HASATTR": _ATTRIBUTES,
    "DYNAMIC_INDICES": _MARKS,
    "DIMENSION_DYNAMIC_MARKING_GUARD": _MARKS,
    "NO_TENSOR_ALIASING": "pass distinct tensors, or the same pair aliased in every call",
    "STORAGE_OVERLAPPING": "keep views of one storage overlapping in the same way, or clone them",
    "TORCH_FUNCTION_MODE_STACK": "enter the same torch function modes around every call",
    "DEFAULT_DEVICE": "call under one default device",
    "TRUE_MATCH": _FLAG,
    "FALSE_MATCH": _FLAG,
}
_COMPILE_SEPARATELY = (
    "compile each with torch.compile(…, isolate_recompiles=True): functions that PyTorch calls by the same wrapper "
    "share entries and the recompile limit"
)
_INFERENCE = (
    "create tensors and call the function both inside or both outside inference_mode, or accept an entry for each"
)
_SAME_STATE = "call under the same global state"
_STATE = {
    "grad_mode": "call under one grad mode (or accept an entry for training and one for no_grad)",
    "num_threads": "set the number of threads before the first call",
    "default_dtype": "set the default dtype before the first call",
    "autocast": "call under one autocast setting",
    "deterministic_algorithms": "set deterministic algorithms before the first call",
}


def advise(guard: Guard, source: str, what: str, expected: str, found: str, subject: str = "") -> str:
    """Returns one sentence that says how to avoid a guard failure.

    Args:
        guard: The guard.
        source: The guarded expression, as the user would write it.
        what: Which property of it differs.
        expected: The value that the entry was compiled for.
        found: The value in this call.
        subject: The role of the guarded value in the program, if known: `ARGUMENT`, `COMPILED` or another constant.

    Returns:
        The sentence, or "" if there is nothing to add to the failure itself.

    """
    if subject == COMPILED and (guard.kind in ("TYPE_MATCH", "ID_MATCH") or what == "size"):
        return _COMPILE_SEPARATELY if cache_entries.has_regions() else ""
    if subject == OPTIMIZER_STATE:
        return "nothing: an optimizer creates its state in the first step, so later steps are compiled separately, once"
    if subject == LEARNING_RATE and what == "value" and _is_number(expected):
        rate = expected if guard.kind == "EQUALS_MATCH" else "…"  # a later rate, which was dynamic before its graph
        return f"create the optimizer with lr=torch.tensor({rate}), which schedulers change in place"
    if found in ("None", "NoneType") and what in ("value", "type") and subject == ARGUMENT:
        return _NONE_ARGUMENT
    if guard.kind == "TENSOR_MATCH":
        return _tensor(guard, source, what, expected, found, subject)
    if guard.kind == "GLOBAL_STATE":
        settings = expected.split(" and ") if what == "global state" else [what]
        advices = (next((text for key, text in _STATE.items() if n.startswith(key)), _SAME_STATE) for n in settings)
        return "; ".join(dict.fromkeys(advices))
    if what == "access" and found.startswith("TypeError:"):
        return _TYPES
    if what == "access":
        return "" if "__" in source else "keep the attributes and items that the function reads"
    if guard.kind == "ID_MATCH" and guard.public:  # it has a public name, so it stays alive
        return "this object is compiled in: keep the number of distinct objects small"
    if guard.kind == "ID_MATCH" and source.endswith(".__code__"):
        return "pass the same function each time: one that exec() or eval() creates for each call never matches"
    if guard.kind == "EQUALS_MATCH" and _KEY.fullmatch(source):
        return _BY_KIND[DICT_MANAGER]
    if guard.kind == "EQUALS_MATCH" and _WITH_TYPE.fullmatch(expected):
        return _TYPES
    if guard.kind == "EQUALS_MATCH":
        return _value(expected, subject)
    if guard.kind in (DICT_MANAGER, "DICT_LENGTH") and source.endswith("._modules"):
        return "add submodules before the first call, or accept one entry for each number of them"
    if guard.kind == "SET_CONTAINS":
        return "membership is compiled in: keep the items of the set fixed, or accept one entry for each answer"
    if guard.kind == "DICT_CONTAINS":
        return _ATTRIBUTES if guard.text.endswith(".__dict__)") else FIXED_KEYS
    if guard.kind == "LAMBDA_GUARD":  # only torch's own text shows what it compares
        if _AT_LEAST_TWO.match(expected) and _ZERO_OR_ONE.search(found):
            return _LAYOUT if ".stride()" in expected else _ZERO_ONE
        if what == "value" and _PINNED_NUMBER.fullmatch(guard.text):
            return "this line pins the value, which was dynamic: keep the number of distinct values small"
        if texts.OWN_METADATA.fullmatch(guard.text):
            return "pass values with the same metadata in every call, or accept one entry for each kind"
        if texts.SAVED_TENSORS_HOOKS in guard.text:
            return "call under the same saved-tensor hooks"
        if guard.text.startswith(texts.FUNCTORCH_CHECK):
            return "call under the same nesting of vmap, grad and similar transforms"
    if what == IDENTITY and subject == ARGUMENT and guard.kind != "ID_MATCH":
        return _SAME_OBJECTS
    if guard.kind in ("NONE_MATCH", "NOT_NONE"):
        return {ARGUMENT: _NONE_ARGUMENT, MODULE_ATTRIBUTE: _NONE_ATTRIBUTE}.get(subject, _NONE_VALUE)
    return _BY_KIND.get(guard.kind, "")


IDENTITY = "identity"  # of two values, or of a value and the object that the entry was compiled for

MARKED_STATIC = "the program marks this size static, so each size has an entry of its own"
CHANGES_KEYS = f"{FIXED_KEYS}: the compiled code itself adds or removes some, so add them before the first call"
CHANGES_VALUE = "the compiled code itself changes it, so each call recompiles: change it outside of the compiled code"
INTEGER_OF_MODULE = f"set {texts.MODULE_INTS_AS_INPUTS}, or make it a tensor: integers in a module are compiled in"


def changes_attribute(subject: str) -> str:
    """Returns advice on a number in an attribute that the compiled code itself changes, such as a counter of calls."""
    option = texts.MODULE_INTS_AS_INPUTS
    return (
        f"{CHANGES_VALUE}, or set {option}"
        if subject == MODULE_ATTRIBUTE and not dynamo.is_set(option)
        else CHANGES_VALUE
    )


FUNCTION = "compiled function"  # the wrapper of PyTorch's calls another function than the entry was compiled for
WRAPPED = "function"  # a closure (for example a decorator's) calls another function than the entry was compiled for
COMPILE_CLOSURES_SEPARATELY = (
    "compile each with torch.compile(…, isolate_recompiles=True): closures with the same code, such as those that one "
    "decorator creates, share entries and the recompile limit"
)

ARGUMENT = "argument"  # an argument of the compiled function, or an item or a field of one
HELD = "held by an argument"  # a tensor in an object of the program, at any depth, that is not a parameter or buffer
MODULE_ATTRIBUTE = "attribute of a module"
OPTIMIZER_STATE = "state of an optimizer"
LEARNING_RATE = "learning rate of an optimizer"  # an optimizer that accepts a tensor as its rate
COMPILED = "what is compiled"  # the function or module that PyTorch's wrapper calls, or a parameter of such a module


def _tensor(guard: Guard, source: str, what: str, expected: str, found: str, subject: str) -> str:
    """Returns advice on a guard on a tensor, for the property that differs."""
    is_parameter = ", Parameter, " in guard.text
    if what == "size":
        return _size(source, expected, found) if subject in (ARGUMENT, HELD) and not is_parameter else ""
    if what == "stride":
        return _LAYOUT
    if what == "rank":
        return "each number of dimensions has an entry of its own: reshape before the call"
    if what == "dtype" and (is_parameter or subject == MODULE_ATTRIBUTE):
        return "convert the module before the first call, or accept one entry for each dtype"
    if what == "dtype":
        return "pass tensors of one dtype"
    if what == "requires_grad" and is_parameter:
        return "freeze parameters before the first call, or accept one entry for frozen and one for trained parameters"
    if what == "requires_grad":
        return "pass tensors that require gradients in every call, or in none"
    if what == "type":
        return _TYPES
    if what.startswith("dispatch keys"):
        differing = {key for keys in (expected, found) if keys != NO_KEYS for key in keys.split(", ")}
        return _dispatch_keys(source, differing, subject)
    return ""


NO_KEYS = "none of its own"  # in place of a list of dispatch keys
_DEVICES = frozenset(
    ("CPU", "CUDA", "HIP", "XLA", "MPS", "IPU", "XPU", "HPU", "VE", "Lazy", "MTIA", "MAIA", "Meta", "PrivateUse1")
)
_RESOLVED = {"Conjugate": "resolve_conj", "Negative": "resolve_neg"}


def _dispatch_keys(source: str, differing: set[str], subject: str) -> str:
    """Returns advice on tensors whose sets of dispatch keys differ in these keys, or ""."""
    if differing & _DEVICES:
        return "keep tensors on one kind of device"
    if differing <= _RESOLVED.keys():
        calls = "".join(f".{name}()" for key, name in _RESOLVED.items() if key in differing)
        return f"pass {source}{calls} in every call" if subject == ARGUMENT else ""
    if differing and all(key.startswith("Autocast") for key in differing):
        return _STATE["autocast"]
    if all(key == "ADInplaceOrView" or key.startswith(("Autograd", "Autocast")) for key in differing):
        return _INFERENCE
    return ""


def _size(source: str, expected: str, found: str) -> str:
    old, new = _NUMBERS.findall(expected), _NUMBERS.findall(found)
    differing = [i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a not in (b, "any")]
    if any(size in ("0", "1") for i in differing for size in (old[i], new[i])):
        return _ZERO_ONE
    dims = f"{differing}" if len(differing) > 1 else "".join(map(str, differing))
    return f"{texts.MARK_DYNAMIC}({source}, {dims}) before the first call with it" if differing else ""


_MARK_ADVICE = re.compile(
    rf"{re.escape(texts.MARK_DYNAMIC)}\((?P<source>.+), (?P<dims>\d+|\[[\d, ]+\])\) before the first call with it"
)


def marked_sizes(text: str) -> set[str]:
    """Returns the sizes that an advice tells the user to mark, as `x.size()[0]`; none if it is about something else."""
    match = _MARK_ADVICE.fullmatch(text)
    return {f"{match['source']}.size()[{dim}]" for dim in _NUMBERS.findall(match["dims"])} if match else set()


def fixed_size(place: str) -> str:
    """Returns advice on a size that a line of the program specializes: marking it dynamic does not help."""
    return f"{place or 'the program'} fixes this size, marked or not: keep the number of distinct sizes small"


def fixed_value(place: str) -> str:
    """Returns advice on a number that Dynamo specialized, for a line of the program or ("") for reasons of its own."""
    return f"{place or 'torch'} fixes this value: each value has an entry of its own"


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).replace("e-", "", 1).isdigit()


def _value(expected: str, subject: str) -> str:
    number = expected.lstrip("-")
    if number.isdigit():
        option = texts.MODULE_INTS_AS_INPUTS
        return f"set {option}" if subject == MODULE_ATTRIBUTE and not dynamo.is_set(option) else ""
    if _is_number(number):
        return "" if dynamo.is_set(texts.FLOATS_AS_INPUTS) else f"set {texts.FLOATS_AS_INPUTS}"
    return "this value is compiled in: keep the number of distinct values small"
