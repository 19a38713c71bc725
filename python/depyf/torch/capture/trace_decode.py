# SPDX-License-Identifier: MIT
"""Decodes each record of torch's structured trace into a typed event. Only this module depends on torch's format.

Used for log records of `torch.__trace` in a live process and for files written by TORCH_TRACE. Invariant: pure
functions, without state; records that depyf does not use decode to None.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from depyf.torch.capture.torch_prose import failing_line, is_outside_program, is_users, printed_stack
from depyf.torch.internals.conversions import is_soft
from depyf.torch.internals.texts import failure_reason, suffix_of
from depyf.torch.model.caches import CudaGraphSkip, KeyPart
from depyf.torch.model.compile_ids import OUTSIDE, compile_id_of, frame_of
from depyf.torch.model.enums import CacheOutcome
from depyf.torch.model.location import NOWHERE, Location
from depyf.torch.model.serialization import Json
from depyf.torch.model.titles import PHASES
from depyf.torch.model.words import one_line

FileName = Callable[[Any], str]  # the file that an interned number refers to


@dataclass(frozen=True)
class Event:
    """An event of the trace. `torch_id` is torch's compile id, or `OUTSIDE`."""

    torch_id: str
    attempt: int = field(default=0, kw_only=True)  # Dynamo may restart tracing a frame within a compilation


@dataclass(frozen=True)
class Interned(Event):
    """A file name, to which later records refer by number."""

    number: int
    text: str


@dataclass(frozen=True)
class FrameStart(Event):
    """Dynamo begins to compile a frame."""

    start: Location  # of the frame
    stack: tuple[Location, ...]  # the user's frames at the call, outermost first


@dataclass(frozen=True)
class GraphPrinted(Event):
    """A graph. `kind` is the middle part of its file's name, `logged_as` torch's name of the event."""

    logged_as: str
    kind: str
    text: str


@dataclass(frozen=True)
class InductorCode(Event):
    """A file of code that Inductor generated: Python, or C++ for AOTInductor."""

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
    """Why the entries of a frame did not accept a call, in torch's words, which may be about the first entry only."""

    text: str


@dataclass(frozen=True)
class CacheAnswer(Event):
    """A lookup in one of torch's caches. `cache` and `outcome` are empty if the artifact's name lacks them."""

    artifact: str
    cache: str
    outcome: CacheOutcome | None
    key: str = ""
    parts: Mapping[str, KeyPart] = field(default_factory=dict)  # parts of the key, if torch logs them
    reason: str = ""  # why it was bypassed


@dataclass(frozen=True)
class SymbolMade(Event):
    """A symbolic size or number. An unbacked one, which is only known at run time, has no source and value."""

    name: str
    source: str
    value: str
    range: str
    where: Location

    @property
    def number(self) -> int | float | None:
        """The value as a number, or None."""
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


_INTERRUPTED = "it was interrupted, by Ctrl-C most often: torch's log names no exception"


@dataclass(frozen=True)
class Measured(Event):
    """Dynamo's metrics of a compilation, at its end. `values` has torch's names."""

    values: Mapping[str, Json]

    @property
    def is_of_a_frame(self) -> bool:
        """Whether it is not of a backward graph, which is compiled later with the id of its forward graph."""
        return self.values.get("is_forward", False) is not False

    @property
    def is_backward(self) -> bool:
        """Whether it is not about a frame, but about a backward graph, or about the run time of compiled code."""
        return self.values.get("is_forward") is False or bool(self.values.get("is_runtime"))

    @property
    def frame(self) -> str:
        """The common part of the frame's compile ids, as torch prints them."""
        return frame_of(str(self.values.get("compile_id")))

    @property
    def began(self) -> int:
        """The start of the compilation, in microseconds since the epoch; 0 if unknown."""
        start = self.values.get("start_time_us")
        return start if isinstance(start, int) else 0

    @property
    def has_code(self) -> bool:
        """Whether it resulted in a cache entry. Without operations there is no entry, and no error either."""
        return not self.values.get("fail_type") and self.values.get("guard_count") is not None

    @property
    def seconds(self) -> float:
        """The time of the whole frame in seconds; 0 if unknown."""
        seconds = self.values.get("entire_frame_compile_time_s")
        return float(seconds) if isinstance(seconds, int | float) else 0.0

    @property
    def cuda_graph_skip(self) -> str:
        """Why the compiled code runs without a CUDA graph, though the program asked for one; otherwise ""."""
        return str(self.values.get("cudagraph_skip_reason") or "")

    def ended_by(self, error: BaseException | None) -> Measured:
        """Returns the metrics with an exception that torch does not log; unchanged without one."""
        if error is None or self.values.get("fail_type"):
            return self
        failure = {"fail_type": type(error).__qualname__, "fail_reason": str(error), "config_suppress_errors": False}
        return replace(self, values={**self.values, **failure})

    @property
    def with_its_end(self) -> Measured:
        """The metrics as read from a log, with the interruption that ended the compilation, if there was one.

        torch logs no exception such as KeyboardInterrupt, only that the compilation returned nothing. In releases that
        log a stack trace, this distinguishes it from a frame without operations, for which something was returned.
        """
        values = self.values
        returned = values.get("has_guarded_code") is not False or values.get("is_forward") is not True
        return self if returned or values.get("stack_trace") is None else self.ended_by(BaseException(_INTERRUPTED))

    @property
    def failure(self) -> Failure | None:
        """The exception that ended the compilation, or None."""
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
    """Metrics of a backward graph, when it is compiled. The fields are those of `Measured`; its frame is not known."""

    cuda_graph_skip: str
    seconds: float
    failure: Failure | None


@dataclass(frozen=True)
class PassCaptured(Event):
    """Compiled autograd captured a backward pass, because no pass that it captured earlier matched."""

    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Failure:
    """An exception that ended a compilation of a frame."""

    kind: str  # the exception's class
    text: str
    name: str  # name of the frame, "" if unknown
    origin: Location
    where: Location  # the user's line that torch was compiling
    is_suppressed: bool

    @property
    def is_limit(self) -> bool:
        """Whether the recompile limit ended the compilation."""
        return self.kind == "RecompileLimitExceeded" or _LIMIT.match(self.text.strip()) is not None

    @property
    def is_suppressible(self) -> bool:
        """Whether Dynamo skips the frame because of it, unless fullgraph=True."""
        return self.is_limit or self.is_suppressed or is_soft(self.kind)

    def __str__(self) -> str:
        return failure_reason(self.kind, self.text)


@dataclass(frozen=True)
class KernelNodes(Event):
    """The nodes of graphs that Inductor's kernels compute."""

    nodes: Mapping[str, list[str]]  # kernel, with its handle -> nodes of the post-grad graph
    captured: Mapping[str, list[str]]  # node of the post-grad graph -> nodes of the graph that Inductor received


@dataclass(frozen=True)
class KernelStacks(Event):
    """The lines of the program that Inductor's kernels compute; logged after `KernelNodes`."""

    # kernel, with its handle -> stacks, outermost frame first; may contain frames of a graph's code that torch ran
    stacks: Mapping[str, tuple[tuple[Location, ...], ...]]


# Events whose payload is a graph -> the middle part of its file name.
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
    "after_post_grad_graph": "AFTER_POST_GRAD",  # torch 2.8 and 2.9, which log the next only for cached code
    "inductor_post_grad_graph": "AFTER_POST_GRAD",
    "before_pre_grad_graph": "BEFORE_PRE_GRAD",
}
# Artifacts with Python code that AOTAutograd generates around compiled graphs; one dumped file has those of a graph.
# (torch/_functorch/_aot_autograd/: the argument `artifact_name` of _compile_and_exec_source)
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
_PASS = "compiled_autograd_compile_reasons"
_ARTIFACTS = frozenset((*_ARTIFACT_GRAPHS, *_TEXTS, _NODES, _STACKS, _PASS))
_IDS = {"frame_id", "frame_compile_id", "attempt", "compiled_autograd_id", "rank", "subgraph_name"}


def name_of(metadata: Mapping[str, Any]) -> str:
    """Returns torch's name of the event."""
    return next((name for name in metadata if name not in _IDS), "")


def decode(metadata: dict[str, Any], payload: str | None, file_name: FileName = str) -> Event | None:
    """Returns the event of a record.

    Args:
        metadata: The metadata of the record, as torch logs it.
        payload: The text of the record, if it has one.
        file_name: Returns the file to which an interned number refers.

    Returns:
        The event, or None if depyf does not read it.

    """
    event = _decoded(metadata, payload, file_name)
    attempt = metadata.get("attempt")
    return replace(event, attempt=attempt) if event is not None and isinstance(attempt, int) else event


def _decoded(metadata: dict[str, Any], payload: str | None, file_name: FileName) -> Event | None:
    """Returns the event of a record, without the number of the attempt; None if depyf does not read it."""
    name, torch_id, text = name_of(metadata), compile_id_of(metadata), payload or ""
    fields = metadata.get(name)
    if name in _GRAPHS:
        return GraphPrinted(torch_id, name, _GRAPHS[name], text)
    match name, fields:
        case "str", [str(interned), int(number)]:
            return Interned(torch_id, number, interned)
        case "artifact", dict():
            return _artifact(torch_id, str(fields.get("name", "")), text)
        case "inductor_output_code", _:
            return InductorCode(torch_id, text)
        case "graph_dump", dict() if _AOT_CODE.fullmatch(str(fields.get("name"))) and text:
            return InductorCode(torch_id, text, suffix_of(fields.get("type", "cpp")))
        case "dynamo_cpp_guards_str", _:
            return GuardTree(torch_id, text)
        case "dynamo_start", dict():
            return _frame_start(torch_id, fields.get("stack"), file_name)
        case "create_symbol", dict():
            symbol, source, value, values = (str(fields.get(key, "")) for key in ("symbol", "source", "val", "vr"))
            return SymbolMade(torch_id, symbol, source, value, values, _last(fields.get("user_stack"), file_name))
        case "create_unbacked_symbol", dict():  # AOTAutograd creates duplicates without a line
            symbol, values = (str(fields.get(key, "")) for key in ("symbol", "vr"))
            where = _last(fields.get("user_stack"), file_name)
            return SymbolMade(torch_id, symbol, "", "", values, where) if where else None
        case "symbolic_shape_specialization", dict():
            sources = tuple(map(str, fields.get("sources") or ()))
            symbol, raw_value, why = (str(fields.get(key, "")) for key in ("symbol", "value", "reason"))
            value = _TRAILING_ZEROS.sub(r"\1", raw_value)
            return Specialized(torch_id, symbol, sources, value, why, _last(fields.get("user_stack"), file_name))
        case "compilation_metrics", dict():
            return Measured(torch_id, fields)
        case "bwd_compilation_metrics", dict() if fields.get("is_forward") is None and fields.get("fail_type"):
            return Measured(torch_id, fields)  # torch 2.6: it failed before Dynamo noted that it is no backward graph
        case "bwd_compilation_metrics", dict():
            seconds = float(fields.get("duration_us") or 0) / 1e6
            skip = str(fields.get("cudagraph_skip_reason") or "")
            return BackwardMeasured(torch_id, skip, seconds, Measured(torch_id, fields).failure)
        case "chromium_event", _ if is_phase(text):
            return span(json.loads(text))
    return None


_TRAILING_ZEROS = re.compile(r"(\.\d+?)0+(?=e|\Z)")  # sympy prints 3.0 as 3.00000000000000


def _artifact(torch_id: str, name: str, text: str) -> Event | None:
    if name in _ARTIFACT_GRAPHS:
        return GraphPrinted(torch_id, f"artifact {name}", _ARTIFACT_GRAPHS[name], text)
    if is_wrapper(name):
        return Wrapper(torch_id, name, text)
    if name in _TEXTS:
        return _TEXTS[name](torch_id, text)
    if name == _PASS:
        reasons = json.loads(text) if text.startswith("[") else []
        return PassCaptured(torch_id, tuple(one_line(str(reason)) for reason in reasons))
    if name in (_NODES, _STACKS):
        return _provenance(torch_id, name, json.loads(text) if text else None)
    if is_cache_event(name):
        return _cache_answer(torch_id, name, text)
    return None


def _cache_answer(torch_id: str, name: str, text: str) -> CacheAnswer:
    match = _CACHES.match(name)
    cache, outcome = (match["cache"], CacheOutcome(match["outcome"])) if match else ("", None)
    fields = json.loads(text) if text.startswith("{") else {}
    key_parts = (part for line in fields.get("components") or () if (part := _KEY_PART.match(line)) is not None)
    parts = {m[2]: KeyPart(m[1][:_DIGEST], textwrap.shorten(m[3], _PART_WIDTH, placeholder=" …")) for m in key_parts}
    key, reason = (str(fields.get(name) or "") for name in ("key", "cache_bypass_reason"))
    return CacheAnswer(torch_id, name, cache, outcome, key, parts, reason)


def _provenance(torch_id: str, name: str, fields: Any) -> Event | None:
    if not isinstance(fields, dict):
        return None
    if name == _NODES:
        return KernelNodes(torch_id, fields.get("cppCodeToPost", {}), fields.get("postToPre", {}))
    stacks = {
        kernel: tuple(stack for text in texts if (stack := printed_stack(text, is_omitted=is_outside_program)))
        for kernel, texts in fields.items()
    }
    return KernelStacks(torch_id, stacks)


def span(data: Mapping[str, Any]) -> Span | None:
    """Returns the event for a span of the timeline, before torch formats it; None for phases that depyf ignores."""
    name, phase = data.get("name"), data.get("ph")
    if name not in PHASES or phase not in ("B", "E"):
        return None
    more = data.get("args") or {}
    torch_id = str(more.get("compile_id"))  # "None" in a thread without a compilation
    begins, is_backward = phase == "B", more.get("is_backward") is True
    return Span(OUTSIDE if torch_id == "None" else torch_id, str(name), begins, float(data["ts"]), is_backward)


def _frame_start(torch_id: str, frames: Any, file_name: FileName) -> FrameStart:
    if not isinstance(frames, list) or not frames:
        return FrameStart(torch_id, NOWHERE, ())
    innermost = frames[-1]
    start = Location(
        file_name(innermost.get("filename")), int(innermost.get("line") or 0), str(innermost.get("name") or "")
    )
    return FrameStart(torch_id, start, _stack(frames, file_name))


# ---- stacks


def _stack(frames: Any, file_name: FileName) -> tuple[Location, ...]:
    """Returns the user's frames, outermost first."""
    places = [
        Location(
            file_name(frame.get("filename")),
            int(frame.get("line") or 0),
            str(frame.get("name") or ""),
            str(frame.get("loc") or "").strip(),
        )
        for frame in (frames if isinstance(frames, list) else ())
    ]
    return tuple(place for place in places if is_users(place.path))


def _last(frames: Any, file_name: FileName) -> Location:
    stack = _stack(frames, file_name)
    return stack[-1] if stack else NOWHERE


def is_wrapper(artifact: str) -> bool:
    """Returns whether the name of an artifact is that of code that AOTAutograd generates around a compiled graph."""
    return _WRAPPER.fullmatch(artifact) is not None


def is_read(artifact: str) -> bool:
    """Returns whether an artifact, except cache lookups, is decoded to an event."""
    return artifact in _ARTIFACTS or is_wrapper(artifact)


def is_cache_event(artifact: str) -> bool:
    """Returns whether the name of an artifact is that of a cache lookup."""
    return "_cache_" in artifact or _CACHES.match(artifact) is not None


def is_phase(text: str) -> bool:
    """Returns whether an event of the timeline may be a phase that depyf reads: most are not, and there are many."""
    return text.startswith("{") and any(name in text for name in _QUOTED_PHASES)


def cuda_graph_skip(compile_id: str, text: str, is_backward: bool) -> CudaGraphSkip:
    """Returns the fact that a graph has no CUDA graph, from torch's text, which ends with the traceback of the line."""
    reason, _, stack = text.partition("Found from")
    frames = re.sub(r"^ +File", "  File", stack, flags=re.MULTILINE)  # torch puts one more space before the first
    where = next(iter(reversed(printed_stack(frames))), None)
    return CudaGraphSkip(compile_id, one_line(reason).rstrip(" ."), where, is_backward)


_LIMIT = re.compile(r"Dynamo (?:recompile|cache) limit exceeded")
_CACHES = re.compile(r"^(?P<cache>\w+?)_(?P<outcome>hit|miss|bypass)(?:_|$)")
_KEY_PART = re.compile(r"\[(\w+)\] ([^:\n]+): ?(.*)", re.DOTALL)
_DIGEST = 12  # characters
_PART_WIDTH = 120
_QUOTED_PHASES = tuple(f'"{name}"' for name in PHASES)
