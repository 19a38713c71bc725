# SPDX-License-Identifier: MIT
"""Each private name of torch that depyf touches, probed by feature, once.

Invariant: no other module of the package names a private part of torch. A seam that this torch lacks is recorded in
`missing()` with what is lost; its function then answers "nothing" and the rest keeps working. Nothing here keeps a
reference to an object of the user's program. Importing this module does not import torch: what waits for torch to be
imported, and texts that name its parts, ask here too.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import re
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from depyf.torch.internals import names
from depyf.torch.internals.guard_state import (
    UNKNOWN,
    current_device,
    dispatch_keys,
    dual_level,
    function_modes,
    functorch_layers_are,
    global_state,
    guard_helper,
    is_for_class,
    overlapping,
    reduced_precision_flags,
    saved_tensors_hooks,
    state_fits,
    torch_function_state,
)  # fmt: skip
from depyf.torch.internals.names import attribute, missing, optional, probe, setting
from depyf.torch.internals.names import record_missing as lack
from depyf.torch.internals.texts import (
    AS_RECORDED,
    COMPILED_FN,
    DYNAMO,
    EXPORTER,
    FLOATS_AS_INPUTS,
    FORWARD_AD_CHECK,
    FUNCTORCH_CHECK,
    GRAPH_IMPORTS,
    MARK_DYNAMIC,
    MODULE_INTS_AS_INPUTS,
    POOLING_OFFSETS,
    RESUME_FN,
    operator_imports,
)  # fmt: skip
from depyf.torch.internals.words import RESUME_CODE

__all__ = [  # and all that is defined here
    "AS_RECORDED", "COMPILED_FN", "DYNAMO", "EXPORTER", "FLOATS_AS_INPUTS", "FORWARD_AD_CHECK", "FUNCTORCH_CHECK",
    "GRAPH_IMPORTS", "MARK_DYNAMIC", "MODULE_INTS_AS_INPUTS", "POOLING_OFFSETS", "RESUME_FN", "UNKNOWN",
    "current_device", "dispatch_keys", "dual_level", "function_modes", "functorch_layers_are", "global_state",
    "guard_helper", "is_for_class", "missing", "operator_imports", "overlapping", "reduced_precision_flags",
    "saved_tensors_hooks", "state_fits", "torch_function_state",
]  # fmt: skip


def _nothing() -> None:
    return None


def check_names() -> None:
    """Looks up each private name whose module is imported, and those of a function and a graph that torch makes here.

    What lacks is in `missing()` then.
    """
    import torch

    names.check()
    wrapper = torch.compile(_sample, backend="eager")
    if wrapper is not _sample:  # torch.compile may be turned off
        attribute(wrapper, "CompiledFunction._torchdynamo_orig_callable")
        attribute(wrapper, "CompiledFunction._isolate_recompiles_id")
        if callback_of(wrapper) is None:
            names.record_missing("ConvertFrame._torchdynamo_orig_backend")
        attribute(torch.compile(torch.nn.Identity(), backend="eager"), "CompiledModule._orig_mod")
    attribute(torch.fx.Graph(), "FxGraph._codegen")


def _sample(value: int) -> int:
    return value


# ---- what Dynamo keeps: cache entries, resume functions, and what torch.compile wrapped


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


def _wrapped_backend(callback: Any) -> Any:
    """What one of Dynamo's converters of frames wraps: the next one, at last the backend."""
    found = optional(callback, "ConvertFrame._torchdynamo_orig_backend")
    if found is None and not callable(getattr(callback, "__get__", None)):  # earlier, functions bore the same name
        found = optional(callback, "CompiledFunction._torchdynamo_orig_callable")
    return found


def backend_of(wrapper: Any) -> Any:
    """The backend a compiled function was made with, as cache entries name it; None when it cannot be told."""
    found = callback_of(wrapper)
    while (inner := _wrapped_backend(found)) is not None:
        found = inner
    return found


def backend_name(compiler: Any = None) -> str:
    """The name of a backend, by default of the one that a frame is being compiled for; "" if it is not known."""
    found = compiler if compiler is not None else _converted("compiler_fn")
    while (inner := _wrapped_backend(found)) is not None:
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


def is_compiled_wrapper(fn: Any) -> bool:
    """Whether torch.compile made this callable."""
    return optional(fn, "CompiledFunction._torchdynamo_orig_callable", UNKNOWN) is not UNKNOWN


def original_module(module: Any) -> Any:
    """The module below torch.compile's wrapper of it."""
    return optional(module, "CompiledModule._orig_mod", module)


def side_effects(code: types.CodeType) -> tuple[str, ...]:
    """Sources of the Python side effects that Dynamo replays in `code`."""
    get = probe("torch._dynamo.convert_frame.get_compiled_code_side_effects")
    return tuple(get(code) or ()) if get is not None else ()


def innermost_function(fn: Any) -> Any:
    """The function below torch.compile's wrappers."""
    innermost = probe("torch._dynamo.eval_frame.innermost_fn")
    return innermost(fn) if innermost is not None else fn


def frame_stack(frame: types.FrameType, depth: int) -> list[Any]:
    """The lowest `depth` values on a running frame's evaluation stack: it must hold so many."""
    read = probe("torch._C._dynamo.eval_frame._get_frame_value_stack_with_depth")
    return list(read(frame, depth)) if read is not None else []


# ---- what Dynamo is doing: hooks into it, the frame being converted, how to keep it out


def register_bytecode_hook(
    hook: Callable[[types.CodeType, types.CodeType], types.CodeType | None], first: bool = False
) -> Any:
    """Registers a bytecode hook, ahead of all others if asked (others may keep the code they see); None if missing."""
    register = probe("torch._dynamo.convert_frame.register_bytecode_hook")
    if register is None:
        return None
    handle = register(hook)
    hooks = probe("torch._dynamo.convert_frame._bytecode_hooks")
    if first and hooks is not None and hasattr(hooks, "move_to_end"):
        with contextlib.suppress(KeyError):
            hooks.move_to_end(handle.id, last=False)
    return handle


def compile_id() -> str | None:
    """The id of the compilation in progress ("0/1", "!0/2/0"), or None."""
    context = probe("torch._guards.CompileContext")
    current = attribute(context, "CompileContext.current_compile_id", _nothing)() if context is not None else None
    return str(current) if current is not None else None


_CONVERSION = "torch._dynamo.convert_frame._compile"


def conversion() -> Mapping[str, Any] | None:
    """The locals of Dynamo's conversion in progress. They hold the user's frame: not to be kept."""
    frame = names.running(_CONVERSION)
    return frame.f_locals if frame is not None else None


def _converted(name: str) -> Any:
    """A variable of Dynamo's conversion in progress."""
    local = conversion()
    return names.variable(local, f"{_CONVERSION}({name})") if local is not None else None


def converts_frame() -> bool:
    """Whether Dynamo is converting a frame that runs (else a graph is captured for torch.export, say)."""
    return conversion() is not None


def frame_globals() -> dict[str, Any] | None:
    """The globals of the user's frame that Dynamo is converting. Only for use during the hook: do not keep them."""
    found = _converted("globals")
    return found if isinstance(found, dict) else None


def frame_locals() -> dict[str, Any]:
    """The locals of the user's frame that Dynamo is converting. Only for use during the hook: do not keep them."""
    found = _converted("locals")
    return found if isinstance(found, dict) else {}


def frame_code() -> types.CodeType | None:
    """The original code of the frame that Dynamo is converting."""
    found = _converted("code")
    return found if isinstance(found, types.CodeType) else None


def calling_frame() -> types.FrameType | None:
    """The frame whose call Dynamo is converting (torch's own frames passed over). Not to be kept."""
    import torch

    frame = names.running(_CONVERSION)
    root = torch.__path__[0]
    while frame is not None and frame.f_code.co_filename.startswith(root):
        frame = frame.f_back
    return frame


def compiled_fn_name() -> str | None:
    """The name (`__compiled_fn_N_<uuid>`) of the graph being handed to the backend, from the frame that chose it."""
    frame = names.running(_GRAPH_CALL)
    name = names.variable(frame.f_locals, f"{_GRAPH_CALL}(name)") if frame is not None else None
    return name if isinstance(name, str) and COMPILED_FN.match(name) else None


_GRAPH_CALL = "torch._dynamo.output_graph.OutputGraph.compile_and_call_fx_graph"


def current_compiled_fn_name() -> str:
    """depyf 0.20's guess at the current `__compiled_fn_N`: Dynamo's counter less one (-1 outside a compile)."""
    counter = probe("torch._dynamo.bytecode_transformation._unique_id_counter")
    # An itertools.count shows its next number in its repr alone; it cannot be copied from CPython 3.14 on.
    match = re.fullmatch(r"count\((-?\d+)\)", repr(counter))
    return f"__compiled_fn_{int(match.group(1)) - 1 if match is not None else -1}"


def eval_frame_setter() -> Callable[[Any], Any]:
    """Takes what Dynamo calls for each new frame of this thread (None: nothing) and gives back what stood there."""
    setter = probe("torch._C._dynamo.eval_frame.set_eval_frame")
    return cast("Callable[[Any], Any]", setter) if setter is not None else lambda callback: callback


def keep_from_dynamo(*functions: types.FunctionType | Callable[..., Any]) -> None:
    """Dynamo never compiles these functions themselves; what they call is another matter."""
    skip = probe("torch._dynamo.eval_frame.skip_code")
    for function in functions if skip is not None else ():
        skip(cast("types.FunctionType", function).__code__)


@contextlib.contextmanager
def dynamo_disabled() -> Iterator[None]:
    """Runs the body without Dynamo: no frame entered in it is compiled."""
    set_eval_frame = eval_frame_setter()
    prior = set_eval_frame(None)
    try:
        yield
    finally:
        set_eval_frame(prior)


@contextlib.contextmanager
def compiled_frames_run() -> Iterator[None]:
    """Runs the body as `torch.compile` runs a function: a frame that fits an entry takes it; none is compiled."""
    set_eval_frame = eval_frame_setter()
    prior = set_eval_frame(None if stance() == "force_eager" else False)
    try:
        yield
    finally:
        set_eval_frame(prior)


def packages_bytecode() -> bool:
    """Whether Dynamo stores the hooked code in packages; then paths of this machine must not enter it."""
    return bool(setting("torch._dynamo.config.caching_precompile", False))


def is_set(statement: str) -> bool:
    """Whether an option is what an assignment of a constant would make it; true where this torch lacks the option."""
    path, _, value = statement.partition(" = ")
    owner, _, name = path.rpartition(".")
    config = probe(owner, "advice on options")
    return config is None or str(getattr(config, name, value)) == value


def stance() -> str | None:
    """The stance in force ("default", "eager_on_recompile", …); None when this torch does not tell."""
    in_force = setting("torch._dynamo.eval_frame._stance")
    return attribute(in_force, "Stance.stance") if in_force is not None else None


def fails_on_recompile() -> bool:
    """Whether the user asked that recompilation be an error."""
    return bool(setting("torch._dynamo.config.error_on_recompile", False))


AOT_COMPILE = "torch._dynamo.aot_compile.aot_compile_fullgraph"  # what torch.compile(f).aot_compile(...) calls


def aot_parts(compiled: Any) -> tuple[types.CodeType, types.FunctionType, str] | None:
    """(original code, function that runs, guards as torch prints them) of an `AOTCompiledFunction`."""
    artifacts = attribute(compiled, "AOTCompiledFunction._artifacts")
    original = attribute(artifacts, "CompileArtifacts.original_code") if artifacts is not None else None
    function = attribute(compiled, "AOTCompiledFunction.fn")
    if not isinstance(original, types.CodeType) or not isinstance(function, types.FunctionType):
        return None
    return original, function, str(attribute(artifacts, "CompileArtifacts.guard_manager") or "")


# ---- FX graphs and Inductor's files


@functools.cache
def dtype_names() -> dict[str, str]:
    """What torch prints for a dtype in graphs ("f32") -> the dtype's name ("torch.float32")."""
    found = probe("torch.fx.graph.dtype_abbrs")
    return {abbreviation: str(dtype) for dtype, abbreviation in found.items()} if found is not None else {}


def is_lazy_forward(function: Any) -> bool:
    """Whether `function` is torch's shared placeholder of graph modules not compiled yet: it must never be edited."""
    shared = probe("torch.fx._lazy_graph_module._LazyGraphModule._lazy_forward")
    return shared is None or function is shared or getattr(function, "__code__", None) is shared.__code__


def is_boxed(graph: Any) -> bool:
    """Whether an FX graph is compiled to take its arguments as one list: so do backends that run it as Python."""
    return "Boxed" in type(attribute(graph, "FxGraph._codegen")).__name__


def patch_graph_formatter(observe: Callable[[str, Any], None]) -> Callable[[], None] | None:
    """Calls `observe(name, graph_module)` for graphs that only torch's formatter sees; returns the way to undo it.

    Others hold the function itself (vLLM imports it by name), so its code is replaced, not the name. A thread may be
    inside of the replaced code when it is undone: what that code calls is there for good.
    """
    formatter = probe(_FORMATTER)
    if formatter is None:
        return None
    if not isinstance(formatter, types.FunctionType) or formatter.__code__.co_freevars:
        names.record_missing(_FORMATTER)
        return None
    original_code, original_defaults = formatter.__code__, formatter.__defaults__
    unpatched = types.FunctionType(original_code, formatter.__globals__, formatter.__name__, original_defaults)
    unpatched.__kwdefaults__ = formatter.__kwdefaults__
    observers = [observe]

    def observed(caller: str, name: str, gm: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        # Nearly all that torch itself formats is in the trace as well, and better there.
        if not caller.startswith("torch.") or _ONLY_FORMATTED.search(name):
            for tell in tuple(observers):
                tell(name, gm)
        return unpatched(name, gm, *args, **kwargs)

    def template(name, gm, *args, **kwargs):  # type: ignore[no-untyped-def]

        from depyf.torch.seams import _formatter_target

        return _formatter_target[0](sys._getframe(1).f_globals.get("__name__", ""), name, gm, args, kwargs)

    keep_from_dynamo(template, observed, observe)
    _formatter_target[:1] = [observed]
    formatter.__code__ = template.__code__
    formatter.__defaults__ = None

    def undo() -> None:
        formatter.__code__ = original_code
        formatter.__defaults__ = original_defaults
        observers.clear()  # the target stays: another thread may be about to call it

    return undo


_FORMATTER = "torch._dynamo.utils.lazy_format_graph_code"
_ONLY_FORMATTED = re.compile(r"frozen|ddp", re.IGNORECASE)
_formatter_target: list[Callable[[str, str, Any, tuple[Any, ...], dict[str, Any]], Any]] = []


# ---- torch's logs: the structured trace, and the artifact log of bytecode


def trace_logger() -> logging.Logger:
    """The logger that carries torch's structured trace (always at level DEBUG; nothing is built without a handler)."""
    return logging.getLogger(names.TRACE_LOGGER)


_TRACE = "torch._logging._internal.trace_structured"


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
        event, metadata, payload = (
            names.variable(local, f"{_TRACE}({name})", UNKNOWN) for name in ("name", "metadata_fn", "payload_fn")
        )
        if UNKNOWN in (event, metadata, payload):  # another torch: it builds all
            return True
        try:
            return self._reads(event, metadata, payload, local.get("compile_id"))
        except Exception:  # what the event's own functions raise, torch shall meet
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
    context = probe("torch._guards.CompileContext")
    read = attribute(context, "CompileContext.current_compile_id", _nothing) if context is not None else _nothing
    current = read() or given
    ids = ("compiled_autograd_id", "frame_id", "frame_compile_id")
    return {name: value for name in ids if (value := getattr(current, name, None)) is not None}


def interned_strings() -> dict[int, str]:
    """File names of the structured trace by number; needed when the handler came late."""
    table = probe("torch._logging.structured.INTERN_TABLE")
    return {number: name for name, number in table.items()} if table is not None else {}


def bytecode_log() -> logging.Logger | None:
    """The logger of TORCH_LOGS="+bytecode"."""
    get = probe("torch._logging.getArtifactLogger")
    return cast("logging.Logger", get("torch._dynamo.convert_frame", "bytecode")) if get is not None else None


def unpatched() -> dict[str, Any]:
    """Functions of torch that depyf 0.20 gave other code access to, by the names that it had for them."""
    context = probe("torch._dynamo.eval_frame.OptimizeContext")
    return {
        "unpatched__exec_with_source": probe("torch.fx.graph_module._exec_with_source"),
        "unpatched___call__": context.__call__ if context is not None else None,
    }


# ---- operators


def registering_module(namespace: str, name: str) -> str | None:
    """The module, or the script, that registers `torch.ops.namespace.name`; None for torch's own, or if none is known.

    An operator of `torch.library.custom_op` knows its function; others are looked for by the file they come from.
    """
    definition = (probe("torch._library.custom_ops.OPDEFS") or {}).get(f"{namespace}::{name}")
    module = str(getattr(getattr(definition, "_init_fn", None), "__module__", ""))
    dump = probe("torch._C._dispatch_dump")
    if not module and dump is not None:
        found = re.search(r"^debug: registered at (.+\.py):\d+", dump(f"{namespace}::{name}"), re.MULTILINE)
        files = {getattr(m, "__file__", None): n for n, m in tuple(sys.modules.items())} if found is not None else {}
        module = files.get(found.group(1), found.group(1)) if found is not None else ""
    if not module or f"{module}.".startswith("torch.") or module.startswith(tuple(sys.modules["torch"].__path__)):
        return None
    return str(getattr(sys.modules[module], "__file__", module)) if module == "__main__" else module
