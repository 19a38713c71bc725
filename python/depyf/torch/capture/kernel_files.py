# SPDX-License-Identifier: MIT
"""Inductor's Python files run from the dump folder: what replaces its loader while a session is open.

Invariant: a file that cannot be dumped is loaded from where it lies, and the index says so. Libraries replace this
loader by assigning to `depyf.explain.enable_debugging.patched_load_by_key_path`, as they did with depyf 0.20.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from depyf.torch.capture import open_sessions
from depyf.torch.capture.legacy_state import data
from depyf.torch.internals import dynamo
from depyf.torch.model.compile_ids import OUTSIDE
from depyf.torch.write.folder import DumpFolder

if TYPE_CHECKING:
    from depyf.torch.capture.recorder import Recorder


def load_by_key_path(key: str, path: str, linemap: Any = None, attrs: Any = None, **kwargs: Any) -> Any:
    """Stands in for Inductor's `PyCodeCache.load_by_key_path` within prepare_debug: loads a dumped copy of the file.

    Whatever cannot be dumped is loaded from where it lies; keywords it does not know are passed on.
    """
    return data["unpatched_load_by_key_path"](key, _dumped_copy(path), linemap, attrs, **kwargs)


def loader() -> Callable[..., Any]:
    """The loader to install: a library's own, where one was assigned under the name of depyf 0.20."""
    replaced = sys.modules.get("depyf.explain.enable_debugging")  # not imported: then nobody replaced it
    assigned = getattr(replaced, "patched_load_by_key_path", None)
    return assigned if assigned is not None else load_by_key_path


def current_compiled_fn_name() -> str:
    """`__compiled_fn_N` of the compilation in progress; `__compiled_fn_-1` outside one."""
    recorder, compile_id = _in_progress()
    if recorder is not None and compile_id in recorder.record.compiled_fns:
        return recorder.function_of(compile_id)
    return dynamo.current_compiled_fn_name()


def _in_progress() -> tuple[Recorder | None, str]:
    """The open session's recorder, and the name in its record of the compilation in progress, or OUTSIDE of any."""
    session, given = open_sessions.current(), dynamo.compile_id()
    if session is None or session.recorder is None:
        return None, OUTSIDE
    recorder = session.recorder
    if recorder.aot_compile_id or given is None:
        return recorder, recorder.aot_compile_id or OUTSIDE
    return recorder, recorder.record.ids.name(given)  # after a reset torch counts anew


_STRINGS = re.compile(r"""('''|\"\"\").*?\1""", re.DOTALL)


def _is_triton_kernel(source: str) -> bool:
    """Whether a file is a kernel alone, which Triton compiles, and not the code of a graph with kernels in strings.

    Where it lies is where Inductor looks for the configuration that was the fastest, and leaves it; the dump has the
    kernel's text beside the file that launches it, and many that are timed only are launched by none.
    """
    return "@triton_heuristics." in _STRINGS.sub("", source)


def _dumped_copy(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            source = file.read()
        if _is_triton_kernel(source):
            return path
        recorder, compile_id = _in_progress()
        if recorder is not None:
            return str(recorder.write_kernel(source, compile_id))
        folder = DumpFolder(data["dump_src_dir"])
        return str(folder.write_numbered(f"{current_compiled_fn_name()}.kernel_%s.py", source))
    except Exception as error:
        session = open_sessions.current()
        if session is not None:
            session.on_problem("file of Inductor's", error)
        return path
