# SPDX-License-Identifier: MIT
"""torch's logs: the structured trace, the log of CUDA graphs, and the artifact log of bytecode.

Invariant: a name that this torch lacks is recorded in `names.missing()`; the function then returns an empty result.
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
    """Returns the logger of torch's structured trace.

    Its level is always DEBUG; without handlers, torch builds no events.
    """
    return logging.getLogger(capabilities.TRACE_LOGGER)


def cuda_graph_logger() -> logging.Logger:
    """Returns the logger of TORCH_LOGS="cudagraphs".

    It warns why there is no CUDA graph, independently of TORCH_LOGS.
    """
    return logging.getLogger(capabilities.CUDA_GRAPH_LOGGER)


def running_cuda_graph() -> tuple[str, bool]:
    """Returns the compile id of the compiled graph being called, and whether it is a backward graph, or ("", False).

    torch's CUDA graph manager is on the stack during a call, and stores both by the number of the function.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        local = frame.f_locals
        if "function_id" in local:  # so that no attributes of the program's objects are read
            manager, function = local.get("self"), local["function_id"]
            compile_ids = getattr(manager, "id_to_compile_id", None)
            if isinstance(compile_ids, dict) and function in compile_ids:
                mode = getattr(manager, "id_to_mode", {}).get(function)
                return str(compile_ids[function]), getattr(mode, "name", "") == "BACKWARD"
        frame = frame.f_back
    return "", False


_TRACE = "torch._logging._internal.trace_structured"


class _Readers(list[logging.Handler]):
    """The handlers of the trace logger; false in torch's `if trace_log.handlers` if no handler needs the event.

    torch makes this test before it builds an event, which is expensive: timeline spans and cache keys as indented JSON.
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
        self._keep_from_dynamo()  # a reset undoes this; the first event after it occurs while Dynamo is off
        trace_logger().disabled = False  # logging.config disables all loggers that are not in the configuration
        if len(self) != 1 or self[0] is not self._ours:
            return len(self) > 0
        frame = sys._getframe(1)
        if frame.f_code.co_name != "trace_structured":
            return True
        local = frame.f_locals
        event, metadata, payload = (
            names.variable(local, f"{_TRACE}({name})", UNKNOWN) for name in ("name", "metadata_fn", "payload_fn")
        )
        if UNKNOWN in (event, metadata, payload):  # a different torch: it builds all events
            return True
        try:
            return self._reads(event, metadata, payload, local.get("compile_id"))
        except Exception:  # an error in the event's own functions is for torch to handle
            return True


def _is_enabled(level: int) -> bool:
    return level >= trace_logger().level


def choose_events(ours: logging.Handler, reads: Callable[..., bool]) -> Callable[[], None]:
    """Makes torch build only the events for which `reads(name, metadata_fn, payload_fn, compile_id)` is true.

    If there are other handlers than `ours`, torch builds all events. Dynamo does not compile code that builds or logs
    events. Without this it would, if `backward()` runs inside a compiled function, because Dynamo is active then.

    Returns:
        A function that undoes this.

    """
    keep_from_dynamo(_Readers.__bool__)
    keep_trace_from_dynamo, compile_again = calls_kept_from_dynamo(probe(_TRACE))
    keep_trace_from_dynamo()
    logger = trace_logger()
    disabled, logger.handlers = logger.disabled, _Readers(logger.handlers, ours, reads, keep_trace_from_dynamo)
    attributes = vars(logger).setdefault("isEnabledFor", _is_enabled)  # as torch itself does from 2.13 on

    def undo() -> None:
        compile_again()
        logger.handlers, logger.disabled = list(logger.handlers), disabled
        if attributes is _is_enabled:
            vars(logger).pop("isEnabledFor", None)

    return undo


def trace_ids(given: Any = None) -> dict[str, Any]:
    """Returns the ids of the compilation in progress as in torch's trace.

    If there is none, returns the ids in the `given` compile id.
    """
    context = probe("torch._guards.CompileContext")
    read = attribute(context, "CompileContext.current_compile_id", nothing) if context is not None else nothing
    current = read() or given
    ids = ("compiled_autograd_id", "frame_id", "frame_compile_id")
    return {name: value for name in ids if (value := getattr(current, name, None)) is not None}


def interned_strings() -> dict[int, str]:
    """Returns the file names in the structured trace by number, for a handler installed after torch logged them."""
    table = probe("torch._logging.structured.INTERN_TABLE")
    return {number: name for name, number in table.items()} if table is not None else {}


def bytecode_log() -> logging.Logger | None:
    """Returns the logger of TORCH_LOGS="+bytecode"."""
    get = probe("torch._logging.getArtifactLogger")
    return cast("logging.Logger", get("torch._dynamo.convert_frame", "bytecode")) if get is not None else None
