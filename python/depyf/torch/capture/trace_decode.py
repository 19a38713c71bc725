# SPDX-License-Identifier: MIT
"""One record of torch's structured trace -> one typed event. The only place that knows how torch writes them.

A live process (log records of `torch.__trace`) and a folder that TORCH_TRACE named share it. Invariant: pure functions:
the same record gives the same event, and nothing is kept; a record that depyf has no use for gives None.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from depyf.torch.capture.torch_prose import failing_line, is_neither, is_users, printed_stack
from depyf.torch.internals.conversions import is_soft
from depyf.torch.internals.texts import failure_reason, suffix_of
from depyf.torch.model.caches import CudaGraphSkip, KeyPart
from depyf.torch.model.compile_ids import OUTSIDE, compile_id_of, frame_of
from depyf.torch.model.enums import CacheOutcome
from depyf.torch.model.location import NOWHERE, Location
from depyf.torch.model.serialization import Json
from depyf.torch.model.titles import PHASES

FileName = Callable[[Any], str]  # the file that an interned number refers to


@dataclass(frozen=True)
class Event:
    """What torch told. `given`: torch's id of the compilation, `OUTSIDE` of any."""

    given: str
    attempt: int = field(default=0, kw_only=True)  # of the compilation: Dynamo may trace a frame anew from its start


@dataclass(frozen=True)
class Interned(Event):
    """A file name, which later records refer to by its number."""

    number: int
    text: str


@dataclass(frozen=True)
class FrameStart(Event):
    """Dynamo begins to compile a frame."""

    start: Location  # of the frame
    stack: tuple[Location, ...]  # the user's frames at the call, outermost first


@dataclass(frozen=True)
class GraphPrinted(Event):
    """A graph; `kind` is the middle part of its file's name. `told_as`: what torch calls the event."""

    told_as: str
    kind: str
    text: str


@dataclass(frozen=True)
class InductorCode(Event):
    """A file of Inductor's: Python, or what AOTInductor compiles for a program without Python."""

    text: str
    suffix: str = ".py"


@dataclass(frozen=True)
class Wrapper(Event):
    """Python that AOTAutograd generates around compiled graphs."""

    artifact: str
    text: str


@dataclass(frozen=True)
class GuardTree(Event):
    """The guards of an entry, as torch prints them."""

    text: str


@dataclass(frozen=True)
class BreakMet(Event):
    """A graph break in torch's words."""

    text: str


@dataclass(frozen=True)
class NoEntryFits(Event):
    """Why the entries of a frame did not take a call, in torch's words, which may be of the first entry only."""

    text: str


@dataclass(frozen=True)
class CacheAnswer(Event):
    """What one of torch's caches answered. Without `cache` and `outcome` where the artifact's name does not tell."""

    artifact: str
    cache: str
    outcome: CacheOutcome | None
    key: str = ""
    parts: Mapping[str, KeyPart] = field(default_factory=dict)  # of the key, where torch tells them
    reason: str = ""  # why it was bypassed


@dataclass(frozen=True)
class SymbolMade(Event):
    """A symbolic size or number; an unbacked one, which is known at run time only, has no source and value."""

    name: str
    source: str
    value: str
    range: str
    where: Location

    @property
    def number(self) -> int | float | None:
        """The value, where it is a number."""
        try:
            return int(self.value) if re.fullmatch(r"-?\d+", self.value) else float(self.value)
        except ValueError:
            return None


@dataclass(frozen=True)
class Specialized(Event):
    """A symbol that the program forced to one value."""

    name: str
    sources: tuple[str, ...]
    value: str
    reason: str
    where: Location


@dataclass(frozen=True)
class Span(Event):
    """The beginning or the end of a phase of a compilation."""

    name: str
    begins: bool
    microseconds: float
    is_backward: bool


@dataclass(frozen=True)
class Measured(Event):
    """What Dynamo measured of a compilation, at its end. `values` as torch names them."""

    values: Mapping[str, Json]

    @property
    def is_of_a_frame(self) -> bool:
        """Whether it is known not to be of a backward, which is compiled later under the id of its forward."""
        return self.values.get("is_forward", False) is not False

    @property
    def is_backward(self) -> bool:
        """Whether it says nothing of a frame: it is known to be of a backward, or of none that is compiled."""
        return self.values.get("is_forward") is False or bool(self.values.get("is_runtime"))

    @property
    def frame(self) -> str:
        """What the compile ids of the frame share, as torch prints them."""
        return frame_of(str(self.values.get("compile_id")))

    @property
    def began(self) -> int:
        """When, in microseconds since the epoch."""
        found = self.values.get("start_time_us")
        return found if isinstance(found, int) else 0

    @property
    def has_code(self) -> bool:
        """Whether a cache entry came of it: without operations there is no graph and no entry, and no error either."""
        return not self.values.get("fail_type") and self.values.get("guard_count") is not None

    @property
    def seconds(self) -> float:
        """The time that the whole frame took; 0 where that is not told."""
        found = self.values.get("entire_frame_compile_time_s")
        return float(found) if isinstance(found, int | float) else 0.0

    @property
    def cuda_graph_skip(self) -> str:
        """Why what was compiled runs without a CUDA graph, though the program asked for one; "" else."""
        return str(self.values.get("cudagraph_skip_reason") or "")

    def ended_by(self, error: BaseException | None) -> Measured:
        """The same of a compilation that ended with what torch does not tell of."""
        if error is None or self.values.get("fail_type"):
            return self
        told = {"fail_type": type(error).__qualname__, "fail_reason": str(error), "config_suppress_errors": False}
        return replace(self, values={**self.values, **told})

    @property
    def failure(self) -> Failure | None:
        """The exception that ended it."""
        values = self.values
        if not values.get("fail_type"):
            return None
        path = str(values.get("fail_user_frame_filename") or "")
        name = str(values.get("co_name") or "")
        origin = Location(str(values.get("co_filename") or ""), int(values.get("co_firstlineno") or 0), name)
        return Failure(
            str(values["fail_type"]),
            str(values.get("fail_reason") or ""),
            name,
            origin if name else NOWHERE,
            failing_line(path, int(values.get("fail_user_frame_lineno") or 0), str(values.get("fail_reason") or "")),
            bool(values.get("config_suppress_errors")),
        )


@dataclass(frozen=True)
class BackwardMeasured(Event):
    """What was measured of a backward, when it is compiled; it says nothing of its frame. All as of `Measured`."""

    cuda_graph_skip: str
    seconds: float
    failure: Failure | None


@dataclass(frozen=True)
class Failure:
    """An exception that ended a compilation of a frame."""

    kind: str  # its class
    text: str
    name: str  # of the frame, "" where torch does not tell
    origin: Location
    where: Location  # the user's line that torch was at
    is_suppressed: bool

    @property
    def is_limit(self) -> bool:
        """Whether the limit of recompiles ended it."""
        return self.kind == "RecompileLimitExceeded" or _LIMIT.match(self.text.strip()) is not None

    @property
    def is_suppressible(self) -> bool:
        """Whether Dynamo skips the frame for it, unless a full graph was asked for."""
        return self.is_limit or self.is_suppressed or is_soft(self.kind)

    def __str__(self) -> str:
        return failure_reason(self.kind, self.text)


@dataclass(frozen=True)
class KernelNodes(Event):
    """Which nodes of graphs Inductor's kernels compute."""

    nodes: Mapping[str, list[str]]  # kernel, with its handle -> nodes of the post-grad graph
    captured: Mapping[str, list[str]]  # node of the post-grad graph -> nodes of the graph that Inductor received


@dataclass(frozen=True)
class KernelStacks(Event):
    """Which lines of the program Inductor's kernels come from; told after `KernelNodes`."""

    # kernel, with its handle -> stacks, outermost frame first; frames of a graph's code, too, which torch runs for some
    stacks: Mapping[str, tuple[tuple[Location, ...], ...]]


# Events whose payload is a graph, and the middle part of its file name.
_GRAPHS = {
    "dynamo_output_graph": "Captured_Graph",
    "aot_joint_graph": "Joint_graph",
    "aot_forward_graph": "Forward_graph",
    "aot_inference_graph": "Forward_graph",
    "aot_backward_graph": "Backward_graph",
    "inductor_post_grad_graph": "AFTER_POST_GRAD",
    "compiled_autograd_graph": "Compiled_autograd_graph",
    "optimize_ddp_split_graph": "DDP_split_graph",
    "optimize_ddp_split_child": "DDP_split_child",
}
_ARTIFACT_GRAPHS = {
    "after_post_grad_graph": "AFTER_POST_GRAD",  # torch 2.8 and 2.9, where the next is told of cached code alone
    "inductor_post_grad_graph": "AFTER_POST_GRAD",
    "before_pre_grad_graph": "BEFORE_PRE_GRAD",
}
# Artifacts that hold Python which AOTAutograd generates around the compiled graphs; one file holds those of a graph.
# (torch/_functorch/_aot_autograd/: what _compile_and_exec_source is given as `artifact_name`)
_WRAPPER = re.compile(
    r"\w+_(?:wrappers?|prologue|epilogue|orchestration)|compiled_function_(?:for|back)ward|backward_subclass_unwrap"
)
_TEXTS: Mapping[str, type[BreakMet | NoEntryFits]] = {
    "dynamo_graph_break_reason": BreakMet,
    "recompile_reasons": NoEntryFits,
}
EVENTS = frozenset(_GRAPHS) | {
    "artifact", "bwd_compilation_metrics", "compilation_metrics", "create_symbol", "create_unbacked_symbol",
    "dynamo_cpp_guards_str", "dynamo_start", "graph_dump", "inductor_output_code", "str",
    "symbolic_shape_specialization",
}  # fmt: skip
_AOT_CODE = re.compile(r"inductor_aot_\w+_code")  # sources of a shared library (torch/_inductor/codecache.py)
_NODES = "inductor_provenance_tracking_node_mappings"
_STACKS = "inductor_provenance_tracking_kernel_stack_traces"
_ARTIFACTS = frozenset((*_ARTIFACT_GRAPHS, *_TEXTS, _NODES, _STACKS))
_IDS = {"frame_id", "frame_compile_id", "attempt", "compiled_autograd_id", "rank", "subgraph_name"}


def name_of(metadata: Mapping[str, Any]) -> str:
    """What torch calls the event."""
    return next((name for name in metadata if name not in _IDS), "")


def decode(metadata: dict[str, Any], payload: str | None, file_name: FileName = str) -> Event | None:
    """The event of a record.

    Args:
        metadata: Of the record, as torch logs it.
        payload: Its text, where it has one.
        file_name: Gives the file that an interned number refers to.

    Returns:
        The event, None for one that depyf does not read.

    """
    event = _decoded(metadata, payload, file_name)
    attempt = metadata.get("attempt")
    return replace(event, attempt=attempt) if event is not None and isinstance(attempt, int) else event


def _decoded(metadata: dict[str, Any], payload: str | None, file_name: FileName) -> Event | None:
    name, given, text = name_of(metadata), compile_id_of(metadata), payload or ""
    told = metadata.get(name)
    if name in _GRAPHS:
        return GraphPrinted(given, name, _GRAPHS[name], text)
    match name, told:
        case "str", [str(interned), int(number)]:
            return Interned(given, number, interned)
        case "artifact", dict():
            return _artifact(given, str(told.get("name", "")), text)
        case "inductor_output_code", _:
            return InductorCode(given, text)
        case "graph_dump", dict() if _AOT_CODE.fullmatch(str(told.get("name"))) and text:
            return InductorCode(given, text, suffix_of(told.get("type", "cpp")))
        case "dynamo_cpp_guards_str", _:
            return GuardTree(given, text)
        case "dynamo_start", dict():
            return _frame_start(given, told.get("stack"), file_name)
        case "create_symbol", dict():
            symbol, source, value, values = (str(told.get(key, "")) for key in ("symbol", "source", "val", "vr"))
            return SymbolMade(given, symbol, source, value, values, _last(told.get("user_stack"), file_name))
        case "create_unbacked_symbol", dict():  # AOTAutograd makes more, of no line, and has the first ones for them
            symbol, values = (str(told.get(key, "")) for key in ("symbol", "vr"))
            where = _last(told.get("user_stack"), file_name)
            return SymbolMade(given, symbol, "", "", values, where) if where else None
        case "symbolic_shape_specialization", dict():
            sources = tuple(map(str, told.get("sources") or ()))
            symbol, one, why = (str(told.get(key, "")) for key in ("symbol", "value", "reason"))
            value = _TRAILING_ZEROS.sub(r"\1", one)
            return Specialized(given, symbol, sources, value, why, _last(told.get("user_stack"), file_name))
        case "compilation_metrics", dict():
            return Measured(given, told)
        case "bwd_compilation_metrics", dict() if told.get("is_forward") is None and told.get("fail_type"):
            return Measured(given, told)  # torch 2.6: of what ended before Dynamo noted that it is no backward
        case "bwd_compilation_metrics", dict():
            seconds = float(told.get("duration_us") or 0) / 1e6
            skip = str(told.get("cudagraph_skip_reason") or "")
            return BackwardMeasured(given, skip, seconds, Measured(given, told).failure)
        case "chromium_event", _ if is_phase(text):
            return span(json.loads(text))
    return None


_TRAILING_ZEROS = re.compile(r"(\.\d+?)0+(?=e|\Z)")  # sympy prints 3.0 as 3.00000000000000


def _artifact(given: str, name: str, text: str) -> Event | None:
    if name in _ARTIFACT_GRAPHS:
        return GraphPrinted(given, f"artifact {name}", _ARTIFACT_GRAPHS[name], text)
    if is_wrapper(name):
        return Wrapper(given, name, text)
    if name in _TEXTS:
        return _TEXTS[name](given, text)
    if name in (_NODES, _STACKS):
        return _provenance(given, name, json.loads(text) if text else None)
    if is_cache_event(name):
        return _cache_answer(given, name, text)
    return None


def _cache_answer(given: str, name: str, text: str) -> CacheAnswer:
    found = _CACHES.match(name)
    cache, outcome = (found["cache"], CacheOutcome(found["outcome"])) if found else ("", None)
    told = json.loads(text) if text.startswith("{") else {}
    read = (part for line in told.get("components") or () if (part := _KEY_PART.match(line)) is not None)
    parts = {m[2]: KeyPart(m[1][:_DIGEST], textwrap.shorten(m[3], _PART_WIDTH, placeholder=" …")) for m in read}
    key, reason = (str(told.get(name) or "") for name in ("key", "cache_bypass_reason"))
    return CacheAnswer(given, name, cache, outcome, key, parts, reason)


def _provenance(given: str, name: str, told: Any) -> Event | None:
    if not isinstance(told, dict):
        return None
    if name == _NODES:
        return KernelNodes(given, told.get("cppCodeToPost", {}), told.get("postToPre", {}))
    read = {
        kernel: tuple(stack for text in texts if (stack := printed_stack(text, without=is_neither)))
        for kernel, texts in told.items()
    }
    return KernelStacks(given, read)


def span(told: Mapping[str, Any]) -> Span | None:
    """The event of a span of the timeline, as torch has it before it is text; None for a phase of no interest."""
    name, phase = told.get("name"), told.get("ph")
    if name not in PHASES or phase not in ("B", "E"):
        return None
    more = told.get("args") or {}
    given = str(more.get("compile_id"))  # "None" in a thread that knows of no compilation
    begins, is_backward = phase == "B", more.get("is_backward") is True
    return Span(OUTSIDE if given == "None" else given, str(name), begins, float(told["ts"]), is_backward)


def _frame_start(given: str, frames: Any, file_name: FileName) -> FrameStart:
    if not isinstance(frames, list) or not frames:
        return FrameStart(given, NOWHERE, ())
    last = frames[-1]
    start = Location(file_name(last.get("filename")), int(last.get("line") or 0), str(last.get("name") or ""))
    return FrameStart(given, start, _stack(frames, file_name))


# ---- stacks


def _stack(frames: Any, file_name: FileName) -> tuple[Location, ...]:
    """The user's frames, outermost first."""
    found = [
        Location(
            file_name(frame.get("filename")),
            int(frame.get("line") or 0),
            str(frame.get("name") or ""),
            str(frame.get("loc") or "").strip(),
        )
        for frame in (frames if isinstance(frames, list) else ())
    ]
    return tuple(place for place in found if is_users(place.path))


def _last(frames: Any, file_name: FileName) -> Location:
    stack = _stack(frames, file_name)
    return stack[-1] if stack else NOWHERE


def is_wrapper(artifact: str) -> bool:
    """Whether an artifact is, by its name, Python that AOTAutograd generates around a compiled graph."""
    return _WRAPPER.fullmatch(artifact) is not None


def is_read(artifact: str) -> bool:
    """Whether an artifact, other than what a cache did, has an event."""
    return artifact in _ARTIFACTS or is_wrapper(artifact)


def is_cache_event(artifact: str) -> bool:
    """Whether an artifact tells by its name what a cache did."""
    return "_cache_" in artifact or _CACHES.match(artifact) is not None


def is_phase(text: str) -> bool:
    """Whether an event of the timeline may tell of a phase: most are of no interest, and there are very many."""
    return text.startswith("{") and any(name in text for name in _QUOTED_PHASES)


def cuda_graph_skip(compile_id: str, text: str, is_backward: bool) -> CudaGraphSkip:
    """A graph without a CUDA graph, out of torch's own words, which end in the traceback of the line in question."""
    reason, _, stack = text.partition("Found from")
    frames = re.sub(r"^ +File", "  File", stack, flags=re.MULTILINE)  # torch puts one more space before the first
    where = next(iter(reversed(printed_stack(frames))), None)
    return CudaGraphSkip(compile_id, " ".join(reason.split()).rstrip(" ."), where, is_backward)


_LIMIT = re.compile(r"Dynamo (?:recompile|cache) limit exceeded")
_CACHES = re.compile(r"^(?P<cache>\w+?)_(?P<outcome>hit|miss|bypass)(?:_|$)")
_KEY_PART = re.compile(r"\[(\w+)\] ([^:\n]+): ?(.*)", re.DOTALL)
_DIGEST = 12  # characters
_PART_WIDTH = 120
_QUOTED_PHASES = tuple(f'"{name}"' for name in PHASES)
