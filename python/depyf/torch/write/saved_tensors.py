# SPDX-License-Identifier: MIT
"""Tensors that a forward graph saves for its backward graph, with their sizes in bytes and lines in the program.

Read from the two graphs as torch prints them: inputs of the backward graph that are nodes of the forward graph. Saved
inputs, such as parameters, exist anyway and are not counted; nor are gradients. Tensors of symbolic size are omitted.
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
    """Yields `(node, path, line, bytes)` for each saved tensor, in the order of the forward graph."""
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
