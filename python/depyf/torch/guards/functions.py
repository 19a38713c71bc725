# SPDX-License-Identifier: MIT
"""Makes a `Failure` from a guard that does not hold, the outcome of its check and the values of the call.

Used by `evaluate`, for the guards of an entry, and by full-code files, whose guard functions yield the outcomes of
their guards one by one. Invariant: never asks torch's guard manager, reads no file, and evaluates only parts of the
failing guard.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any

import torch

from depyf.torch.guards import advice, allowed, checks, render
from depyf.torch.guards.answers import Failure
from depyf.torch.guards.checks import Frame, Mismatch, short
from depyf.torch.internals import callables, guard_state, vocabulary
from depyf.torch.model.guard import Guard

Guards = Callable[[Frame], Any]  # a generator function that yields the outcome of each guard
_MEMBER = re.compile(r"\._(?:modules|parameters|buffers)\['([^\W\d]\w*)'\]")
_NUMBERED = re.compile(r"\._modules\['(\d+)'\]")
_DICTIONARY = re.compile(r"\.__dict__\['(_modules|_parameters|_buffers)'\]")  # of a module
_KEYS = re.compile(r"\blist\(dict\.keys\((.+?)\)\)(?:\[|$)")  # keys of a dictionary, guarded by position
_ROOT = re.compile(r"\b[LG]\['([\w.]+)'\]")  # a comprehension's iterable is called ".0"


@guard_state.without_torch_function()
def holds(guards: Guards, frame: Frame) -> bool:
    """Returns whether every guard holds. A guard whose expression raises an exception does not hold, as in torch."""
    try:
        return all(guards(frame))
    except Exception:  # whatever the user's objects raise
        return False


@guard_state.without_torch_function()
def first_failure(
    guards: Guards,
    frame: Frame,
    entry: str = "",
    facts: Sequence[Guard] = (),
    check_at: Callable[[int], str] = lambda _: "",
) -> Failure | None:
    """Returns the first guard that does not hold, or None.

    Args:
        guards: The function that checks the guards.
        frame: The variables that they read.
        entry: The compile id of the entry.
        facts: The guards, if known.
        check_at: Returns the text of the check at a position, or "", if its guard is not known.

    """
    index = -1
    try:
        for index, outcome in enumerate(guards(frame)):
            if not outcome:
                return _failure_in(facts, check_at, index, outcome, frame, entry)
    except Exception as error:  # whatever the user's objects raise
        return _failure_in(facts, check_at, index + 1, raised(error), frame, entry)
    return None


def _failure_in(
    facts: Sequence[Guard], check_at: Callable[[int], str], index: int, outcome: Any, frame: Frame, entry: str
) -> Failure:
    guard = facts[index] if index < len(facts) else None
    check = render.render(guard) if guard is not None else check_at(index)
    return failure_of(guard, check, index, outcome, frame, entry)


def failure_of(guard: Guard | None, check: str, index: int, outcome: Any, frame: Frame, entry: str) -> Failure:
    """Returns the failure of the guard at a position, from the outcome of its check, whose text may be unknown ("")."""
    if not isinstance(outcome, Mismatch):
        outcome = explained(check, frame)
    source = source_of(check) if check else ""
    subject = subject_of(check, frame) if check else ""
    argument = source
    if subject == advice.ARGUMENT and (called := _called_by_torch(check, frame)) is not None:
        argument = called
        subject = subject if argument else ""
    if subject == advice.COMPILED and guard is not None and guard.kind in ("TYPE_MATCH", "ID_MATCH"):
        compiled = callables.called(frame.locals["fn"])
        outcome = Mismatch(advice.FUNCTION, "another one", compiled.name if compiled is not None else outcome.found)
        source = argument = ""
    what = outcome.what if check else f"guard {index + 1}, {outcome.what}"
    return Failure(entry, index, guard, check, source, what, outcome.expected, outcome.found, subject, argument)


def raised(error: Exception) -> Mismatch:
    """Returns the outcome of a check that raised an exception."""
    return Mismatch("access", "possible", f"{type(error).__name__}: {error}")


@functools.lru_cache(maxsize=1)
def helpers() -> dict[str, Any]:
    """Returns the namespace of checks, without `L` and `G`; callers must not change it."""
    names = (*allowed.PRIVATE_NAMES, *allowed.PUBLIC_NAMES)
    return {
        **{name: getattr(checks, name) for name in names},
        "torch": torch,
        "math": math,
        "inf": math.inf,
        "nan": math.nan,
        "device": torch.device,
        "same_process_id": lambda ids: ids,
    }


_ITEM_OF_ARGUMENT = re.compile(r"L\['(?!_)\w+'\](?:\[(?:'\w+'|\d+)\])*")


_COMPILED_SOURCE = re.compile(r"L\['fn'\](?:(?:\.__\w+__(?:\[\d+\])?|\.cell_contents)*|.*\._parameters\['\w+'\])")


_OPTIMIZER_SOURCE = re.compile(r"L\['self'\]\.(?:param_groups\[\d+\]\['lr'\]|(?P<of_state>state\[.*))")


_WRAPPER_ARGUMENT = re.compile(r"L\['(?:args'\]\[(?P<position>\d+)|kwargs'\]\['(?P<name>\w+)')\](?P<item>.*)")


def _called_by_torch(check: str, frame: Frame) -> str | None:
    """Returns the argument that a check in a wrapper of PyTorch's reads, named after the wrapped function's parameter.

    None in other frames; "" if it belongs to no parameter of its own (`*args`).
    """
    match = _WRAPPER_ARGUMENT.fullmatch(raw_source(check))
    wrapped = next((frame.locals[name] for name in vocabulary.WRAPPED if name in frame.locals), None)
    if match is None or wrapped is None or not str(frame.globals.get("__name__", "")).startswith("torch."):
        return None
    callee = callables.called(wrapped)
    name = match["name"] or (callee.parameter(int(match["position"])) if callee is not None else "")
    return friendly_text(name + match["item"]) if name else ""


def subject_of(check: str, frame: Frame) -> str:
    """Returns the role in the program of the value that a check reads, for `advice.advise`; "" if unknown."""
    source = raw_source(check)
    if _COMPILED_SOURCE.fullmatch(source) and callables.is_frame_around_compiled(frame.globals):
        return advice.COMPILED
    if (match := _OPTIMIZER_SOURCE.fullmatch(source)) and isinstance(frame.locals["self"], torch.optim.Optimizer):
        groups = frame.locals["self"].param_groups  # foreach implementations refuse a tensor unless capturable
        takes_tensor = all(g.get("foreach") is not True or g.get("capturable") for g in groups)
        return advice.OPTIMIZER_STATE if match["of_state"] else advice.LEARNING_RATE if takes_tensor else ""
    if _ITEM_OF_ARGUMENT.fullmatch(source):
        return advice.ARGUMENT
    if check.startswith("tensor_matches(") and _is_held(source, frame):
        return advice.HELD
    owner = _owner(source)
    try:
        value = eval(owner, helpers(), {"L": frame.locals, "G": frame.globals}) if owner is not None else None
    except Exception:  # whatever the user's objects raise
        return ""
    if isinstance(value, torch.nn.Module):
        return advice.MODULE_ATTRIBUTE
    is_field = dataclasses.is_dataclass(value) or isinstance(value, tuple)  # a tuple with fields is a NamedTuple
    return advice.ARGUMENT if is_field and _ITEM_OF_ARGUMENT.fullmatch(source.rpartition(".")[0]) else ""


_HELD_SOURCE = re.compile(r"L\['(?!_)\w+'\](?:\.(?!_)\w+|\[(?:'\w+'|\d+)\])+")
_STEP = re.compile(r"\.\w+|(?<=\])\[|(?<=\w)\[(?='|\d)")


def _is_held(source: str, frame: Frame) -> bool:
    """Returns whether a source leads from an argument through objects of the program to a tensor that may be dynamic.

    The sizes of parameters, of buffers and of tensors in PyTorch's own modules are static, marked or not
    (torch/_dynamo/utils.py, tensor_always_has_static_shape).
    """
    if not _HELD_SOURCE.fullmatch(source):
        return False
    scope = {"L": frame.locals, "G": frame.globals}
    for step in [*_STEP.finditer(source)][1:]:  # the first step is that of L itself
        try:
            value = eval(source[: step.start()], helpers(), scope)
        except Exception:  # whatever the user's objects raise
            return False
        if isinstance(value, torch.nn.Module):
            name = step[0].removeprefix(".")
            if type(value).__module__.startswith("torch.nn.") or name in value._buffers or name in value._parameters:
                return False
    return True


@functools.lru_cache(maxsize=1024)
def _owner(source: str) -> CodeType | None:
    """Returns compiled code for the object of which a source reads an attribute, or None."""
    owner = source.rpartition(".")[0]
    try:
        return compile(owner, "<guard>", "eval", dont_inherit=True) if owner else None
    except (SyntaxError, ValueError):
        return None


@functools.lru_cache(maxsize=1024)
def source_of(check: str) -> str:
    """Returns the first source in a check, as the user would write it: `a`, `self.factor`, `d['k']`."""
    return friendly_text(raw_source(check))


def read_first(source: str) -> str:
    """Returns the source on which reads below this one depend: for a key guarded by position, the dictionary."""
    key = _KEYS.match(source)
    return key[1] if key is not None else source


def roots_of(check: str) -> set[str]:
    """Returns the names of the local and global variables that a check reads."""
    return set(_ROOT.findall(check))


@functools.lru_cache(maxsize=1024)
def raw_source(check: str) -> str:
    """Returns the first source in a check, over `L` and `G`; "" if there is none."""
    try:
        tree = ast.parse(check, mode="eval")
    except (SyntaxError, ValueError):
        return ""
    called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript | ast.Attribute) and _is_source(node):
            is_method = isinstance(node, ast.Attribute) and any(node is func for func in called)
            return ast.unparse(node.value if is_method else node)
    return ""


def _is_source(node: ast.expr) -> bool:
    while (owner := _owner_read(node)) is not None:
        node = owner
    return isinstance(node, ast.Name) and node.id in ("L", "G")


def _owner_read(node: ast.expr) -> ast.expr | None:
    """Returns the object of which a node reads an attribute or an item; None for other kinds of expressions."""
    match node:
        case ast.Subscript() | ast.Attribute():
            return node.value
        case ast.Call(func=ast.Name(id=name), args=[owner, *_]) if name.endswith(
            "_getitem"
        ):  # torch's helpers for iterators
            return owner
        case ast.Call(func=ast.Name(id="list"), args=[ast.Call(args=[owner])]) if _KEYS.match(ast.unparse(node)):
            return owner
    return None


def explained(check: str, frame: Frame) -> Mismatch:
    """Returns expected and found values for a check that is a plain expression, from the values of its parts."""
    scope = {"L": frame.locals, "G": frame.globals}
    parts = _parts(check) if check else None
    if not check:
        return Mismatch("condition", "true", "false")
    if parts is None:
        return Mismatch("condition", friendly_text(check), "false")
    if parts.found:
        return Mismatch(parts.what, parts.expected, parts.found)
    try:
        if parts.compared is not None:
            found = short(eval(parts.compared, helpers(), scope))
        else:
            found = ", ".join(f"{text} = {short(eval(code, helpers(), scope))}" for text, code in parts.read) or "false"
    except Exception:  # the parts may be the user's own objects
        return Mismatch("condition", friendly_text(check), "false")
    return Mismatch(parts.what, parts.expected, found)


@dataclass(frozen=True)
class _Parts:
    """The report on a check that does not hold, with the parts to evaluate compiled."""

    what: str
    expected: str
    compared: CodeType | None  # the left side of a comparison with a constant
    read: tuple[tuple[str, CodeType], ...]  # sources that the check reads, as the user would write them, with code
    found: str = ""  # the found value, if the check implies it


@functools.lru_cache(maxsize=1024)
def _parts(check: str) -> _Parts | None:
    """Returns the report on a check that is a plain expression; None if it does not parse."""
    try:
        node = ast.parse(check, mode="eval").body
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and not _has_source(node.comparators[0]):
            operator = type(node.ops[0])
            prefix = {ast.Is: "", ast.Eq: ""}.get(operator, f"{_SIGNS.get(operator, '')} ")
            return _Parts(_property(node.left), prefix + ast.unparse(node.comparators[0]), _compiled(node.left), ())
        if (report := _presence(node) or _identity(node) or _nan(node)) is not None:
            return report
        parts = {ast.unparse(n): n for n in ast.walk(node) if isinstance(n, ast.expr) and _is_whole_source(n, node)}
        read = tuple((friendly_text(text), _compiled(part)) for text, part in parts.items())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return _Parts("condition", friendly_text(check), None, read)


def _presence(node: ast.expr) -> _Parts | None:
    """Returns the report on a check for a key, an item of a set or an attribute, present or absent; else None."""
    expected, found = "present", "absent"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node, expected, found = node.operand, found, expected
    match node:
        case ast.Call(func=ast.Name(id="___dict_contains"), args=[key, _]):
            return _Parts(f"key {friendly_text(ast.unparse(key))}", expected, None, (), found)
        case ast.Call(func=ast.Name(id="set_contains"), args=[_, item]):
            return _Parts(f"item {friendly_text(ast.unparse(item))}", expected, None, (), found)
        case ast.Call(func=ast.Name(id="hasattr"), args=[_, ast.Constant(value=str(name))]):
            return _Parts(f"attribute {name}", expected, None, (), found)
    return None


def _identity(node: ast.expr) -> _Parts | None:
    """Returns the report on a check that two values of the program are, or are not, the same object; else None."""
    match node:
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as operator], comparators=[right]) if _is_source(
            left
        ) and _is_source(right):
            name = friendly_text(ast.unparse(right))
            name = f"the module {name}" if name == friendly_text(ast.unparse(left)) else name  # Dynamo imported it too
            is_same = isinstance(operator, ast.Is)
            expected, found = (name, "another object") if is_same else (f"an object other than {name}", name)
            return _Parts(advice.IDENTITY, expected, None, (), found)
    return None


def _nan(node: ast.expr) -> _Parts | None:
    """Returns the report on a check that a number is, or is not, NaN; else None."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Call(func=function, args=[_])) if "isnan" in ast.unparse(function):
            return _Parts("value", "a number", None, (), "nan")
        case ast.BoolOp(op=ast.And(), values=[*_, ast.Call(func=ast.Name(id=name), args=[value])]) if "isnan" in name:
            return _Parts("value", "nan", _compiled(value), ())
    return None


def _compiled(node: ast.expr) -> CodeType:
    return compile(ast.Expression(node), "<guard>", "eval", dont_inherit=True)


_SIGNS = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.NotEq: "!=", ast.IsNot: "not", ast.In: "in",
    ast.NotIn: "not in",
}  # fmt: skip


def _property(node: ast.expr) -> str:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return {"len": "length", "type": "type"}.get(node.func.id, friendly_text(ast.unparse(node)))
    return "value" if _is_source(node) else friendly_text(ast.unparse(node))


def friendly_text(text: str) -> str:
    """Returns a source or check as the user would write it: `L['a']._modules['b']` becomes `a.b`."""
    named = _ROOT.sub(lambda match: vocabulary.module_imported(match[1]) or match[1], text)
    named = _DICTIONARY.sub(r".\1", named)
    return _KEYS.sub(r"list(\1)[", _NUMBERED.sub(r"[\1]", _MEMBER.sub(r".\1", named)))


def _has_source(node: ast.expr) -> bool:
    return any(isinstance(n, ast.Name) and n.id in ("L", "G") for n in ast.walk(node))


def _is_whole_source(node: ast.expr, root: ast.expr) -> bool:
    """Returns whether a node reads a value of the program and is not part of a longer read."""
    if not _reads(node):
        return False
    return not any(
        child is node and _reads(parent)
        for parent in ast.walk(root)
        if isinstance(parent, ast.expr)
        for child in ast.iter_child_nodes(parent)
    )


def _reads(node: ast.expr) -> bool:
    while (owner := _owner_read(node) or getattr(node, "func", None)) is not None:
        node = owner
    return isinstance(node, ast.Name) and node.id in ("L", "G")
