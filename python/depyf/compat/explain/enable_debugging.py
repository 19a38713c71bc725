# SPDX-License-Identifier: MIT
"""`depyf.explain.enable_debugging` of depyf 0.20. Libraries read and assign `patched_load_by_key_path` in it."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from types import CodeType
from typing import Any

log = logging.getLogger("depyf")


@contextlib.contextmanager
def patch(parent: Any, name: str, value: Any) -> Iterator[None]:
    """Set an attribute inside the block, and restore it afterwards."""
    old = getattr(parent, name)
    setattr(parent, name, value)
    try:
        yield
    finally:
        setattr(parent, name, old)


@contextlib.contextmanager
def enable_bytecode_hook(hook: Any) -> Iterator[None]:
    """Register a bytecode hook of Dynamo inside the block."""
    from depyf.torch.internals import dynamo

    handle = dynamo.register_bytecode_hook(hook)
    try:
        yield
    finally:
        if handle is not None:
            handle.remove()


class DebuggableHook:
    """The bytecode hook of depyf 0.20, which writes the transformed code of each frame to a folder."""

    def __init__(self, dump_src_dir: str, log_bytecode: bool = False) -> None:
        from depyf.torch.capture.bytecode import BytecodeHook
        from depyf.torch.model import Execution
        from depyf.torch.model.record import Record
        from depyf.torch.write.folder import DumpFolder

        self.dump_src_dir = dump_src_dir
        self.log_bytecode = log_bytecode
        self.optimized_code_and_module: list[Any] = []
        self._hook = BytecodeHook(DumpFolder(dump_src_dir), Record(), Execution.LINE_MAPPED, log_bytecode)

    def __call__(self, code: CodeType, new_code: CodeType) -> CodeType | None:
        """Write the code. Never raises, because an error in a bytecode hook would abort the compilation."""
        from depyf.torch.internals import dynamo

        try:
            self.optimized_code_and_module.append([code, dynamo.frame_globals()])
            return self._hook.on_code(code, new_code)
        except Exception as error:
            log.warning("depyf: bytecode hook failed (the program goes on): %s: %s", type(error).__name__, error)
            return None


def __getattr__(name: str) -> Any:
    if name == "patched_load_by_key_path":
        from depyf.torch.capture import kernel_files

        return kernel_files.load_by_key_path
    if name in ("prepare_debug", "debug"):
        from depyf.torch import session

        return getattr(session, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
