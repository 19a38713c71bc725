# SPDX-License-Identifier: MIT
"""Reads the guards of an entry from torch's printed guard tree and renders them as Python.

The printed tree is the source because the structured trace carries it always, cold or warm, here or from another
machine. Invariant: every leaf guard of the tree yields exactly one `Guard`, and every `Guard` renders to one expression
that compiles; what cannot be replayed renders to `not_replayed(...)`, never to a guess.
"""

from __future__ import annotations

import ast
import builtins
import json
import re
import types
from typing import Any

from depyf.torch.model import Guard

_LINE = re.compile(r"^((?:\| ?)*)\+- (.*)$", re.DOTALL)
_LEAF = re.compile(r"^([A-Z][A-Z0-9_]*)(?:: (.*))?$", re.DOTALL)
_SOURCE = re.compile(r"source=(.*?), (?:accessed_by=|type=)")
_WHERE = re.compile(r"# (\S+:\d+) in ")
_TYPE_ID = re.compile(r"^___check_type_id\((.*), (\d+)\), type=(.*)$", re.DOTALL)
_OBJ_ID = re.compile(r"^___check_obj_id\((.*), (\d+)\), type=(.*)$", re.DOTALL)
_TENSOR = re.compile(
    r"^check_tensor\((.*?), (\w+), (?:DispatchKeySet\((.*?)\)|([^,()]*)), (torch\.\w+), (device=.*)\)$", re.DOTALL
)
_SHOWN_CLASS = re.compile(r"<class '([\w.]+)'>(?![^()]*')")  # torch prints some guards with repr() of a class in them
_CLASS = re.compile(r"^<class '(.+)'>$")
_GLOBAL = re.compile(r"\bG\['(\w+)'\]")
_PATH = re.compile(r"^G\['(\w+)'\]((?:\.[A-Za-z_]\w*)*)$")


def parse_tree(payload: str) -> list[Guard]:
    """The leaf guards of a printed tree, in the order torch checks them."""
    guards: list[Guard] = []
    sources: list[str] = []
    for line in _joined_lines(payload):
        match = _LINE.match(line)
        if match is None:
            continue
        depth = match.group(1).count("|")
        rest = match.group(2)
        del sources[depth:]
        leaf = _LEAF.match(rest)
        if leaf is None:
            found = _SOURCE.search(rest)
            sources += [""] * (depth - len(sources))
            sources.append(found.group(1) if found else "")
            continue
        kind, text = leaf.group(1), leaf.group(2)
        if text is None:  # a relational guard's second mention
            continue
        code, comment = split_comment(text)
        where = _WHERE.findall(comment)
        guards.append(Guard(kind, code, comment, _user_place(where), sources[-1] if sources else ""))
    return guards


def _user_place(places: list[str]) -> str:
    """`file.py:line` of the user's code; guards that Dynamo sets up for itself have none."""
    place = places[-1] if places else ""
    return "" if place.startswith("_dynamo/") else place.rsplit("/", 1)[-1]


def _joined_lines(payload: str) -> list[str]:
    """The tree's lines; a line that starts no node continues the one before (a value with a line break in it)."""
    joined: list[str] = []
    for line in payload.splitlines():
        if _LINE.match(line) or not joined or line.startswith(("TREE_GUARD_MANAGER", "Guard latency")):
            joined.append(line)
        elif line.strip("| ").startswith("KeyValueManager"):
            joined.append(line)
        else:
            joined[-1] += "\n" + line
    return joined


def split_comment(text: str) -> tuple[str, str]:
    """Splits torch's `check  # user's code  # file:line in f` at the first `  # ` outside quotes."""
    quote = ""
    i = 0
    while i < len(text):
        char = text[i]
        if quote:
            if char == "\\":
                i += 1
            elif char == quote:
                quote = ""
        elif char in "'\"":
            quote = char
        elif text.startswith("  # ", i):
            return text[:i].rstrip(), text[i:].strip()
        i += 1
    return text.rstrip(), ""


def find_public_names(guards: list[Guard], scope: dict[str, Any]) -> tuple[dict[str, str], set[str]]:
    """Public spellings of the objects that identity guards ask for; (modules, other names) of the globals they read.

    `scope` (the frame's globals) is read, not kept.
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
        path = _PATH.match(match.group(1)) if match else None
        if match is None or path is None or path.group(1) not in modules:
            continue
        value: Any = scope[path.group(1)]
        for name in path.group(2).split(".")[1:]:
            value = vars(value).get(name) if isinstance(value, types.ModuleType) else None
        if value is not None and id(value) == int(match.group(2)):
            guard.public = modules[path.group(1)] + path.group(2)
    return modules, others


def render(guard: Guard) -> str:
    """One guard as a Python expression over L, G and the helpers of `guard_checks`; true when it holds."""
    try:
        expression = _SHOWN_CLASS.sub(lambda m: _class_expression(m.group(1)), _render(guard))
        ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError, KeyError, RecursionError, MemoryError):
        return f"not_replayed({guard.kind!r}, {guard.text!r})"
    return expression


def _render(guard: Guard) -> str:
    kind, text = guard.kind, guard.text
    if kind == "TENSOR_MATCH":
        return _tensor(text)
    if match := _TYPE_ID.match(text):
        return _type(match.group(1), match.group(2), match.group(3))
    if match := _OBJ_ID.match(text):
        if guard.public:
            return f"{match.group(1)} is {public_object(guard.public)}"
        return f"object_is({match.group(1)}, here({match.group(2)}), {_class_name(match.group(3))!r})"
    if kind == "GLOBAL_STATE":
        state = json.loads(text.split(" against ", 1)[1])
        return f"global_state_is({', '.join(f'{k}={v!r}' for k, v in state.items())})"
    if kind == "DEFAULT_DEVICE":
        return f"default_device_is({text.split('==', 1)[1].strip()!r})"
    if kind == "NO_TENSOR_ALIASING":
        return "not_aliased" + text.removeprefix("check_no_aliasing")
    if kind == "EQUALS_MATCH":
        return _equals(text)
    if "top_saved_tensors_hooks ids ==" in text:
        return f"saved_tensors_hooks_are(here({text.split('==', 1)[1].strip()}))"
    return text


def public_object(path: str) -> str:
    """`torch.abs` as an expression that needs no import statement beyond `torch`."""
    root = path.split(".", 1)[0]
    return path if root == "torch" and "._" not in path else f"named({path!r})"


def _class_expression(name: str) -> str:
    return name if isinstance(getattr(builtins, name, None), type) else f"named({name!r})"


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
    tree = ast.parse(text, mode="eval").body
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1 and isinstance(tree.ops[0], ast.Eq):
        return f"equals({ast.unparse(tree.left)}, {ast.unparse(tree.comparators[0])})"
    return text
