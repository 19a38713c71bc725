# SPDX-License-Identifier: MIT
"""State of the process that guards read."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any, cast

from depyf.torch.seams.probe import probe

if TYPE_CHECKING:
    import torch


def dispatch_keys(tensor: torch.Tensor) -> str:
    """The dispatch key set of a tensor under this thread's state, as torch prints it in guards ("" if unknown)."""
    get = probe("torch._C._dispatch_keys", "dispatch keys in guards")
    included = probe("torch._C._dispatch_tls_local_include_set", "dispatch keys in guards")
    excluded = probe("torch._C._dispatch_tls_local_exclude_set", "dispatch keys in guards")
    if get is None or included is None or excluded is None:
        return ""
    return str((get(tensor) | included()) - excluded())


def current_device() -> Any:
    """The device set by torch.set_default_device or a device context, or None."""
    module = probe("torch.utils._device", "the default device in guards")
    return getattr(module, "CURRENT_DEVICE", None)


def function_modes() -> list[str]:
    """Type names of the active torch function modes, outermost first."""
    get = probe("torch.overrides._get_current_function_mode_stack", "torch function modes in guards")
    return [type(mode).__qualname__ for mode in get()] if get is not None else []


def state_fits(guard_manager: Any, kind: str) -> bool:
    """Whether an entry was compiled under the state of the process now, as its own leaf guard of that kind says.

    For guards whose text does not tell the state they compare with.
    """
    leaves = guard_manager.root.get_leaf_guards() if hasattr(guard_manager, "root") else ()
    found = [leaf for leaf in leaves if type(leaf).__name__ == kind]
    return bool(found) and all(bool(leaf(None)) for leaf in found)


def saved_tensors_hooks() -> tuple[int, ...] | None:
    """Identities of the saved-tensor hooks in force that Dynamo inlines, or None."""
    top = probe("torch._functorch._aot_autograd.utils.top_saved_tensors_hooks", "saved-tensor hooks in guards")
    inlineable = probe("torch._functorch._aot_autograd.utils.saved_tensors_hooks_are_inlineable", "the same")
    if top is None or inlineable is None:
        return None
    hooks = top()
    return tuple(map(id, hooks)) if inlineable(hooks) else None


def guard_helper(name: str) -> Any:
    """A function that torch's own guard text calls by a private name (`___dict_version`)."""
    get = probe("torch._dynamo.guards._get_closure_vars", "guards that call torch's private helpers")
    shapes = probe("torch.fx.experimental.symbolic_shapes.SYMPY_INTERP", "helpers of symbolic-shape guards")
    helper = {**(shapes or {}), **(get() if get is not None else {})}.get(name)
    if helper is None:
        raise LookupError(f"this torch has no guard helper {name}")
    return helper


def global_state() -> dict[str, Any]:
    """What Dynamo's global-state guard compares, as it stands now (grad mode, autocast, threads, …)."""
    import torch

    guard = probe("torch._C._dynamo.guards.GlobalStateGuard", "global state in guards, beyond what is public")
    if guard is not None and hasattr(guard, "__getstate__"):
        with contextlib.suppress(TypeError, ValueError):
            return cast("dict[str, Any]", json.loads(guard().__getstate__()))
    enabled, disabled = torch_function_state()
    kinds = ("cpu", "cuda", "xpu", "mps", "hpu", "xla", "ipu", "mtia")
    devices = [kind for kind in kinds if torch.amp.is_autocast_available(kind)]
    return {
        "grad_mode": torch.is_grad_enabled(),
        "deterministic_algorithms": torch.are_deterministic_algorithms_enabled(),
        "deterministic_algorithms_warn_only": torch.is_deterministic_algorithms_warn_only_enabled(),
        "num_threads": torch.get_num_threads(),
        "torch_function": enabled,
        "torch_function_all_disabled": disabled,
        "default_dtype": str(torch.get_default_dtype()),
        "autocast_state": {
            "enabled": {device: torch.is_autocast_enabled(device) for device in devices},
            "dtype": {device: str(torch.get_autocast_dtype(device)) for device in devices},
            "cache_enabled": torch.is_autocast_cache_enabled(),
        },
        **reduced_precision_flags(),
    }


def functorch_layers_are(states: list[Any]) -> bool:
    """Whether the nesting of functorch transforms is as given."""
    compare = probe("torch._functorch.pyfunctorch.compare_functorch_state", "functorch transforms in guards")
    return bool(compare(states)) if compare is not None else not states


def dual_level() -> int:
    """Nesting of forward-mode differentiation (-1 outside of it)."""
    module = probe("torch.autograd.forward_ad", "forward-mode levels in guards")
    return int(getattr(module, "_current_level", -1))


def overlapping(tensors: list[Any]) -> set[int] | None:
    """Indices of the tensors that share memory with another one; None when this torch does not tell."""
    compute = probe("torch._C._dynamo.guards.compute_overlapping_tensors", "overlapping storages in guards")
    return set(compute(tensors, symbolic=False)) if compute is not None else None


def torch_function_state() -> tuple[bool, bool]:
    """(torch function enabled, torch function disabled altogether)."""
    enabled = probe("torch._C._is_torch_function_enabled", "the torch-function switch in guards")
    everywhere = probe("torch._C._is_torch_function_all_disabled", "the torch-function switch in guards")
    return (bool(enabled()) if enabled is not None else True, bool(everywhere()) if everywhere is not None else False)


def reduced_precision_flags() -> dict[str, int | bool]:
    """Global flags of reduced-precision arithmetic as Dynamo's global-state guard spells them."""
    flags: dict[str, int | bool] = {}
    for key, path in (
        ("allow_fp16_reduce", "torch._C._get_cublas_allow_fp16_reduced_precision_reduction"),
        ("allow_bf16_reduce", "torch._C._get_cublas_allow_bf16_reduced_precision_reduction"),
        ("allow_tf32", "torch._C._get_cublas_allow_tf32"),
    ):
        get = probe(path, "reduced-precision flags in guards")
        if get is not None:
            value = get()
            # ATen's CuBLASReductionOption: both allowed is 0, only split-K allowed 1, neither 2.
            flags[key] = value if isinstance(value, bool) else {(True, True): 0, (False, True): 1}.get(tuple(value), 2)
    return flags
