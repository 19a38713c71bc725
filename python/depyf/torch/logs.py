# SPDX-License-Identifier: MIT
"""`install`/`uninstall`: decompiled source beside the bytecode that TORCH_LOGS="+bytecode" prints.

Invariant: the hook changes nothing and never raises into the program.
"""

from __future__ import annotations

import logging
from types import CodeType
from typing import Any

from depyf import decompiler
from depyf.torch import seams

_handle: list[Any] = []


def source_hook(code: CodeType, new_code: CodeType) -> None:
    """A bytecode hook: logs the source of `new_code` where torch logs its bytecode."""
    log = seams.bytecode_log()
    if log is None or not log.isEnabledFor(logging.DEBUG):
        return
    try:
        with seams.dynamo_disabled():
            text = decompiler.decompile(new_code)
        verdict = getattr(getattr(text, "verdict", None), "kind", "unchecked")
        log.debug("possible source code (%s):\n%s", verdict, text)
    except Exception as error:
        log.debug("depyf could not decompile %s: %s: %s", code.co_name, type(error).__name__, error)


def install() -> None:
    """Registers the hook; a second call does nothing."""
    if not _handle:
        handle = seams.register_bytecode_hook(source_hook)
        if handle is not None:
            _handle.append(handle)


def uninstall() -> None:
    """Removes the hook."""
    while _handle:
        _handle.pop().remove()
