# SPDX-License-Identifier: MIT
"""Parses the guards of an entry from the guard tree that torch prints.

The printed tree is used because the structured trace always contains it: with cold and warm caches, from this process
and from other machines. Invariant: every leaf guard of the tree, and every manager that checks something by itself,
becomes exactly one `Guard`, in torch's order.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

import torch

from depyf.torch.internals.texts import PRINTED_FRAME
from depyf.torch.model.guard import Guard
from depyf.torch.model.location import NOWHERE, Location

_LINE = re.compile(r"^((?:\| ?)*)\+- (.*)$", re.DOTALL)
_LEAF = re.compile(r"^([A-Z][A-Z0-9_]*)(?:: (.*))?$", re.DOTALL)
_MANAGER = re.compile(
    r"(\w*GuardManager): source=(.*?)(?:(?:, accessed_by=.*)?, type=(.*?)(?:, tag_safe=.*)?|, accessed_by=.*|)$",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r", accessed_by=GetAttrGuardAccessor\((\w+)\)(?:, type=|$)")
_CHECK = re.compile(r"""(?:[^'" ]+|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|(?!  # | +\(HINT: )[ ])*""", re.DOTALL)
_COMMENT = re.compile(r"  # | +\(HINT: ")
_PAIR = re.compile(r"^KeyValueManager pair at index=(\d+)$")
_HINT = re.compile(r"\s*\(HINT: (.*)\)$", re.DOTALL)
_TO_AVOID = re.compile(r"\(to avoid this specialization, (.*)\)")
# Only recent releases print the type.
TYPE_ID = re.compile(r"^___check_(?:type_id|fake_script_type)\((.*?), (\d+)\)(?:, type=(.*))?$", re.DOTALL)
OBJECT_ID = re.compile(r"^___check_obj_id\((.*?), (\d+)\)(?:, type=(.*))?$", re.DOTALL)

# Checks of managers, which no leaf below them repeats.
ACCESS = "ACCESS"  # torch reads an attribute, item or method here; no guard looks at the value
DICT_MANAGER = "DICT_MANAGER"  # exact class and length of a dictionary whose items are guarded in order


@dataclass
class _Node:
    """One line of the printed tree."""

    depth: int
    kind: str  # a leaf's class name, "manager" or "pair"
    text: str  # the check, the manager's source, the pair's index
    comment: str = ""
    manager: str = ""  # the manager's class
    shown_type: str = ""
    attribute: str = ""  # the manager's value is this attribute of its parent's value
    of_a_class: bool = False  # an attribute of a class: the items of such a dictionary are unknown


def parse_tree(payload: str) -> list[Guard]:
    """Returns the guards of a printed tree, in the order in which torch checks them."""
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
        elif not node.text:  # a relational guard again: it is decided at its last member
            guards += [guards.pop(i) for i, g in enumerate(guards) if g.kind == node.kind == "NO_TENSOR_ALIASING"]
        else:
            hint = _HINT.search(node.comment)
            comment = node.comment[: hint.start()] if hint else node.comment
            place = _user_place(PRINTED_FRAME.findall(comment))
            guards.append(
                Guard(
                    node.kind,
                    node.text,
                    comment,
                    next((s for s in reversed(sources) if s), ""),
                    hint=_advice_in(node.comment),
                    location=place,
                )
            )
    return guards


def _node(line: str) -> _Node | None:
    """Returns the node for a line of the printed tree; None for other lines."""
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
    manager = _MANAGER.search(rest)
    if manager is None:  # the root
        return _Node(depth, "manager", "")
    attribute = _ATTRIBUTE.search(rest)
    return _Node(
        depth,
        "manager",
        manager.group(2),
        manager=manager.group(1),
        shown_type=manager.group(3) or "",
        attribute=attribute.group(1) if attribute is not None else "",
    )


def _complete(node: _Node, above: str) -> None:
    """Completes the source of an attribute of a class, which torch mostly prints as the source of the class itself."""
    if node.attribute and node.text == above:
        node.text += f".{node.attribute}"
        node.of_a_class = True
    elif node.attribute and above.startswith("type(") and node.text == f"{above}.{node.attribute}":
        node.of_a_class = True


def _of_manager(node: _Node, nodes: list[_Node], position: int) -> list[Guard]:
    """Returns the guards that a manager (the node at a position) checks by itself."""
    end = position + 1
    while end < len(nodes) and nodes[end].depth > node.depth:
        end += 1
    descendants = nodes[position + 1 : end]
    if node.manager == "DictGuardManager":
        pairs = [int(n.text) for n in descendants if n.kind == "pair" and n.depth == node.depth + 1]
        text = f"DictGuardManager({node.text}, type={node.shown_type})"
        # For an object with two managers, one may print only that it is aliased.
        aliased = any(n.kind == "OBJECT_ALIASING" and n.depth == node.depth + 1 for n in descendants)
        is_complete = pairs == list(range(len(pairs))) and (pairs or not (aliased or node.of_a_class))
        size = str(len(pairs)) if is_complete else ""
        return [Guard(DICT_MANAGER, text, source=node.text, public=size)]
    if node.text and node.text != "G" and not any(n.kind not in ("manager", "pair") for n in descendants):
        if not any(n.manager for n in descendants):  # a manager below reads through this one
            return [Guard(ACCESS, f"{node.text} can be read", source=node.text)]
    return []


def _user_place(places: list[tuple[str, str, str]]) -> Location:
    """Returns the user's line, or NOWHERE for guards that PyTorch's own code introduced (printed without `torch/`)."""
    path, line, function = places[-1] if places else ("", "0", "")
    is_pytorchs = path.startswith("_dynamo/") or os.path.isfile(os.path.join(torch.__path__[0], path))
    return Location(path, int(line), function) if path and not is_pytorchs else NOWHERE


def _advice_in(comment: str) -> str:
    """Returns the advice that torch itself gives in the comment on a check; "" if there is none."""
    hint, duck_sizing = _HINT.search(comment), _TO_AVOID.search(comment)
    return hint.group(1) if hint else duck_sizing.group(1) if duck_sizing else ""


def _joined_lines(payload: str) -> list[str]:
    """Returns the lines of the tree, joined where a value with a line break continues on the next line."""
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
    if not _COMMENT.match(text, end):  # no comment, or an unclosed quote
        return text.rstrip(), ""
    return text[:end].rstrip(), text[end:].strip()


AGAINST = " against "
