# SPDX-License-Identifier: MIT
"""torch's logs: the structured trace, and the artifact log of bytecode."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from typing import Any, cast

from depyf.torch.seams.conversion import keep_from_dynamo
from depyf.torch.seams.probe import probe


def trace_logger() -> logging.Logger:
    """The logger that carries torch's structured trace (always at level DEBUG; nothing is built without a handler)."""
    return logging.getLogger("torch.__trace")


class _Readers(list[logging.Handler]):
    """The trace logger's handlers; to torch's `if trace_log.handlers` none, where ours alone has no use for the event.

    torch asks before it builds an event, and what it builds is dear: timeline spans and cache keys as indented JSON.
    """

    def __init__(self, handlers: list[logging.Handler], ours: logging.Handler, reads: Callable[..., bool]) -> None:
        super().__init__(handlers)
        self._ours = ours
        self._reads = reads

    def __bool__(self) -> bool:
        if len(self) != 1 or self[0] is not self._ours:
            return len(self) > 0
        frame = sys._getframe(1)
        if frame.f_code.co_name != "trace_structured":
            return True
        local = frame.f_locals
        try:
            return self._reads(local["name"], local["metadata_fn"], local["payload_fn"], local.get("compile_id"))
        except Exception:  # another torch: then it builds all
            return True


def choose_events(ours: logging.Handler, reads: Callable[..., bool]) -> Callable[[], None]:
    """Has torch build only the events that `reads(name, metadata_fn, payload_fn, compile_id)` wants for `ours`.

    Other handlers get all of theirs. Returns the way to undo it.
    """
    keep_from_dynamo(_Readers.__bool__)
    logger = trace_logger()
    logger.handlers = _Readers(logger.handlers, ours, reads)

    def undo() -> None:
        logger.handlers = list(logger.handlers)

    return undo


def trace_ids(given: Any = None) -> dict[str, Any]:
    """The ids that torch's trace gives an event of the compilation in progress (without one: of the `given` id)."""
    context = probe("torch._guards.CompileContext", "compile ids")
    current = (context.current_compile_id() if context is not None else None) or given
    names = ("compiled_autograd_id", "frame_id", "frame_compile_id")
    return {name: value for name in names if (value := getattr(current, name, None)) is not None}


def interned_strings() -> dict[int, str]:
    """File names of the structured trace by number; needed when the handler came late."""
    table = probe("torch._logging.structured.INTERN_TABLE", "file names of stacks in the structured trace")
    return {number: name for name, number in table.items()} if table is not None else {}


def bytecode_log() -> logging.Logger | None:
    """The logger behind TORCH_LOGS="+bytecode"."""
    get = probe("torch._logging.getArtifactLogger", 'decompiled source beside TORCH_LOGS="+bytecode"')
    return cast("logging.Logger", get("torch._dynamo.convert_frame", "bytecode")) if get is not None else None
