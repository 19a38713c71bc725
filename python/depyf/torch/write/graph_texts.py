# SPDX-License-Identifier: MIT
"""The content of the files of graphs and of Inductor's code, from the facts about each and torch's own text.

Pure functions, called by capture when a graph is met and by `rewrite` for a loaded run. Facts that are known only at
the end of a run are in the first line (whether the text is executed, whether it is from a cache) and in the last lines
(the global state under which the frame was called, which the guards contain).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from depyf.torch.internals import fx
from depyf.torch.model.enums import Source, Stage
from depyf.torch.model.pieces import pieces_of
from depyf.torch.model.record import Graph, Record
from depyf.torch.model.titles import ABANDONED, INDUCTOR_WRAPPERS, PASSES, STAGE_OF, TITLES
from depyf.torch.write import graph_file, runnable, state_texts
from depyf.torch.write.folder import safe_name

_FROM_CACHE = (
    "From one of torch's caches: the comments name source lines of the program that filled the cache, "
    "which may be a different program or may have changed since."
)
_KERNEL_DEF = re.compile(
    r"^(?P<name>\w+) = async_compile\.(?P<kind>\w+)\((?:'\w+', |\[[^\]]*\], )?"
    r"(?:r|R)?(?P<quote>'''|\"\"\")(?P<text>.*?)(?P=quote)"
    r'|^extern "C"\s+(?:\w+\s+)?void\s+(?P<function>\w+)\([^;{}]*\)\s*\{.*?^\}',  # also in C++ code that launches it
    re.MULTILINE | re.DOTALL,
)


def planned(
    text: str,
    sizes: Mapping[str, int | float],
    registering: Callable[[str, str], str | None] = fx.registering_module,
) -> runnable.Plan | None:
    """Returns how to run a graph as a script, or None. `registering` finds the module that registers an operator."""
    names = graph_file.IMPORTED | fx.imports_of_functions(text).keys()
    return runnable.plan(graph_file.with_valid_class_names(text), sizes, names, registering)


def content(graph: Graph) -> str:
    """Returns the content of a graph's file, as it is written when the graph is met."""
    if graph.kind == "kernel":
        return graph.text
    if graph.kind == INDUCTOR_WRAPPERS:
        return graph_file.graph_file(_header(graph), graph.text)
    tail = runnable.script(graph.plan, boxed=bool(graph.boxed))
    return graph_file.graph_file(_header(graph), graph.boxed or graph.text, tail, valid=_is_valid(graph))


def _is_valid(graph: Graph) -> bool:
    return graph.plan is not None and not graph.boxed


def completed(graph: Graph, record: Record, text: str) -> str:
    """Returns a graph's file with facts known at the end of a run: in the first line, and around its execution."""
    if graph.kind == "kernel":
        return text
    _, _, rest = text.partition("\n")
    rest = _under_recorded_state(graph, record, rest)
    title = _header(graph)[0]
    if (piece := pieces_of(record.graphs_in(graph.compile_id)).get(graph.path)) is not None:
        kind, separator, more = title.removesuffix(".").partition(";")
        title = f"{kind}, {piece}{separator}{more}."
    if record.source is Source.PROCESS:
        entry = record.entry(graph.compile_id)
        backend = f" with the backend {entry.backend}" if entry is not None and entry.backend else ""
        runs = "this file is executed as is" if graph.runs else f"no breakpoint in this file is hit{backend}"
        title = f"{title.partition(';')[0].removesuffix('.')}; {runs}."
    cached = f" {_FROM_CACHE}" if graph.is_cached and graph_file.named_lines(graph.text) else ""
    return f"# {title}{cached}\n{rest}"


def _under_recorded_state(graph: Graph, record: Record, text: str) -> str:
    """Makes the script of a graph that AOTAutograd has not traced set the global state of the frame's call."""
    entry = record.entry(graph.compile_id) if STAGE_OF.get(graph.kind) in (Stage.CAPTURED, Stage.PRE_GRAD) else None
    if entry is None or graph.plan is None:
        return text
    return runnable.with_state(text, *state_texts.around_graph(entry.guards, graph.plan.gradients))


def _header(graph: Graph) -> list[str]:
    title = PASSES[graph.is_backward] + TITLES.get(graph.kind, "graph")
    subject = f"of {graph.frame.function} [{graph.compile_id}]" if graph.frame else f"[{graph.compile_id}]"
    lines = [f"{graph.kind.replace('_', ' ')} {subject}: {title}."]
    if graph.is_abandoned:
        lines.append(f"Nothing calls it: {ABANDONED}.")
    elif graph.called_as:
        lines.append(f"Called as {graph.called_as}" + (f"; frame from {graph.frame}." if graph.frame else "."))
    return lines


class KernelSource(NamedTuple):
    """The source of a kernel in a file that Inductor generated."""

    name: str
    suffix: str  # file name extension for the source
    text: str


def kernel_sources(text: str) -> list[KernelSource]:
    """Returns the kernels in a file that Inductor generated, in order."""
    return [
        KernelSource(m["name"], ".cpp" if m["kind"].startswith("cpp") else f".{safe_name(m['kind'])}.txt", m["text"])
        if m["name"]
        else KernelSource(m["function"], ".cpp", f"\n{m[0]}\n")
        for m in _KERNEL_DEF.finditer(text)
    ]
