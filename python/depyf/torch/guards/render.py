# SPDX-License-Identifier: MIT
"""Renders guards as Python.

Invariant: every `Guard` renders to one expression that compiles. Guards that are not on the allow-lists of `allowed`
render to `not_evaluated(...)`, never to a guess.
"""

from __future__ import annotations

import ast
import builtins
import functools
import json
import re
from collections.abc import Iterable

from depyf.torch.guards import allowed
from depyf.torch.guards.annotate import NO_MODES
from depyf.torch.guards.parse import ACCESS, AGAINST, DICT_MANAGER, OBJECT_ID, TYPE_ID
from depyf.torch.internals import guard_state, texts
from depyf.torch.model.guard import Guard
from depyf.torch.model.record import Entry, Problem
from depyf.torch.model.words import one_line

_TENSOR = re.compile(
    r"^check_tensor\((.*?), ([\w.<>]+), (?:DispatchKeySet\((.*?)\)|([^,()]*)), (torch\.\w+), (device=.*)\)$", re.DOTALL
)
# torch prints some guards with the repr() of a class in them. The same text inside a string is not a class.
_SHOWN_CLASS = re.compile(r"""(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|<class '(?P<cls>[\w.]+)'>""", re.DOTALL)
_CLASS = re.compile(r"^<(?:class|enum) '(.+)'>$")


def shown(guard: Guard) -> str:
    """Returns torch's own text of the check, in one line."""
    text = one_line(guard.text)
    return text.split(AGAINST, 1)[0] if guard.kind == "GLOBAL_STATE" else text


_KINDS = allowed.KINDS | {ACCESS, DICT_MANAGER}
_NOT_EVALUATED = "not_evaluated({0!r}, {1!r})"


def is_evaluated(guard: Guard) -> bool:
    """Returns whether depyf evaluates the guard; if not, it is assumed true and counted."""
    return not render(guard).startswith("not_evaluated(")


def not_evaluated(entries: Iterable[Entry]) -> list[Problem]:
    """Returns one problem for each entry with guards that depyf does not evaluate."""
    problems = []
    for entry in entries:
        unknown = [g for g in entry.guards if not is_evaluated(g)]
        if unknown:
            shown = "; ".join(dict.fromkeys(f"{g.kind}: {' '.join(g.text.split())[:80]}" for g in unknown[:3]))
            text = f"{len(unknown)} of {len(entry.guards)} are not evaluated, and assumed true: {shown}"
            problems.append(Problem(f"guards of {entry.name} [{entry.compile_id}]", text))
    return problems


def render(guard: Guard) -> str:
    """Returns a guard as a Python expression over `L`, `G` and the helpers of `checks`; true if the guard holds."""
    facts = (guard.kind, guard.text, guard.source, guard.public)
    if guard.rendered is None or guard.rendered[0] != facts:
        guard.rendered = facts, _rendered(*facts)
    return guard.rendered[1]


def _rendered(kind: str, text: str, source: str, public: str) -> str:
    if kind not in _KINDS:
        return _NOT_EVALUATED.format(kind, text)
    expression, helpers = _parsed(kind, text, source, public)
    if not expression or any(guard_state.guard_helper(name) is None for name in helpers):
        return _NOT_EVALUATED.format(kind, text)
    return expression


@functools.lru_cache(maxsize=1 << 14)  # the entries of a frame have mostly the same guards
def _parsed(kind: str, text: str, source: str, public: str) -> tuple[str, frozenset[str]]:
    """Returns a guard as an expression, with the helpers of torch that it calls; "" if it is not a known one."""
    try:
        expression = _with_classes(_expression(kind, text, source, public))
        tree = ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError, KeyError, IndexError, RecursionError, MemoryError):
        return "", frozenset()
    if allowed.unknown_in(tree):
        return "", frozenset()
    line = " ".join(expression.split("\n")) if "'''" not in expression else expression
    return line, frozenset(allowed.helpers_in(tree))


def _expression(kind: str, text: str, source: str, public: str) -> str:
    """Returns a guard as an expression, maybe with the repr() of classes; raises an error for unexpected texts."""
    if kind == "TENSOR_MATCH":
        return _tensor(text)
    if match := TYPE_ID.match(text):
        return _type(match.group(1), match.group(2), match.group(3) or public)
    if match := OBJECT_ID.match(text):
        value, identity, shown_type = match.groups()
        name = public or _class_name(shown_type or "")
        # some releases print the repr of the object itself, which differs between processes
        return f"object_is({value}, same_process_id({identity}), {'' if name.startswith('<') else name!r})"
    if kind == ACCESS:
        return f"readable({source})"
    if kind == DICT_MANAGER:
        cls = _class_name(text.split(", type=", 1)[1].removesuffix(")"))
        return f"dict_is({source}, {cls!r}, {public or None})"
    if kind == "GLOBAL_STATE":
        state = json.loads(text.split(AGAINST, 1)[1] if AGAINST in text else public)
        return f"global_state_is({', '.join(f'{k}={v!r}' for k, v in state.items())})"
    if kind == "DEFAULT_DEVICE":
        return f"default_device_is({text.split('==', 1)[1].strip()!r})"
    if kind == "TORCH_FUNCTION_MODE_STACK":
        names = "" if public == NO_MODES else public
        return f"function_modes_are({names})" if public else _NOT_EVALUATED.format(kind, text)
    if kind == "NO_TENSOR_ALIASING":
        return "not_aliased" + text.removeprefix("check_no_aliasing")
    if kind in _BY_COMPARISON:
        return _BY_COMPARISON[kind](*_sides(text))
    if kind == "DICT_LENGTH":
        return f"dict_length_is({_length(text)})"
    if kind == "LENGTH_CHECK":
        return f"length_is({_length(text)})"
    if kind == "SET_CONTAINS":  # torch's C++ implementation accepts frozen sets, too
        return text.replace("set.__contains__(", "set_contains(", 1)
    if kind == "EQUALS_MATCH":
        return _equals(text)
    if kind == "DISPATCH_KEY_SET_MATCH":
        left, _, right = text.partition(".raw_repr() == ")
        return f"shown_as({left}, {right.removesuffix('.raw_repr()')!r})"
    if kind == "DICT_VERSION":
        left, right = _sides(text)
        return f"version_is({left}, same_process_id({right}))"
    if texts.SAVED_TENSORS_HOOKS in text:
        ids = text.split("==", 1)[1].strip()  # None: no hooks, which is valid in every process
        return f"saved_tensors_hooks_are({'()' if ids == 'None' else f'same_process_id({ids})'})"
    if texts.OWN_METADATA.fullmatch(text):
        return f"metadata_is({source}, {public!r})" if public else _NOT_EVALUATED.format(kind, text)
    if text.startswith(texts.FUNCTORCH_CHECK):
        return "functorch_layers_are(" + text.split("(", 1)[1]
    if text.startswith(texts.FORWARD_AD_CHECK):
        return f"forward_ad_level_is({text.split('==', 1)[1].strip()})"
    return text


def _sides(text: str) -> tuple[str, str]:
    tree = ast.parse(text, mode="eval").body
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1:
        raise ValueError(text)
    return ast.unparse(tree.left), ast.unparse(tree.comparators[0])


# torch compares these by identity, whatever it prints: `L['flag'] == True` does not hold for 1.
_BY_COMPARISON = {
    "TRUE_MATCH": "{} is {}".format,
    "FALSE_MATCH": "{} is {}".format,
    "NONE_MATCH": "{} is {}".format,
    "NOT_NONE": "{} is not {}".format,
}


def _length(text: str) -> str:
    """Returns `value, length` for `len(value) == length`, and `value, 0` for `not value`."""
    tree = ast.parse(text, mode="eval").body
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        return f"{ast.unparse(tree.operand)}, 0"
    if isinstance(tree, ast.Compare) and isinstance(tree.left, ast.Call) and len(tree.comparators) == 1:
        return f"{ast.unparse(tree.left.args[0])}, {ast.unparse(tree.comparators[0])}"
    raise ValueError(text)


def _with_classes(text: str) -> str:
    """Returns the text with the repr() of classes replaced by Python expressions."""
    return _SHOWN_CLASS.sub(lambda m: m["string"] or _class_expression(m["cls"]), text)


def _class_expression(name: str) -> str:
    if "." in name:
        return f"named({name!r})"
    return name if isinstance(getattr(builtins, name, None), type) else f"built_in_class({name!r})"


def _tensor(text: str) -> str:
    match = _TENSOR.match(text)
    if match is None:
        raise ValueError(text)
    value, pytype, keys, other_keys, dtype, rest = match.groups()
    keys = keys if keys is not None else other_keys
    fields = ast.parse(f"f({rest})", mode="eval").body
    if not isinstance(fields, ast.Call):
        raise ValueError(text)
    keywords = ", ".join(f"{k.arg}={ast.unparse(k.value)}" for k in fields.keywords)
    return f"tensor_matches({value}, {pytype!r}, {dtype}, {keywords}, dispatch_keys={keys!r})"


def _type(value: str, identity: str, shown_type: str) -> str:
    name = _class_name(shown_type)
    if isinstance(getattr(builtins, name, None), type):
        return f"type({value}) is {name}"
    return f"type_is({value}, {name!r}, same_process_id({identity}))"


def _class_name(shown_type: str) -> str:
    match = _CLASS.match(shown_type.strip())
    return match.group(1) if match else shown_type.strip()


def _equals(text: str) -> str:
    try:
        left, right = _sides(_with_classes(text))
        if _names_in(right) <= _NAMES_IN_VALUES:
            return f"equals({left}, {right})"
    except SyntaxError:
        pass
    left, _, shown = text.partition(" == ")  # the repr is not Python, and nothing else is known about the value
    return f"shown_as({left}, {shown!r})"


_NAMES_IN_VALUES = {*vars(builtins), "torch", "device", "inf", "nan", "named"}


def _names_in(expression: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(expression, mode="eval")) if isinstance(node, ast.Name)}


def without_guards(are_known: bool) -> str:
    """Returns the body of a guard function without guards: every call is accepted, or the guards were not seen."""
    return (
        "    yield from ()"
        if are_known
        else "    yield not_evaluated('guards', 'the guards of this entry were not seen')"
    )
