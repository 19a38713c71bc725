# SPDX-License-Identifier: MIT
"""Dynamo's cache entries, resume functions, and the wrappers that torch.compile creates.

Invariant: a name that this torch lacks is recorded in `names.missing()`; the function then returns an empty result.
"""

from __future__ import annotations

import contextlib
import dis
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
    """Looks up all private names whose modules are imported, and the attributes of sample objects.

    Afterwards, `missing()` has the names that this torch lacks.
    """
    import torch

    names.check()
    with without_packages():
        wrapper, module = (torch.compile(sample, backend="eager") for sample in (_sample, torch.nn.Identity()))
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
    """A cache entry of Dynamo: one compiled version of a frame."""

    code: types.CodeType | None  # None: torch has invalidated the entry, because a guarded object no longer exists
    compile_id: str
    guard_manager: Any
    backend: Any  # None if this torch does not store it
    region: int = -1  # the isolated region (torch.compile(isolate_recompiles=True)) of the entry; -1 if none


def _read_entries(entries: Iterable[Any]) -> list[CacheEntry]:
    """Reads torch's entry objects; those whose code cannot be read are omitted."""
    codes = [(entry, attribute(entry, "CacheEntry.code", UNKNOWN)) for entry in entries]
    return [
        CacheEntry(
            code,
            str(attribute(entry, "CacheEntry.compile_id", "?/?")),
            attribute(entry, "CacheEntry.guard_manager"),
            attribute(entry, "CacheEntry.backend"),
            attribute(entry, "CacheEntry.isolate_recompiles_id", -1),
        )
        for entry, code in codes
        if code is not UNKNOWN
    ]


def cache_entries(code: types.CodeType) -> list[CacheEntry]:
    """Returns Dynamo's cache entries of a code object, most recently used first."""
    entries = probe("torch._dynamo.eval_frame._debug_get_cache_entry_list")
    return _read_entries(entries(code)) if entries is not None else []


def precompiled_guards(code: types.CodeType) -> list[Any]:
    """Returns the guards of the precompiled entries of a code object that torch has loaded (`caching_precompile`)."""
    entries = probe("torch._C._dynamo.eval_frame._debug_get_precompile_entries")
    return [attribute(entry, "CacheEntry.guard_manager") for entry in (entries(code) if entries is not None else ())]


def resume_names(code: types.CodeType) -> tuple[str, ...]:
    """Returns the names of the resume functions that transformed code calls."""
    if is_resumed_in_place(code):
        lost = "resume functions of closures are shown inside the code that creates them, without their entries"
        names.record_missing("OutputGraph.install_resume_function_global", lost)
    return tuple(name for name in code.co_names if RESUME_FN.match(name))


def is_resumed_in_place(code: types.CodeType) -> bool:
    """Returns whether transformed code creates a resume function itself, so that it is not a global."""
    return any(isinstance(c, types.CodeType) and c.co_name.startswith(RESUME_CODE) for c in code.co_consts)


def resume_code(value: Any) -> types.CodeType | None:
    """Returns the code of a global that is a resume function, or a function that creates closures of it; else None."""
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
    """Returns the globals of a resume function: those of the (possibly inlined) function that it continues."""
    if not isinstance(value, types.FunctionType):
        return None
    if value.__code__ is resume_code(value):
        return value.__globals__
    cells = dict(zip(value.__code__.co_freevars, value.__closure__ or (), strict=True))
    scope = cells["f_globals"].cell_contents if "f_globals" in cells else None  # of its _make_fn(closure)
    return scope if isinstance(scope, dict) else None


def region_entries(code: types.CodeType, region: int) -> list[CacheEntry]:
    """Returns the entries that a wrapper in an isolated region tries (-1: no region), most recently used first."""
    get = probe("torch._dynamo.eval_frame._get_cache_entries_for_region")
    if get is None:
        return cache_entries(code)
    return _read_entries([*get(code, region), *(get(code, -1) if region != -1 else [])])


def callback_of(wrapper: Any) -> Any:
    """Returns the frame callback that Dynamo installs during a call of a compiled function; None if it is not found."""
    for cell in getattr(wrapper, "__closure__", None) or ():
        with contextlib.suppress(ValueError):
            if _wrapped_backend(cell.cell_contents) is not None:
                return cell.cell_contents
    return None


def callback_in_force(wrapper: Any) -> Any:
    """Returns the frame callback under the stance in force: False to run only existing entries, None to run eagerly."""
    callback = callback_of(wrapper)
    from_stance = probe("torch._dynamo.eval_frame._callback_from_stance")
    return from_stance(callback) if callback is not None and from_stance is not None else callback


def _wrapped_backend(callback: Any) -> Any:
    """Returns what a frame converter of Dynamo wraps: another converter, or finally the backend.

    Returns None for other objects.
    """
    wrapped = optional(callback, "ConvertFrame._torchdynamo_orig_backend")
    if wrapped is None and not callable(getattr(callback, "__get__", None)):  # the name of functions in older releases
        wrapped = optional(callback, "CompiledFunction._torchdynamo_orig_callable")
    return wrapped


def _of_optimizer(backend: Any) -> Any:
    """Returns the backend that Dynamo's DDPOptimizer uses for the parts of a graph; None for other backends."""
    return getattr(getattr(backend, "__self__", None), "backend_compile_fn", None)


def backend_of(wrapper: Any) -> Any:
    """Returns the backend of a compiled function, as stored in its cache entries; None if it is not found."""
    backend = callback_in_force(wrapper) or callback_of(wrapper)
    while (inner := _wrapped_backend(backend)) is not None:
        backend = inner
    return backend


def backend_name(compiler: Any = None) -> str:
    """Returns the name of a backend, by default of the one for the compilation in progress; "" if it is not known."""
    backend = compiler if compiler is not None else converted("compiler_fn")
    while (inner := _wrapped_backend(backend) or _of_optimizer(backend)) is not None:
        backend = inner
    name = str(getattr(backend, "compiler_name", None) or getattr(backend, "__name__", None) or "")
    return type(getattr(backend, "compiler_fn", backend)).__qualname__ if " object at 0x" in name else name


def of_backend(entries: list[CacheEntry], backend: Any) -> list[CacheEntry]:
    """Returns the cache entries of a backend (torch compares by equality), and those whose backend is not known."""
    return [e for e in entries if e.backend is None or e.backend is backend or e.backend == backend]


def region_of(wrapper: Any) -> int | None:
    """Returns the isolated region of a compiled function; -1 if it has none, None for other objects."""
    region = optional(wrapper, "CompiledFunction._isolate_recompiles_id")
    return region if isinstance(region, int) else None


def has_regions() -> bool:
    """Returns whether this torch has separate caches for functions compiled with `isolate_recompiles=True`."""
    return probe("torch._C._dynamo.eval_frame.get_eval_frame_isolate_recompiles_id") is not None


def is_compiled_wrapper(fn: Any) -> bool:
    """Returns whether torch.compile created this callable.

    It is False for decorators, to which functools.wraps copies the mark.
    """
    name = "CompiledFunction._torchdynamo_orig_callable"
    wrapped = getattr(fn, "__wrapped__", None)
    mark = optional(fn, name, UNKNOWN)
    return mark is not UNKNOWN and optional(wrapped, name, UNKNOWN) is not mark


def original_module(module: Any) -> Any:
    """Returns the module inside the wrapper that torch.compile creates; other objects unchanged."""
    return optional(module, "CompiledModule._orig_mod", module)


def side_effects(code: types.CodeType) -> tuple[str, ...]:
    """Returns the sources of the Python side effects that Dynamo replays in `code`; of free variables, the names."""
    get = probe("torch._dynamo.convert_frame.get_compiled_code_side_effects")
    sources = get(code) or () if get is not None else ()
    unnamed = sources.count("<unknown source>")
    stores = (i.argval for i in dis.get_instructions(code) if unnamed and i.opname == "STORE_DEREF")
    stored = [name for name in dict.fromkeys(stores) if name in code.co_freevars]
    others = stored if len(stored) == unnamed else ["something that torch does not name"] * min(unnamed, 1)
    return (*(name for name in sources if name != "<unknown source>"), *others)


def innermost_function(fn: Any) -> Any:
    """Returns the function inside the wrappers that torch.compile creates."""
    innermost = probe("torch._dynamo.eval_frame.innermost_fn")
    return innermost(fn) if innermost is not None else fn


def what_runs_graph(compiled: Any) -> Any:
    """Returns the compiled graph inside torch's wrappers, including the one for subclasses of Tensor (since 2.13)."""
    fn = innermost_function(compiled)
    if getattr(fn, "__module__", None) != "torch._dynamo.output_graph":
        return fn
    cells = dict(zip(getattr(getattr(fn, "__code__", None), "co_freevars", ()), getattr(fn, "__closure__", None) or ()))
    wrapped = cells.get("real_compiled_fn")  # of OutputGraph.compile_and_call_fx_graph's _tf_disabled_wrapper
    return fn if wrapped is None else innermost_function(wrapped.cell_contents)


def is_compiled_ahead_of_time(called: Any) -> bool:
    """Returns whether an object is the result of `aot_compile` or `torch.compiler.load_compiled_function`."""
    return type(called).__module__ == "torch._dynamo.aot_compile"


def aot_parts(compiled: Any) -> tuple[types.CodeType, types.FunctionType, str] | None:
    """Original code, compiled function, and guards as torch prints them, of an `AOTCompiledFunction`; else None."""
    artifacts = attribute(compiled, "AOTCompiledFunction._artifacts")
    original = attribute(artifacts, "CompileArtifacts.original_code") if artifacts is not None else None
    function = attribute(compiled, "AOTCompiledFunction.fn")
    if not isinstance(original, types.CodeType) or not isinstance(function, types.FunctionType):
        return None
    return original, function, str(attribute(artifacts, "CompileArtifacts.guard_manager") or "")
