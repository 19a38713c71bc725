# SPDX-License-Identifier: MIT
"""Reads from the trace which lines of the program and which nodes of its graphs each of Inductor's kernels computes.

torch logs this if Inductor's provenance_tracking_level is not 0: for each launch of a kernel, its nodes and their
stacks in the program. A launch is identified by the kernel's name and a number, the debug handle, which a comment above
the launch contains. Invariant: only launches whose handle is in the code are used, because torch lists those of earlier
backward graphs again, whose nodes may have the same names. Only lines that torch names are reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from depyf.torch.capture.torch_prose import is_users
from depyf.torch.capture.trace_decode import KernelNodes, KernelStacks
from depyf.torch.internals.vocabulary import GRAPH_CODE
from depyf.torch.model.facts import Kernel
from depyf.torch.model.location import Location
from depyf.torch.model.printed_graphs import lines_with_places
from depyf.torch.model.record import Graph, Record

_HANDLE = re.compile(r"^\s*(?:#|//) \[Provenance debug handles\] (?P<name>[\w.:]+):(?P<number>\d+)\s*$")
_NODE = re.compile(r"\s*(\w+)(?:: [^=]+)? = ")
_COMMENT = re.compile(r"\s*(?:#|//)")
_MAX_LINES_BELOW = (
    5  # maximum number of lines from a handle to its launch, for example to get the stream of a Triton kernel
)
# Inductor's comment above the definition of a Triton kernel, with the file that Triton compiles.
_TRITON_FILE = re.compile(
    r"^# kernel path: (?P<path>\S+)\n(?:#.*\n)*(?P<name>\w+) = async_compile\.triton\(", re.MULTILINE
)

Nodes = Mapping[str, list[str]]  # kernel, with its handle -> nodes
Stack = tuple[Location, ...]
Stacks = Mapping[str, tuple[Stack, ...]]


class Provenance:
    """Assigns torch's facts about kernels to the Inductor file that launches them."""

    def __init__(self, record: Record, live_nodes: Callable[[], Nodes] | None = None) -> None:
        """`live_nodes` returns the nodes of kernels being compiled, which torch does not log for backward graphs."""
        self._record = record
        self._live_nodes = live_nodes
        self._nodes: dict[str, KernelNodes] = {}
        self._latest: dict[tuple[str, str], Path] = {}

    def on_file(self, compile_id: str, kind: str, path: Path) -> None:
        """Notes the latest graph or Inductor file that torch logged, to which the next facts about kernels belong."""
        self._latest[compile_id, kind] = path

    def on_event(self, compile_id: str, event: KernelNodes | KernelStacks) -> None:
        """Processes torch's facts about the kernels in the latest file; nodes are logged before stacks."""
        if isinstance(event, KernelNodes):
            self._nodes[compile_id] = event
            return
        logged = self._nodes.pop(compile_id, KernelNodes(event.torch_id, {}, {}))
        live = self._live_nodes() if self._live_nodes is not None else {}
        self._file(compile_id, event.stacks, {**live, **logged.nodes}, logged.captured)

    def _file(self, compile_id: str, stacks: Stacks, nodes: Nodes, captured: Nodes) -> None:
        """Adds the facts about kernels to the latest Inductor file of a compilation, one for each launch in it."""
        path, graph_path = (self._latest.get((compile_id, kind)) for kind in ("kernel", "AFTER_POST_GRAD"))
        graph = next((graph for graph in self._record.graphs if graph.path == path), None)
        if graph is None:
            return
        text = next((graph.text for graph in self._record.graphs if graph.path == graph_path), "")
        all_places = (place for of_kernel in stacks.values() for stack in of_kernel for place in stack)
        if any(place.path.startswith(GRAPH_CODE) for place in all_places):
            stacks = self._with_programs_lines(compile_id, stacks)
        kernels = (
            _kernel(graph, key, line, graph_path, stacks.get(key, ()), nodes.get(key, []), captured)
            for key, line in launches(graph.text)
        )
        graph.launches = tuple(
            k if stacks.get(f"{k.name}:{k.handle}") else replace(k, source_lines=lines_that_read(text, k.nodes))
            for k in kernels
        )

    def _with_programs_lines(self, compile_id: str, stacks: Stacks) -> Stacks:
        """Returns the stacks with lines of the program in place of lines of the captured graph.

        The latter occur if AOTAutograd executed the code of the captured graph, which it does for graphs that take
        their inputs as a list, such as those of compiled autograd.
        """
        graph = self._record.captured_graph(compile_id)
        of_node = {}
        for _, line, place in lines_with_places(graph.text if graph is not None else ""):
            if (node := _NODE.match(line)) is not None and is_users(place.path):
                of_node[node[1]] = place

        def of_program(place: Location) -> Location | None:
            node = _NODE.match(place.code)
            return of_node.get(node[1]) if place.path.startswith(GRAPH_CODE) and node is not None else place

        return {
            kernel: tuple(
                tuple(translated for place in stack if (translated := of_program(place))) for stack in kernel_stacks
            )
            for kernel, kernel_stacks in stacks.items()
        }


def launches(code: str) -> Iterator[tuple[str, int]]:
    """Yields each `NAME:HANDLE` in Inductor's code, with the line of the launch below it."""
    lines = code.split("\n")
    for number, line in enumerate(lines, 1):
        handle = _HANDLE.match(line)
        if handle is not None:
            lines_below = range(number, min(number + _MAX_LINES_BELOW, len(lines)))
            called = re.compile(rf"\b{re.escape(handle['name'])}\b(?!:)")
            launch = next((n for n in lines_below if called.search(lines[n]) and not _COMMENT.match(lines[n])), number)
            yield f"{handle['name']}:{handle['number']}", launch + 1


def _kernel(
    graph: Graph,
    key: str,
    line: int,
    graph_file: Path | None,
    stacks: Sequence[tuple[Location, ...]],
    nodes: list[str],
    captured: Nodes,
) -> Kernel:
    """Returns the facts about one launch of a kernel, whose stacks and nodes are known."""
    name, _, number = key.rpartition(":")
    innermost = dict.fromkeys(stack[-1] for stack in stacks if stack)
    callers = dict.fromkeys(place for stack in stacks for place in stack[:-1] if place not in innermost)
    native = [file for kernel, file in zip(graph.kernels, graph.native, strict=False) if kernel == name]
    return Kernel(
        compile_id=graph.compile_id,
        name=name,
        handle=int(number),
        file=graph.path.name,
        line=line,
        source_file=native[0] if native else None,
        graph=graph_file.name if graph_file is not None else None,
        nodes=tuple(nodes),
        captured_nodes=tuple(dict.fromkeys(name for node in nodes for name in captured.get(node, ()))),
        source_lines=tuple(sorted(innermost, key=_order)),
        callers=tuple(sorted(callers, key=_order)),
        triton_file=triton_files(graph.text).get(name),
    )


def _order(place: Location) -> tuple[str, int]:
    return place.path, place.line


def lines_that_read(graph: str, nodes: Iterable[str]) -> tuple[Location, ...]:
    """Returns the program's lines whose nodes, in a printed graph, have one of the given nodes as an argument.

    Used for kernels that change the layout of inputs, because inputs have no line of their own.
    """
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, nodes)) or '(?!)'})\b")
    places = (
        p for _, line, p in lines_with_places(graph) if pattern.search(line.partition(" = ")[2].partition(";  ")[0])
    )
    return tuple(sorted((place for place in dict.fromkeys(places) if is_users(place.path)), key=_order))


def triton_files(code: str) -> dict[str, str]:
    """Returns the file that Triton compiles for each Triton kernel in Inductor's code, by name."""
    return {m["name"]: str(Path(m["path"])) for m in _TRITON_FILE.finditer(code)}
