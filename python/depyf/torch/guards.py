# SPDX-License-Identifier: MIT
"""Reads the guards of an entry from torch's printed guard tree and renders them as Python.

The printed tree is the source because the structured trace carries it always, cold or warm, here or from another
machine. Invariant: every leaf guard of the tree, and every manager that checks something by itself, yields exactly one
`Guard` in torch's order, and every `Guard` renders to one expression that compiles; what is not on the
allow-lists of `guard_names` renders to `not_evaluated(...)`, never to a guess.
"""

from __future__ import annotations

import ast
import builtins
import collections
import enum
import functools
import importlib
import json
import os
import re
import sys
import types
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from depyf.torch import guard_names, seams
from depyf.torch.location import NOWHERE, Location
from depyf.torch.model import Entry, Guard, Problem

_LINE = re.compile(r"^((?:\| ?)*)\+- (.*)$", re.DOTALL)
_LEAF = re.compile(r"^([A-Z][A-Z0-9_]*)(?:: (.*))?$", re.DOTALL)
_MANAGER = re.compile(
    r"(\w*GuardManager): source=(.*?)(?:(?:, accessed_by=.*)?, type=(.*?)(?:, tag_safe=.*)?|, accessed_by=.*|)$",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r", accessed_by=GetAttrGuardAccessor\((\w+)\)(?:, type=|$)")
_CHECK = re.compile(r"""(?:[^'" ]+|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|(?!  # | +\(HINT: )[ ])*""", re.DOTALL)
_REMARK = re.compile(r"  # | +\(HINT: ")
_PAIR = re.compile(r"^KeyValueManager pair at index=(\d+)$")
_WHERE = re.compile(r"# (\S+):(\d+) in ([\w<>]*)")
_HINT = re.compile(r"\s*\(HINT: (.*)\)$", re.DOTALL)
_TO_AVOID = re.compile(r"\(to avoid this specialization, (.*)\)")
# The type is told by recent releases only.
_TYPE_ID = re.compile(r"^___check_(?:type_id|fake_script_type)\((.*?), (\d+)\)(?:, type=(.*))?$", re.DOTALL)
_OBJ_ID = re.compile(r"^___check_obj_id\((.*?), (\d+)\)(?:, type=(.*))?$", re.DOTALL)
_TENSOR = re.compile(
    r"^check_tensor\((.*?), ([\w.<>]+), (?:DispatchKeySet\((.*?)\)|([^,()]*)), (torch\.\w+), (device=.*)\)$", re.DOTALL
)
# torch prints some guards with repr() of a class in them; such a text may also be in a string, and stays there.
_SHOWN_CLASS = re.compile(r"""(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|<class '(?P<cls>[\w.]+)'>""", re.DOTALL)
_CLASS = re.compile(r"^<(?:class|enum) '(.+)'>$")
_GLOBAL = re.compile(r"\bG\['(\w+)'\]")

# Managers that assert something which no leaf below them repeats.
ACCESS = "ACCESS"  # torch reads an attribute, item or method here; no guard looks at the value
DICT_MANAGER = "DICT_MANAGER"  # exact class and length of a dictionary whose items are guarded in order


@dataclass
class _Node:
    """One line of the tree."""

    depth: int
    kind: str  # a leaf's class name, "manager" or "pair"
    text: str  # the check, the manager's source, the pair's index
    comment: str = ""
    manager: str = ""  # the manager's class
    shown_type: str = ""
    attribute: str = ""  # the attribute of the parent's value that the manager's value is
    of_a_class: bool = False  # an attribute of a class: nothing is said of the items of such a dictionary


def parse_tree(payload: str) -> list[Guard]:
    """The guards of a printed tree, in the order torch checks them."""
    nodes = [node for line in _joined_lines(payload) if (node := _node(line)) is not None]
    guards: list[Guard] = []
    sources: list[str] = []
    for position, node in enumerate(nodes):
        del sources[node.depth :]
        sources += [""] * (node.depth - len(sources))
        if node.kind in ("manager", "pair"):
            _complete(node, next((s for s in reversed(sources) if s), ""))
            sources.append(node.text if node.kind == "manager" else "")
            if node.kind == "manager":
                guards += _of_manager(node, nodes, position)
        elif not node.text:  # a relational guard's further mention: it decides once it has seen its last member
            guards += [guards.pop(i) for i, g in enumerate(guards) if g.kind == node.kind == "NO_TENSOR_ALIASING"]
        else:
            hint = _HINT.search(node.comment)
            comment = node.comment[: hint.start()] if hint else node.comment
            place = _user_place(_WHERE.findall(comment))
            guards.append(
                Guard(
                    node.kind,
                    node.text,
                    comment,
                    str(place) if place else "",
                    next((s for s in reversed(sources) if s), ""),
                    hint=_advice_in(node.comment),
                    location=place,
                )
            )
    return guards


def _node(line: str) -> _Node | None:
    match = _LINE.match(line)
    if match is None:
        return None
    depth, rest = match.group(1).count("|"), match.group(2)
    leaf = _LEAF.match(rest)
    if leaf is not None:
        code, comment = split_comment(leaf.group(2) or "")
        return _Node(depth, leaf.group(1), code, comment)
    if pair := _PAIR.match(rest):
        return _Node(depth, "pair", pair.group(1))
    found = _MANAGER.search(rest)
    if found is None:  # the root
        return _Node(depth, "manager", "")
    attribute = _ATTRIBUTE.search(rest)
    return _Node(
        depth,
        "manager",
        found.group(2),
        manager=found.group(1),
        shown_type=found.group(3) or "",
        attribute=attribute.group(1) if attribute is not None else "",
    )


def _complete(node: _Node, above: str) -> None:
    """torch calls what it reads of a class (`getattr` of `__dataclass_fields__`) by the class's own source, mostly."""
    if node.attribute and node.text == above:
        node.text += f".{node.attribute}"
        node.of_a_class = True
    elif node.attribute and above.startswith("type(") and node.text == f"{above}.{node.attribute}":
        node.of_a_class = True


def _of_manager(node: _Node, nodes: list[_Node], position: int) -> list[Guard]:
    """What a manager, the node at a position, checks by itself."""
    end = position + 1
    while end < len(nodes) and nodes[end].depth > node.depth:
        end += 1
    below = nodes[position + 1 : end]
    if node.manager == "DictGuardManager":
        pairs = [int(n.text) for n in below if n.kind == "pair" and n.depth == node.depth + 1]
        text = f"DictGuardManager({node.text}, type={node.shown_type})"
        # of what another manager guards too, nothing but that may be said here
        aliased = any(n.kind == "OBJECT_ALIASING" and n.depth == node.depth + 1 for n in below)
        told = pairs == list(range(len(pairs))) and (pairs or not (aliased or node.of_a_class))
        size = str(len(pairs)) if told else ""
        return [Guard(DICT_MANAGER, text, source=node.text, public=size)]
    if node.text and node.text != "G" and not any(n.kind not in ("manager", "pair") for n in below):
        if not any(n.manager for n in below):  # a manager further down reads through this one
            return [Guard(ACCESS, f"{node.text} can be read", source=node.text)]
    return []


def _user_place(places: list[tuple[str, str, str]]) -> Location:
    """The user's line; what PyTorch's own code asked for has none: torch prints it without `torch/`."""
    path, line, function = places[-1] if places else ("", "0", "")
    own = path.startswith("_dynamo/") or os.path.isfile(os.path.join(torch.__path__[0], path))
    return Location(path, int(line), function) if path and not own else NOWHERE


def _advice_in(comment: str) -> str:
    """What torch itself advises in the comment on a check."""
    hint, duck_sizing = _HINT.search(comment), _TO_AVOID.search(comment)
    return hint.group(1) if hint else duck_sizing.group(1) if duck_sizing else ""


def _joined_lines(payload: str) -> list[str]:
    """The tree's lines; a line that starts no node continues the one before (a value with a line break in it)."""
    joined: list[str] = []
    for line in payload.splitlines():
        if _LINE.match(line) or not joined or line.startswith(("TREE_GUARD_MANAGER", "Guard latency")):
            joined.append(line)
        else:
            joined[-1] += "\n" + line
    return joined


def split_comment(text: str) -> tuple[str, str]:
    """Splits torch's `check  # user's code  # file:line in f (HINT: ...)` where the check ends, outside quotes."""
    match = _CHECK.match(text)
    end = match.end() if match is not None else 0
    if not _REMARK.match(text, end):  # there is none, or a quote stays open
        return text.rstrip(), ""
    return text[:end].rstrip(), text[end:].strip()


# ---- what only the running program knows


def find_public_names(
    guards: list[Guard], scope: dict[str, Any], local: dict[str, Any] | None = None
) -> tuple[dict[str, str], set[str]]:
    """Spellings of the objects that guards ask for by identity; (modules, other names) of the globals they read.

    `scope` (the frame's globals) and `local` are read, not kept. Reading a guard's source is what Dynamo just did.
    """
    modules: dict[str, str] = {}
    others: set[str] = set()
    for guard in guards:
        for name in _GLOBAL.findall(guard.text):
            if isinstance(scope.get(name), types.ModuleType):
                modules[name] = scope[name].__name__
            else:
                others.add(name)
        match = _OBJ_ID.match(guard.text)
        if match is not None:
            value = _read(match.group(1), scope, local or {})
            if id(value) == int(match.group(2)):
                guard.public = public_name(value)
        elif (typed := _TYPE_ID.match(guard.text)) is not None and typed.group(3) is None:
            cls = type(_read(typed.group(1), scope, local or {}))
            if id(cls) == int(typed.group(2)):
                guard.public = (
                    cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"
                )
        elif guard.kind == DICT_MANAGER:
            value = _read(guard.source, scope, local or {})
            if isinstance(value, dict):
                guard.public = _length_then(guard.public, dict.__len__(value), local is not None)
                if local is not None:
                    _name_class(guard, type(value))
    return modules, others


def _length_then(guarded: str, now: int, compiling: bool) -> str:
    """A dictionary's length when its guard was made: known then; later, if it is what all guarded items add up to."""
    return str(now) if compiling or guarded == str(now) else ""


def name_dictionary_classes(
    guards: list[Guard], scope: dict[str, Any], is_for: Callable[[str, dict[str, Any]], bool | None]
) -> None:
    """Notes the exact class that a guarded dictionary must have, where torch's text does not tell (until 2.6).

    `is_for(source, locals)` asks torch about one in these locals, or in the program's globals (`scope`).
    """
    for guard in guards:
        named = _NAME.match(guard.source)
        if named is None or guard.kind != DICT_MANAGER or not guard.text.endswith(_NO_TYPE):
            continue
        root, name = named.groups()
        candidates: tuple[Any, ...] = ({}, collections.defaultdict()) if root == "L" else (scope.get(name),)
        for value in candidates:
            if is_for(guard.source, {name: value} if root == "L" else {}):
                _name_class(guard, type(value))
                break


_NO_TYPE = ", type=)"
_NAME = re.compile(r"^([LG])\['(\w+)'\]$")


def _name_class(guard: Guard, cls: type) -> None:
    if guard.text.endswith(_NO_TYPE):
        guard.text = f"{guard.text[:-1]}{cls!r})"


def name_function_modes(guards: list[Guard], names: Sequence[str] | None) -> None:
    """Notes which torch function modes were active, if known; torch's text of that guard does not tell."""
    for guard in guards if names is not None else ():
        if guard.kind == "TORCH_FUNCTION_MODE_STACK":
            guard.public = ", ".join(map(repr, names or ())) or NO_MODES


NO_MODES = "none"


def note_global_state(guards: list[Guard], state: dict[str, Any]) -> None:
    """Notes the state that the guard of global state compares with, where torch's text of it does not tell."""
    for guard in guards:
        if guard.kind == "GLOBAL_STATE" and _AGAINST not in guard.text:
            guard.public = json.dumps(state)


def compares_untold_state(guard: Guard) -> bool:
    """Whether a guard compares state that neither torch's text tells nor was noted."""
    untold = guard.kind == "TORCH_FUNCTION_MODE_STACK" or (guard.kind == "GLOBAL_STATE" and _AGAINST not in guard.text)
    return untold and not guard.public


_AGAINST = " against "


def _read(source: str, scope: dict[str, Any], local: dict[str, Any]) -> Any:
    """The value of a source of names, loaded modules, attributes and constant items, or None: no more is evaluated."""
    try:
        return _value(ast.parse(source, mode="eval").body, {"G": scope, "L": local})
    except Exception:  # user objects' own __getattr__ may raise anything
        return None


def _value(node: ast.expr, roots: dict[str, Any]) -> Any:
    if isinstance(node, ast.Name):
        return roots[node.id]
    if isinstance(node, ast.Attribute):
        return getattr(_value(node.value, roots), node.attr)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return _value(node.value, roots)[node.slice.value]
    match node:
        case ast.Call(func=ast.Name(id="__import__"), args=[ast.Constant(value=str(module))], keywords=[]):
            return sys.modules[module]
    raise LookupError(ast.dump(node))


_NAMED_TYPES = (type, types.FunctionType, types.BuiltinFunctionType)


def public_name(value: Any) -> str:
    """A dotted path that gives this very object anywhere its module imports ("torch.abs"), or nothing.

    Looks only at modules already loaded, and past any `__getattr__`: nothing is imported and no code of others runs.
    """
    if isinstance(value, types.ModuleType):
        paths = [value.__name__]
    elif isinstance(value, enum.Enum):
        paths = [f"{type(value).__module__}.{type(value).__qualname__}.{value.name}"]
    elif isinstance(value, _NAMED_TYPES):
        module = getattr(value, "__module__", None) or "builtins"
        paths = [f"torch.{value.__name__}", f"{module}.{value.__qualname__}"]
    else:
        return ""
    return next((path for path in paths if "<" not in path and _loaded(path) is value), "")


def _loaded(path: str) -> Any:
    parts = path.split(".")
    for cut in range(len(parts), 0, -1):
        value: Any = sys.modules.get(".".join(parts[:cut]))
        if value is None:
            continue
        for part in parts[cut:]:
            value = vars(value).get(part) if isinstance(value, types.ModuleType | type) else None
        return value
    return None


def resolve(path: str) -> Any:
    """The object at a dotted path, its module imported."""
    parts = path.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            value: Any = importlib.import_module(".".join(parts[:cut]))
        except (ImportError, ValueError):
            continue
        return functools.reduce(getattr, parts[cut:], value)
    raise LookupError(path)


# ---- Python


def shown(guard: Guard) -> str:
    """torch's own text of the check, in one line."""
    text = " ".join(guard.text.split())
    return text.split(_AGAINST, 1)[0] if guard.kind == "GLOBAL_STATE" else text


_KINDS = guard_names.KINDS | {ACCESS, DICT_MANAGER}
_NOT_EVALUATED = "not_evaluated({0!r}, {1!r})"


def is_evaluated(guard: Guard) -> bool:
    """Whether depyf compares what the guard compares; else it is assumed to hold, and counted."""
    return not render(guard).startswith("not_evaluated(")


def not_evaluated(entries: Iterable[Entry]) -> list[Problem]:
    """What to say of entries with guards that depyf does not evaluate."""
    found = []
    for entry in entries:
        unknown = [g for g in entry.guards if not is_evaluated(g)]
        if unknown:
            shown = "; ".join(dict.fromkeys(f"{g.kind}: {' '.join(g.text.split())[:80]}" for g in unknown[:3]))
            text = f"{len(unknown)} of {len(entry.guards)} are not evaluated, and assumed true: {shown}"
            found.append(Problem(f"guards of {entry.name} [{entry.compile_id}]", text))
    return found


def render(guard: Guard) -> str:
    """One guard as a Python expression over L, G and the helpers of `guard_checks`; true when it holds."""
    return _rendered(guard.kind, guard.text, guard.source, guard.public)


@functools.lru_cache(maxsize=4096)
def _rendered(kind: str, text: str, source: str, public: str) -> str:
    if kind not in _KINDS:
        return _NOT_EVALUATED.format(kind, text)
    try:
        expression = _with_classes(_expression(kind, text, source, public))
        tree = ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError, KeyError, IndexError, RecursionError, MemoryError):
        return _NOT_EVALUATED.format(kind, text)
    if guard_names.unknown_in(tree) or any(seams.guard_helper(n) is None for n in guard_names.helpers_in(tree)):
        return _NOT_EVALUATED.format(kind, text)
    return " ".join(expression.split("\n")) if "'''" not in expression else expression


def _expression(kind: str, text: str, source: str, public: str) -> str:
    if kind == "TENSOR_MATCH":
        return _tensor(text)
    if match := _TYPE_ID.match(text):
        return _type(match.group(1), match.group(2), match.group(3) or public)
    if match := _OBJ_ID.match(text):
        return f"object_is({match.group(1)}, here({match.group(2)}), {public or _class_name(match.group(3) or '')!r})"
    if kind == ACCESS:
        return f"readable({source})"
    if kind == DICT_MANAGER:
        cls = _class_name(text.split(", type=", 1)[1].removesuffix(")"))
        return f"dict_is({source}, {cls!r}, {public or None})"
    if kind == "GLOBAL_STATE":
        state = json.loads(text.split(_AGAINST, 1)[1] if _AGAINST in text else public)
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
    if kind == "SET_CONTAINS":  # the C function that does it takes frozen sets too
        return text.replace("set.__contains__(", "set_contains(", 1)
    if kind == "EQUALS_MATCH":
        return _equals(text)
    if kind == "DISPATCH_KEY_SET_MATCH":
        left, _, right = text.partition(".raw_repr() == ")
        return f"shown_as({left}, {right.removesuffix('.raw_repr()')!r})"
    if kind == "DICT_VERSION":
        left, right = _sides(text)
        return f"version_is({left}, here({right}))"
    if "top_saved_tensors_hooks ids ==" in text:
        ids = text.split("==", 1)[1].strip()  # None: there were none, which means the same in every process
        return f"saved_tensors_hooks_are({'()' if ids == 'None' else f'here({ids})'})"
    if text.startswith(seams.FUNCTORCH_CHECK):
        return "functorch_layers_are(" + text.split("(", 1)[1]
    if text.startswith(seams.FORWARD_AD_CHECK):
        return f"forward_ad_level_is({text.split('==', 1)[1].strip()})"
    return text


def _sides(text: str) -> tuple[str, str]:
    tree = ast.parse(text, mode="eval").body
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1:
        raise ValueError(text)
    return ast.unparse(tree.left), ast.unparse(tree.comparators[0])


# These compare by identity whatever torch prints: `L['flag'] == True` does not hold for 1.
_BY_COMPARISON = {
    "TRUE_MATCH": "{} is {}".format,
    "FALSE_MATCH": "{} is {}".format,
    "NONE_MATCH": "{} is {}".format,
    "NOT_NONE": "{} is not {}".format,
}


def _length(text: str) -> str:
    """`value, length` of `len(value) == 2` or `not value`."""
    tree = ast.parse(text, mode="eval").body
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        return f"{ast.unparse(tree.operand)}, 0"
    if isinstance(tree, ast.Compare) and isinstance(tree.left, ast.Call) and len(tree.comparators) == 1:
        return f"{ast.unparse(tree.left.args[0])}, {ast.unparse(tree.comparators[0])}"
    raise ValueError(text)


def public_object(path: str) -> str:
    """`torch.abs` as an expression that needs no import statement beyond `torch`."""
    root = path.split(".", 1)[0]
    return path if root == "torch" and "._" not in path else f"named({path!r})"


def _with_classes(text: str) -> str:
    """The text with what repr() shows of classes spelt as Python."""
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
    kept = ", ".join(f"{k.arg}={ast.unparse(k.value)}" for k in fields.keywords)
    return f"tensor_matches({value}, {pytype!r}, {dtype}, {kept}, dispatch_keys={keys!r})"


def _type(value: str, identity: str, shown: str) -> str:
    name = _class_name(shown)
    if isinstance(getattr(builtins, name, None), type):
        return f"type({value}) is {name}"
    return f"type_is({value}, {name!r}, here({identity}))"


def _class_name(shown: str) -> str:
    match = _CLASS.match(shown.strip())
    return match.group(1) if match else shown.strip()


def _equals(text: str) -> str:
    try:
        left, right = _sides(_with_classes(text))
        if _names_in(right) <= _SPELLED:
            return f"equals({left}, {right})"
    except SyntaxError:
        pass
    left, _, shown = text.partition(" == ")  # the value's repr is no Python, and all that is known of it
    return f"shown_as({left}, {shown!r})"


_SPELLED = {*vars(builtins), "torch", "device", "inf", "nan", "named"}


def _names_in(expression: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(expression, mode="eval")) if isinstance(node, ast.Name)}
