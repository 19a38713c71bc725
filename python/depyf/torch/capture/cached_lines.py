# SPDX-License-Identifier: MIT
"""Translates lines in graphs and kernels from a cache to lines of this run's program.

The key of a cache depends on a graph, not on the program, so the run that filled the cache may have been of another
file, or of this file before an edit. Dynamo traces again in each run, so the captured graph has this run's lines. A
line in a cached graph is translated to the line in the captured graph with the same function and code. Invariant: if
there is no such line, or more than one, the line is omitted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from depyf.torch.model.facts import Kernel
from depyf.torch.model.location import Location
from depyf.torch.model.printed_graphs import places
from depyf.torch.model.record import Graph

_RESUMED_AT = re.compile(r"(?<=_at)_\d+$")  # the name of a resume function contains a line of the program
Place = tuple[str, int]
Known = Callable[[Location], Location | None]  # the line of this run


class CachedLines:
    """Replaces lines in graphs and kernels of cached compilations by this run's; may be called repeatedly."""

    def __init__(self) -> None:
        self._kernels: dict[int, tuple[tuple[Kernel, ...], tuple[Kernel, ...]]] = {}
        self._lines: dict[int, tuple[tuple[Location, ...], tuple[Location, ...]]] = {}

    def translate(self, graphs: Iterable[Graph]) -> None:
        """Translates the lines of the cached graphs of one compilation, and of its kernels."""
        graphs = list(graphs)
        translate_line = _translation(graphs)
        for graph in graphs:
            if graph.launches:
                original, translated = self._kernels.get(id(graph), ((), ()))
                original = original if graph.launches is translated else graph.launches
                graph.launches = tuple(_with_lines(kernel, translate_line) for kernel in original)
                self._kernels[id(graph)] = original, graph.launches
            if graph.is_cached and graph.source_lines:
                before, after = self._lines.get(id(graph), ((), ()))
                before = before if graph.source_lines is after else graph.source_lines
                graph.source_lines = _translated(before, translate_line)
                self._lines[id(graph)] = before, graph.source_lines


def _translation(graphs: Iterable[Graph]) -> Known:
    """Returns the translation from lines in cached graphs to lines of this run with the same function and code."""
    now: dict[tuple[str, str], set[tuple[str, int, str]]] = {}
    then: dict[Place, tuple[str, str]] = {}
    captured = set()
    for graph in graphs:
        for location in places(graph.text):
            place, code = (location.path, location.line), (_RESUMED_AT.sub("", location.function), location.code)
            if graph.kind == "Captured_Graph":
                now.setdefault(code, set()).add((*place, location.function))
                captured.add((*place, location.code))
            else:
                then[place] = code
    line_now = {place: Location(*next(iter(now[code]))) for place, code in then.items() if len(now.get(code, ())) == 1}

    def translate(place: Location) -> Location | None:
        if (place.path, place.line, place.code) in captured:  # kernels of compiled autograd have lines of this run
            return place
        return line_now.get((place.path, place.line))

    return translate


def _translated(places: Iterable[Location], translate: Known) -> tuple[Location, ...]:
    translated = map(translate, places)
    return tuple(dict.fromkeys(place for place in translated if place is not None))


def _with_lines(kernel: Kernel, translate: Known) -> Kernel:
    lines, callers = _translated(kernel.source_lines, translate), _translated(kernel.callers, translate)
    return replace(kernel, source_lines=lines, callers=callers)
