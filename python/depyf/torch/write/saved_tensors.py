# SPDX-License-Identifier: MIT
"""What a forward graph keeps for its backward graph, by the line of the program that made it, in bytes.

Read out of the two graphs as torch prints them: what the backward takes that a node of the forward made. Inputs that
are kept (parameters, say) are there anyway and not counted; nor are gradients. A symbolic size makes no number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from depyf.torch.model.printed_graphs import lines_with_places

_NODE = re.compile(r'^\s+(?P<name>\w+): "(?P<type>[a-z]+)(?P<bits>\d*)\w*\[(?P<shape>[^\]]*)\][^"]*" = ')
# An input of a graph: an argument, or an item of the list that a boxed graph takes.
_INPUT = re.compile(r'^\s+(\w+)(?:: "[^"]*",.*| = next\(args_iter\))$', re.MULTILINE)


def kept_for_backward(forward: str, backward: str) -> Iterator[tuple[str, str, int, int]]:
    """`(node, path, line, bytes)` of each tensor that is kept, in the order in which the forward makes them."""
    inputs = set(_INPUT.findall(backward))
    for _, line, place in lines_with_places(forward):
        if (node := _NODE.match(line)) is not None and node["name"] in inputs:
            size = _bytes(node)
            if size is not None:
                yield node["name"], place.path, place.line, size


def _bytes(node: re.Match[str]) -> int | None:
    sizes = [part.strip() for part in node["shape"].split(",") if part.strip()]
    if not all(size.isdigit() for size in sizes):
        return None
    bits = 8 if node["type"] == "b" else int(node["bits"] or 8)
    return math.prod(map(int, sizes)) * bits // 8
