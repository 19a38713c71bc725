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
import json
import logging
import math
import re
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from depyf.torch.internals import names
from depyf.torch.internals.names import attribute, missing, optional, probe, setting
from depyf.torch.internals.names import record_missing as lack
from depyf.torch.internals.words import RESUME_CODE

if TYPE_CHECKING:
    import torch

__all__ = ["missing"]  # and all that is defined here

UNKNOWN: Any = object()  # what this torch does not tell


def _nothing() -> None:
    return None


# ---- names of torch's in texts: what Dynamo calls things, what a user writes for a compilation, what graphs import

COMPILED_FN = re.compile(r"^__compiled_fn_(-?\d+)(?:_[0-9a-f_]+)?$")
RESUME_FN = re.compile(r"^__resume_at_\w+$")
DYNAMO = "torch._dynamo"  # the package whose first import means that this process compiles
EXPORTER = "torch.export._trace"  # imports Dynamo, and is hooked itself

# How torch's own guard text begins where it reads private state.
FUNCTORCH_CHECK = "torch._functorch.pyfunctorch.compare_functorch_state("
FORWARD_AD_CHECK = "torch.autograd.forward_ad._current_level =="

# What a user writes to change a compilation. torch documents each of them under these names.
MARK_DYNAMIC = "torch._dynamo.maybe_mark_dynamic"  # unlike mark_dynamic it never raises ConstraintViolationError
FLOATS_AS_INPUTS = "torch._dynamo.config.specialize_float = False"
MODULE_INTS_AS_INPUTS = "torch._dynamo.config.allow_unspec_int_on_nn_module = True"

# The names a printed graph may use, beside the statement that imports each.
GRAPH_IMPORTS = {
    "torch": "import torch",
    "fx_pytree": "import torch.fx._pytree as fx_pytree",
    "pytree": "import torch.utils._pytree as pytree",
    "device": "from torch import device",
    "inf": "from math import inf",
    "nan": "from math import nan",
    "NoneType": "from types import NoneType",
    "operator": "import operator",
    # FX calls functions of other modules by their dotted path with underscores
    **{f"math_{name}": f"from math import {name} as math_{name}" for name in vars(math) if not name.startswith("_")},
}
# Of what max-pooling saved under Inductor; the second name until torch 2.7.
POOLING_OFFSETS = ("_low_memory_max_pool_offsets_to_indices", "_low_memory_max_pool2d_offsets_to_indices")
# What at::detail::computeStride gives a view and what torch foretells may differ along dimensions of one element; a
# convolution takes the memory format of its result from all strides of its input.
AS_RECORDED = '''

class AsRecorded(torch.utils._python_dispatch.TorchDispatchMode):
    """Views have the strides that torch recorded, along dimensions of one element too: convolutions look at them."""

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        found = operator(*args, **(kwargs or {}))
        if operator is not torch.ops.aten.view.default:
            return found
        with torch._subclasses.FakeTensorMode() as mode:
            recorded = operator(mode.from_tensor(args[0]), args[1])
        return found.as_strided(found.shape, recorded.stride(), found.storage_offset())
'''
_PRIM = re.compile(r"\btorch\.ops\.prims\.(\w+)")


def operator_imports(text: str) -> list[str]:
    """Imports for operators that torch.ops lacks until a part of Inductor is imported."""
    found = []
    if "torch.ops.higher_order.control_deps(" in text:
        found.append("import torch._inductor.fx_passes.control_dependencies")
    names = set(_PRIM.findall(text))
    if names:
        prims = probe("torch._prims")
        if prims is not None and not names <= vars(prims).keys():
            found.append("import torch._inductor.inductor_prims")
    return found


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
    """Whether `function` is torch's shared stand-in of graph modules not compiled yet: it must never be edited."""
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


# ---- state of the process that guards read


def dispatch_keys(tensor: torch.Tensor) -> str:
    """The dispatch key set of a tensor under this thread's state, as torch prints it in guards ("" if unknown)."""
    get = probe("torch._C._dispatch_keys")
    included = probe("torch._C._dispatch_tls_local_include_set")
    excluded = probe("torch._C._dispatch_tls_local_exclude_set")
    if get is None or included is None or excluded is None:
        return ""
    return str((get(tensor) | included()) - excluded())


def current_device() -> Any:
    """The device set by torch.set_default_device or a device context, or None."""
    return setting("torch.utils._device.CURRENT_DEVICE", UNKNOWN)


def function_modes() -> list[str] | None:
    """Type names of the active torch function modes, outermost first; None when this torch does not tell."""
    get = probe("torch.overrides._get_current_function_mode_stack")
    return [type(mode).__qualname__ for mode in get()] if get is not None else None


def state_fits(guard_manager: Any, kind: str) -> bool:
    """Whether an entry was compiled under the state of the process now, as its own leaf guard of that kind says.

    For guards whose text does not tell the state they compare with.
    """
    root = attribute(guard_manager, "GuardManager.root")
    leaves = attribute(root, "RootGuardManager.get_leaf_guards", tuple)() if root is not None else ()
    found = [leaf for leaf in leaves if type(leaf).__name__ == kind]
    return bool(found) and all(bool(leaf(None)) for leaf in found)


def is_for_class(guard_manager: Any, source: str, local: dict[str, Any]) -> bool | None:
    """Whether the dictionary at a source, a local's or a global's name, is of the class that its guard asks for.

    Asks that guard alone, with `local` for the frame's locals. None, if it cannot be told.
    """
    root = attribute(guard_manager, "GuardManager.root")
    clone = attribute(root, "RootGuardManager.clone_manager") if root is not None else None
    alone = clone(lambda manager: manager.get_source() in ("L", "G", source)) if clone is not None else None
    if alone is None:
        return None
    said = alone.check_verbose(local)
    if said.result or any(part.startswith(f"len({source}) ") for part in said.verbose_code_parts):
        return True  # the length is looked at once the class is right
    return False if f"TYPE_MISMATCH({source})" in said.verbose_code_parts else None


def saved_tensors_hooks() -> Any:
    """Identities of the saved-tensor hooks in force that Dynamo inlines, or None; or UNKNOWN."""
    top = probe("torch._functorch._aot_autograd.utils.top_saved_tensors_hooks")
    inlineable = probe("torch._functorch._aot_autograd.utils.saved_tensors_hooks_are_inlineable")
    if top is None or inlineable is None:
        return UNKNOWN
    hooks = top()
    return tuple(map(id, hooks)) if inlineable(hooks) else None


def guard_helper(name: str) -> Any:
    """A function that torch's own guard text calls by a private name (`___dict_version`), or None."""
    get = probe("torch._dynamo.guards._get_closure_vars")
    shapes = probe("torch.fx.experimental.symbolic_shapes.SYMPY_INTERP")
    return {**(shapes or {}), **(get() if get is not None else {})}.get(name)


def global_state() -> dict[str, Any]:
    """What Dynamo's global-state guard compares, as it stands now (grad mode, autocast, threads, …)."""
    import torch

    guard = probe("torch._C._dynamo.guards.GlobalStateGuard")
    if guard is not None:
        with contextlib.suppress(TypeError, ValueError):
            return cast("dict[str, Any]", json.loads(attribute(guard(), "GlobalStateGuard.__getstate__", str)()))
    enabled, disabled = torch_function_state()
    return {
        "grad_mode": torch.is_grad_enabled(),
        "deterministic_algorithms": torch.are_deterministic_algorithms_enabled(),
        "deterministic_algorithms_warn_only": torch.is_deterministic_algorithms_warn_only_enabled(),
        "num_threads": torch.get_num_threads(),
        "torch_function": enabled,
        "torch_function_all_disabled": disabled,
        "default_dtype": str(torch.get_default_dtype()),
        **({"autocast_state": _autocast_state()} if guard is None or _minds_autocast(guard) else {}),
        **reduced_precision_flags(),
    }


def _autocast_state() -> dict[str, Any]:
    import torch

    kinds = ("cpu", "cuda", "xpu", "mps", "hpu", "xla", "ipu", "mtia")
    devices = [kind for kind in kinds if torch.amp.is_autocast_available(kind)]
    return {
        "enabled": {device: torch.is_autocast_enabled(device) for device in devices},
        "dtype": {device: str(torch.get_autocast_dtype(device)) for device in devices},
        "cache_enabled": torch.is_autocast_cache_enabled(),
    }


@functools.cache
def _minds_autocast(guard: Any) -> bool:
    """Whether this class of guards looks at autocast at all."""
    import torch

    enabled, compared = torch.is_autocast_enabled("cpu"), guard()
    torch.set_autocast_enabled("cpu", not enabled)
    try:
        return not compared.check()
    finally:
        torch.set_autocast_enabled("cpu", enabled)


def functorch_layers_are(states: list[Any]) -> bool | None:
    """Whether the nesting of functorch transforms is as given; None when this torch does not tell."""
    compare = probe("torch._functorch.pyfunctorch.compare_functorch_state")
    return bool(compare(states)) if compare is not None else None


def dual_level() -> int | None:
    """Nesting of forward-mode differentiation (-1 outside of it); None when this torch does not tell."""
    level = setting("torch.autograd.forward_ad._current_level")
    return int(level) if level is not None else None


def overlapping(tensors: list[Any]) -> set[int] | None:
    """Indices of the tensors that share memory with another one; None when this torch does not tell."""
    compute = probe("torch._C._dynamo.guards.compute_overlapping_tensors")
    return set(compute(tensors, symbolic=False)) if compute is not None else None


def torch_function_state() -> tuple[bool, bool]:
    """(torch function enabled, torch function disabled altogether)."""
    enabled = probe("torch._C._is_torch_function_enabled")
    everywhere = probe("torch._C._is_torch_function_all_disabled")
    return (bool(enabled()) if enabled is not None else True, bool(everywhere()) if everywhere is not None else False)


def reduced_precision_flags() -> dict[str, int | bool]:
    """Global flags of reduced-precision arithmetic as Dynamo's global-state guard spells them."""
    flags: dict[str, int | bool] = {}
    for key, path in (
        ("allow_fp16_reduce", "torch._C._get_cublas_allow_fp16_reduced_precision_reduction"),
        ("allow_bf16_reduce", "torch._C._get_cublas_allow_bf16_reduced_precision_reduction"),
        ("allow_tf32", "torch._C._get_cublas_allow_tf32"),
    ):
        get = probe(path)
        if get is not None:
            value = get()
            # ATen's CuBLASReductionOption: both allowed is 0, only split-K allowed 1, neither 2.
            flags[key] = value if isinstance(value, bool) else {(True, True): 0, (False, True): 1}.get(tuple(value), 2)
    return flags


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
    """The logger behind TORCH_LOGS="+bytecode"."""
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
