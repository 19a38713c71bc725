# SPDX-License-Identifier: MIT
"""Makes Inductor's Python files run from the dump folder: the replacement of its loader while a session is open.

Invariant: a file that cannot be dumped is loaded from its original path, and the index lists the problem. Libraries
replace this loader by assigning to `depyf.explain.enable_debugging.patched_load_by_key_path`, as in depyf 0.20.
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
    """Replaces Inductor's `PyCodeCache.load_by_key_path` within prepare_debug: loads a dumped copy of the file.

    A file that cannot be dumped is loaded from its original path. Unknown keywords are passed on.
    """
    return data["unpatched_load_by_key_path"](key, _dumped_copy(path), linemap, attrs, **kwargs)


def loader() -> Callable[..., Any]:
    """Returns the loader to install: a library's own, if one was assigned to the name of depyf 0.20."""
    replaced = sys.modules.get("depyf.explain.enable_debugging")  # if it is not imported, it was not replaced
    assigned = getattr(replaced, "patched_load_by_key_path", None)
    return assigned if assigned is not None else load_by_key_path


def current_compiled_fn_name() -> str:
    """Returns `__compiled_fn_N` of the compilation in progress; outside of one, with Dynamo's latest number."""
    recorder, compile_id = _in_progress()
    if recorder is not None and compile_id in recorder.record.compiled_fns:
        return recorder.function_of(compile_id)
    return dynamo.current_compiled_fn_name()


def _in_progress() -> tuple[Recorder | None, str]:
    """Returns the open session's recorder and its unique id of the compilation in progress, or OUTSIDE."""
    session, torch_id = open_sessions.current(), dynamo.compile_id()
    if session is None or session.recorder is None:
        return None, OUTSIDE
    recorder = session.recorder
    if recorder.aot_compile_id or torch_id is None:
        return recorder, recorder.aot_compile_id or OUTSIDE
    return recorder, recorder.record.ids.name(torch_id)  # after a reset torch's ids repeat


_STRINGS = re.compile(r"""('''|\"\"\").*?\1""", re.DOTALL)


def _is_triton_kernel(source: str) -> bool:
    """Returns whether a file is a single Triton kernel, not the code of a graph with kernels in strings.

    Such a file is loaded from its original path, where Inductor stores the fastest configuration. The dump has the
    kernel's text next to the file that launches it; many kernels are only benchmarked and launched by no file.
    """
    return "@triton_heuristics." in _STRINGS.sub("", source)


def _dumped_copy(path: str) -> str:
    """Returns the path of the dumped copy of one of Inductor's files; the original path if it cannot be dumped."""
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
            session.on_problem("Inductor's file", error)
        return path
