# SPDX-License-Identifier: MIT
"""What a session collects: frames, graphs, guards, graph breaks, problems. Text and numbers only.

Invariant: no object of the user's program, no fake tensor and no torch module is reachable from here (code objects
are referenced weakly), so watching a program never changes the lifetime of its objects.
"""

from __future__ import annotations

import functools
import re
import textwrap
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from depyf.decompilation.result import Decompiled, Verdict, VerdictKind
from depyf.torch.internals.texts import explanation_in, failure_reason, hints_in
from depyf.torch.internals.vocabulary import RESUME_CODE
from depyf.torch.model.caches import CacheEvent, CudaGraphRecording, CudaGraphSkip
from depyf.torch.model.compile_ids import CompileIds, frame_of, maker_of
from depyf.torch.model.enums import FailureEffect, FrameStatus, Source
from depyf.torch.model.facts import Kernel, Program
from depyf.torch.model.guard import Guard
from depyf.torch.model.location import NOWHERE, Location, Paths
from depyf.torch.model.phases import Phase, seconds_outside
from depyf.torch.model.status import StatusReport
from depyf.torch.model.table import html_table, rich_table
from depyf.torch.model.words import differed

if TYPE_CHECKING:
    from rich.table import Table

    from depyf.torch.guards.answers import Explanation
    from depyf.torch.write.runnable import Plan

_T = TypeVar("_T")
Explainer: TypeAlias = "Callable[[tuple[Any, ...], dict[str, Any]], Explanation]"


# Inputs of an Inductor graph: in torch's printed form, and as Inductor's code unpacks them.
_INPUTS = re.compile(r"^ *(?:def forward\(self, .*\):|.* = args)$", re.MULTILINE)
# AOTAutograd's names of inputs in training. Inductor recognizes backward graphs by them (compile_fx.count_tangents).
_TRAINING_INPUT = re.compile(r"\b(primals|tangents)_\d+\b")

DROPPED = "dropped by torch since (torch.compiler.reset(), or a guarded object no longer exists): a call recompiles"


@dataclass
class Graph:
    """One dumped graph or Inductor file."""

    kind: str  # the middle part of the file name: Captured_Graph, Forward_graph, …
    compile_id: str
    path: Path
    runs: bool = False  # whether this text itself was executed
    kernels: tuple[str, ...] = ()
    native: tuple[str, ...] = ()  # files with the kernels' own sources
    launches: tuple[Kernel, ...] = ()  # of kernels, if torch tracked their provenance
    source_lines: tuple[Location, ...] = ()  # the user's lines that the graph computes
    text: str = ""  # as torch printed it, without addresses
    boxed: str = ""  # the executed text, if that takes its inputs as one list
    frame: Location = NOWHERE  # first line of the frame, if known when the graph is created
    called_as: str = ""  # the global that holds the compiled graph, as dumped files name it; "" if unknown
    plan: Plan | None = None  # how to run the graph as a script
    is_cached: bool = False  # from one of torch's caches: its comments name lines of the run that filled it
    is_abandoned: bool = False  # from an attempt to trace the frame that Dynamo abandoned: nothing calls it

    @property
    def is_backward(self) -> bool | None:
        """Whether an Inductor graph, or its code, belongs to a backward pass; None in inference and for other kinds."""
        inputs = _INPUTS.search(self.text) if self.kind in ("AFTER_POST_GRAD", "kernel") else None
        names = set(_TRAINING_INPUT.findall(inputs[0])) if inputs is not None else set()
        return "tangents" in names if names else None


@dataclass(repr=False)
class Entry:
    """One compiled version of a frame: a cache entry.

    Attributes:
        compile_id: Torch's compile id: `1/0` is the first entry of the second frame.
        name: Name of the frame's code object.
        origin: First line of the original code in the program.
        backend: Name of the backend that compiled its graph, "" if unknown.
        path: File with the transformed code, None if none was dumped.
        decompiled: The text of the transformed code; `text` is the same with comments on what it calls.
        verdict: The verdict on the text, as a sentence; see also `verdict_kind` and `is_verified`.
        failure: Why there is no text; in this case `bytecode` contains the instructions.
        arguments: Names of the function's parameters; `free_variables` are those of its closure.
        compiled_fn: The graph that it calls, with torch's name.
        resume_fns: The functions in which it continues after a graph break; `continues` has their lines in the program.
        eager_from: The line from which on the frame's own code runs eagerly, if a graph break has no resume function.
        guards: The guards that must hold for a call to use the entry.
        guards_known: Whether torch's text of the guards was seen; it can be empty (`guard_filter_fn`).
        inputs: For each argument, a Python expression for a value like the one in the call that was compiled.
        side_effects: What the transformed code changes in the program.
        dropped: Whether torch was seen to have dropped the entry, so that a call recompiles.
        order: torch tries the entry of a frame with the highest order first.
        wraps: Name and first line of the user's function, if the frame is a wrapper of PyTorch's that calls it
            (`torch.no_grad()` as a decorator creates one).

    The other fields are the facts from which the files of a dump are written.

    Examples:
        >>> import depyf, torch
        >>> scale = torch.compile(lambda x, k: x * k, backend="eager", dynamic=False)
        >>> result = scale(torch.ones(2), 2)
        >>> entry = depyf.entries(scale)[0]
        >>> (entry.compile_id, entry.backend, entry.is_verified, bool(entry.explain(torch.ones(2), 2)))
        ('0/0', 'eager', True, True)

    """

    compile_id: str
    name: str
    origin: Location
    backend: str = ""
    path: Path | None = None
    module: str = ""  # the module whose globals the frame has, "" if unknown
    decompiled: str = ""
    text: str = ""  # with comments on what it calls, without header
    has_breakpoints: bool = False  # whether the running code has the line numbers of the file
    bytecode: str = ""  # as `dis` shows it, if there is no usable text
    verdict: str = ""
    verdict_kind: VerdictKind = VerdictKind.NOT_DECOMPILED
    lifetime_note: str = ""  # what would live longer if the text ran in place of the bytecode, and when
    signature: str = ""
    parameters: str = ""  # the signature with its defaults
    defaults_known: bool = False  # whether the function object, which has them, was available
    arguments: tuple[str, ...] = ()
    free_variables: tuple[str, ...] = ()
    compiled_fn: str = ""  # __compiled_fn_N_<uuid>
    resume_fns: tuple[str, ...] = ()
    resume_codes: dict[str, str] = field(default_factory=dict)  # __resume_at_… -> key of its code
    continues: dict[str, Location] = field(
        default_factory=dict
    )  # __resume_at_… -> line at which it continues, if known
    eager_from: Location = NOWHERE
    modules: dict[str, str] = field(default_factory=dict)  # global name -> module it refers to
    live_names: tuple[str, ...] = ()  # other globals of the program that the text or the guards read
    inputs: dict[str, str] = field(default_factory=dict)  # argument -> expression for a similar value
    values: dict[str, str] = field(default_factory=dict)  # global -> expression for its value during the compilation
    free_values: dict[str, str] = field(default_factory=dict)  # free variable -> expression for its value then
    opaque: dict[str, str] = field(default_factory=dict)  # placeholder in the text -> expression for its value
    on_stack: dict[str, str] = field(default_factory=dict)  # ___stack0 -> the program's expression for it
    side_effects: tuple[str, ...] = ()
    guards: list[Guard] = field(default_factory=list)
    guards_known: bool = False
    failure: str = ""
    code_key: str = ""  # identifies the original code object within the session
    original: weakref.ref[CodeType] | None = None
    running: weakref.ref[CodeType] | None = None  # the code in torch's cache, unless a later hook replaced it
    dropped: bool = False
    is_ahead_of_time: bool = False  # whether the program, not Dynamo's cache, refers to it
    order: int = 0
    wraps: Location = NOWHERE
    explainer: Explainer | None = field(default=None, repr=False, compare=False)  # for an entry of a live function

    def __repr__(self) -> str:
        continued = f", continues in {', '.join(self.resume_fns)}" if self.resume_fns else ""
        description = f"{self.verdict_kind.value}, {len(self.guards)} guard{'' if len(self.guards) == 1 else 's'}"
        return f"<entry [{self.compile_id}] of {self.title} ({self.start}): {description}{continued}>"

    @property
    def title(self) -> str:
        """The function's name; for a wrapper of PyTorch's, preceded by the user's function that it calls."""
        return f"{self.wraps.function}, called by PyTorch's {self.name}" if self.wraps.function else self.name

    @property
    def start(self) -> Location:
        """First line of the user's function."""
        return self.wraps or self.origin

    def _rows(self) -> list[tuple[str, str, str]]:
        """Returns the guards, each with its source and the user's line that introduced it."""
        return [("guard", "of", "from"), *((g.kind, g.source, g.where) for g in self.guards)]

    def _repr_html_(self) -> str:
        """Returns the table of guards as HTML, for notebooks."""
        return html_table(self._rows(), repr(self).strip("<>"))

    def __rich__(self) -> Table:
        """Returns the table of guards for rich."""
        return rich_table(self._rows(), repr(self).strip("<>"))

    def explain(self, /, *args: Any, **kwargs: Any) -> Explanation:
        """Returns whether the entry accepts a call with these arguments, or the first guard that does not hold.

        Raises:
            LookupError: The entry is from a record that has no live function, or torch has dropped the entry, for
                example because of `torch.compiler.reset()`.

        """
        explainer = self.explainer
        if explainer is None:
            if _explainer_of is None:
                raise LookupError("this entry has no live function whose calls could be checked")
            explainer = _explainer_of(self)
        return explainer(args, kwargs)

    @property
    def is_verified(self) -> bool:
        """Whether the text is shown to behave as the bytecode does: its verdict is exact or proved."""
        return self.verdict_kind in (VerdictKind.EXACT, VerdictKind.PROVED)

    def is_of(self, code: CodeType | None) -> bool:
        """Returns whether the entry was compiled for this code object (by identity)."""
        return code is not None and self.original is not None and self.original() is code

    def runs(self, code: CodeType | None) -> bool:
        """Returns whether torch runs this code object (by identity) for the entry."""
        return code is not None and self.running is not None and self.running() is code

    def set_verification(self, text: Decompiled) -> None:
        """Notes the verdicts of the text."""
        verdict = text.verdict
        if verdict.holds:
            verdict = Verdict(verdict.kind, compiler=verdict.compiler)
            self.lifetime_note = "; ".join(_note(text, v) for v in text.verdicts if v.reason)
        self.verdict, self.verdict_kind = verdict.describe(), verdict.kind

    @property
    def is_resume(self) -> bool:
        """Whether the frame is a resume function, which continues another frame after a graph break."""
        return self.name.startswith((RESUME_CODE, "<resume in"))


def in_order(entries: Iterable[Entry]) -> list[Entry]:
    """Returns the entries of a frame in the order in which torch tries them, as far as it is known."""
    return sorted(entries, key=lambda e: -e.order)


_explainer_of: Callable[[Entry], Explainer] | None = None


def explain_with(find: Callable[[Entry], Explainer]) -> None:
    """Registers the function that finds the explainer of an entry of a record; this package must not import it."""
    global _explainer_of
    _explainer_of = find


def _note(text: Decompiled, verdict: Verdict) -> str:
    """Returns the reason of a verdict, with the line of the text that it is about (for a call: a line with a call)."""
    lines = text.split("\n")
    of_code = (e for e in text.source_map if e.code == verdict.code and e.offset == verdict.offset)
    candidates = [lines[e.line - 1] for e in reversed(list(of_code))]
    difference = verdict.reason.removeprefix(_DURING)
    if difference == verdict.reason:
        return f"at `{_shortened(candidates[0])}`, {difference}" if candidates else verdict.why
    call = next((line for line in candidates if "(" in line and not line.lstrip().startswith("del ")), None)
    return f"while `{_shortened(call)}` runs, {difference}" if call is not None else f"while a call runs, {difference}"


_DURING = "during the call, "  # prefix of the validator's reasons about lifetimes


def _shortened(line: str) -> str:
    """Returns a line of the text; an open bracket is closed in place of the next lines, as in `graph(…)`."""
    closing = {"(": ")", "[": "]", "{": "}"}.get(line[-1:])
    return textwrap.shorten(line if closing is None else f"{line}…{closing}", 80, placeholder=" …")


@dataclass
class UncompiledFrame:
    """A frame whose calls run eagerly: all of them, or (recompile limit) those that no entry accepts."""

    name: str
    origin: Location
    signature: str
    text: str  # decompiled from its own code; "" if that failed
    verdict: str = ""
    free_variables: tuple[str, ...] = ()
    status: StatusReport = field(default_factory=lambda: StatusReport(FrameStatus.UNKNOWN))
    arguments: tuple[str, ...] = ()


@dataclass
class GraphBreak:
    """A place where Dynamo left compiled code, in torch's words."""

    compile_ids: list[str]
    where: Location  # the user's line
    reason: str
    explanation: str = ""
    hints: tuple[str, ...] = ()  # torch's advice on this break
    stack: tuple[Location, ...] = ()  # the user's frames, outermost first
    context: str = ""
    page: str = ""  # the page on PyTorch's site about this kind of graph break
    times: int = 1
    skips: dict[str, str] = field(
        default_factory=dict
    )  # compile id of a frame that Dynamo skips because of it -> reason
    inner: Location = NOWHERE  # the line of PyTorch's own code that breaks, if the user's line calls it


@dataclass
class FailedCompilation:
    """A compilation of a frame that failed with an exception, which the program may see or not."""

    compile_id: str
    name: str
    origin: Location
    kind: str  # the exception's class
    text: str  # its whole text
    where: Location = NOWHERE  # the user's line that torch was compiling
    effect: FailureEffect | None = None  # None if unknown
    backend: str = ""  # "" if unknown

    @property
    def reason(self) -> str:
        """The exception as Python prints it, without torch's hints and traceback."""
        return failure_reason(self.kind, self.text)

    @property
    def explanation(self) -> str:
        """Further explanation in torch's words, "" if there is none."""
        return explanation_in(self.text)

    @property
    def hints(self) -> tuple[str, ...]:
        """Torch's advice on this failure."""
        return hints_in(self.text)


@dataclass
class RecompileReason:
    """Why an earlier entry did not accept a call."""

    entry: str  # its compile id
    source: str = ""  # the guarded expression, as the user writes it
    what: str = ""  # which property of it differs
    then: str = ""  # the value that the entry was compiled for
    now: str = ""  # the value in this call
    where: Location = NOWHERE  # the user's line that introduced the guard, if known
    advice: str = ""
    torch_text: str = ""
    stack: tuple[Location, ...] = ()  # the user's frames at that line, outermost first, if known

    @property
    def difference(self) -> str:
        """What differs, with both values; torch's own text if nothing else is known."""
        if not self.source and not self.then:
            return self.torch_text or self.what
        subject = f"{self.source}: {self.what}" if self.source else self.what
        return differed(subject, self.then, self.now)

    def __str__(self) -> str:
        return f"[{self.entry}] {self.difference}" if self.entry else self.difference


@dataclass
class Recompile:
    """A call that no entry accepted, so that Dynamo recompiled."""

    compile_id: str  # of the new entry
    reasons: list[RecompileReason]


@dataclass
class Symbol:
    """A symbolic size or number of a graph."""

    compile_id: str
    name: str
    source: str
    value: str  # in the call that was compiled
    range: str  # the values that the entry's guards accept
    where: Location


@dataclass
class Specialization:
    """A symbol that the user's code forced to one value."""

    compile_id: str
    name: str
    sources: tuple[str, ...]
    value: str
    reason: str
    where: Location


@dataclass
class Function:
    """One frame of the program with its entries."""

    key: str
    name: str
    origin: Location
    entries: list[Entry] = field(default_factory=list)
    resumes: list[str] = field(default_factory=list)  # keys of the resume functions in which its entries continue

    @property
    def is_resume(self) -> bool:
        """Whether it is a resume function, which continues another frame after a graph break."""
        return bool(self.entries) and self.entries[0].is_resume


@dataclass
class Problem:
    """Something depyf could not do; the program was not affected."""

    what: str
    error: str


@dataclass
class Record:
    """All facts of a session, in the order of the events."""

    source: Source = Source.PROCESS
    ids: CompileIds = field(default_factory=CompileIds)
    entries: list[Entry] = field(default_factory=list)
    failed_entries: list[Entry] = field(default_factory=list)  # of compilations that failed after code generation
    graphs: list[Graph] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    caches: dict[str, int] = field(default_factory=dict)  # "fx_graph_cache_hit" -> count
    compiled_fns: dict[str, str] = field(default_factory=dict)  # compile id -> __compiled_fn_N_<uuid>
    starts: dict[str, Location] = field(default_factory=dict)  # compile id -> first line of the frame
    symbols: dict[str, dict[str, int | float]] = field(default_factory=dict)  # compile id -> symbol -> its value
    measured_seconds: float = 0.0  # in torch.compile, of frames and of backward graphs
    statuses: dict[str, StatusReport] = field(default_factory=dict)  # frame's key -> status
    forgotten: set[str] = field(default_factory=set)  # keys of frames whose state torch.compiler.reset() cleared
    uncompiled: dict[str, UncompiledFrame] = field(default_factory=dict)  # frame's key -> a frame that runs eagerly
    names: dict[str, str] = field(default_factory=dict)  # compile id -> the frame's name, as the user knows it
    keys: dict[str, str] = field(default_factory=dict)  # compile id -> key of the frame's code
    failures: list[FailedCompilation] = field(default_factory=list)
    graph_breaks: list[GraphBreak] = field(default_factory=list)
    recompiles: list[Recompile] = field(default_factory=list)
    symbolic_sizes: list[Symbol] = field(default_factory=list)
    specializations: list[Specialization] = field(default_factory=list)
    cache_events: list[CacheEvent] = field(default_factory=list)
    cuda_graph_skips: list[CudaGraphSkip] = field(default_factory=list)
    cuda_graph_recordings: list[CudaGraphRecording] = field(default_factory=list)
    # compile id -> the user's stack, outermost first, and the line that made the call
    calls: dict[str, tuple[Location, ...]] = field(default_factory=dict)
    callers: dict[str, Location] = field(default_factory=dict)
    phases: list[Phase] = field(default_factory=list)  # in the order in which they ended
    metrics: dict[str, dict[str, Any]] = field(default_factory=dict)  # compile id -> torch's own numbers
    captures: dict[str, tuple[str, ...]] = field(default_factory=dict)  # pass of compiled autograd -> torch's reasons
    program: Program | None = None  # what runs as `__main__`, where that is a file

    def snapshot(self) -> Record:
        """Returns a copy that does not change while other threads add to this record."""
        copy = _Snapshot()
        for name, value in vars(self).items():
            setattr(copy, name, value.copy() if isinstance(value, list | dict | set) else value)
        return copy

    def _by_id(self) -> _ById:
        return _ById(self)

    def entry(self, compile_id: str) -> Entry | None:
        """Returns the entry with a compile id, or None."""
        return next((e for e in reversed(self.entries) if e.compile_id == compile_id), None)

    def remove_entry(self, compile_id: str) -> None:
        """Moves an entry to `failed_entries`: its compilation generated code and failed after that."""
        if (entry := self.entry(compile_id)) is not None:
            del self.entries[next(i for i, e in enumerate(self.entries) if e is entry)]
            self.failed_entries.append(entry)

    @property
    def compile_seconds(self) -> float:
        """Time in torch.compile, including compilations ahead of time and by backends outside any frame."""
        return round(self.measured_seconds + sum(seconds_outside(self.phases)), 6)

    @property
    def functions(self) -> list[Function]:
        """The frames, in the order in which they were first compiled."""
        functions: dict[str, Function] = {}
        for entry in self.entries:
            function = functions.setdefault(entry.code_key, Function(entry.code_key, entry.name, entry.origin))
            function.entries.append(entry)
            function.resumes += [k for k in entry.resume_codes.values() if k not in function.resumes]
        return list(functions.values())

    @property
    def paths(self) -> Paths:
        """Short, distinct names of the program's files."""
        places: list[Location] = [*self.starts.values(), *self.callers.values(), *(e.origin for e in self.entries)]
        for stack in (
            *self.calls.values(),
            *(b.stack for b in self.graph_breaks),
            *(g.source_lines for g in self.graphs),
        ):
            places += stack
        places += [b.where for b in self.graph_breaks]
        return Paths(dict.fromkeys(place.path for place in places))

    def name_of(self, compile_id: str) -> str:
        """Returns the name of the function whose frame has this compile id, as the user knows it."""
        frame = frame_of(compile_id)
        nameless = f"frame {frame}" if frame != compile_id else maker_of(compile_id) or "outside any frame"
        return _own_name(self, compile_id) or self._by_id().names.get(frame) or nameless

    def origin_of(self, compile_id: str) -> Location:
        """Returns the first line of the function whose frame has this compile id, or NOWHERE."""
        return self._by_id().origins.get(frame_of(compile_id), NOWHERE)

    def call_of(self, compile_id: str) -> Location | None:
        """Returns the user's line whose call was compiled; None for traces, which omit the innermost lines."""
        return self.callers.get(compile_id) or None

    @property
    def graph_count(self) -> int:
        """Number of entries that call a compiled graph; the code of other entries computes everything eagerly."""
        return sum(bool(e.compiled_fn) or self.captured_graph(e.compile_id) is not None for e in self.entries)

    def captured_graph(self, compile_id: str) -> Graph | None:
        """Returns the graph that Dynamo captured in a compilation and that the compiled code calls, or None."""
        of_frame = (g for g in self.graphs if g.compile_id == compile_id and not g.is_abandoned)
        return next((g for g in of_frame if g.kind == "Captured_Graph"), None)

    def graphs_in(self, compile_id: str) -> list[Graph]:
        """Returns the graphs of a compilation, in the order of their creation."""
        return self._by_id().graphs.get(compile_id, [])

    def entries_of(self, code_key: str) -> list[Entry]:
        """Returns the entries of a frame, in the order in which they were compiled."""
        return self._by_id().same_code.get(code_key, [])


class _Snapshot(Record):
    """A copy of a record, which does not change."""

    @functools.cached_property
    def _tables(self) -> _ById:
        return _ById(self)

    def _by_id(self) -> _ById:
        return self._tables

    def snapshot(self) -> Record:
        return self

    def entry(self, compile_id: str) -> Entry | None:
        return self._tables.entries.get(compile_id)


class _ById:
    """Lookup tables for frames and compilations of a record, built on first use."""

    def __init__(self, record: Record) -> None:
        self._record = record

    @functools.cached_property
    def names(self) -> dict[str, str]:
        """Frame -> its name."""
        record = self._record
        names = [(i, _own_name(record, i)) for i in (*record.names, *record.starts)]
        return _first_by_frame([*names, *((e.compile_id, e.name) for e in record.entries)])

    @functools.cached_property
    def origins(self) -> dict[str, Location]:
        """Frame -> its first line."""
        record = self._record
        origins = [(entry.compile_id, entry.origin) for entry in record.entries]
        origins += [(failure.compile_id, failure.origin) for failure in record.failures]
        return _first_by_frame([*origins, *record.starts.items()])

    @functools.cached_property
    def graphs(self) -> dict[str, list[Graph]]:
        """Compile id -> its graphs."""
        return _grouped(self._record.graphs, lambda graph: graph.compile_id)

    @functools.cached_property
    def same_code(self) -> dict[str, list[Entry]]:
        """Key of a frame's code -> its entries."""
        return _grouped(self._record.entries, lambda entry: entry.code_key)

    @functools.cached_property
    def entries(self) -> dict[str, Entry]:
        """Compile id -> its latest entry."""
        return {entry.compile_id: entry for entry in self._record.entries}


def _own_name(record: Record, compile_id: str) -> str:
    start = record.starts.get(compile_id)
    return record.names.get(compile_id) or (start.function if start is not None else "")


def _first_by_frame(facts: Iterable[tuple[str, _T]]) -> dict[str, _T]:
    """Returns the first fact for each frame that is not empty; the facts of one frame are mostly equal."""
    firsts: dict[str, _T] = {}
    for compile_id, fact in facts:
        if fact:
            firsts.setdefault(frame_of(compile_id), fact)
    return firsts


def _grouped(items: Iterable[_T], key: Callable[[_T], str]) -> dict[str, list[_T]]:
    groups: dict[str, list[_T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups
