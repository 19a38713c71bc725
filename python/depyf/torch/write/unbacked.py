# SPDX-License-Identifier: MIT
"""Where a symbol comes from whose value is known at run time only, read from the graph that Dynamo captured.

Invariant: of what torch prints, only the first thing that has the symbol by itself, as a number or as one size, is it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_INPUT = re.compile(r'(\w+): "([^"]*)"')
_STATEMENT = re.compile(r'^ +\w+: "([^"]*)" = (.+?)(?:;  \w+ = .*)?$', re.MULTILINE)
_SIZES = re.compile(r"^\w+\[([^\]]*)\]")


def origin(graph: str, symbol: str, arguments: Iterable[str] = ()) -> str:
    """What has the symbol first, as `x.nonzero().size()[0]`; "" where that is not told.

    Args:
        graph: torch's text of it.
        symbol: As torch names it.
        arguments: Of the frame: inputs of the graph that are one of them are named so.

    """
    head = re.search(r"def forward\((.*)\):", graph)
    named = {f"L_{name}_": name for name in arguments}
    inputs = [(annotation, named.get(name, name)) for name, annotation in _INPUT.findall(head[1] if head else "")]
    for annotation, text in [*inputs, *_STATEMENT.findall(graph)]:
        if annotation == f"Sym({symbol})" and text != symbol:
            return _of_arguments(text, named)
        sizes = _SIZES.match(annotation)
        dimensions = sizes[1].split(", ") if sizes is not None else []
        if symbol in dimensions:
            return f"{_of_arguments(text, named)}.size()[{dimensions.index(symbol)}]"
    return ""


def _of_arguments(text: str, named: dict[str, str]) -> str:
    """An expression of the graph's with the frame's names for its inputs, which Dynamo writes in small letters."""
    small = {name.lower(): argument for name, argument in named.items()}
    return re.sub(r"\bl_\w+_\b", lambda match: small.get(match[0], match[0]), text)
