# SPDX-License-Identifier: MIT
"""The facts of one run, as frozen dataclasses. `Run` is the content of `index.json`; `index.schema.json` describes it.

Invariant: facts only, in torch's own words if torch reported them. A fact that is not established is None, "" or absent
from a table, never guessed. A change that can break a reader increments `SCHEMA_VERSION`.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field, replace
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
    """A function or resume function that Dynamo met, with the status of its frames.

    Attributes:
        key: Identifies the code object within the run.
        name: The name as the user knows it.
        origin: The first line, shortened for a reader.
        location: The first line.
        status: What happens to a call.
        reason: Why some or all calls run eagerly, in torch's words, preceded by the graph break that caused it, if any.
        compile_ids: Compile ids of its compilations, including those that failed.
        entries: Compile ids of its cache entries.
        forgotten: Whether the status is from before a `torch.compiler.reset()` after which torch has not met the frame.

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
        kind: Torch's class of leaf guards (TENSOR_MATCH, ID_MATCH, …).
        text: Torch's own text of the check. Object ids in it are valid only in the process that compiled the entry.
        source: The expression whose value is guarded, "" if there is none.
        where: The user's line that introduced the guard, shortened for a reader.
        location: The user's line that introduced the guard.
        stack: The user's frames at that line, outermost first; empty if torch does not report them.
        python: The check as a Python expression; `same_process_id(n)` is the n-th of the entry's `identities`.
        comment: The user's line that introduced the guard, as torch prints it.
        known_as: Facts that the text lacks: a public name of the compared object ("torch.abs"), a length.
        hint: Torch's own advice.

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
        compile_id: Torch's compile id; "0/1 after reset 1" if torch has started to count from zero again.
        name: Name of the frame's code object.
        title: The frame's name as the user knows it.
        origin: First line of the frame, shortened for a reader.
        location: First line of the frame.
        backend: Name of the backend that compiled its graph, None if unknown.
        dropped: Whether torch was seen to have dropped the entry, so that a call recompiles.
        verdict: The verdict on the decompiled text, and the compiler that it is based on.
        verdict_kind: The verdict as one word.
        lifetime_note: Which values would live longer if the text ran in place of the bytecode.
        transformed_code: File with the decompiled text.
        full_code: File with everything that a call does.
        compiled_fn: The global variable that holds its compiled graph, as dumped files name it; see `Run.globals`.
        resume_functions: Global variables that hold the functions in which it continues after a graph break.
        eager_from: The line from which on the frame's own code runs eagerly, if no function continues after the break.
        side_effects: What it changes in addition to returning its result.
        guards: Torch's texts of the checks, in torch's order.
        guards_known: Whether torch's text of the guards was seen; it can be empty (`guard_filter_fn`).
        checks: The guards, in torch's order.
        identities: Object ids, versions and addresses that the checks compare with, valid in the compiling process.
        inputs: For each argument, a Python expression for a value like the one in the call that was compiled.
        call: The user's line whose call was compiled.
        graphs: Files of its graphs.
        code: Further facts about the transformed code.

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
    eager_from: Location | None
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
    """A graph, or a file of code that Inductor generated for one.

    Attributes:
        compile_id: Compile id of the compilation that produced it.
        kind: The middle part of the file's name.
        stage: The stage of torch.compile that produced it.
        file: Name of the file.
        is_what_runs: Whether this text itself was executed.
        is_cached: Whether it is from one of torch's caches: its comments may name lines of the run that filled it.
        is_abandoned: Whether it is from an attempt to trace the frame that Dynamo abandoned, so that nothing calls it.
        is_backward: Whether a post-grad graph, or Inductor's code, belongs to a backward pass; None in inference and
            for other kinds.
        kernels: Names of the kernels in it.
        source_lines: The user's lines that it computes.
        frame: First line of its frame, if that was known when it was written.
        called_as: The global variable that holds the compiled graph, as dumped files name it; None if unknown then.
        is_boxed: Whether the executed text takes its inputs as one list, which it empties.
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
    """A launch of a kernel in Inductor's code, and what it computes. Known if Inductor tracked provenance.

    Attributes:
        compile_id: Compile id of the compilation that produced it.
        name: Name in Inductor's code; `extern_kernels.mm` and similar names are not code that Inductor generated.
        handle: Torch's debug handle of the launch; profilers show `name:handle`.
        file: Inductor's Python file.
        line: Line of the launch in that file.
        source_file: File with the kernel's own source; None if Inductor did not generate it.
        graph: File of the post-grad graph.
        nodes: Its nodes in the post-grad graph.
        captured_nodes: The corresponding nodes in the graph that Inductor received.
        source_lines: The user's lines that it computes; in a backward pass, those whose gradient it computes; for a
            kernel that changes the layout of inputs, those that read the inputs.
        callers: The user's lines that call the functions of these lines.
        triton_file: The file that Triton compiles, under which tritonparse lists the kernel; None for other kernels.

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
    """A frame that was compiled, with its resume functions.

    Attributes:
        key: Identifies the code object within the run.
        name: Name of the code object.
        origin: The first line, shortened for a reader.
        location: The first line.
        entries: Compile ids of its cache entries.
        resumes: Keys of the resume functions in which its entries continue.

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
        compile_ids: Compile ids of the frames that broke there.
        where: The user's line, shortened for a reader.
        location: The user's line.
        reason: What Dynamo could not trace.
        explanation: Why Dynamo could not trace it.
        hints: Torch's advice.
        stack: The user's frames, outermost first.
        context: Details for developers of PyTorch.
        page: The page on PyTorch's site about this kind of graph break.
        times: How often it occurred.
        skips: For each compile id of a frame that Dynamo skips because of it, the reason.
        inner: The line of PyTorch's own code that breaks, if the user's line calls it; otherwise None.

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
    """Why an earlier entry did not accept a call.

    Attributes:
        entry: Compile id of the entry.
        source: The guarded expression, as the user writes it.
        what: Which property of it differs.
        then: The value that the entry was compiled for.
        now: The value in this call.
        where: The user's line that introduced the guard, shortened for a reader.
        location: The user's line that introduced the guard.
        advice: What to do about it.
        torch_text: Torch's own words.
        stack: The user's frames at that line, outermost first; empty if torch does not report them.

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
    """A call that no entry accepted, so that Dynamo recompiled.

    Attributes:
        compile_id: Compile id of the new compilation.
        name: Name of the frame, as the user knows it.
        reason: The first reason in words, "" if none is known.
        reasons: One reason for each entry that did not accept the call.
        call: The user's stack at the call, outermost first.

    """

    compile_id: str
    name: str
    reason: str
    reasons: tuple[GuardFailure, ...]
    call: tuple[Location, ...]


@dataclass(frozen=True)
class Failure:
    """A compilation that failed with an exception.

    Attributes:
        compile_id: Compile id of the compilation.
        name: Name of the frame.
        origin: First line of the frame.
        kind: Class of the exception.
        text: Full text of the exception.
        where: The user's line that torch was compiling, shortened for a reader.
        location: The user's line that torch was compiling.
        effect: What happens to the frame, None if torch does not report it.
        backend: Name of the backend, None if unknown.
        reason: The exception as Python prints it, without torch's hints.
        explanation: Further explanation in torch's words, "" if there is none.
        hints: Torch's advice.

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
        what: What depyf could not do.
        error: Why not.

    """

    what: str
    error: str


@dataclass(frozen=True)
class Process:
    """The process that wrote the index.

    Attributes:
        pid: The process id.
        rank: The rank in a distributed run, None outside of one.
        launch: Identifies the launch; the same for all processes of one launch.
        complete: Whether the `prepare_debug` block has ended; if not, the index was written in between.
        written: Time of writing, in ISO 8601.

    """

    pid: int
    rank: int | None
    launch: str
    complete: bool
    written: str


@dataclass(frozen=True)
class Program:
    """What ran as `__main__`.

    Attributes:
        file: Its path.
        package: That it was run in, by `python -m`; "" otherwise.

    """

    file: str
    package: str


@dataclass(frozen=True, repr=False)
class Run:
    """Everything that torch.compile did while depyf watched a program. `index.json` is a serialized `Run`.

    Examples:
        >>> import depyf, torch
        >>> with depyf.prepare_debug("dump") as session:
        ...     result = torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2))
        >>> depyf.Run.load("dump") == session.run
        True
        >>> [entry.backend for entry in session.run.entries]
        ['eager']

    Attributes:
        schema_version: Version of the schema of `index.json`.
        source: Origin of the facts.
        torch: Version of PyTorch.
        python: Version of Python.
        summary: The first lines of index.md.
        compile_seconds: Total time of compilations, including backward graphs, compilations ahead of time, and those
            that happen when a result is first called.
        frames: Each frame that Dynamo met, compiled or not.
        entries: Cache entries, in the order of their creation.
        graphs: Graphs and Inductor's files, in the order of their creation.
        kernels: Launches of kernels, if Inductor tracked their provenance.
        functions: Frames that were compiled.
        graph_breaks: Each place where Dynamo left compiled code.
        recompiles: Calls that no entry accepted.
        failures: Compilations that failed with an exception.
        symbols: Symbolic sizes and numbers.
        specializations: Symbols that were forced to one value.
        caches: Number of occurrences of each outcome of a cache lookup, by torch's name.
        cache_events: Lookups in torch's caches, for each compilation.
        cuda_graph_skips: Compiled graphs that run without a CUDA graph, though the program asked for one.
        cuda_graph_recordings: Compiled graphs that were recorded as CUDA graphs.
        phases: Spans of time that torch measured, sorted by their start; a span can contain others.
        metrics: Torch's own numbers for each compile id, with torch's names.
        not_produced: Kinds of files that torch did not produce, with the reason if it is known.
        problems: What depyf could not do.
        missing_capabilities: Private names that this torch lacks, with what is lost without each.
        globals: Global variables in dumped files, with their real names in the program (with torch's uuid or address).
        compilations: Each compilation of a frame, sorted by their start.
        statuses: Torch's status of each frame at the end of the run, by the frame's key.
        eager_frames: Facts about the code of each frame that runs eagerly, by the frame's key.
        files: Each file of the dump, with a one-line description.
        failed_entries: Compiled code of compilations that failed after it was made: torch has no entry with it.
        captures: Backward pass that compiled autograd captured, to torch's reasons why no earlier one was for the call.
        program: What ran as `__main__`; None where that is no file, as in a notebook.
        run: The process that wrote this; None before it is written.
        other_files: Files of the folder by the same process, of other blocks.
        digests: BLAKE2b digest (16 bytes, hexadecimal) of the content of each file.

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
    captures: dict[str, tuple[str, ...]] = field(default_factory=dict)
    program: Program | None = None
    run: Process | None = None
    other_files: tuple[str, ...] = ()
    digests: dict[str, str] | None = None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Run:
        """Loads a run from a dump folder or its `index.json`.

        Args:
            path: The folder or the file.

        Returns:
            A `Run` equal to the one that was written.

        Raises:
            OSError: There is no such file. The message names the dumps of ranks and processes in subfolders, if any.
            ValueError: The file is not an index, or has a different `schema_version`.

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
                f"{file}: the folder contains one dump for each process ({', '.join(below)}), "
                f"to be loaded one by one: Run.load({os.path.join(path, below[0])!r})"
            ) from None
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from error

    @classmethod
    def from_data(cls, data: Any) -> Run:
        """Returns the run from which `as_data` made the data; raises ValueError if they are something else."""
        return index_files.decoded(cls, data, SCHEMA_VERSION)

    def as_data(self) -> dict[str, Any]:
        """Returns the run in a form that `json.dumps` accepts."""
        return dict(encode(self))

    def as_json(self) -> str:
        """Returns the text of `index.json`; it is a single line while the run is in progress."""
        indent = None if self.run is not None and not self.run.complete else 1
        return json.dumps(self.as_data(), indent=indent, ensure_ascii=False) + "\n"

    def written(self, process: Process, other_files: tuple[str, ...], digests: dict[str, str]) -> Run:
        """Returns the same run with the facts that are known when it is written."""
        return replace(self, run=process, other_files=other_files, digests=digests)

    def entry(self, compile_id: str) -> CacheEntry | None:
        """Returns the cache entry with a compile id, or None."""
        return next((e for e in self.entries if e.compile_id == compile_id), None)

    def __repr__(self) -> str:
        return "\n".join([*aligned(rows_of(self)), counts_of(self)])

    def _repr_html_(self) -> str:
        """Returns the table of frames as HTML, for notebooks."""
        return html_table(rows_of(self), counts_of(self))

    def __rich__(self) -> Table:
        """Returns the table of frames for rich."""
        return rich_table(rows_of(self), counts_of(self))


def schema() -> dict[str, Any]:
    """Returns the JSON Schema of `index.json`; the file `index.schema.json` contains it."""
    return schema_of(Run, "depyf: what torch.compile did in one run (index.json)", _ADDRESS)
