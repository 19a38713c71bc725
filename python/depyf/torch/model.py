# SPDX-License-Identifier: MIT
"""What a session knows: frames, graphs, guards, graph breaks, problems. Text and numbers only.

Invariant: no object of the user's program, no fake tensor and no torch module is reachable from here (code objects
are held weakly), so watching a program never changes when its objects die.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from depyf.torch.explain import Explanation
    from depyf.torch.runnable import Plan

    Explainer = Callable[[tuple[Any, ...], dict[str, Any]], Explanation]


@dataclass
class Guard:
    """One check of an entry, as torch prints it."""

    kind: str  # torch's leaf guard: TENSOR_MATCH, ID_MATCH, …
    text: str  # torch's own text of the check
    comment: str = ""  # the user's code that asked for it
    where: str = ""  # file:line of that code
    source: str = ""  # the expression whose value is guarded, when it belongs to one manager
    public: str = ""  # what the text does not tell: a public name of the object meant ("torch.abs"), a length
    hint: str = ""  # torch's own advice


@dataclass
class Graph:
    """One dumped graph or Inductor file."""

    kind: str  # the middle part of the file name: Captured_Graph, Forward_graph, …
    compile_id: str
    path: Path
    nodes: tuple[str, ...] = ()  # names of placeholders and nodes, in order: recognises the graph when it is compiled
    runs: bool = False  # whether this very text was seen to be what runs
    kernels: tuple[str, ...] = ()
    native: tuple[str, ...] = ()  # files with the kernels' own sources
    source_lines: tuple[str, ...] = ()  # "toy.py:6" of the user's lines that the graph came from
    text: str = ""
    plan: Plan | None = None  # how to run the graph as a script


@dataclass
class Entry:
    """One compiled version of one frame: a cache entry."""

    compile_id: str
    name: str  # of the frame's code
    origin: str  # file:line of the original code
    path: Path | None = None  # of the transformed code
    text: str = ""  # decompiled, without header
    verdict: str = ""
    signature: str = ""
    parameters: str = ""  # the signature with its defaults
    arguments: tuple[str, ...] = ()
    free_variables: tuple[str, ...] = ()
    compiled_fn: str = ""  # __compiled_fn_N_<uuid>
    resume_fns: tuple[str, ...] = ()
    resume_codes: dict[str, str] = field(default_factory=dict)  # __resume_at_… -> key of the frame's code
    modules: dict[str, str] = field(default_factory=dict)  # global name -> module it stands for
    live_names: tuple[str, ...] = ()  # other globals of the program that the text or the guards read
    inputs: dict[str, str] = field(default_factory=dict)  # argument -> Python for a value like the one compiled for
    values: dict[str, str] = field(default_factory=dict)  # global -> Python for its value then
    free_values: dict[str, str] = field(default_factory=dict)  # free variable -> Python for its value then
    opaque: dict[str, str] = field(default_factory=dict)  # placeholder in the text -> Python for what it stands for
    side_effects: tuple[str, ...] = ()
    guards: list[Guard] = field(default_factory=list)
    guard_tree: str = ""
    function_modes: tuple[str, ...] = ()
    failure: str = ""  # why there is no decompiled text
    code_key: str = ""  # identifies the original code object within the session
    original: weakref.ref[CodeType] | None = None
    order: int = 0
    explainer: Explainer | None = field(
        default=None, repr=False, compare=False
    )  # of an entry read from a live function

    def explain(self, *args: Any, **kwargs: Any) -> Explanation:
        """Whether a call with these arguments takes this entry, else the first guard that does not hold."""
        explainer = self.explainer
        if explainer is None:
            from depyf.torch import live

            explainer = live.explainer_of(self)
        return explainer(args, kwargs)

    @property
    def is_resume(self) -> bool:
        """Whether the frame continues another one after a graph break."""
        return self.name.startswith("torch_dynamo_resume_in_") or self.name.startswith("<resume in")


@dataclass
class Break:
    """One reason why Dynamo left compiled code, or compiled anew."""

    kind: str  # "graph break" or "recompile"
    compile_id: str
    where: str
    reason: str
    text: str


@dataclass
class Problem:
    """Something depyf could not do; the program went on."""

    what: str
    error: str


@dataclass
class Record:
    """All of it, in the order things happened."""

    entries: list[Entry] = field(default_factory=list)
    graphs: list[Graph] = field(default_factory=list)
    breaks: list[Break] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    caches: dict[str, int] = field(default_factory=dict)  # "fx_graph_cache_hit" -> count
    compiled_fns: dict[str, str] = field(default_factory=dict)  # compile id -> __compiled_fn_N_<uuid>
    starts: dict[str, dict[str, Any]] = field(default_factory=dict)  # compile id -> where the frame begins
    symbols: dict[str, dict[str, int | float]] = field(default_factory=dict)  # compile id -> size symbol -> its value
    compile_seconds: float = 0.0

    def entry(self, compile_id: str) -> Entry | None:
        """The entry of a compile id, if its frame was seen."""
        return next((e for e in reversed(self.entries) if e.compile_id == compile_id), None)
