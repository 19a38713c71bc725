# SPDX-License-Identifier: MIT
"""What a forward graph keeps for its backward graph, by the line of the program that made it, in bytes.

Read out of the two graphs as torch prints them: what the backward takes that a node of the forward made. Inputs that
are kept (parameters, say) are there anyway and not counted; nor are gradients. A symbolic size makes no number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

_ABOVE = re.compile(r"^\s*# File: (.+?):(\d+) in ")
_NODE = re.compile(r'^\s+(\w+)(?:: "[^"]*")? = ')
_FORWARD = re.compile(r"def forward\((?P<arguments>.*?)\):\s*$", re.MULTILINE | re.DOTALL)
_ARGUMENT = re.compile(r'(?P<name>\w+): "(?P<type>[a-z]+)(?P<bits>\d*)\w*\[(?P<shape>[^\]]*)\]')


def kept_for_backward(forward: str, backward: str) -> Iterator[tuple[str, str, int, int]]:
    """`(node, path, line, bytes)` of each tensor that is kept, in the order in which the forward makes them."""
    found = _FORWARD.search(backward)
    sizes = {m["name"]: _bytes(m) for m in _ARGUMENT.finditer(found["arguments"])} if found is not None else {}
    place: tuple[str, int] | None = None
    for line in forward.split("\n"):
        if (above := _ABOVE.match(line)) is not None:
            place = (above[1], int(above[2]))
        elif not line.strip() or line.lstrip().startswith("return "):
            place = None
        elif place is not None and (node := _NODE.match(line)) is not None:
            size = sizes.get(node[1])
            if size is not None:
                yield (node[1], *place, size)


def _bytes(argument: re.Match[str]) -> int | None:
    sizes = [part.strip() for part in argument["shape"].split(",") if part.strip()]
    if not all(size.isdigit() for size in sizes):
        return None
    bits = 8 if argument["type"] == "b" else int(argument["bits"] or 8)
    return math.prod(map(int, sizes)) * bits // 8
