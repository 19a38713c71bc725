# SPDX-License-Identifier: MIT
"""The state that guards compare, read through private names of torch.

Importing this module does not import torch.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from depyf.torch.internals.names import attribute, probe, release, running, setting, variable

if TYPE_CHECKING:
    import torch

UNKNOWN: Any = object()  # the value of a fact that is not available in this torch


def dispatch_keys(tensor: torch.Tensor) -> str:
    """Returns the dispatch key set of a tensor in this thread's state, as torch prints it in guards.

    Returns "" if not known.
    """
    get = probe("torch._C._dispatch_keys")
    included = probe("torch._C._dispatch_tls_local_include_set")
    excluded = probe("torch._C._dispatch_tls_local_exclude_set")
    if get is None or included is None or excluded is None:
        return ""
    return str((get(tensor) | included()) - excluded())


def current_device() -> Any:
    """Returns the device set by torch.set_default_device or a device context, or None; UNKNOWN if not available."""
    return setting("torch.utils._device.CURRENT_DEVICE", UNKNOWN)


def function_modes() -> list[str] | None:
    """Returns the type names of the active torch function modes, outermost first; None if not available."""
    get = probe("torch.overrides._get_current_function_mode_stack")
    return [type(mode).__qualname__ for mode in get()] if get is not None else None


def state_fits(guard_manager: Any, kind: str) -> bool:
    """Returns whether an entry's leaf guards of a kind pass in the current state; False if it has none.

    Used for guards whose text does not contain the state that they compare with.
    """
    root = attribute(guard_manager, "GuardManager.root")
    leaves = attribute(root, "RootGuardManager.get_leaf_guards", tuple)() if root is not None else ()
    of_kind = [leaf for leaf in leaves if type(leaf).__name__ == kind]
    return bool(of_kind) and all(bool(leaf(None)) for leaf in of_kind)


def failing_part(guard_manager: Any, local: Mapping[str, Any]) -> str | None:
    """Evaluates the guards of an entry for a frame with torch itself, as torch does for the reason of a recompile.

    Returns:
        Torch's text of the guard that fails; "" if all guards pass; None if torch cannot evaluate them.

    """
    root = attribute(guard_manager, "GuardManager.root")
    check = attribute(root, "RootGuardManager.check_verbose") if root is not None else None
    if check is None:
        return None
    try:
        result = check(local)
        return "" if result.result else " and ".join(result.verbose_code_parts) or "a guard"
    except Exception:  # comparing an object of the program may raise anything
        return None


def failing_stack(guard_manager: Any, local: Mapping[str, Any]) -> list[tuple[str, int, str]]:
    """Returns the program's stack at which the guard that fails for a frame was added, outermost first.

    Returns [] if not known.
    """
    root = attribute(guard_manager, "GuardManager.root")
    check = attribute(root, "RootGuardManager.check_verbose") if root is not None else None
    try:
        stack = getattr(check(local), "user_stack", None) if check is not None else None
    except Exception:  # comparing an object of the program may raise anything
        return []
    return [(frame.filename, frame.lineno or 0, frame.name) for frame in stack or ()]


def keeps_stacks() -> bool:
    """Returns whether torch stores the program's stack with each guard. Before 2.9 it does so only if it logs guards.

    See GuardsSet.add in torch/_guards.py: "Always record user.stack for informative tlparse guards".
    """
    return release() >= (2, 9)


def keep_stack(guard: Any) -> None:
    """Stores the program's current stack in a guard that torch is adding, unless it already has one."""
    extract = probe("torch._guards.TracingContext.extract_stack")
    if extract is not None and attribute(guard, "Guard.user_stack") is None:
        guard.user_stack = extract()


@dataclass(frozen=True)
class Origin:
    """The value and the code for which Dynamo added a guard."""

    source: str  # the expression whose value is guarded
    checks: tuple[str, ...]  # torch's texts of the checks, as far as it stores them
    stack: tuple[tuple[str, int, str], ...]  # file, line and function of the traced frames, outermost first


def origins() -> list[Origin]:
    """Returns the origins of the guards of the entry for which torch is building guards.

    Returns [] if it is not building any.
    """
    frame = running(_GUARDS_BUILT)
    graph = variable(frame.f_locals, f"{_GUARDS_BUILT}(output_graph)") if frame is not None else None
    guards = attribute(graph, "OutputGraph.guards", ()) if graph is not None else ()
    return [
        Origin(
            attribute(guard, "Guard.name", ""),
            tuple(attribute(guard, "Guard.code_list") or ()),
            tuple((f.filename, f.lineno or 0, f.name) for f in attribute(guard, "Guard.user_stack") or ()),
        )
        for guard in guards
    ]


_GUARDS_BUILT = "torch._dynamo.guards.CheckFunctionManager.__init__"


def is_for_class(guard_manager: Any, source: str, local: dict[str, Any]) -> bool | None:
    """Returns whether the dictionary at a source (a local or global variable) has the class that its guard expects.

    Evaluates only this guard, with `local` as the frame's local variables. None if it is not known.
    """
    root = attribute(guard_manager, "GuardManager.root")
    clone = attribute(root, "RootGuardManager.clone_manager") if root is not None else None
    single = clone(lambda manager: manager.get_source() in ("L", "G", source)) if clone is not None else None
    if single is None:
        return None
    result = single.check_verbose(local)
    if result.result or any(part.startswith(f"len({source}) ") for part in result.verbose_code_parts):
        return True  # the guard compares the length only if the class is right
    return False if f"TYPE_MISMATCH({source})" in result.verbose_code_parts else None


def saved_tensors_hooks() -> Any:
    """Returns the ids of the active saved-tensor hooks, if Dynamo inlines them, else None; UNKNOWN if not available."""
    top = probe("torch._functorch._aot_autograd.utils.top_saved_tensors_hooks")
    inlineable = probe("torch._functorch._aot_autograd.utils.saved_tensors_hooks_are_inlineable")
    if top is None or inlineable is None:
        return UNKNOWN
    hooks = top()
    return tuple(map(id, hooks)) if inlineable(hooks) else None


def own_metadata(value: Any) -> str:
    """Returns as text the metadata that guards on a tensor subclass, a DTensor's `_spec` or an opaque object compare.

    For a `_spec`, this is what `DTensorSpec._check_equals(skip_shapes=True)` compares, without the order in which
    dimensions are sharded if this is the order of the mesh. A tensor subclass may define a looser comparison with
    `__metadata_guard__`.
    """
    if hasattr(value, "__tensor_flatten__"):
        return repr(value.__tensor_flatten__()[1])
    if hasattr(value, "placements"):
        orders = getattr(value, "shard_order", None) or ()
        unusual = any(list(order.mesh_dims) != sorted(order.mesh_dims) for order in orders)
        dtype = getattr(value.tensor_meta, "dtype", None)
        return f"{value.placements} on {value.mesh}, {dtype}" + (f", sharded as {orders}" if unusual else "")
    info = probe("torch._library.opaque_object.get_opaque_obj_info")
    return repr(info(type(value)).guard_fn(value))


def guard_helper(name: str) -> Any:
    """Returns the function that torch's guard text calls by a private name, such as `___dict_version`.

    Returns None if unknown.
    """
    get = probe("torch._dynamo.guards._get_closure_vars")
    shapes = probe("torch.fx.experimental.symbolic_shapes.SYMPY_INTERP")
    return {**(shapes or {}), **(get() if get is not None else {})}.get(name)


def global_state() -> dict[str, Any]:
    """Returns the current values of what Dynamo's global-state guard compares (grad mode, autocast, threads, …)."""
    import torch

    guard = probe("torch._C._dynamo.guards.GlobalStateGuard")
    enabled, disabled = torch_function_state()
    if guard is not None:
        with contextlib.suppress(TypeError, ValueError):
            state = cast("dict[str, Any]", json.loads(attribute(guard(), "GlobalStateGuard.__getstate__", str)()))
            outside = {"torch_function": enabled, "torch_function_all_disabled": disabled}
            return state | {key: value for key, value in outside.items() if key in state}
    return {
        "grad_mode": torch.is_grad_enabled(),
        "deterministic_algorithms": torch.are_deterministic_algorithms_enabled(),
        "deterministic_algorithms_warn_only": torch.is_deterministic_algorithms_warn_only_enabled(),
        "num_threads": torch.get_num_threads(),
        "torch_function": enabled,
        "torch_function_all_disabled": disabled,
        "default_dtype": str(torch.get_default_dtype()),
        **({"autocast_state": _autocast_state()} if guard is None or _compares_autocast(guard) else {}),
        **reduced_precision_flags(),
    }


def autocast_by_device(recorded: Mapping[str, Any]) -> dict[str, tuple[bool, Any]]:
    """Returns for each kind of device whether autocast is enabled, and its dtype, according to `autocast_state`."""
    enabled, dtype = recorded.get("enabled", {}), recorded.get("dtype", {})
    if isinstance(enabled, dict):
        return {device: (is_enabled, dtype[device]) for device, is_enabled in enabled.items()}
    return {device: (enabled[i], dtype[i]) for device, i in _autocast_places().items() if i < len(enabled)}


def autocast_device(place: int) -> str:
    """Returns the kind of device for an index into the lists of `autocast_state`; "" if not known."""
    return next((device for device, i in _autocast_places().items() if i == place), "")


@functools.cache
def _autocast_places() -> dict[str, int]:
    """Returns the index of each kind of device in the lists of `autocast_state`, found by switching its autocast."""
    import torch

    def switches() -> list[bool]:
        values = global_state().get("autocast_state", {}).get("enabled", [])
        return values if isinstance(values, list) else []

    places: dict[str, int] = {}
    for device in _autocast_devices():
        before, enabled = switches(), torch.is_autocast_enabled(device)
        torch.set_autocast_enabled(device, not enabled)
        try:
            changed = [a != b for a, b in zip(before, switches(), strict=True)]
            places |= {device: changed.index(True)} if True in changed else {}
        finally:
            torch.set_autocast_enabled(device, enabled)
    return places


def _autocast_devices() -> list[str]:
    import torch

    kinds = ("cpu", "cuda", "xpu", "mps", "hpu", "xla", "ipu", "mtia")
    return [kind for kind in kinds if torch.amp.is_autocast_available(kind)]


def _autocast_state() -> dict[str, Any]:
    import torch

    devices = _autocast_devices()
    return {
        "enabled": {device: torch.is_autocast_enabled(device) for device in devices},
        "dtype": {device: str(torch.get_autocast_dtype(device)) for device in devices},
        "cache_enabled": torch.is_autocast_cache_enabled(),
    }


@functools.cache
def _compares_autocast(guard: Any) -> bool:
    """Returns whether this class of global-state guards compares autocast, determined by switching it."""
    import torch

    enabled, compared = torch.is_autocast_enabled("cpu"), guard()
    torch.set_autocast_enabled("cpu", not enabled)
    try:
        return not compared.check()
    finally:
        torch.set_autocast_enabled("cpu", enabled)


def functorch_layers_are(states: list[Any]) -> bool | None:
    """Returns whether the nesting of functorch transforms is as given; None if not available."""
    compare = probe("torch._functorch.pyfunctorch.compare_functorch_state")
    return bool(compare(states)) if compare is not None else None


def dual_level() -> int | None:
    """Returns the nesting level of forward-mode differentiation (-1 outside of it); None if not available."""
    level = setting("torch.autograd.forward_ad._current_level")
    return int(level) if level is not None else None


def overlapping(tensors: list[Any]) -> set[int] | None:
    """Returns the indices of tensors that share memory with another one in the list; None if not available."""
    compute = probe("torch._C._dynamo.guards.compute_overlapping_tensors")
    return set(compute(tensors, symbolic=False)) if compute is not None else None


@contextlib.contextmanager
def without_torch_function() -> Iterator[None]:
    """Hides reads of tensors in the block from modes and tensor classes of the program, as guards do in C++."""
    disabled = probe("torch._C.DisableTorchFunction")
    if disabled is None or _around.state is not None:
        yield
        return
    if release() < (2, 7):  # code in the block may need `torch._dynamo`, which torch 2.6 cannot import there
        importlib.import_module("torch._dynamo")
    _around.state = torch_function_state()
    try:
        with disabled():
            yield
    finally:
        _around.state = None


class _Around(threading.local):
    """The state outside of the `without_torch_function` block in which this thread is; None if it is in none."""

    state: tuple[bool, bool] | None = None


_around = _Around()


def torch_function_state() -> tuple[bool, bool]:
    """Returns whether torch function is enabled and whether entirely disabled, outside `without_torch_function`."""
    if _around.state is not None:
        return _around.state
    enabled = probe("torch._C._is_torch_function_enabled")
    everywhere = probe("torch._C._is_torch_function_all_disabled")
    return (bool(enabled()) if enabled is not None else True, bool(everywhere()) if everywhere is not None else False)


def reduced_precision_flags() -> dict[str, int | bool]:
    """Returns the global flags for reduced-precision arithmetic, in the form of Dynamo's global-state guard."""
    flags: dict[str, int | bool] = {}
    for key, path in (
        ("allow_fp16_reduce", "torch._C._get_cublas_allow_fp16_reduced_precision_reduction"),
        ("allow_bf16_reduce", "torch._C._get_cublas_allow_bf16_reduced_precision_reduction"),
        ("allow_tf32", "torch._C._get_cublas_allow_tf32"),
    ):
        get = probe(path)
        if get is not None:
            value = get()
            # CuBLASReductionOption of ATen: 0 if both are allowed, 1 if only split-K is, 2 if neither is.
            flags[key] = value if isinstance(value, bool) else {(True, True): 0, (False, True): 1}.get(tuple(value), 2)
    return flags
