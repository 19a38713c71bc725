# SPDX-License-Identifier: MIT
"""Lines of the program in what came out of a cache: those of this run, not of the run that filled the cache.

A cache's key is of a graph, not of the program: the run that filled it may have been of another file, or of this file
before an edit. Dynamo traces anew in each run, so the captured graph names this run's lines; a line of the cached
graphs is the one of the captured graph with the same function and code. Invariant: where there is no such line, or more
than one, none is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from depyf.torch.model.facts import Kernel
from depyf.torch.model.location import Location
from depyf.torch.model.printed_graphs import places
from depyf.torch.model.record import Graph

_RESUMED_AT = re.compile(r"(?<=_at)_\d+$")  # a resume function's name has a line of the program in it
Place = tuple[str, int]
Known = Callable[[Location], Location | None]  # the line of this run


class CachedLines:
    """Puts this run's lines into graphs and kernels of cached compilations, however often it is asked to."""

    def __init__(self) -> None:
        self._kernels: dict[int, tuple[tuple[Kernel, ...], tuple[Kernel, ...]]] = {}
        self._lines: dict[int, tuple[tuple[Location, ...], tuple[Location, ...]]] = {}

    def translate(self, graphs: Iterable[Graph]) -> None:
        """Translates the lines of those graphs of one compilation that came out of a cache, and of its kernels."""
        graphs = list(graphs)
        known = _translation(graphs)
        for graph in graphs:
            if graph.launches:
                told, made = self._kernels.get(id(graph), ((), ()))
                told = told if graph.launches is made else graph.launches
                graph.launches = tuple(_with_lines(kernel, known) for kernel in told)
                self._kernels[id(graph)] = told, graph.launches
            if graph.is_cached and graph.source_lines:
                before, after = self._lines.get(id(graph), ((), ()))
                before = before if graph.source_lines is after else graph.source_lines
                graph.source_lines = _translated(before, known)
                self._lines[id(graph)] = before, graph.source_lines


def _translation(graphs: Iterable[Graph]) -> Known:
    """From a line that cached graphs name to the line of this run with the same function and code."""
    now: dict[tuple[str, str], set[tuple[str, int, str]]] = {}
    then: dict[Place, tuple[str, str]] = {}
    captured = set()
    for graph in graphs:
        for found in places(graph.text):
            place, code = (found.path, found.line), (_RESUMED_AT.sub("", found.function), found.code)
            if graph.kind == "Captured_Graph":
                now.setdefault(code, set()).add((*place, found.function))
                captured.add((*place, found.code))
            else:
                then[place] = code
    known = {place: Location(*next(iter(now[code]))) for place, code in then.items() if len(now.get(code, ())) == 1}

    def translate(place: Location) -> Location | None:
        if (place.path, place.line, place.code) in captured:  # kernels of compiled autograd have lines of this run
            return place
        return known.get((place.path, place.line))

    return translate


def _translated(places: Iterable[Location], known: Known) -> tuple[Location, ...]:
    found = map(known, places)
    return tuple(dict.fromkeys(place for place in found if place is not None))


def _with_lines(kernel: Kernel, known: Known) -> Kernel:
    lines, callers = _translated(kernel.source_lines, known), _translated(kernel.callers, known)
    return replace(kernel, source_lines=lines, callers=callers)
