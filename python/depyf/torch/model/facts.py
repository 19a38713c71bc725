# SPDX-License-Identifier: MIT
"""The facts of one run, frozen. `Run` is the whole of `index.json`; `index.schema.json` describes it.

Invariant: facts only, in torch's own words where they are torch's; what was not established is None, "" or absent from
a table, never guessed. A change of what is here that a reader could trip over raises `SCHEMA_VERSION`.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from depyf.decompilation.result import VerdictKind
from depyf.torch.model import index_files
from depyf.torch.model.caches import CacheEvent, CudaGraphRecording, CudaGraphSkip
from depyf.torch.model.compilations import Compilation, EagerFrame, TransformedCode
from depyf.torch.model.enums import FailureEffect, FrameStatus, Source, Stage
from depyf.torch.model.folders import dumps_in
from depyf.torch.model.location import Location
from depyf.torch.model.phases import Phase
from depyf.torch.model.serialization import Json, encode, schema_of
from depyf.torch.model.status import StatusReport
from depyf.torch.model.symbols import Specialization, Symbol
from depyf.torch.model.table import aligned, counts_of, html_table, rich_table, rows_of

if TYPE_CHECKING:
    from rich.table import Table

SCHEMA_VERSION = 5
SCHEMA_FILE = Path(__file__).with_name("index.schema.json")
_ADDRESS = "https://github.com/thuml/depyf/blob/master/python/depyf/torch/model/index.schema.json"


@dataclass(frozen=True)
class Frame:
    """A function, or what a function continues in after a graph break: all that became of its frames.

    Attributes:
        key: Names the code object within the run.
        name: As the user knows it.
        origin: Where it begins, shortened for a reader.
        location: Where it begins.
        status: What becomes of a call.
        reason: Why it is not, or not only, compiled, in torch's words; the graph break that it is skipped for before.
        compile_ids: Its compilations, those that failed too.
        entries: Compile ids of its cache entries.
        forgotten: Whether the status is of before a `torch.compiler.reset()`, and torch has not met the frame since.

    """

    key: str
    name: str
    origin: str
    location: Location | None
    status: FrameStatus
    reason: str
    compile_ids: tuple[str, ...]
    entries: tuple[str, ...]
    forgotten: bool


@dataclass(frozen=True)
class Guard:
    """One check of a cache entry.

    Attributes:
        kind: torch's leaf guard (TENSOR_MATCH, ID_MATCH, …).
        text: torch's own text of the check. Object ids in it mean something in the process that was compiled only.
        source: The expression whose value is guarded, "" where there is none.
        where: The user's code that asked for it, shortened for a reader.
        location: The user's code that asked for it.
        stack: The user's frames at that line, outermost first; empty where torch does not tell them.
        python: The check as a Python expression; `same_process_id(n)` is the n-th of the entry's `identities`.
        comment: The user's code that asked for it, as torch prints it.
        known_as: What the text does not tell: a public name of the object meant ("torch.abs"), a length.
        hint: torch's own advice.

    """

    kind: str
    text: str
    source: str
    where: str
    location: Location | None
    stack: tuple[Location, ...]
    python: str
    comment: str
    known_as: str
    hint: str


@dataclass(frozen=True)
class CacheEntry:
    """One compiled version of a frame.

    Attributes:
        compile_id: As torch prints it; "0/1 after reset 1" where torch counted from zero again.
        name: Of the frame's code object.
        title: The frame's name as the user knows it.
        origin: Where the frame begins, shortened for a reader.
        location: Where the frame begins.
        backend: What compiled its graph, where that is known.
        dropped: Whether torch was seen to have let it go, so that a call compiles anew.
        verdict: How sure the decompiled text is, and by which compiler.
        verdict_kind: The same as one word.
        lifetime_note: Which values would live longer if the text ran in place of the bytecode.
        transformed_code: File with the decompiled text.
        full_code: File with all that a call does.
        compiled_fn: The global that holds its compiled graph, as dumped files name it; see `Run.globals`.
        resume_functions: Globals that hold what it continues in after a graph break.
        side_effects: What it changes besides its result.
        guards: torch's texts of the checks, in torch's order.
        guards_known: Whether torch's text of the guards was seen: there may be none in it (`guard_filter_fn`).
        checks: The guards, in torch's order.
        identities: Object ids, versions and addresses that the checks compare with: of the process that was compiled.
        inputs: Argument to Python for a value like the one compiled for.
        call: The user's line whose call had it compiled.
        graphs: Files of its graphs.
        code: What else is known of the transformed code.

    """

    compile_id: str
    name: str
    title: str
    origin: str
    location: Location
    backend: str | None
    dropped: bool
    verdict: str
    verdict_kind: VerdictKind
    lifetime_note: str | None
    transformed_code: str | None
    full_code: str | None
    compiled_fn: str | None
    resume_functions: tuple[str, ...]
    side_effects: tuple[str, ...]
    guards: tuple[str, ...]
    guards_known: bool
    checks: tuple[Guard, ...]
    identities: tuple[int, ...]
    inputs: dict[str, str]
    call: Location | None
    graphs: tuple[str, ...]
    code: TransformedCode


@dataclass(frozen=True)
class Graph:
    """A graph, or Inductor's file of code for one.

    Attributes:
        compile_id: Of the compilation that made it.
        kind: The middle part of the file's name.
        stage: Where in the compiler it comes from.
        file: Its file.
        is_what_runs: Whether this text itself was seen to run.
        is_cached: Out of one of torch's caches: its comments may name lines of the run that filled the cache.
        is_abandoned: Of an attempt to trace the frame that Dynamo gave up for another: nothing calls it.
        is_backward: Whether a post-grad graph, or Inductor's code, is of a backward pass; None in inference and of
            other kinds.
        kernels: Names of the kernels in it.
        source_lines: The user's lines that it came from.
        frame: Where the frame begins that it is of, as far as was known when it was made.
        called_as: The global that holds the compiled graph, as dumped files name it; None where it was not known then.
        is_boxed: Whether the text that runs takes its inputs as one list, which it empties.
        native_files: Files with the sources of its kernels.

    """

    compile_id: str
    kind: str
    stage: Stage
    file: str
    is_what_runs: bool
    is_cached: bool
    is_abandoned: bool
    is_backward: bool | None
    kernels: tuple[str, ...]
    source_lines: tuple[Location, ...]
    frame: Location | None
    called_as: str | None
    is_boxed: bool
    native_files: tuple[str, ...]


@dataclass(frozen=True)
class Kernel:
    """A launch of a kernel in Inductor's code, and what it computes: known where provenance was tracked.

    Attributes:
        compile_id: Of the compilation that made it.
        name: As Inductor's code names it; `extern_kernels.mm` and its like are no code of Inductor's.
        handle: torch's number of the launch, its debug handle; profilers show `name:handle`.
        file: Inductor's Python file.
        line: Of the launch in that file.
        source_file: File with the kernel's own source; None where it is none of Inductor's.
        graph: File of the post-grad graph.
        nodes: Its nodes in the post-grad graph.
        captured_nodes: The nodes that these come from, in the graph that Inductor received.
        source_lines: The user's lines that it computes; for a backward, those whose gradient it does; for one that lays
            inputs out anew, those that read the inputs.
        callers: The user's lines that call the functions of these.
        triton_file: The file that Triton compiles, None where that is none: tritonparse lists the kernel under it.

    """

    compile_id: str
    name: str
    handle: int
    file: str
    line: int
    source_file: str | None
    graph: str | None
    nodes: tuple[str, ...]
    captured_nodes: tuple[str, ...]
    source_lines: tuple[Location, ...]
    callers: tuple[Location, ...]
    triton_file: str | None


@dataclass(frozen=True)
class Function:
    """A frame that was compiled, with what it continues in.

    Attributes:
        key: Names the code object within the run.
        name: Of the code object.
        origin: Where it begins, shortened for a reader.
        location: Where it begins.
        entries: Compile ids of its cache entries.
        resumes: Keys of the resume functions that its entries continue in.

    """

    key: str
    name: str
    origin: str
    location: Location
    entries: tuple[str, ...]
    resumes: tuple[str, ...]


@dataclass(frozen=True)
class GraphBreak:
    """A place where Dynamo left compiled code, in torch's words.

    Attributes:
        compile_ids: Of the frames that broke there.
        where: The user's line, shortened for a reader.
        location: The user's line.
        reason: What Dynamo could not trace.
        explanation: Why.
        hints: What torch advises.
        stack: The user's frames, outermost first.
        context: For developers of PyTorch.
        page: Of PyTorch's site on graph breaks.
        times: How often it was met.
        skips: Compile id of a frame that Dynamo skips for it, to the reason.
        inner: PyTorch's own line that the user's line led to, where that is what breaks; None else.

    """

    compile_ids: tuple[str, ...]
    where: str
    location: Location | None
    reason: str
    explanation: str
    hints: tuple[str, ...]
    stack: tuple[Location, ...]
    context: str
    page: str
    times: int
    skips: dict[str, str]
    inner: Location | None


@dataclass(frozen=True)
class GuardFailure:
    """Why an earlier entry did not take a call.

    Attributes:
        entry: Its compile id.
        source: What the guard looks at, as the user writes it.
        what: Which property of it.
        then: The value compiled for.
        now: The value of this call.
        where: The user's line that made Dynamo guard it, shortened for a reader.
        location: The user's line that made Dynamo guard it.
        advice: What to do about it.
        torch_text: torch's own words.
        stack: The user's frames at that line, outermost first; empty where torch does not tell them.

    """

    entry: str
    source: str
    what: str
    then: str
    now: str
    where: str
    location: Location | None
    advice: str
    torch_text: str
    stack: tuple[Location, ...]


@dataclass(frozen=True)
class Recompile:
    """A call that no entry took, so that Dynamo compiled anew.

    Attributes:
        compile_id: Of the new compilation.
        name: Of the frame, as the user knows it.
        reason: The first reason in words, "" where none is known.
        reasons: One for each entry that did not take the call.
        call: The user's stack at the call, outermost first.

    """

    compile_id: str
    name: str
    reason: str
    reasons: tuple[GuardFailure, ...]
    call: tuple[Location, ...]


@dataclass(frozen=True)
class Failure:
    """A compilation that an exception ended.

    Attributes:
        compile_id: Of the compilation.
        name: Of the frame.
        origin: Where the frame begins.
        kind: The exception's class.
        text: The exception's whole text.
        where: The user's line that torch was at, shortened for a reader.
        location: The user's line that torch was at.
        effect: What becomes of the frame, None where torch does not tell.
        backend: What the frame was compiled for, where that is known.
        reason: The exception as Python prints it, without torch's hints.
        explanation: Why, in torch's words, "" where it has no more of them.
        hints: What torch advises.

    """

    compile_id: str
    name: str
    origin: Location | None
    kind: str
    text: str
    where: str
    location: Location | None
    effect: FailureEffect | None
    backend: str | None
    reason: str
    explanation: str
    hints: tuple[str, ...]


@dataclass(frozen=True)
class Problem:
    """Something depyf could not do; the program was not affected.

    Attributes:
        what: What.
        error: Why not.

    """

    what: str
    error: str


@dataclass(frozen=True)
class Process:
    """The process that wrote the index.

    Attributes:
        pid: Its id.
        rank: Its rank among others, None where there are none.
        launch: What the processes of one launch share.
        complete: Whether the watched block has ended; else the index was written as it went.
        written: When, in ISO 8601.

    """

    pid: int
    rank: int | None
    launch: str
    complete: bool
    written: str


@dataclass(frozen=True, repr=False)
class Run:
    """What torch.compile did while a program was watched. `index.json` is this, serialised.

    Examples:
        >>> import depyf, torch
        >>> with depyf.prepare_debug("dump") as session:
        ...     result = torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2))
        >>> depyf.Run.load("dump") == session.run
        True
        >>> [entry.backend for entry in session.run.entries]
        ['eager']

    Attributes:
        schema_version: Of this description.
        source: Where the facts come from.
        torch: Version of PyTorch.
        python: Version of Python.
        summary: The first lines of index.md.
        compile_seconds: Time of compilations, also of backward graphs, ahead of time and when a result is first called.
        frames: Each frame that Dynamo met, compiled or not.
        entries: Cache entries, in the order in which they were made.
        graphs: Graphs and Inductor's files, in the order in which they were made.
        kernels: Launches of kernels, where Inductor kept their provenance.
        functions: Frames that were compiled.
        graph_breaks: Each place where Dynamo left compiled code.
        recompiles: Calls that no entry took.
        failures: Compilations that an exception ended.
        symbols: Symbolic sizes and numbers.
        specializations: Symbols that were forced to one value.
        caches: torch's name of an outcome to how often it came.
        cache_events: What torch's caches answered to each compilation.
        cuda_graph_skips: Compiled graphs that run without a CUDA graph, though the program asked for one.
        cuda_graph_recordings: Compiled graphs that were recorded as CUDA graphs.
        phases: Spans of time that torch told of, in the order in which they began; one may be a part of another.
        metrics: Compile id to torch's own numbers, as torch names them.
        not_produced: Kinds of files that torch did not make, and why where that is known.
        problems: What depyf could not do.
        missing_capabilities: Private names that this torch lacks, to what is lost without each.
        globals: Name of a global in dumped files to its real name in the program (with torch's uuid or address).
        compilations: Each compilation of a frame, in the order in which they began.
        statuses: Key of a frame to what torch said of it at the end.
        eager_frames: Key of a frame that runs eagerly to what is known of its own code.
        files: Each file of the dump, to one line on it.
        failed_entries: Compiled code of compilations that failed after it was made: torch has no entry with it.
        run: The process that wrote this; None before it is written.
        other_files: Files of the folder by the same process, of other blocks.
        digests: File to BLAKE2b digest (16 bytes, hexadecimal) of what was written.

    """

    schema_version: int
    source: Source
    torch: str
    python: str
    summary: tuple[str, ...]
    compile_seconds: float
    frames: tuple[Frame, ...]
    entries: tuple[CacheEntry, ...]
    graphs: tuple[Graph, ...]
    kernels: tuple[Kernel, ...]
    functions: tuple[Function, ...]
    graph_breaks: tuple[GraphBreak, ...]
    recompiles: tuple[Recompile, ...]
    failures: tuple[Failure, ...]
    symbols: tuple[Symbol, ...]
    specializations: tuple[Specialization, ...]
    caches: dict[str, int]
    cache_events: tuple[CacheEvent, ...]
    cuda_graph_skips: tuple[CudaGraphSkip, ...]
    cuda_graph_recordings: tuple[CudaGraphRecording, ...]
    phases: tuple[Phase, ...]
    metrics: dict[str, dict[str, Json]]
    not_produced: tuple[str, ...]
    problems: tuple[Problem, ...]
    missing_capabilities: dict[str, str]
    globals: dict[str, str]
    compilations: tuple[Compilation, ...]
    statuses: dict[str, StatusReport]
    eager_frames: dict[str, EagerFrame]
    files: dict[str, str]
    failed_entries: tuple[CacheEntry, ...] = ()
    run: Process | None = None
    other_files: tuple[str, ...] = ()
    digests: dict[str, str] | None = None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Run:
        """Loads a run from a dump folder or its `index.json`.

        Args:
            path: The folder, or the file.

        Returns:
            A run equal to the one that was written.

        Raises:
            OSError: There is no such file; the message names the dumps of ranks and processes below, if there are any.
            ValueError: The file is no index, or one of another `schema_version`.

        Examples:
            >>> import depyf, torch
            >>> with depyf.prepare_debug("dump"):
            ...     result = torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2))
            >>> run = depyf.Run.load("dump")
            >>> [(frame.name, frame.status.value) for frame in run.frames]
            [('<lambda>', 'compiled')]

        """
        file = Path(path, "index.json") if Path(path).is_dir() else Path(path)
        try:
            return cls.from_data(index_files.parsed(file.read_bytes()))
        except FileNotFoundError:
            if not (below := [dump.relative_to(path).as_posix() for dump in dumps_in(Path(path))]):
                raise
            raise FileNotFoundError(
                f"{file}: the folder holds a dump of each process ({', '.join(below)}), "
                f"which load one by one: Run.load({os.path.join(path, below[0])!r})"
            ) from None
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from error

    @classmethod
    def from_data(cls, data: Any) -> Run:
        """The run that `as_data` made the data from; raises ValueError where they are something else."""
        return index_files.decoded(cls, data, SCHEMA_VERSION)

    def as_data(self) -> dict[str, Any]:
        """The run as what `json.dumps` takes."""
        return dict(encode(self))

    def as_json(self) -> str:
        """The text of `index.json`: on one line while the run is in progress."""
        indent = None if self.run is not None and not self.run.complete else 1
        return json.dumps(self.as_data(), indent=indent, ensure_ascii=False) + "\n"

    def written(self, process: Process, other_files: tuple[str, ...], digests: dict[str, str]) -> Run:
        """The same run, with what is known when it is written."""
        return replace(self, run=process, other_files=other_files, digests=digests)

    def entry(self, compile_id: str) -> CacheEntry | None:
        """The cache entry of a compile id."""
        return next((e for e in self.entries if e.compile_id == compile_id), None)

    def __repr__(self) -> str:
        return "\n".join([*aligned(rows_of(self)), counts_of(self)])

    def _repr_html_(self) -> str:
        """The table, for notebooks."""
        return html_table(rows_of(self), counts_of(self))

    def __rich__(self) -> Table:
        """The table, for rich's terminals."""
        return rich_table(rows_of(self), counts_of(self))


def schema() -> dict[str, Any]:
    """The JSON Schema of `index.json`; `index.schema.json` is this, as a file."""
    return schema_of(Run, "depyf: what torch.compile did in one run (index.json)", _ADDRESS)
