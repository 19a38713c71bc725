# SPDX-License-Identifier: MIT
"""Determines which piece of a split graph a file belongs to.

Some backends (DDPOptimizer, vLLM's) split the graph that Dynamo captured into pieces. The pieces are numbered in the
order in which AOTAutograd compiled them, which is the order in which the forward pass runs them. Invariant: a file gets
a number only if the order of the files or Inductor's number of the graph proves it. Files that equal pieces share, and
files from a cache, whose numbers belong to another run, get none.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from pathlib import Path

from depyf.torch.model.record import Graph

# Kinds of files that are written in the order of the pieces.
_IN_ORDER = ("DDP_split_child", "BEFORE_PRE_GRAD", "Joint_graph", "Forward_graph", "Backward_graph")
_INDUCTORS = ("AFTER_POST_GRAD", "kernel")
_AOT_ID = re.compile(r"^# AOT ID: \['(\d+)_", re.MULTILINE)


def pieces_of(graphs: Iterable[Graph]) -> dict[Path, str]:
    """Maps files of graphs to texts like "piece 2 of 3". Files of graphs that were not split are not included."""
    by_compilation: dict[str, list[Graph]] = {}
    for graph in graphs:
        if not graph.is_abandoned:
            by_compilation.setdefault(graph.compile_id, []).append(graph)
    return {path: piece for group in by_compilation.values() for path, piece in _of_compilation(group).items()}


def _of_compilation(graphs: list[Graph]) -> dict[Path, str]:
    """Maps the files of one compilation to the pieces that they belong to, if the captured graph was split."""
    count = sum(graph.kind == "Forward_graph" for graph in graphs)
    if count < 2:
        return {}
    forwards = {kind: [g.path for g in graphs if g.kind == kind and not g.is_backward] for kind in _INDUCTORS}
    in_order = {kind: [g.path for g in graphs if g.kind == kind] for kind in _IN_ORDER} | forwards
    numbers_of_paths = {
        path: number for paths in in_order.values() if len(paths) == count for number, path in enumerate(paths)
    }
    backwards = [g for g in graphs if g.kind in _INDUCTORS and g.is_backward]
    ids = {g.path: int(match[1]) for g in backwards if g.kind == "kernel" and (match := _AOT_ID.search(g.text))}
    if len(numbers := sorted({*ids.values()})) == count and not any(g.is_cached for g in backwards):
        numbers_of_paths.update((path, numbers.index(number)) for path, number in ids.items())
        for graph, following in itertools.pairwise(backwards):
            if graph.kind == "AFTER_POST_GRAD" and following.path in ids:  # Inductor writes the code of a graph next
                numbers_of_paths[graph.path] = numbers_of_paths[following.path]
    numbered = {path: f"piece {number + 1} of {count}" for path, number in numbers_of_paths.items()}
    return {g.path: f"one of {count} pieces" for g in graphs if g.kind in _INDUCTORS} | numbered
