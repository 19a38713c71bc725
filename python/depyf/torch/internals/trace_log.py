# SPDX-License-Identifier: MIT
"""torch's logs: the structured trace, and the artifact log of bytecode.

Invariant: what this torch lacks is recorded in `names.missing()`; the function then answers "nothing".
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, cast

from depyf.torch.internals import capabilities, names
from depyf.torch.internals.dynamo import calls_kept_from_dynamo, keep_from_dynamo, nothing
from depyf.torch.internals.guard_state import UNKNOWN
from depyf.torch.internals.names import attribute, probe


def trace_logger() -> logging.Logger:
    """The logger that carries torch's structured trace (always at level DEBUG; nothing is built without a handler)."""
    return logging.getLogger(capabilities.TRACE_LOGGER)


def cuda_graph_logger() -> logging.Logger:
    """The logger of TORCH_LOGS="cudagraphs": its warnings say why there is no CUDA graph, whatever TORCH_LOGS is."""
    return logging.getLogger(capabilities.CUDA_GRAPH_LOGGER)


def running_cuda_graph() -> tuple[str, bool]:
    """Compile id of the compiled graph that is called, and whether it is a backward one; ("", False) where none is.

    torch's manager of CUDA graphs is on the stack then, and knows both by the number of the function.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        local = frame.f_locals
        if "function_id" in local:  # no attribute of the program's own objects is asked for
            manager, function = local.get("self"), local["function_id"]
            compile_ids = getattr(manager, "id_to_compile_id", None)
            if isinstance(compile_ids, dict) and function in compile_ids:
                mode = getattr(manager, "id_to_mode", {}).get(function)
                return str(compile_ids[function]), getattr(mode, "name", "") == "BACKWARD"
        frame = frame.f_back
    return "", False


_TRACE = "torch._logging._internal.trace_structured"


class _Readers(list[logging.Handler]):
    """The trace logger's handlers; to torch's `if trace_log.handlers` none, where ours alone has no use for the event.

    torch asks before it builds an event, and what it builds is dear: timeline spans and cache keys as indented JSON.
    """

    def __init__(
        self,
        handlers: list[logging.Handler],
        ours: logging.Handler,
        reads: Callable[..., bool],
        keep_from_dynamo: Callable[[], None],
    ) -> None:
        super().__init__(handlers)
        self._ours = ours
        self._reads = reads
        self._keep_from_dynamo = keep_from_dynamo

    def __bool__(self) -> bool:
        self._keep_from_dynamo()  # a reset forgets it; the first event after one comes while Dynamo is off
        trace_logger().disabled = False  # logging.config disables every logger that it is not told of
        if len(self) != 1 or self[0] is not self._ours:
            return len(self) > 0
        frame = sys._getframe(1)
        if frame.f_code.co_name != "trace_structured":
            return True
        local = frame.f_locals
        event, metadata, payload = (
            names.variable(local, f"{_TRACE}({name})", UNKNOWN) for name in ("name", "metadata_fn", "payload_fn")
        )
        if UNKNOWN in (event, metadata, payload):  # another torch: it builds all
            return True
        try:
            return self._reads(event, metadata, payload, local.get("compile_id"))
        except Exception:  # what the event's own functions raise, torch shall meet
            return True


def _is_enabled(level: int) -> bool:
    return level >= trace_logger().level


def choose_events(ours: logging.Handler, reads: Callable[..., bool]) -> Callable[[], None]:
    """Has torch build only the events that `reads(name, metadata_fn, payload_fn, compile_id)` wants for `ours`.

    Other handlers get all of theirs. Dynamo compiles nothing of what builds and tells an event, as if no event came:
    where `backward()` runs within a compiled function it is on meanwhile. Returns the way to undo it.
    """
    keep_from_dynamo(_Readers.__bool__)
    keep_trace_from_dynamo, compile_again = calls_kept_from_dynamo(probe(_TRACE))
    keep_trace_from_dynamo()
    logger = trace_logger()
    disabled, logger.handlers = logger.disabled, _Readers(logger.handlers, ours, reads, keep_trace_from_dynamo)
    own = vars(logger).setdefault("isEnabledFor", _is_enabled)  # as torch itself does, since 2.13

    def undo() -> None:
        compile_again()
        logger.handlers, logger.disabled = list(logger.handlers), disabled
        if own is _is_enabled:
            vars(logger).pop("isEnabledFor", None)

    return undo


def trace_ids(given: Any = None) -> dict[str, Any]:
    """The ids that torch's trace gives an event of the compilation in progress (without one: of the `given` id)."""
    context = probe("torch._guards.CompileContext")
    read = attribute(context, "CompileContext.current_compile_id", nothing) if context is not None else nothing
    current = read() or given
    ids = ("compiled_autograd_id", "frame_id", "frame_compile_id")
    return {name: value for name in ids if (value := getattr(current, name, None)) is not None}


def interned_strings() -> dict[int, str]:
    """File names of the structured trace by number; needed when the handler came late."""
    table = probe("torch._logging.structured.INTERN_TABLE")
    return {number: name for name, number in table.items()} if table is not None else {}


def bytecode_log() -> logging.Logger | None:
    """The logger of TORCH_LOGS="+bytecode"."""
    get = probe("torch._logging.getArtifactLogger")
    return cast("logging.Logger", get("torch._dynamo.convert_frame", "bytecode")) if get is not None else None
