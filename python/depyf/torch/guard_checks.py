# SPDX-License-Identifier: MIT
"""What the guards in `full_code_for_*.py` call: one named helper for each check that plain Python does not spell.

Each helper says which state it reads. Those that read private state of torch do so through `depyf.torch.seams`.
None decides by asking torch's own guard manager: the file is an explanation of its own, the manager is its judge.
"""

from __future__ import annotations

import importlib
import linecache
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import torch

from depyf.torch import seams

PROCESS = uuid.uuid4().hex  # identities (object ids) in a file mean something only in the process that wrote it


class Frame(NamedTuple):
    """What guards look at: a call's locals and the program's globals."""

    locals: dict[str, Any]
    globals: dict[str, Any]


class NoEntryFits(LookupError):
    """No compiled entry takes this call: torch.compile would compile a new one."""


def identities(process: str) -> Callable[[Any], Any]:
    """`here(ids)`: the ids when the file was written by this process, else None (unknown)."""
    return lambda ids: ids if process == PROCESS else None


Guards = Callable[[Frame], Iterator[Any]]


def holds(guards: Guards, frame: Frame) -> bool:
    """Whether every guard holds. A guard whose expression raises does not hold, as in torch."""
    return first_failure(guards, frame) is None


def first_failure(guards: Guards, frame: Frame) -> str | None:
    """The first guard that does not hold, as it stands in the file, or None."""
    checks = guards(frame)
    last = None
    try:
        for passed in checks:
            if not passed:
                return _line_of(checks)
            last = _line_of(checks)
    except Exception as error:
        return f"the guard after `{last}` raises {type(error).__name__}: {error}"
    return None


def _line_of(checks: Any) -> str:
    frame = checks.gi_frame
    if frame is None:
        return "?"
    return linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip().removeprefix("yield ")


def no_entry_fits(frame: Frame, entries: Iterable[tuple[str, Guards]]) -> NoEntryFits:
    """The exception for a call that no entry takes; says which guard of which entry failed."""
    lines = [f"[{compile_id}] fails {first_failure(guards, frame)}" for compile_id, guards in entries]
    return NoEntryFits("torch.compile would compile a new entry here: " + ("; ".join(lines) or "there is none yet"))


def not_replayed(kind: str, text: str) -> bool:
    """A guard that this file cannot check (no getter for what it reads); taken to hold."""
    return True


def tensor_matches(
    value: Any,
    pytype: str,
    dtype: torch.dtype,
    *,
    device: Any = None,
    requires_grad: bool,
    size: list[int | None],
    stride: list[int | None],
    dispatch_keys: str = "",
) -> bool:
    """TENSOR_MATCH: class, dtype, device index, requires_grad, sizes and strides (None: any).

    The dispatch key set is private state, read through `seams.dispatch_keys`.
    """
    if type(value).__name__ != pytype or not isinstance(value, torch.Tensor):
        return False
    if value.dtype != dtype or value.requires_grad != requires_grad or value.ndim != len(size):
        return False
    if value.device.index != device:
        return False
    if any(want is not None and have != want for have, want in zip(value.size(), size, strict=True)):
        return False
    if value.layout is torch.strided and len(stride) == value.ndim:
        if any(want is not None and have != want for have, want in zip(value.stride(), stride, strict=True)):
            return False
    keys = seams.dispatch_keys(value)
    return not keys or not dispatch_keys or keys == f"DispatchKeySet({dispatch_keys})"


def type_is(value: Any, name: str, identity: int | None) -> bool:
    """TYPE_MATCH: by identity in the process that wrote the file, else by qualified name."""
    cls = type(value)
    return id(cls) == identity if identity is not None else f"{cls.__module__}.{cls.__qualname__}" == name


def object_is(value: Any, identity: int | None, type_name: str) -> bool:
    """ID_MATCH of an object without a public name: by identity in the process that wrote the file, else by its type."""
    if identity is not None:
        return id(value) == identity
    cls = type(value)
    return type_name in (cls.__qualname__, f"{cls.__module__}.{cls.__qualname__}")


def equals(value: Any, expected: Any) -> bool:
    """EQUALS_MATCH: same type and equal."""
    return type(value) is type(expected) and bool(value == expected)


def not_aliased(*tensors: Any) -> bool:
    """NO_TENSOR_ALIASING: no two of these are the same object."""
    return len({id(t) for t in tensors}) == len(tensors)


def named(path: str) -> Any:
    """The object at a dotted path, its module imported."""
    parts = path.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            value: Any = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        for part in parts[cut:]:
            value = getattr(value, part)
        return value
    raise LookupError(path)


_DTYPES = {
    0: torch.uint8, 1: torch.int8, 2: torch.int16, 3: torch.int32, 4: torch.int64, 5: torch.float16, 6: torch.float32,
    7: torch.float64, 8: torch.complex32, 9: torch.complex64, 10: torch.complex128, 11: torch.bool, 15: torch.bfloat16,
}  # fmt: skip  # c10::ScalarType


def global_state_is(**expected: Any) -> bool:
    """GLOBAL_STATE: grad mode, determinism, threads, default dtype through public getters.

    The torch-function switch and the reduced-precision flags are private state, read through `seams`; autocast is
    compared on the devices whose state has a public getter.
    """
    now: dict[str, Any] = {
        "grad_mode": torch.is_grad_enabled(),
        "deterministic_algorithms": torch.are_deterministic_algorithms_enabled(),
        "deterministic_algorithms_warn_only": torch.is_deterministic_algorithms_warn_only_enabled(),
        "num_threads": torch.get_num_threads(),
        **seams.reduced_precision_flags(),
    }
    now["torch_function"], now["torch_function_all_disabled"] = seams.torch_function_state()
    if "default_dtype" in expected and _DTYPES.get(expected["default_dtype"]) is not torch.get_default_dtype():
        return False
    if any(key in expected and expected[key] != value for key, value in now.items()):
        return False
    return _autocast_is(expected.get("autocast_state"))


_AUTOCAST_DEVICES = ("cpu", "cuda")


def _autocast_is(state: dict[str, Any] | None) -> bool:
    if state is None:
        return True
    enabled = [torch.is_autocast_enabled(device) for device in _AUTOCAST_DEVICES]
    return any(state.get("enabled", ())) == any(enabled)


def default_device_is(shown: str) -> bool:
    """DEFAULT_DEVICE: what torch.set_default_device set; private state, read through `seams.current_device`."""
    return str(seams.current_device()) == shown or repr(seams.current_device()) == shown


def function_modes_are(*names: str) -> bool:
    """TORCH_FUNCTION_MODE_STACK: active torch function modes, by type; private state, `seams.function_modes`."""
    return tuple(seams.function_modes()) == names


def saved_tensors_hooks_are(ids: tuple[int, ...] | None) -> bool:
    """Saved-tensor hooks that Dynamo inlines, by identity; private state, read through `seams.saved_tensors_hooks`."""
    return seams.saved_tensors_hooks() == ids


# ---- names that torch's own guard text uses


def _private(name: str) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        return seams.guard_helper(name)(*args)

    call.__name__ = name
    call.__doc__ = f"torch's own `{name}`, which reads private state; found through `seams.guard_helper`."
    return call


PRIVATE_NAMES = (
    "___as_tensor", "___dataclass_fields", "___dict_contains", "___dict_version", "___from_numpy",
    "___get_current_stream", "___get_torch_function_mode_stack_at", "___key_to_id", "___namedtuple_fields",
    "___normalize_count_iter", "___normalize_range_iter", "___odict_getitem", "___tuple_iterator_getitem",
    "___tuple_iterator_len", "__load_module", "__math_isnan", "__numpy_isnan",
)  # fmt: skip
globals().update({name: _private(name) for name in PRIVATE_NAMES})

PUBLIC_NAMES = (
    "Frame", "default_device_is", "equals", "function_modes_are", "global_state_is", "holds", "identities", "named",
    "no_entry_fits", "not_aliased", "not_replayed", "object_is", "saved_tensors_hooks_are", "tensor_matches", "type_is",
)  # fmt: skip
