# SPDX-License-Identifier: MIT
"""Dumped texts made easier to read, and the same on every machine.

Invariant: a graph's text stays valid Python and computes the same; only names, blank aliases and layout change.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re

from tools.zoo.sources import without_places

_UNIQUE = re.compile(r"(__compiled_fn_\d+)_[0-9a-f]{8}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{12}\b")
_ALIAS = re.compile(r"^ +(l_\w+) = (L_\w+)(?:;.*)?$", re.MULTILINE)
_INPUT = re.compile(r"\b[Ll]_\w+_(?=\W)")
_PARTS = re.compile(r"_(?:modules|parameters|buffers)_")
_PARAMETER = re.compile(r'\w+(?:: "[^"]*")?')
_SIGNATURE = re.compile(r"^( +)def forward\(self, (.+)\):$", re.MULTILINE)


def text_of(text: str) -> str:
    """Any dumped text without paths of the machine and without names that are new in every run."""
    return _UNIQUE.sub(r"\1", without_places(text))


def graph_of(text: str) -> str:
    """A graph's text: inputs called as in the module, no aliases of them, one parameter a line."""
    text = text_of(text)
    try:
        names = _short_names(text)
    except SyntaxError:  # a graph that was dumped as comments
        return text
    if names:
        text = re.sub(r"\b[Ll]_\w+", lambda m: names.get(m[0], m[0]), text)
        text = re.sub(r"^ +(\w+) = \1(?:;.*)?\n", "", text, flags=re.MULTILINE)
    return _SIGNATURE.sub(_unfolded, text)


def _short_names(text: str) -> dict[str, str]:
    """`L_self_modules_head_parameters_weight_` and its alias -> `head_weight`, where that name is free."""
    aliases = dict(_ALIAS.findall(text))
    taken = _names_in(text)
    names: dict[str, str] = {}
    for long in dict.fromkeys([*aliases.values(), *(n for n in _INPUT.findall(text) if n.startswith("L_"))]):
        short = _PARTS.sub("_", "_" + long[2:].rstrip("_") + "_").strip("_")
        short = re.sub(r"^(?:self|kwargs|fn)_(?=[A-Za-z])", "", short)
        if short.isidentifier() and not keyword.iskeyword(short) and short not in taken:
            names[long] = short
            taken.add(short)
    return names | {alias: names[long] for alias, long in aliases.items() if long in names}


def _names_in(text: str) -> set[str]:
    """Names that the code uses, not its comments."""
    found = {*vars(builtins)}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
    return found


def _unfolded(match: re.Match[str]) -> str:
    indent, parameters = match[1], [m[0] for m in _PARAMETER.finditer(match[2])]
    if len(parameters) < 3 and len(match[0]) < 110:
        return match[0]
    lines = "".join(f"{indent}    {parameter},\n" for parameter in parameters)
    return f"{indent}def forward(\n{indent}    self,\n{lines}{indent}):"
