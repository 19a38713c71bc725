# SPDX-License-Identifier: MIT
"""Detects that torch has moved a name that depyf depends on: an expected event that is missing becomes a problem.

Invariant: events are only counted. The problems say what was seen and what was not, without a guess about the cause.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from depyf.torch.capture.trace_decode import is_wrapper
from depyf.torch.internals.dynamo import CONVERSION
from depyf.torch.model.record import Entry, Problem
from depyf.torch.model.words import count

_TRACE = "structured trace"

# Events that torch logs for each frame that it compiles, and the facts that depyf reads from each.
_FRAME_EVENTS = {
    "dynamo_start": "names of frames and the calls that they were compiled for",
    "dynamo_cpp_guards_str": "guards",
    "compilation_metrics": "compile times",
}
_GRAPH_EVENTS = {"dynamo_output_graph": "captured graphs and names of graphs"}
# Events and artifacts of torch's trace in releases 2.6 to 2.15: those that depyf reads, and those that it ignores.
_EVENTS = frozenset((
    "aot_autograd_backward_compilation_metrics", "aot_backward_graph", "aot_forward_graph", "aot_inference_graph",
    "aot_joint_graph", "artifact", "bwd_compilation_metrics", "bwd_compilation_metrics_runtime", "chromium_event",
    "compilation_metrics", "compilation_metrics_runtime", "compiled_autograd_graph", "create_symbol",
    "create_unbacked_symbol", "describe_source", "describe_storage", "describe_tensor", "dump_file",
    "dynamo_cpp_guards_str", "dynamo_guards", "dynamo_output_graph", "dynamo_start", "evaluate_expression", "export",
    "exported_program", "expression_created", "graph_dump", "guard_added", "guard_added_fast",
    "guard_on_data_dependent_error", "inductor_input_graph", "inductor_output_code", "inductor_post_grad_graph",
    "inductor_pre_grad_graph", "link", "mismatched_fake_kernel", "missing_fake_kernel", "optimize_ddp_split_child",
    "optimize_ddp_split_graph", "propagate_real_tensors", "propagate_real_tensors_provenance", "stack", "str",
    "symbolic_shape_specialization", "torch_version",
))  # fmt: skip
_ARTIFACTS = re.compile(
    r"after_\w+|before_\w+|aot_\w+|aotautograd_cache_\w+|autotune\w*|backward_\w+|compile_worker_\w+|compiled_\w+"
    r"|compiler_collective|cprofile_manifold_url|cudagraph_\w+|dynamo_(?:cache|graph_break_reason|side_effects|error)\w*"
    r"|eager_compile_\w+|flex_\w+|fx_\w+|(?:get|put)_\w+|graph_execution|inductor_\w+|invoke_subgraph_\w+|make_fx_\w+"
    r"|min_cut_\w+|overlap_\w+|optimus_\w+|cff_\w+|pge_\w+|p(?:re|ost)_(?:decomp|bucketing|grad)_\w+|precompile_\w+|recompile_reasons"
    r"|reorder_\w+|runtime_wrapper_\w+|scheduler_\w+|sink_\w+|torch\._functorch\.config|torch_version|triton_\w+"
    r"|.+_(?:ORIGINAL|MODIFIED)_BYTECODE|\w+_(?:pre|post)_grad|\w+_cache_\w+|\w+_runnable"
)
_READ_ARTIFACT = re.compile(
    r"dynamo_graph_break_reason|recompile_reasons|after_post_grad_graph|inductor_post_grad_graph|before_pre_grad_graph"
    r"|inductor_provenance_tracking_(?:node_mappings|kernel_stack_traces)"
)


def is_known(name: str) -> bool:
    """Returns whether an event of the trace, or `artifact NAME`, is logged by a release of torch known to depyf."""
    kind, _, artifact = name.partition(" ")
    if not artifact:
        return kind in _EVENTS
    read = _READ_ARTIFACT.match(artifact)
    if read is not None:  # for artifacts that depyf reads, the full name must match
        return read.end() == len(artifact)
    return is_wrapper(artifact) or _ARTIFACTS.fullmatch(artifact) is not None


class Canaries:
    """Counts, for one session, the events that torch logged and the calls of depyf's hooks."""

    def __init__(self) -> None:
        self._frames = 0
        self._without_conversion = 0
        self._events: Counter[str] = Counter()
        self._unknown: list[str] = []

    def on_trace(self, name: str) -> None:
        """Counts an event that depyf reads, by torch's name."""
        self._events[name] += 1

    def on_span(self) -> None:
        """Counts a span of the timeline."""
        self._events["chromium_event"] += 1

    def on_unknown(self, name: str) -> None:
        """Notes an event that no known release logs."""
        self._unknown.append(name)

    def on_code(self, converts: bool) -> None:
        """Counts a call of the bytecode hook. `converts`: the frame of Dynamo's conversion was found on the stack."""
        self._frames += 1
        self._without_conversion += not converts

    def on_failed_code(self) -> None:
        """Notes a compilation that failed after the bytecode hook ran, so that its later events are missing."""
        self._frames -= 1

    def problems(self, entries: Iterable[Entry]) -> list[Problem]:
        """Returns problems for expected events that are missing, and for events that no known release logs."""
        problems = self.unseen(entries)
        if self._unknown:
            shown = ", ".join(self._unknown[:5]) + (" and others" if len(self._unknown) > 5 else "")
            text = f"torch logs events that depyf does not know: {shown}; what they contain is not in this dump"
            problems.append(Problem(_TRACE, text))
        return problems

    def unseen(self, entries: Iterable[Entry]) -> list[Problem]:
        """Returns problems for expected events that are missing."""
        problems = []
        frames = count(self._frames, "frame")
        if self._without_conversion:
            missed = count(self._without_conversion, "time")
            lost = "inputs, globals, backend and reasons of recompiles are not known"
            text = f"{missed} there was no frame of {CONVERSION} on the stack, which this torch has changed: {lost}"
            problems.append(Problem("bytecode hook", text))
        if self._frames and not self._events:
            lost = "graphs, guards, graph breaks, recompiles and times are not known"
            problems.append(Problem(_TRACE, f"{frames} compiled, but torch's trace contains no event: {lost}"))
        elif self._frames:
            graphs = any(e.compiled_fn for e in entries)
            expected = _FRAME_EVENTS | (_GRAPH_EVENTS if graphs else {}) | {"chromium_event": "times of phases"}
            for event, lost in expected.items():
                if not self._events[event]:
                    text = f"{frames} compiled, but no event {event} was logged: {lost} are not known"
                    problems.append(Problem(_TRACE, text))
        return problems
