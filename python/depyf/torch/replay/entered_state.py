# SPDX-License-Identifier: MIT
"""A context manager that sets the global state under which an entry was compiled, for a call of it.

The state has the names of torch's own global-state guard. Invariant: the previous state is restored afterwards, even if
the call changed it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

import torch

from depyf.torch.guards.checks import SCALAR_TYPES
from depyf.torch.internals import guard_state

_REDUCTIONS = {0: (True, True), 1: (False, True), 2: (False, False)}  # ATen's CuBLASReductionOption


@contextlib.contextmanager
def state(
    *, inference_mode: bool = False, default_device: str = "", device_context: str = "", **recorded: Any
) -> Iterator[None]:
    """Sets a recorded state for the duration of a block: changes the settings that differ, and restores them.

    Args:
        inference_mode: Whether `torch.inference_mode` was enabled.
        default_device: The device set by `torch.set_default_device`.
        device_context: The device of a `with torch.device(...)`.
        recorded: Grad mode, autocast and other settings, spelled as in the guards of the file. A setting without a
            public setter (whether `__torch_function__` is called) is not changed.

    """
    with contextlib.ExitStack() as contexts:
        if inference_mode:
            contexts.enter_context(torch.inference_mode())
        previous = guard_state.global_state()
        contexts.callback(_change, previous)
        _change({key: value for key, value in recorded.items() if key in previous})
        if default_device:
            contexts.callback(torch.set_default_device, guard_state.current_device())
            torch.set_default_device(default_device)
        elif device_context:
            contexts.enter_context(torch.device(device_context))
        yield


def _change(settings: Mapping[str, Any]) -> None:
    """Changes the settings that differ from the wanted ones."""
    current = guard_state.global_state()
    after = {**current, **settings}
    for key in (key for key, value in settings.items() if current[key] != value):
        value = after[key]
        match key:
            case "grad_mode":
                torch.set_grad_enabled(value)
            case "autocast_state":
                _set_autocast(value)
            case "default_dtype":
                torch.set_default_dtype(_dtype(value))
            case "deterministic_algorithms" | "deterministic_algorithms_warn_only":
                warn_only = after.get("deterministic_algorithms_warn_only", False)
                torch.use_deterministic_algorithms(after["deterministic_algorithms"], warn_only=warn_only)
            case "num_threads":
                torch.set_num_threads(value)
            case "allow_tf32":
                torch.backends.cuda.matmul.allow_tf32 = value
            case "allow_fp16_reduce" | "allow_bf16_reduce":
                allowed = value if isinstance(value, bool) else _REDUCTIONS[value]
                setattr(torch.backends.cuda.matmul, f"{key}d_precision_reduction", allowed)


def _set_autocast(recorded: Mapping[str, Any]) -> None:
    for device, (is_enabled, dtype) in guard_state.autocast_by_device(recorded).items():
        torch.set_autocast_enabled(device, is_enabled)
        torch.set_autocast_dtype(device, _dtype(dtype))
    torch.set_autocast_cache_enabled(recorded.get("cached_enabled", recorded.get("cache_enabled", True)))
    torch.clear_autocast_cache()


def _dtype(recorded: int | str) -> torch.dtype:
    if isinstance(recorded, str):
        dtype = getattr(torch, recorded.removeprefix("torch."))
    else:
        dtype = SCALAR_TYPES[recorded]
    assert isinstance(dtype, torch.dtype)
    return dtype
