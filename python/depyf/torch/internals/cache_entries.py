# SPDX-License-Identifier: MIT
"""What Dynamo keeps: cache entries, resume functions, and what torch.compile wrapped.

Invariant: what this torch lacks is recorded in `names.missing()`; the function then answers "nothing".
"""

from __future__ import annotations

import contextlib
import types
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from depyf.torch.internals import names
from depyf.torch.internals.dynamo import converted, without_packages
from depyf.torch.internals.guard_state import UNKNOWN
from depyf.torch.internals.names import attribute, optional, probe
from depyf.torch.internals.texts import RESUME_FN
from depyf.torch.internals.vocabulary import RESUME_CODE


def check_names() -> None:
    """Looks up each private name whose module is imported, and those of a function and a graph that torch makes here.

    What lacks is in `missing()` then.
    """
    import torch

    names.check()
    with without_packages():
        wrapper, module = (torch.compile(made, backend="eager") for made in (_sample, torch.nn.Identity()))
    if wrapper is not _sample:  # torch.compile may be turned off
        attribute(wrapper, "CompiledFunction._torchdynamo_orig_callable")
        attribute(wrapper, "CompiledFunction._isolate_recompiles_id")
        if callback_of(wrapper) is None:
            names.record_missing("ConvertFrame._torchdynamo_orig_backend")
        attribute(module, "CompiledModule._orig_mod")
    attribute(torch.fx.Graph(), "FxGraph._codegen")


def _sample(value: int) -> int:
    return value


@dataclass(frozen=True)
class CacheEntry:
    """What Dynamo keeps of one compiled version of a frame."""

    code: types.CodeType | None  # None: what its guards look at is gone
    compile_id: str
    guard_manager: Any
    backend: Any  # None when this torch does not tell
    region: int = -1  # the isolated region (torch.compile(isolate_recompiles=True)) it belongs to; -1 without one


def _read_entries(entries: Iterable[Any]) -> list[CacheEntry]:
    found = [(entry, attribute(entry, "CacheEntry.code", UNKNOWN)) for entry in entries]
    return [
        CacheEntry(
            code,
            str(attribute(entry, "CacheEntry.compile_id", "?/?")),
            attribute(entry, "CacheEntry.guard_manager"),
            attribute(entry, "CacheEntry.backend"),
            attribute(entry, "CacheEntry.isolate_recompiles_id", -1),
        )
        for entry, code in found
        if code is not UNKNOWN
    ]


def cache_entries(code: types.CodeType) -> list[CacheEntry]:
    """Dynamo's cache entries of a code object, most recently used first."""
    entries = probe("torch._dynamo.eval_frame._debug_get_cache_entry_list")
    return _read_entries(entries(code)) if entries is not None else []


def precompiled_guards(code: types.CodeType) -> list[Any]:
    """The guards of each entry of a code object that torch loaded, compiled before (`caching_precompile`)."""
    entries = probe("torch._C._dynamo.eval_frame._debug_get_precompile_entries")
    return [attribute(entry, "CacheEntry.guard_manager") for entry in (entries(code) if entries is not None else ())]


def resume_names(code: types.CodeType) -> tuple[str, ...]:
    """Names of the resume functions that transformed code calls."""
    if is_resumed_in_place(code):
        lost = "resume functions of closures are shown within the code that makes them, without their entries"
        names.record_missing("OutputGraph.install_resume_function_global", lost)
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


def resume_globals(value: Any) -> dict[str, Any] | None:
    """The globals that a resume function runs in: those of the function that it continues, which may be inlined."""
    if not isinstance(value, types.FunctionType):
        return None
    if value.__code__ is resume_code(value):
        return value.__globals__
    cells = dict(zip(value.__code__.co_freevars, value.__closure__ or (), strict=True))
    found = cells["f_globals"].cell_contents if "f_globals" in cells else None  # of its _make_fn(closure)
    return found if isinstance(found, dict) else None


def region_entries(code: types.CodeType, region: int) -> list[CacheEntry]:
    """Cache entries that a wrapper of an isolated region sees (-1: no isolation), most recently used first."""
    get = probe("torch._dynamo.eval_frame._get_cache_entries_for_region")
    if get is None:
        return cache_entries(code)
    return _read_entries([*get(code, region), *(get(code, -1) if region != -1 else [])])


def callback_of(wrapper: Any) -> Any:
    """What Dynamo calls for each new frame within a call of a compiled function; None when it cannot be told."""
    for cell in getattr(wrapper, "__closure__", None) or ():
        with contextlib.suppress(ValueError):
            if _wrapped_backend(cell.cell_contents) is not None:
                return cell.cell_contents
    return None


def callback_in_force(wrapper: Any) -> Any:
    """The same as the stance in force has it: False, to run what is compiled alone, None to run eagerly."""
    callback = callback_of(wrapper)
    from_stance = probe("torch._dynamo.eval_frame._callback_from_stance")
    return from_stance(callback) if callback is not None and from_stance is not None else callback


def _wrapped_backend(callback: Any) -> Any:
    """What one of Dynamo's converters of frames wraps: the next one, at last the backend."""
    found = optional(callback, "ConvertFrame._torchdynamo_orig_backend")
    if found is None and not callable(getattr(callback, "__get__", None)):  # earlier, functions bore the same name
        found = optional(callback, "CompiledFunction._torchdynamo_orig_callable")
    return found


def _of_optimizer(backend: Any) -> Any:
    """What Dynamo's optimizer of DistributedDataParallel compiles the parts of a graph with; None of other backends."""
    return getattr(getattr(backend, "__self__", None), "backend_compile_fn", None)


def backend_of(wrapper: Any) -> Any:
    """The backend that calls of a compiled function look for, as cache entries name it; None when it cannot be told."""
    found = callback_in_force(wrapper) or callback_of(wrapper)
    while (inner := _wrapped_backend(found)) is not None:
        found = inner
    return found


def backend_name(compiler: Any = None) -> str:
    """The name of a backend, by default of the one that a frame is being compiled for; "" if it is not known."""
    found = compiler if compiler is not None else converted("compiler_fn")
    while (inner := _wrapped_backend(found) or _of_optimizer(found)) is not None:
        found = inner
    name = str(getattr(found, "compiler_name", None) or getattr(found, "__name__", None) or "")
    return type(getattr(found, "compiler_fn", found)).__qualname__ if " object at 0x" in name else name


def of_backend(entries: list[CacheEntry], backend: Any) -> list[CacheEntry]:
    """The cache entries that were compiled with a backend (torch compares by equality); all, where none tells."""
    return [e for e in entries if e.backend is None or e.backend is backend or e.backend == backend]


def region_of(wrapper: Any) -> int | None:
    """The isolated region of a compiled function; -1 without one, None for what is no compiled function."""
    region = optional(wrapper, "CompiledFunction._isolate_recompiles_id")
    return region if isinstance(region, int) else None


def has_regions() -> bool:
    """Whether this torch has caches of their own for functions compiled with `isolate_recompiles=True`."""
    return probe("torch._C._dynamo.eval_frame.get_eval_frame_isolate_recompiles_id") is not None


def is_compiled_wrapper(fn: Any) -> bool:
    """Whether torch.compile made this callable; functools.wraps copies its mark to decorators of it."""
    name = "CompiledFunction._torchdynamo_orig_callable"
    wrapped = getattr(fn, "__wrapped__", None)
    mark = optional(fn, name, UNKNOWN)
    return mark is not UNKNOWN and optional(wrapped, name, UNKNOWN) is not mark


def original_module(module: Any) -> Any:
    """The module below torch.compile's wrapper of it."""
    return optional(module, "CompiledModule._orig_mod", module)


def side_effects(code: types.CodeType) -> tuple[str, ...]:
    """Sources of the Python side effects that Dynamo replays in `code`."""
    get = probe("torch._dynamo.convert_frame.get_compiled_code_side_effects")
    found = get(code) or () if get is not None else ()
    return tuple("something that torch does not name" if name == "<unknown source>" else name for name in found)


def innermost_function(fn: Any) -> Any:
    """The function below torch.compile's wrappers."""
    innermost = probe("torch._dynamo.eval_frame.innermost_fn")
    return innermost(fn) if innermost is not None else fn


def what_runs_graph(compiled: Any) -> Any:
    """What a frame's graph became, below torch's wrappers: that for subclasses of Tensor, since torch 2.13, too."""
    fn = innermost_function(compiled)
    if getattr(fn, "__module__", None) != "torch._dynamo.output_graph":
        return fn
    cells = dict(zip(getattr(getattr(fn, "__code__", None), "co_freevars", ()), getattr(fn, "__closure__", None) or ()))
    wrapped = cells.get("real_compiled_fn")  # of OutputGraph.compile_and_call_fx_graph's _tf_disabled_wrapper
    return fn if wrapped is None else innermost_function(wrapped.cell_contents)


def is_compiled_ahead_of_time(called: Any) -> bool:
    """Whether it is what `torch.compile(f).aot_compile(...)` gives, or torch.compiler.load_compiled_function()."""
    return type(called).__module__ == "torch._dynamo.aot_compile"


def aot_parts(compiled: Any) -> tuple[types.CodeType, types.FunctionType, str] | None:
    """(original code, function that runs, guards as torch prints them) of an `AOTCompiledFunction`."""
    artifacts = attribute(compiled, "AOTCompiledFunction._artifacts")
    original = attribute(artifacts, "CompileArtifacts.original_code") if artifacts is not None else None
    function = attribute(compiled, "AOTCompiledFunction.fn")
    if not isinstance(original, types.CodeType) or not isinstance(function, types.FunctionType):
        return None
    return original, function, str(attribute(artifacts, "CompileArtifacts.guard_manager") or "")
