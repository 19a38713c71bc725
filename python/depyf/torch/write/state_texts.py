# SPDX-License-Identifier: MIT
"""The text with which files of a dump enter the state of the process that an entry was compiled under.

Read from the entry's guards, where torch tells of it: grad and inference mode, autocast, default dtype and device,
determinism, the number of threads.
Invariant: what is not written is torch's default, or was not told. The default number of threads is the machine's, so
that it is always written; entering the state sets it where another machine's differs, where the guard would fail.
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

# What torch begins with; where releases spell a value in two ways, both.
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
# The device of `with torch.device(...)`, which is guarded where the code makes tensors; else any will do.
_OF_CONTEXT = re.compile(r"^___get_torch_function_mode_stack_at\(0\)\.device == (device\(.*\))$")
_KEYS = re.compile(r"dispatch_keys='(.+)'\)$")


class _Told(NamedTuple):
    """What guards say of the state."""

    state: dict[str, Any]
    modes: tuple[str, ...]
    default_device: str
    device_of_context: str


def _told(guards: Iterable[Guard]) -> _Told:
    state: dict[str, Any] = {}
    modes: tuple[str, ...] = ()
    default_device = "None"
    device_of_context = "cpu"
    for guard in guards:
        if of_context := _OF_CONTEXT.match(guard.text):
            device_of_context = of_context[1]
        call = ast.parse(render.render(guard), mode="eval").body if guard.kind in _KINDS else None
        match call:
            case ast.Call(func=ast.Name(id="global_state_is"), keywords=given):
                state = {k.arg: ast.literal_eval(k.value) for k in given if k.arg is not None}
            case ast.Call(func=ast.Name(id="function_modes_are"), args=names):
                modes = tuple(map(ast.literal_eval, names))
            case ast.Call(func=ast.Name(id="default_device_is"), args=[ast.Constant(value=str(shown))]):
                default_device = shown
    return _Told(state, modes, default_device, device_of_context)


_KINDS = ("GLOBAL_STATE", "TORCH_FUNCTION_MODE_STACK", "DEFAULT_DEVICE")


def around_call(entry: Entry) -> str:
    """What a full-code file enters for a call of an entry, a call of `replay.state`; "" where nothing is told."""
    told = _told(entry.guards)
    given = {key: value for key, value in told.state.items() if value not in _DEFAULTS.get(key, ())}
    if _is_in_inference_mode(entry):
        given["inference_mode"] = True
    if not any(on for _, on, _ in _autocast(told.state)):
        given.pop("autocast_state", None)
    if told.default_device != "None":
        given["default_device"] = _device(told.default_device)
    elif _DEVICE_CONTEXT in told.modes:
        given["device_context"] = _device(told.device_of_context)
    return f"replay.state({', '.join(f'{key}={value!r}' for key, value in given.items())})" if given else ""


def _is_in_inference_mode(entry: Entry) -> bool:
    """Whether an entry was compiled in inference mode: no guard on the state tells, but the dispatch keys of tensors.

    The mode takes autograd's keys from all tensors, and `ADInplaceOrView` from those made in it, which have none of
    autograd's outside either.
    """
    texts = (render.render(guard) for guard in entry.guards if guard.kind == "TENSOR_MATCH")
    keys = [match[1].split(", ") for match in map(_KEYS.search, texts) if match is not None]
    if not keys or any(key.startswith("Autograd") for of_tensor in keys for key in of_tensor):
        return False
    if any("ADInplaceOrView" not in of_tensor for of_tensor in keys):
        return True
    return not any("inference=True" in text for text in (*entry.inputs.values(), *entry.values.values()))


def around_graph(guards: Iterable[Guard], differentiates: bool) -> tuple[list[str], list[str]]:
    """What decides on the results of a graph as Dynamo captured it: statements before its run, contexts around it."""
    state = _told(guards).state
    contexts = []
    for device, on, dtype in _autocast(state):
        if on:
            cached = state["autocast_state"].get("cached_enabled", state["autocast_state"].get("cache_enabled", True))
            extra = "" if cached else ", cache_enabled=False"
            contexts.append(f"torch.autocast({device!r}, dtype={dtype}{extra})")
    if differentiates and not state.get("grad_mode", True):
        contexts.append("torch.no_grad()")
    dtype = state.get("default_dtype", 6)
    is_default = dtype in _DEFAULTS["default_dtype"]
    return [] if is_default else [f"torch.set_default_dtype({SCALAR_TYPES.get(dtype, dtype)})"], contexts


def _autocast(state: dict[str, Any]) -> list[tuple[str, bool, str]]:
    """Device, whether autocast is on, its dtype."""
    told = guard_state.autocast_by_device(state.get("autocast_state", {}))
    return [(device, on, str(SCALAR_TYPES.get(dtype, dtype))) for device, (on, dtype) in told.items()]


def _device(shown: str) -> str:
    """The name in the repr of a device."""
    call = ast.parse(shown, mode="eval").body
    if not isinstance(call, ast.Call):
        return shown
    values = {k.arg: ast.literal_eval(k.value) for k in call.keywords}
    return str(values["type"]) + (f":{values['index']}" if "index" in values else "")
