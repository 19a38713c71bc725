# SPDX-License-Identifier: MIT
"""The content of the files of graphs and of Inductor's code, from the facts about each and torch's own text.

Pure functions: capture calls them when it meets a graph, `rewrite` for a run that was loaded. What is known at the end
of a run only stands in the first line (whether a text is what runs, whether it came out of a cache) and in the last
ones (the state of the process that the frame was called in, which guards tell).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from depyf.torch.internals import fx
from depyf.torch.model.enums import Source, Stage
from depyf.torch.model.record import Graph, Record
from depyf.torch.model.titles import ABANDONED, INDUCTOR_WRAPPERS, PASSES, STAGE_OF, TITLES
from depyf.torch.write import graph_file, runnable, state_texts
from depyf.torch.write.folder import safe_name

_FROM_CACHE = (
    "Out of a cache of torch's: its comments name source lines of the program that filled the cache, "
    "which may be another one or have changed since."
)
_KERNEL_DEF = re.compile(
    r"^(?P<name>\w+) = async_compile\.(?P<kind>\w+)\((?:'\w+', |\[[^\]]*\], )?"
    r"(?:r|R)?(?P<quote>'''|\"\"\")(?P<text>.*?)(?P=quote)"
    r'|^extern "C"\s+(?:\w+\s+)?void\s+(?P<function>\w+)\([^;{}]*\)\s*\{.*?^\}',  # in C++ that launches it, too
    re.MULTILINE | re.DOTALL,
)


def planned(
    text: str,
    sizes: Mapping[str, int | float],
    registering: Callable[[str, str], str | None] = fx.registering_module,
) -> runnable.Plan | None:
    """How to run a graph as a script, by torch's text of it; `registering`: what registers an operator, if known."""
    known = graph_file.IMPORTED | fx.imports_of_functions(text).keys()
    return runnable.plan(graph_file.named(text), sizes, known, registering)


def content(graph: Graph) -> str:
    """A graph's file, as it is written when the graph is met."""
    if graph.kind == "kernel":
        return graph.text
    if graph.kind == INDUCTOR_WRAPPERS:
        return graph_file.graph_file(_header(graph), graph.text)
    tail = runnable.script(graph.plan, boxed=bool(graph.boxed))
    return graph_file.graph_file(_header(graph), graph.boxed or graph.text, tail, valid=_is_valid(graph))


def _is_valid(graph: Graph) -> bool:
    return graph.plan is not None and not graph.boxed


def told(graph: Graph, record: Record, text: str) -> str:
    """A graph's file with what is known of it at the end: in its first line, and around what runs it."""
    if graph.kind == "kernel":
        return text
    _, _, rest = text.partition("\n")
    rest = _under_recorded_state(graph, record, rest)
    title = _header(graph)[0]
    if record.source is Source.PROCESS:
        entry = record.entry(graph.compile_id)
        under = f" under backend {entry.backend}" if entry is not None and entry.backend else ""
        runs = "this file is what runs" if graph.runs else f"no breakpoint in this file is hit{under}"
        title = f"{title.partition(';')[0].removesuffix('.')}; {runs}."
    cached = f" {_FROM_CACHE}" if graph.is_cached and graph_file.named_lines(graph.text) else ""
    return f"# {title}{cached}\n{rest}"


def _under_recorded_state(graph: Graph, record: Record, text: str) -> str:
    """Has a graph that AOTAutograd has not traced yet run under the state that the program called the frame in."""
    entry = record.entry(graph.compile_id) if STAGE_OF.get(graph.kind) in (Stage.CAPTURED, Stage.PRE_GRAD) else None
    if entry is None or graph.plan is None:
        return text
    return runnable.under(text, *state_texts.around_graph(entry.guards, graph.plan.gradients))


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
    """The source of a kernel in a file of Inductor's."""

    name: str
    suffix: str  # of a file with it
    text: str


def kernel_sources(text: str) -> list[KernelSource]:
    """The kernels in a file of Inductor's, in order."""
    return [
        KernelSource(m["name"], ".cpp" if m["kind"].startswith("cpp") else f".{safe_name(m['kind'])}.txt", m["text"])
        if m["name"]
        else KernelSource(m["function"], ".cpp", f"\n{m[0]}\n")
        for m in _KERNEL_DEF.finditer(text)
    ]
