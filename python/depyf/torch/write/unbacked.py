# SPDX-License-Identifier: MIT
"""Finds the origin of an unbacked symbol in the text of the graph that Dynamo captured.

Invariant: the origin is the first input or operation whose number, or one of whose sizes, is the symbol alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_INPUT = re.compile(r'(\w+): "([^"]*)"')
_STATEMENT = re.compile(r'^ +\w+: "([^"]*)" = (.+?)(?:;  \w+ = .*)?$', re.MULTILINE)
_SIZES = re.compile(r"^\w+\[([^\]]*)\]")


def origin(graph: str, symbol: str, arguments: Iterable[str] = ()) -> str:
    """Returns the origin of a symbol as an expression, for example `x.nonzero().size()[0]`; "" if it is not found.

    Args:
        graph: The text of the graph.
        symbol: The name of the symbol.
        arguments: The arguments of the frame. A graph input that is one of them gets its name.

    """
    signature = re.search(r"def forward\((.*)\):", graph)
    argument_of = {f"L_{name}_": name for name in arguments}
    inputs = [
        (annotation, argument_of.get(name, name))
        for name, annotation in _INPUT.findall(signature[1] if signature else "")
    ]
    for annotation, text in [*inputs, *_STATEMENT.findall(graph)]:
        if annotation == f"Sym({symbol})" and text != symbol:
            return _of_arguments(text, argument_of)
        sizes = _SIZES.match(annotation)
        dimensions = sizes[1].split(", ") if sizes is not None else []
        if symbol in dimensions:
            return f"{_of_arguments(text, argument_of)}.size()[{dimensions.index(symbol)}]"
    return ""


def _of_arguments(text: str, argument_of: dict[str, str]) -> str:
    """Replaces the graph's names of inputs, which Dynamo writes in lower case, by the frame's names."""
    arguments = {name.lower(): argument for name, argument in argument_of.items()}
    return re.sub(r"\bl_\w+_\b", lambda match: arguments.get(match[0], match[0]), text)
