# SPDX-License-Identifier: MIT
"""What Dynamo keeps: cache entries, resume functions, and what torch.compile wrapped."""

from __future__ import annotations

import contextlib
import types
from typing import Any

from depyf.torch.seams.names import RESUME_CODE, RESUME_FN
from depyf.torch.seams.probe import lack, probe


def cache_entries(code: types.CodeType) -> list[Any]:
    """Dynamo's cache entries of a code object, most recently used first."""
    entries = probe("torch._dynamo.eval_frame._debug_get_cache_entry_list", "the order of cache entries")
    return list(entries(code)) if entries is not None else []


def resume_names(code: types.CodeType) -> tuple[str, ...]:
    """Names of the resume functions that transformed code calls."""
    if is_resumed_in_place(code):
        lost = "resume functions of closures are shown within the code that makes them, without their entries"
        lack("OutputGraph.install_resume_function_global", lost)
    return tuple(name for name in code.co_names if RESUME_FN.match(name))


def is_resumed_in_place(code: types.CodeType) -> bool:
    """Whether transformed code makes a resume function itself, so that no global names it."""
    return any(isinstance(c, types.CodeType) and c.co_name.startswith(RESUME_CODE) for c in code.co_consts)


def resume_code(value: Any) -> types.CodeType | None:
    """The code of a resume function among the globals: a function, or a maker of closures over its code."""
    if isinstance(value, types.CodeType):
        return value
    if not isinstance(value, types.FunctionType):
        return None
    if value.__module__ and value.__module__.startswith("torch.") and value.__closure__ is not None:
        for cell in value.__closure__:  # OutputGraph.install_resume_function_global: its _make_fn(closure)
            with contextlib.suppress(ValueError):
                if isinstance(cell.cell_contents, types.CodeType):
                    return cell.cell_contents
    return value.__code__


def region_entries(code: types.CodeType, region: int) -> list[Any]:
    """Cache entries that a wrapper of an isolated region sees (-1: no isolation), most recently used first."""
    get = probe("torch._dynamo.eval_frame._get_cache_entries_for_region", "regions with caches of their own")
    if get is None:
        return cache_entries(code)
    return [*get(code, region), *(get(code, -1) if region != -1 else [])]


def callback_of(wrapper: Any) -> Any:
    """What Dynamo calls for each new frame within a call of a compiled function; None when it cannot be told."""
    for cell in getattr(wrapper, "__closure__", None) or ():
        with contextlib.suppress(ValueError):
            if _wrapped_backend(cell.cell_contents) is not None:
                return cell.cell_contents
    return None


def _wrapped_backend(callback: Any) -> Any:
    """What one of Dynamo's converters of frames wraps: the next one, at last the backend."""
    found = getattr(callback, "_torchdynamo_orig_backend", None)
    if found is None and not callable(getattr(callback, "__get__", None)):  # earlier, functions bore the same name
        found = getattr(callback, "_torchdynamo_orig_callable", None)
    return found


def backend_of(wrapper: Any) -> Any:
    """The backend a compiled function was made with, as cache entries name it; None when it cannot be told."""
    found = callback_of(wrapper)
    while (inner := _wrapped_backend(found)) is not None:
        found = inner
    return found


def of_backend(entries: list[Any], backend: Any) -> list[Any]:
    """The cache entries that were compiled with a backend (torch compares by equality); all, where none tells."""
    if not all(hasattr(entry, "backend") for entry in entries):
        lack("_CacheEntry.backend", "entries of one function under several backends are not told apart")
        return entries
    return [entry for entry in entries if entry.backend is backend or entry.backend == backend]


def region_of(wrapper: Any) -> int | None:
    """The isolated region of a compiled function; -1 without one, None for what is no compiled function."""
    region = getattr(wrapper, "_isolate_recompiles_id", None)
    return region if isinstance(region, int) else None


def is_compiled_wrapper(fn: Any) -> bool:
    """Whether torch.compile made this callable."""
    return hasattr(fn, "_torchdynamo_orig_callable")


def original_module(module: Any) -> Any:
    """The module below torch.compile's wrapper of it."""
    return getattr(module, "_orig_mod", module)


def side_effects(code: types.CodeType) -> tuple[str, ...]:
    """Sources of the Python side effects that Dynamo replays in `code`."""
    get = probe("torch._dynamo.convert_frame.get_compiled_code_side_effects", "side effects replayed by Dynamo")
    return tuple(get(code) or ()) if get is not None else ()


def innermost_function(fn: Any) -> Any:
    """The function below torch.compile's wrappers."""
    innermost = probe("torch._dynamo.eval_frame.innermost_fn", "functions below torch.compile's wrappers")
    return innermost(fn) if innermost is not None else fn


def frame_stack(frame: types.FrameType, depth: int) -> list[Any]:
    """The lowest `depth` values on a running frame's evaluation stack: it must hold so many."""
    read = probe("torch._C._dynamo.eval_frame._get_frame_value_stack_with_depth", "values that lie on the stack alone")
    return list(read(frame, depth)) if read is not None else []
