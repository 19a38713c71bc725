# SPDX-License-Identifier: MIT
"""`install` and `uninstall`: log decompiled source next to the bytecode that TORCH_LOGS="+bytecode" prints.

Invariant: the hook changes nothing, and its exceptions never reach the program.
"""

from __future__ import annotations

import logging
from types import CodeType
from typing import Any

from depyf.decompilation import api
from depyf.torch.internals import dynamo, trace_log

_handle: list[Any] = []


def source_hook(code: CodeType, new_code: CodeType) -> None:
    """A bytecode hook that logs the source of `new_code` if torch logs its bytecode."""
    log = trace_log.bytecode_log()
    if log is None or not log.isEnabledFor(logging.DEBUG):
        return
    try:
        with dynamo.dynamo_disabled():
            text = api.decompile(new_code)
        verdict = getattr(getattr(text, "verdict", None), "kind", "unchecked")
        log.debug("possible source code (%s):\n%s", verdict, text)
    except Exception as error:
        log.debug("depyf could not decompile %s: %s: %s", code.co_name, type(error).__name__, error)


def install() -> None:
    """Logs decompiled source next to the bytecode that `TORCH_LOGS="+bytecode"` prints. A second call does nothing.

    Examples:
        >>> import depyf
        >>> depyf.install()
        >>> depyf.uninstall() is None
        True

    """
    if not _handle:
        handle = dynamo.register_bytecode_hook(source_hook)
        if handle is not None:
            _handle.append(handle)


def uninstall() -> None:
    """Undoes `install`. Does nothing if it was not called.

    Examples:
        >>> import depyf
        >>> depyf.uninstall() is None
        True

    """
    while _handle:
        _handle.pop().remove()
