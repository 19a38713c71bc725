# SPDX-License-Identifier: MIT
"""Trailing comments that link kernels with graphs and source lines: in Inductor's file, graphs and kernel sources.

Invariant: only comments are added, at the end of lines or in an empty first line, so that no line moves and no
instruction changes. Files whose kernels have no provenance are not changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from depyf.torch.model.facts import Kernel
from depyf.torch.model.record import Graph
from depyf.torch.write.trailing_comments import ranges_of

IN_KERNEL = "runs at "
_NODE = re.compile(r'^\s+(?P<name>\w+)(?:: "[^"]*")? = ')
_IN_CPP = "// [Provenance debug handles]"  # above each launch in C++ code, which a Python file may contain as a string
_RANGES = 6  # maximum number of ranges of lines in a comment; index.json has all
_KERNELS = 3  # maximum number of kernels in the comment of a node


def commented(graphs: Iterable[Graph], content_of: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    """Yields each file that gets comments, with its new content. `content_of` returns the current content of a file."""
    graphs = list(graphs)
    names = {graph.path.name for graph in graphs}
    captured = {g.compile_id: g.path.name for g in graphs if g.kind == "Captured_Graph"}
    for graph in graphs:
        if not graph.launches:
            continue
        yield graph.path.name, _with_launches(graph)
        for kernel in graph.launches:
            if kernel.source_file is not None:
                yield kernel.source_file, _with_origin(content_of(kernel.source_file), kernel)
        post_grad, captured_graph = graph.launches[0].graph, captured.get(graph.compile_id)
        if post_grad in names:
            yield post_grad, _with_kernels(content_of(post_grad), graph.launches, "nodes")
        if captured_graph is not None:
            yield captured_graph, _with_kernels(content_of(captured_graph), graph.launches, "captured_nodes")


def lines_of(kernel: Kernel) -> str:
    """Returns the first few ranges of the user's lines of a kernel, `toy.py:6-8, 12`; "" if torch names none."""
    ranges = ranges_of(kernel.source_lines)
    more = [f"and {len(ranges) - _RANGES} more"] if len(ranges) > _RANGES else []
    return ", ".join([*ranges[:_RANGES], *more])


def _with_launches(graph: Graph) -> str:
    lines = graph.text.split("\n")
    mark = "//" if _IN_CPP in graph.text else "#"
    for kernel in graph.launches:
        if origin := lines_of(kernel):
            lines[kernel.line - 1] = _with_comment(lines[kernel.line - 1], origin, mark)
    return "\n".join(lines)


def _with_origin(text: str, kernel: Kernel) -> str:
    first, newline, rest = text.partition("\n")
    if not (origin := lines_of(kernel)) or first.strip():
        return text
    return f"// {origin}; launched at {kernel.file}:{kernel.line}{newline}{rest}"


def _with_kernels(text: str, kernels: Iterable[Kernel], attribute: str) -> str:
    of_node: dict[str, list[str]] = {}
    for kernel in kernels:
        for node in getattr(kernel, attribute):
            of_node.setdefault(node, []).append(f"{kernel.file}:{kernel.line}")
    lines = text.split("\n")
    for number, line in enumerate(lines):
        node_match = _NODE.match(line)
        if node_match is not None and (names := of_node.get(node_match["name"])):
            more = f" and {len(names) - _KERNELS} more" if len(names) > _KERNELS else ""
            lines[number] = _with_comment(line, f"{IN_KERNEL}{', '.join(names[:_KERNELS])}{more}")
    return "\n".join(lines)


def _with_comment(line: str, comment: str, mark: str = "#") -> str:
    """Returns the line with a comment, unless it ends within a string or a continued expression."""
    return line if line.endswith(("\\", "(", ",", "'''", '"""')) or comment in line else f"{line}  {mark} {comment}"
