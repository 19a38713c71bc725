# SPDX-License-Identifier: MIT
"""What a session knows: frames, graphs, guards, graph breaks, problems. Text and numbers only.

Invariant: no object of the user's program, no fake tensor and no torch module is reachable from here (code objects
are held weakly), so watching a program never changes when its objects die.
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
from depyf.torch.model.facts import Kernel
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


# Inputs of a graph of Inductor's, as torch prints it and as Inductor's code unpacks them.
_INPUTS = re.compile(r"^ *(?:def forward\(self, .*\):|.* = args)$", re.MULTILINE)
# AOTAutograd's names of inputs when it trains; Inductor tells backward graphs by them, too (compile_fx.count_tangents).
_TRAINING_INPUT = re.compile(r"\b(primals|tangents)_\d+\b")

DROPPED = "dropped by torch since (torch.compiler.reset(), or an object guarded on is gone): a call compiles anew"


@dataclass
class Graph:
    """One dumped graph or Inductor file."""

    kind: str  # the middle part of the file name: Captured_Graph, Forward_graph, …
    compile_id: str
    path: Path
    runs: bool = False  # whether this text itself was seen to run
    kernels: tuple[str, ...] = ()
    native: tuple[str, ...] = ()  # files with the kernels' own sources
    launches: tuple[Kernel, ...] = ()  # of kernels, where torch told which lines and nodes they come from
    source_lines: tuple[Location, ...] = ()  # the user's lines that the graph came from
    text: str = ""  # as torch printed it, without addresses
    boxed: str = ""  # the text that runs where that takes its inputs as one list
    frame: Location = NOWHERE  # where the frame begins, as far as is known when the graph is made
    called_as: str = ""  # the global that holds what is compiled of it, as dumped files name it; "" if not known then
    plan: Plan | None = None  # how to run the graph as a script
    is_cached: bool = False  # out of one of torch's caches: its comments name lines of the run that filled it
    is_abandoned: bool = False  # of an attempt to trace the frame that Dynamo gave up for another: nothing calls it

    @property
    def is_backward(self) -> bool | None:
        """Whether a graph of Inductor's, or its code, is of a backward pass; None in inference and of other kinds."""
        inputs = _INPUTS.search(self.text) if self.kind in ("AFTER_POST_GRAD", "kernel") else None
        names = set(_TRAINING_INPUT.findall(inputs[0])) if inputs is not None else set()
        return "tangents" in names if names else None


@dataclass(repr=False)
class Entry:
    """One compiled version of one frame: a cache entry.

    Attributes:
        compile_id: As torch counts it: `1/0` is the first entry of the second frame.
        name: Of the frame's code.
        origin: Where the original code is in the program.
        backend: What compiled its graph, "" where that is not known.
        path: Of the dumped transformed code.
        decompiled: The transformed code's text alone; `text` has comments on what it calls.
        verdict: What is known of the text, for people; `verdict_kind` is its kind, `is_verified` whether it holds.
        failure: Why there is no text; then `bytecode` has the instructions.
        arguments: Names of the function's parameters; `free_variables` those of its closure.
        compiled_fn: The graph that it calls, as torch names it.
        resume_fns: What it continues in after a graph break; `continues` tells where in the program.
        guards: What a call must fulfil to take it.
        guards_known: Whether torch's text of the guards was seen: there may be none in it (`guard_filter_fn`).
        inputs: Python for a value like each argument that it was compiled for.
        side_effects: Of Dynamo: what the transformed code changes in the program.
        dropped: Whether torch was seen to have let it go, so that a call compiles anew.
        order: Of one frame's entries torch tries that with the highest first.
        wraps: What a function of PyTorch's calls for the user (`torch.no_grad()` as a decorator makes one).

    The other fields are what the files of a dump are written from.

    Examples:
        >>> import depyf, torch
        >>> scale = torch.compile(lambda x, k: x * k, backend="eager", dynamic=False)
        >>> result = scale(torch.ones(2), 2)
        >>> entry = depyf.entries(scale)[0]
        >>> (entry.compile_id, entry.backend, entry.is_verified, bool(entry.explain(torch.ones(2), 2)))
        ('0/0', 'eager', True, True)

    """

    compile_id: str
    name: str  # of the frame's code
    origin: Location  # of the original code
    backend: str = ""  # the name of what compiled its graph, if known
    path: Path | None = None  # of the transformed code
    module: str = ""  # whose globals the frame has, "" where that is not known
    decompiled: str = ""  # the text alone
    text: str = ""  # with comments on what it calls, without header
    has_breakpoints: bool = False  # whether what runs names lines of the file
    bytecode: str = ""  # as `dis` shows it, where there is no usable text
    verdict: str = ""
    verdict_kind: VerdictKind = VerdictKind.NOT_DECOMPILED
    lifetime_note: str = ""  # what would live longer if the text ran in place of the bytecode, and during which call
    signature: str = ""
    parameters: str = ""  # the signature with its defaults
    defaults_known: bool = False  # whether the function was at hand, which has them
    arguments: tuple[str, ...] = ()
    free_variables: tuple[str, ...] = ()
    compiled_fn: str = ""  # __compiled_fn_N_<uuid>
    resume_fns: tuple[str, ...] = ()
    resume_codes: dict[str, str] = field(default_factory=dict)  # __resume_at_… -> key of the frame's code
    continues: dict[str, Location] = field(default_factory=dict)  # __resume_at_… -> where it continues, if known
    modules: dict[str, str] = field(default_factory=dict)  # global name -> module it refers to
    live_names: tuple[str, ...] = ()  # other globals of the program that the text or the guards read
    inputs: dict[str, str] = field(default_factory=dict)  # argument -> Python for a value like the one compiled for
    values: dict[str, str] = field(default_factory=dict)  # global -> Python for its value then
    free_values: dict[str, str] = field(default_factory=dict)  # free variable -> Python for its value then
    opaque: dict[str, str] = field(default_factory=dict)  # placeholder in the text -> Python for what it represents
    on_stack: dict[str, str] = field(default_factory=dict)  # ___stack0 -> the program's expression that left it there
    side_effects: tuple[str, ...] = ()
    guards: list[Guard] = field(default_factory=list)
    guards_known: bool = False
    failure: str = ""  # why there is no decompiled text
    code_key: str = ""  # identifies the original code object within the session
    original: weakref.ref[CodeType] | None = None
    running: weakref.ref[CodeType] | None = None  # the code in torch's cache, unless a later hook replaced it
    dropped: bool = False  # whether torch was seen to have let it go, so that a call compiles anew
    is_ahead_of_time: bool = False  # whether the program holds it, and not Dynamo's cache
    order: int = 0  # of one frame's entries torch tries that with the highest first
    wraps: Location = NOWHERE  # what a function of PyTorch's calls for the user: its name, and where it begins
    explainer: Explainer | None = field(
        default=None, repr=False, compare=False
    )  # of an entry read from a live function

    def __repr__(self) -> str:
        continued = f", continues in {', '.join(self.resume_fns)}" if self.resume_fns else ""
        known = f"{self.verdict_kind.value}, {len(self.guards)} guard{'' if len(self.guards) == 1 else 's'}"
        return f"<entry [{self.compile_id}] of {self.title} ({self.start}): {known}{continued}>"

    @property
    def title(self) -> str:
        """The function's name: the user's own, where PyTorch's own calls it."""
        return f"{self.wraps.function}, called by PyTorch's {self.name}" if self.wraps.function else self.name

    @property
    def start(self) -> Location:
        """Where that function begins."""
        return self.wraps or self.origin

    def _rows(self) -> list[tuple[str, str, str]]:
        """Its guards, each with what it is of and the user's line that asked for it."""
        return [("guard", "of", "from"), *((g.kind, g.source, g.where) for g in self.guards)]

    def _repr_html_(self) -> str:
        """Its guards as a table, for notebooks."""
        return html_table(self._rows(), repr(self).strip("<>"))

    def __rich__(self) -> Table:
        """Its guards as a table, for rich's terminals."""
        return rich_table(self._rows(), repr(self).strip("<>"))

    def explain(self, /, *args: Any, **kwargs: Any) -> Explanation:
        """Whether a call with these arguments takes this entry, else the first guard that does not hold."""
        explainer = self.explainer
        if explainer is None:
            if _explainer_of is None:
                raise LookupError("nothing is known of the calls of this entry's function")
            explainer = _explainer_of(self)
        return explainer(args, kwargs)

    @property
    def is_verified(self) -> bool:
        """Whether the text is known to behave as the bytecode does."""
        return self.verdict_kind in (VerdictKind.EXACT, VerdictKind.PROVED)

    def is_of(self, code: CodeType | None) -> bool:
        """Whether it was compiled for this very code object."""
        return code is not None and self.original is not None and self.original() is code

    def runs(self, code: CodeType | None) -> bool:
        """Whether this very code object is what torch runs for it."""
        return code is not None and self.running is not None and self.running() is code

    def set_verification(self, text: Decompiled) -> None:
        """Notes what is known of the text."""
        verdict = text.verdict
        if verdict.holds:
            verdict = Verdict(verdict.kind, compiler=verdict.compiler)
            self.lifetime_note = "; ".join(_note(text, v) for v in text.verdicts if v.reason)
        self.verdict, self.verdict_kind = verdict.describe(), verdict.kind

    @property
    def is_resume(self) -> bool:
        """Whether the frame continues another one after a graph break."""
        return self.name.startswith((RESUME_CODE, "<resume in"))


def in_order(entries: Iterable[Entry]) -> list[Entry]:
    """The entries of one frame in the order in which torch tries them, as far as it is known."""
    return sorted(entries, key=lambda e: -e.order)


_explainer_of: Callable[[Entry], Explainer] | None = None


def explain_with(find: Callable[[Entry], Explainer]) -> None:
    """Has `Entry.explain` ask what this finds for an entry of a record: facts know nothing of those who ask."""
    global _explainer_of
    _explainer_of = find


def _note(text: Decompiled, verdict: Verdict) -> str:
    """What a verdict adds, with the line of the text that it is about: of a call, a line that makes one."""
    lines = text.split("\n")
    of_code = (e for e in text.source_map if e.code == verdict.code and e.offset == verdict.offset)
    found = [lines[e.line - 1] for e in reversed(list(of_code))]
    what = verdict.reason.removeprefix(_DURING)
    if what == verdict.reason:
        return f"at `{_shortened(found[0])}`, {what}" if found else verdict.why
    call = next((line for line in found if "(" in line and not line.lstrip().startswith("del ")), None)
    return f"while `{_shortened(call)}` runs, {what}" if call is not None else f"while a call runs, {what}"


_DURING = "during the call, "  # how the validator begins to tell of lifetimes


def _shortened(line: str) -> str:
    """A line of the text; what goes on in the next lines is left out, as in `graph(…)`."""
    closing = {"(": ")", "[": "]", "{": "}"}.get(line[-1:])
    return textwrap.shorten(line if closing is None else f"{line}…{closing}", 80, placeholder=" …")


@dataclass
class UncompiledFrame:
    """A frame whose calls run eagerly: all of them, or (recompile limit) those that no entry takes."""

    name: str
    origin: Location
    signature: str
    text: str  # decompiled from its own code; empty when that failed
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
    hints: tuple[str, ...] = ()  # what to do, where torch has a hint on this very break
    stack: tuple[Location, ...] = ()  # the user's frames, outermost first
    context: str = ""
    page: str = ""  # of PyTorch's site on graph breaks
    times: int = 1
    skips: dict[str, str] = field(default_factory=dict)  # compile id of a frame that Dynamo skips for it -> why
    inner: Location = NOWHERE  # PyTorch's own line that the user's led to, where that is what breaks


@dataclass
class FailedCompilation:
    """A compilation of a frame that an exception ended; the frame may run eagerly then, or the program sees it."""

    compile_id: str
    name: str
    origin: Location
    kind: str  # the exception's class
    text: str  # its whole text
    where: Location = NOWHERE  # the user's line that torch was at
    effect: FailureEffect | None = None  # None where neither torch nor the trace tells
    backend: str = ""  # that it was compiled for, if known

    @property
    def reason(self) -> str:
        """The exception as Python prints it, without torch's hints and traceback."""
        return failure_reason(self.kind, self.text)

    @property
    def explanation(self) -> str:
        """Why, in torch's words, where it has more of them."""
        return explanation_in(self.text)

    @property
    def hints(self) -> tuple[str, ...]:
        """What torch advises on this very failure."""
        return hints_in(self.text)


@dataclass
class RecompileReason:
    """Why one earlier entry did not take a call."""

    entry: str  # its compile id
    source: str = ""  # what its failing guard looks at, as the user writes it
    what: str = ""  # which property of it
    then: str = ""  # the value compiled for
    now: str = ""  # the value of this call
    where: Location = NOWHERE  # the user's line that made Dynamo guard it, where torch tells
    advice: str = ""
    torch_text: str = ""
    stack: tuple[Location, ...] = ()  # the user's frames at that line, outermost first, where torch tells

    @property
    def difference(self) -> str:
        """What differs, then and now; torch's own text where that is all there is."""
        if not self.source and not self.then:
            return self.torch_text or self.what
        subject = f"{self.source}: {self.what}" if self.source else self.what
        return differed(subject, self.then, self.now)

    def __str__(self) -> str:
        return f"[{self.entry}] {self.difference}" if self.entry else self.difference


@dataclass
class Recompile:
    """A call that no entry took, so that Dynamo compiled anew."""

    compile_id: str  # of the new entry
    reasons: list[RecompileReason]


@dataclass
class Symbol:
    """A symbolic size or number of a graph."""

    compile_id: str
    name: str
    source: str
    value: str  # in the call compiled for
    range: str  # that the entry's guards let through
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
    """One frame of the program with its entries: functions hold entries, these guards, code and graphs."""

    key: str
    name: str
    origin: Location
    entries: list[Entry] = field(default_factory=list)
    resumes: list[str] = field(default_factory=list)  # keys of the resume functions that its entries continue in

    @property
    def is_resume(self) -> bool:
        """Whether it continues another one after a graph break."""
        return bool(self.entries) and self.entries[0].is_resume


@dataclass
class Problem:
    """Something depyf could not do; the program went on."""

    what: str
    error: str


@dataclass
class Record:
    """All of it, in the order things happened."""

    source: Source = Source.PROCESS
    ids: CompileIds = field(default_factory=CompileIds)
    entries: list[Entry] = field(default_factory=list)
    failed_entries: list[Entry] = field(default_factory=list)  # of compilations that failed after their code was made
    graphs: list[Graph] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    caches: dict[str, int] = field(default_factory=dict)  # "fx_graph_cache_hit" -> count
    compiled_fns: dict[str, str] = field(default_factory=dict)  # compile id -> __compiled_fn_N_<uuid>
    starts: dict[str, Location] = field(default_factory=dict)  # compile id -> where the frame begins
    symbols: dict[str, dict[str, int | float]] = field(default_factory=dict)  # compile id -> size symbol -> its value
    measured_seconds: float = 0.0  # in torch.compile, of frames and of backward graphs
    statuses: dict[str, StatusReport] = field(default_factory=dict)  # frame's key -> what becomes of its calls
    forgotten: set[str] = field(default_factory=set)  # keys of frames that torch.compiler.reset() made torch forget
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

    def snapshot(self) -> Record:
        """The record as it is now, to be read at leisure: other threads go on adding to this one."""
        taken = _Snapshot()
        for name, value in vars(self).items():
            setattr(taken, name, value.copy() if isinstance(value, list | dict | set) else value)
        return taken

    def _by_id(self) -> _ById:
        return _ById(self)

    def entry(self, compile_id: str) -> Entry | None:
        """The entry of a compile id, if its frame was seen."""
        return next((e for e in reversed(self.entries) if e.compile_id == compile_id), None)

    def remove_entry(self, compile_id: str) -> None:
        """Keeps what was noted of an entry apart, where its compilation made code and failed then: it has none."""
        if (entry := self.entry(compile_id)) is not None:
            del self.entries[next(i for i, e in enumerate(self.entries) if e is entry)]
            self.failed_entries.append(entry)

    @property
    def compile_seconds(self) -> float:
        """Time in torch.compile, what was compiled ahead of time or by a backend outside any frame included."""
        return round(self.measured_seconds + sum(seconds_outside(self.phases)), 6)

    @property
    def functions(self) -> list[Function]:
        """The frames, in the order in which they were first compiled."""
        found: dict[str, Function] = {}
        for entry in self.entries:
            function = found.setdefault(entry.code_key, Function(entry.code_key, entry.name, entry.origin))
            function.entries.append(entry)
            function.resumes += [k for k in entry.resume_codes.values() if k not in function.resumes]
        return list(found.values())

    @property
    def paths(self) -> Paths:
        """Short names of the program's files, each told from the others."""
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
        """The name of the function whose frame has this compile id, as the user knows it."""
        frame = frame_of(compile_id)
        nameless = f"frame {frame}" if frame != compile_id else maker_of(compile_id) or "outside any frame"
        return _own_name(self, compile_id) or self._by_id().names.get(frame) or nameless

    def origin_of(self, compile_id: str) -> Location:
        """Where the function begins whose frame has this compile id."""
        return self._by_id().origins.get(frame_of(compile_id), NOWHERE)

    def call_of(self, compile_id: str) -> Location | None:
        """The user's line whose call had this frame compiled; None in a trace, which leaves the innermost ones out."""
        return self.callers.get(compile_id) or None

    @property
    def graph_count(self) -> int:
        """How many entries call a compiled graph: of others, all that they compute runs eagerly."""
        return sum(bool(e.compiled_fn) or self.captured_graph(e.compile_id) is not None for e in self.entries)

    def captured_graph(self, compile_id: str) -> Graph | None:
        """The graph that Dynamo captured in a compilation, and that what came of it calls."""
        of_frame = (g for g in self.graphs if g.compile_id == compile_id and not g.is_abandoned)
        return next((g for g in of_frame if g.kind == "Captured_Graph"), None)

    def graphs_in(self, compile_id: str) -> list[Graph]:
        """The graphs of a compilation, in the order in which they were made."""
        return self._by_id().graphs.get(compile_id, [])

    def entries_of(self, code_key: str) -> list[Entry]:
        """The entries of a frame, in the order in which they were compiled."""
        return self._by_id().same_code.get(code_key, [])


class _Snapshot(Record):
    """A record that nothing is added to."""

    @functools.cached_property
    def _found(self) -> _ById:
        return _ById(self)

    def _by_id(self) -> _ById:
        return self._found

    def snapshot(self) -> Record:
        return self

    def entry(self, compile_id: str) -> Entry | None:
        return self._found.entries.get(compile_id)


class _ById:
    """What a record has of frames and compilations, each table made when it is first asked for."""

    def __init__(self, record: Record) -> None:
        self._record = record

    @functools.cached_property
    def names(self) -> dict[str, str]:
        """Frame -> its name."""
        record = self._record
        told = [(i, _own_name(record, i)) for i in (*record.names, *record.starts)]
        return _firsts([*told, *((e.compile_id, e.name) for e in record.entries)])

    @functools.cached_property
    def origins(self) -> dict[str, Location]:
        """Frame -> where it begins."""
        record = self._record
        told = [(entry.compile_id, entry.origin) for entry in record.entries]
        told += [(failure.compile_id, failure.origin) for failure in record.failures]
        return _firsts([*told, *record.starts.items()])

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


def _firsts(told: Iterable[tuple[str, _T]]) -> dict[str, _T]:
    """The first that is told of each frame; what is told is nothing, mostly, or the same."""
    found: dict[str, _T] = {}
    for compile_id, what in told:
        if what:
            found.setdefault(frame_of(compile_id), what)
    return found


def _grouped(items: Iterable[_T], key: Callable[[_T], str]) -> dict[str, list[_T]]:
    found: dict[str, list[_T]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found
