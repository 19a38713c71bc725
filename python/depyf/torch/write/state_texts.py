# SPDX-License-Identifier: MIT
"""The code with which files of a dump set the global state under which an entry was compiled.

The state is read from the entry's guards: grad and inference mode, autocast, default dtype and device, determinism, the
number of threads.
Invariant: settings that are not written are unknown or have torch's default. The default number of threads depends on
the machine, so it is always written: otherwise the guard would fail on a machine with another number.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from depyf.torch.guards import render
from depyf.torch.guards.checks import SCALAR_TYPES
from depyf.torch.internals import guard_state
from depyf.torch.model.guard import Guard
from depyf.torch.model.record import Entry

# Torch's defaults; both spellings if releases spell a value in two ways.
_DEFAULTS: dict[str, tuple[Any, ...]] = {
    "grad_mode": (True,),
    "default_dtype": (6, "torch.float32"),
    "deterministic_algorithms": (False,),
    "deterministic_algorithms_warn_only": (False,),
    "torch_function": (True,),
    "torch_function_all_disabled": (False,),
    "allow_tf32": (False,),
    "allow_fp16_reduce": (0, True),
    "allow_bf16_reduce": (0, True),
}
_DEVICE_CONTEXT = "DeviceContext"
# The device of `with torch.device(...)`. It is guarded only if the code creates tensors; otherwise any device will do.
_CONTEXT_DEVICE = re.compile(r"^___get_torch_function_mode_stack_at\(0\)\.device == (device\(.*\))$")
_KEYS = re.compile(r"dispatch_keys='(.+)'\)$")


class _GuardedState(NamedTuple):
    """The global state that guards compare with."""

    state: dict[str, Any]
    modes: tuple[str, ...]
    default_device: str
    device_of_context: str


def _guarded_state(guards: Iterable[Guard]) -> _GuardedState:
    """Returns the global state with which the guards of an entry compare; torch's defaults where no guard does."""
    state: dict[str, Any] = {}
    modes: tuple[str, ...] = ()
    default_device = "None"
    device_of_context = "cpu"
    for guard in guards:
        if of_context := _CONTEXT_DEVICE.match(guard.text):
            device_of_context = of_context[1]
        call = ast.parse(render.render(guard), mode="eval").body if guard.kind in _KINDS else None
        match call:
            case ast.Call(func=ast.Name(id="global_state_is"), keywords=given):
                state = {k.arg: ast.literal_eval(k.value) for k in given if k.arg is not None}
            case ast.Call(func=ast.Name(id="function_modes_are"), args=names):
                modes = tuple(map(ast.literal_eval, names))
            case ast.Call(func=ast.Name(id="default_device_is"), args=[ast.Constant(value=str(shown))]):
                default_device = shown
    return _GuardedState(state, modes, default_device, device_of_context)


_KINDS = ("GLOBAL_STATE", "TORCH_FUNCTION_MODE_STACK", "DEFAULT_DEVICE")


def around_call(entry: Entry) -> str:
    """Returns the call of `replay.state` with which a full-code file calls an entry; "" if the state is not guarded."""
    guarded = _guarded_state(entry.guards)
    settings = {key: value for key, value in guarded.state.items() if value not in _DEFAULTS.get(key, ())}
    if _is_in_inference_mode(entry):
        settings["inference_mode"] = True
    if not any(is_enabled for _, is_enabled, _ in _autocast(guarded.state)):
        settings.pop("autocast_state", None)
    if guarded.default_device != "None":
        settings["default_device"] = _device(guarded.default_device)
    elif _DEVICE_CONTEXT in guarded.modes:
        settings["device_context"] = _device(guarded.device_of_context)
    return f"replay.state({', '.join(f'{key}={value!r}' for key, value in settings.items())})" if settings else ""


def _is_in_inference_mode(entry: Entry) -> bool:
    """Returns whether an entry was compiled in inference mode, according to the dispatch keys of its tensors.

    No guard compares the mode itself. In inference mode all tensors lack autograd's keys, and tensors created in it
    also lack `ADInplaceOrView`; these lack autograd's keys outside of the mode, too.
    """
    texts = (render.render(guard) for guard in entry.guards if guard.kind == "TENSOR_MATCH")
    keys = [match[1].split(", ") for match in map(_KEYS.search, texts) if match is not None]
    if not keys or any(key.startswith("Autograd") for of_tensor in keys for key in of_tensor):
        return False
    if any("ADInplaceOrView" not in of_tensor for of_tensor in keys):
        return True
    return not any("inference=True" in text for text in (*entry.inputs.values(), *entry.values.values()))


def around_graph(guards: Iterable[Guard], differentiates: bool) -> tuple[list[str], list[str]]:
    """Returns the state that affects the results of a captured graph: statements before its run, contexts around it."""
    state = _guarded_state(guards).state
    contexts = []
    for device, is_enabled, dtype in _autocast(state):
        if is_enabled:
            cached = state["autocast_state"].get("cached_enabled", state["autocast_state"].get("cache_enabled", True))
            extra = "" if cached else ", cache_enabled=False"
            contexts.append(f"torch.autocast({device!r}, dtype={dtype}{extra})")
    if differentiates and not state.get("grad_mode", True):
        contexts.append("torch.no_grad()")
    dtype = state.get("default_dtype", 6)
    is_default = dtype in _DEFAULTS["default_dtype"]
    return [] if is_default else [f"torch.set_default_dtype({SCALAR_TYPES.get(dtype, dtype)})"], contexts


def _autocast(state: dict[str, Any]) -> list[tuple[str, bool, str]]:
    """Returns for each device whether autocast is enabled, and its dtype."""
    by_device = guard_state.autocast_by_device(state.get("autocast_state", {}))
    return [
        (device, is_enabled, str(SCALAR_TYPES.get(dtype, dtype))) for device, (is_enabled, dtype) in by_device.items()
    ]


def _device(shown: str) -> str:
    """Returns the name of a device from its repr."""
    call = ast.parse(shown, mode="eval").body
    if not isinstance(call, ast.Call):
        return shown
    values = {k.arg: ast.literal_eval(k.value) for k in call.keywords}
    return str(values["type"]) + (f":{values['index']}" if "index" in values else "")
