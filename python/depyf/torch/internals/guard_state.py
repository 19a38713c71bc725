# SPDX-License-Identifier: MIT
"""State of the process that guards read: what torch compares, read through its private names.

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

UNKNOWN: Any = object()  # what this torch does not tell


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


def failing_part(guard_manager: Any, local: Mapping[str, Any]) -> str | None:
    """What torch itself says of the guards of an entry: its text of the one that fails for a frame, "" if all hold.

    None where it cannot be asked. Torch asks so itself when it looks for the reason of a recompile.
    """
    root = attribute(guard_manager, "GuardManager.root")
    ask = attribute(root, "RootGuardManager.check_verbose") if root is not None else None
    if ask is None:
        return None
    try:
        said = ask(local)
        return "" if said.result else " and ".join(said.verbose_code_parts) or "a guard"
    except Exception:  # whatever an object of the program's raises when it is compared
        return None


def failing_stack(guard_manager: Any, local: Mapping[str, Any]) -> list[tuple[str, int, str]]:
    """The program's frames for which the guard that fails for a frame was made, outermost first; [] if none is told."""
    root = attribute(guard_manager, "GuardManager.root")
    ask = attribute(root, "RootGuardManager.check_verbose") if root is not None else None
    try:
        stack = getattr(ask(local), "user_stack", None) if ask is not None else None
    except Exception:  # whatever an object of the program's raises when it is compared
        return []
    return [(frame.filename, frame.lineno or 0, frame.name) for frame in stack or ()]


def keeps_stacks() -> bool:
    """Whether torch keeps the program's frames of every guard: before 2.9 it does so only where it logs guards.

    GuardsSet.add in torch/_guards.py; "Always record user.stack for informative tlparse guards".
    """
    return release() >= (2, 9)


def keep_stack(guard: Any) -> None:
    """Has a guard that torch adds keep the program's frames for which it is made."""
    extract = probe("torch._guards.TracingContext.extract_stack")
    if extract is not None and attribute(guard, "Guard.user_stack") is None:
        guard.user_stack = extract()


@dataclass(frozen=True)
class Origin:
    """What Dynamo made a guard for."""

    source: str  # the expression whose value is guarded
    checks: tuple[str, ...]  # torch's texts of what is checked, as far as it keeps them
    stack: tuple[tuple[str, int, str], ...]  # file, line and function of the frames traced then, outermost first


def origins() -> list[Origin]:
    """What each guard was made for, of the entry whose guards torch is building; [] where it builds none."""
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


def own_metadata(value: Any) -> str:
    """What torch's guards on a tensor subclass, on a DTensor's `_spec` and on opaque objects compare, as text.

    Of a `_spec` as `DTensorSpec._check_equals(skip_shapes=True)`, without the order in which dimensions are sharded
    where it is that of the mesh. A tensor subclass may compare more loosely, by its `__metadata_guard__`.
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
    """A function that torch's own guard text calls by a private name (`___dict_version`), or None."""
    get = probe("torch._dynamo.guards._get_closure_vars")
    shapes = probe("torch.fx.experimental.symbolic_shapes.SYMPY_INTERP")
    return {**(shapes or {}), **(get() if get is not None else {})}.get(name)


def global_state() -> dict[str, Any]:
    """What Dynamo's global-state guard compares, as it is now (grad mode, autocast, threads, …)."""
    import torch

    guard = probe("torch._C._dynamo.guards.GlobalStateGuard")
    enabled, disabled = torch_function_state()
    if guard is not None:
        with contextlib.suppress(TypeError, ValueError):
            found = cast("dict[str, Any]", json.loads(attribute(guard(), "GlobalStateGuard.__getstate__", str)()))
            around = {"torch_function": enabled, "torch_function_all_disabled": disabled}
            return found | {key: value for key, value in around.items() if key in found}
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


def autocast_by_device(recorded: Mapping[str, Any]) -> dict[str, tuple[bool, Any]]:
    """Kind of device -> whether autocast is on, and its dtype, of the `autocast_state` of a global state."""
    enabled, dtype = recorded.get("enabled", {}), recorded.get("dtype", {})
    if isinstance(enabled, dict):
        return {device: (on, dtype[device]) for device, on in enabled.items()}
    return {device: (enabled[i], dtype[i]) for device, i in _autocast_places().items() if i < len(enabled)}


def autocast_device(place: int) -> str:
    """The kind of device that a place in the lists of `autocast_state` is for, "" where torch does not tell."""
    return next((device for device, i in _autocast_places().items() if i == place), "")


@functools.cache
def _autocast_places() -> dict[str, int]:
    """Where the lists of a global state, in torch's own order, have each kind of device: seen by switching it."""
    import torch

    def switches() -> list[bool]:
        found = global_state().get("autocast_state", {}).get("enabled", [])
        return found if isinstance(found, list) else []

    found: dict[str, int] = {}
    for device in _autocast_devices():
        before, enabled = switches(), torch.is_autocast_enabled(device)
        torch.set_autocast_enabled(device, not enabled)
        try:
            changed = [a != b for a, b in zip(before, switches(), strict=True)]
            found |= {device: changed.index(True)} if True in changed else {}
        finally:
            torch.set_autocast_enabled(device, enabled)
    return found


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


@contextlib.contextmanager
def without_torch_function() -> Iterator[None]:
    """Keeps modes and tensor classes of the program from seeing what is read of tensors: guards, in C++, do so too."""
    disabled = probe("torch._C.DisableTorchFunction")
    if disabled is None or _around.state is not None:
        yield
        return
    if release() < (2, 7):  # what is read may be `torch._dynamo`, which 2.6 cannot import within the block
        importlib.import_module("torch._dynamo")
    _around.state = torch_function_state()
    try:
        with disabled():
            yield
    finally:
        _around.state = None


class _Around(threading.local):
    """The state around the block in which this thread is."""

    state: tuple[bool, bool] | None = None


_around = _Around()


def torch_function_state() -> tuple[bool, bool]:
    """(torch function enabled, torch function disabled altogether), as around a block `without_torch_function`."""
    if _around.state is not None:
        return _around.state
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
