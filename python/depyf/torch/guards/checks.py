# SPDX-License-Identifier: MIT
"""Helpers that the guards in `full_code_for_*.py` call: one for each check that plain Python cannot express.

The docstring of each helper says which state it reads. Private state of torch is read through
`depyf.torch.internals.guard_state`. A check that does not hold returns a `Mismatch`, which is false and has the
expected and the found value. No helper asks torch's own guard manager, which tests use as an independent reference.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
import os
import re
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import torch

from depyf.decompilation import names
from depyf.torch.guards.advice import NO_KEYS
from depyf.torch.guards.allowed import PRIVATE_NAMES
from depyf.torch.internals import guard_state

METADATA = "metadata"  # `Mismatch.what` of `metadata_is`
_ADDRESS = re.compile(r"0x#(\d+)")
_identities: dict[str, tuple[int, ...]] = {}  # real path of a file that this process wrote -> the ids of its numbers
_SHOWN_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class Frame(NamedTuple):
    """What guards read: the local variables of a call, including free variables, and the globals of the program."""

    locals: dict[str, Any]
    globals: Mapping[str, Any]


class Mismatch:
    """The outcome of a check that does not hold; false."""

    __slots__ = ("expected", "found", "what")

    def __init__(self, what: str, expected: str, found: str) -> None:
        self.what = what
        self.expected = expected
        self.found = found

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"{self.what}: expected {self.expected}, found {self.found}"


class NotEvaluated:
    """The outcome of a check that depyf cannot make here; true, because such guards are assumed true and counted."""

    __slots__ = ("kind", "text")

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        self.text = text

    def __repr__(self) -> str:
        return f"not evaluated: {self.kind} {self.text}"


Outcome = bool | Mismatch | NotEvaluated


_KNOWN_BY_NAME = (enum.Enum, types.FunctionType, types.BuiltinFunctionType)
_CONTAINERS = (list, tuple, set, frozenset, dict)
_BRACKETS: dict[type, str] = {list: "[]", tuple: "()", set: "{}", dict: "{}"}
_MOST_ITEMS, _DEEPEST = 8, 4


def short(value: Any, depth: int = 0) -> str:
    """Returns a short text for a value, without the data of tensors and the items of long containers."""
    if isinstance(value, torch.Tensor):
        dtype = str(value.dtype).removeprefix("torch.")
        return f"{type(value).__name__} {tuple(value.shape)} {dtype} on {value.device}"
    if isinstance(value, torch.nn.Module):
        return f"a {type(value).__qualname__}"
    if isinstance(value, type):
        return _class_name(value)
    if isinstance(value, _KNOWN_BY_NAME) and (name := names.public_name(value)):
        return name
    if isinstance(value, _CONTAINERS) and (len(value) > _MOST_ITEMS or depth > _DEEPEST):
        return f"{type(value).__name__} of length {len(value)}"
    try:
        text = _items(value, depth) or repr(value)
    except Exception as error:  # a user object's own repr
        return f"a {type(value).__qualname__} (its repr raises {type(error).__name__})"
    return text if len(text) <= 120 else f"{text[:100]}…"


def _items(value: Any, depth: int) -> str:
    """Returns a text for a container or data class that holds tensors, modules or containers; "" for others."""
    named = {}
    if isinstance(value, dict):
        named = {f"{short(key, depth + 1)}: ": item for key, item in value.items()}
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        named = {f"{field.name}=": getattr(value, field.name) for field in dataclasses.fields(value) if field.repr}
    items = list(named.values()) if named else list(value) if isinstance(value, _CONTAINERS) else []
    if not any(isinstance(item, (torch.Tensor, torch.nn.Module, *_CONTAINERS)) for item in items):
        return ""
    shown = [name + short(item, depth + 1) for name, item in zip(named or [""] * len(items), items, strict=True)]
    text = ", ".join(shown) + ("," if type(value) is tuple and len(items) == 1 else "")
    brackets = _BRACKETS.get(type(value))
    return f"{brackets[0]}{text}{brackets[1]}" if brackets else f"{type(value).__name__}({text})"


def _outcome(passed: bool, what: str, expected: Any, found: Any) -> Outcome:
    return True if passed else Mismatch(what, expected if isinstance(expected, str) else short(expected), short(found))


def note_identities(file: str, numbered: Sequence[int]) -> None:
    """Notes the object ids, versions and addresses that the numbers in a file stand for, as long as the file exists."""
    for file_before in [*_identities]:
        if not os.path.exists(file_before):
            _identities.pop(file_before, None)
    _identities[os.path.realpath(file)] = tuple(numbered)


def identities(file: str) -> Callable[[Any], Any]:
    """Returns the function `same_process_id` of a file, which turns the numbers in the file into object ids.

    `same_process_id(n)` is the n-th id; for a tuple, the tuple of ids; for a string, the string with each `0x#n`
    replaced by an address. It is None in a process that did not write the file, or if any number is unknown.
    """
    return identities_of(_identities.get(os.path.realpath(file), ()))


def identities_of(ids: Sequence[int]) -> Callable[[Any], Any]:
    """Returns `same_process_id` for these ids."""

    def same_process_id(numbered: Any) -> Any:
        try:
            if isinstance(numbered, tuple):
                return tuple(ids[number] for number in numbered)
            if isinstance(numbered, str):
                return _ADDRESS.sub(lambda match: hex(ids[int(match[1])]), numbered)
            return ids[numbered]
        except IndexError:
            return None

    return same_process_id


def not_evaluated(kind: str, text: str) -> NotEvaluated:
    """Stands for a guard that depyf does not evaluate: an unknown kind or helper, or state that has no getter."""
    return NotEvaluated(kind, text)


def readable(_value: Any) -> bool:
    """Checks that an attribute or item exists (reading it did not raise); its value does not matter."""
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
) -> Outcome:
    """TENSOR_MATCH: class, dispatch keys, dtype, device index, requires_grad, sizes and strides (None: any value).

    The dispatch key set, which contains the device type, is private state, read through `guard_state.dispatch_keys`.
    """
    cls = type(value)
    if not isinstance(value, torch.Tensor) or cls.__qualname__ != pytype:
        return Mismatch("type", pytype, cls.__qualname__)
    keys = guard_state.dispatch_keys(value).removeprefix("DispatchKeySet(").removesuffix(")")
    unknown_keys = bool(dispatch_keys and not keys)
    if keys and dispatch_keys and keys != dispatch_keys:
        wanted = dispatch_keys.split(", ")
        found = keys.split(", ")
        missing = ", ".join(k for k in wanted if k not in found) or NO_KEYS
        extra = ", ".join(k for k in found if k not in wanted) or NO_KEYS
        return Mismatch(f"dispatch keys (on {value.device})", missing, extra)
    if value.dtype != dtype:
        return Mismatch("dtype", str(dtype), str(value.dtype))
    if value.device.index != device:
        return Mismatch("device index", str(device), str(value.device.index))
    if value.requires_grad != requires_grad:
        return Mismatch("requires_grad", str(requires_grad), str(value.requires_grad))
    if value.ndim != len(size):
        return Mismatch("rank", str(len(size)), str(value.ndim))
    if not _fits(value.size(), size):
        return Mismatch("size", _shape(size), _shape(value.size()))
    strided = value.layout is torch.strided and len(stride) == value.ndim
    if strided and not _fits(value.stride(), stride):
        return Mismatch("stride", _shape(stride), _shape(value.stride()))
    return NotEvaluated("TENSOR_MATCH", "its dispatch keys") if unknown_keys else True


def _fits(found: Any, wanted: list[int | None]) -> bool:
    return all(want is None or have == want for have, want in zip(found, wanted, strict=True))


def _shape(sizes: Any) -> str:
    parts = ["any" if s is None else str(s) for s in sizes]
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"


def _class_name(cls: type) -> str:
    return cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"


def type_is(value: Any, name: str, identity: int | None) -> Outcome:
    """TYPE_MATCH: by identity in the process that wrote the file, in others by qualified name ("": unknown, any)."""
    cls = type(value)
    passed = id(cls) == identity if identity is not None else name in ("", _class_name(cls))
    found = _class_name(cls)  # running a notebook cell again, or reloading a module, creates another class of that name
    return True if passed else Mismatch("type", name, found if found != name else "another class of that name")


def object_is(value: Any, identity: int | None, name: str) -> Outcome:
    """ID_MATCH: by identity in the process that wrote the file.

    In other processes by public name. An object without a public name is compared by the name of its type only, if that
    is known.
    """
    if identity is not None:
        is_named = id(names.loaded(name)) == identity
        return _outcome(
            id(value) == identity, "identity", name if is_named else f"the object compiled for ({name})", value
        )
    try:
        wanted = names.resolve(name)
    except (LookupError, AttributeError):
        wanted = None
    if value is wanted or (isinstance(value, types.CodeType) and name.endswith(".__code__")):
        return True  # another process loads the function again, so its code object is a different one
    return _outcome(name in ("", type(value).__qualname__, _class_name(type(value))), "identity", name, value)


def equals(value: Any, expected: Any) -> Outcome:
    """EQUALS_MATCH: the same type, and equal."""
    if type(value) is not type(expected):
        return Mismatch("value", f"{short(expected)} ({_class_name(type(expected))})", short(value))
    return _outcome(value is expected or bool(value == expected), "value", short(expected), value)


def shown_as(value: Any, text: str | None) -> Outcome:
    """EQUALS_MATCH with an object whose repr is not Python: compared by its repr (None: unknown in this process).

    A repr with an address identifies one object. If its class defines `__eq__`, other objects may equal it, so a
    different repr decides nothing.
    """
    if text is None:
        return NotEvaluated("EQUALS_MATCH", "an object that is identified by its address")
    shown = repr(value)
    by_identity = inspect.getattr_static(type(value), "__eq__") is vars(object)["__eq__"]
    if shown != text and _SHOWN_ADDRESS.search(text) and not by_identity:
        return NotEvaluated("EQUALS_MATCH", "an object that is identified by its address")
    return _outcome(shown == text, "value", text, value)


def metadata_is(value: Any, text: str) -> Outcome:
    """Metadata of a tensor subclass, of a DTensor's `_spec` or of an opaque object, compared by its repr."""
    found = guard_state.own_metadata(value)
    if found != text and (_SHOWN_ADDRESS.search(text) or hasattr(value, "__metadata_guard__")):
        return NotEvaluated("LAMBDA_GUARD", "metadata that an object compares with a method of its own")
    return True if found == text else Mismatch(METADATA, text, found)


def dict_is(value: Any, name: str, length: int | None) -> Outcome:
    """Exact class ("": unknown) and length (None: unknown) of a dictionary whose items are guarded in order."""
    if name not in ("", _class_name(type(value))):
        return Mismatch("type", name, _class_name(type(value)))
    return True if length is None else dict_length_is(value, length)


def dict_length_is(value: Any, length: int) -> Outcome:
    """DICT_LENGTH: a dictionary, or an instance of a subclass, with that many items; `__len__` is not called."""
    if not isinstance(value, dict):
        return Mismatch("type", "dict", _class_name(type(value)))
    return _outcome(dict.__len__(value) == length, "number of items", length, dict.__len__(value))


def length_is(value: Any, length: int) -> Outcome:
    """LENGTH_CHECK: `len(value)` is this."""
    return _outcome(len(value) == length, "length", length, len(value))


def set_contains(value: Any, item: Any) -> bool:
    """SET_CONTAINS: membership in a set or frozen set; a `__contains__` of a subclass is not called."""
    return frozenset.__contains__(value, item) if isinstance(value, frozenset) else set.__contains__(value, item)


def not_aliased(*tensors: Any) -> Outcome:
    """NO_TENSOR_ALIASING: no two of these arguments are the same object."""
    distinct = len({id(t) for t in tensors})
    return _outcome(distinct == len(tensors), "distinct tensors", len(tensors), distinct)


def named(path: str) -> Any:
    """Returns the object at a dotted path; imports its module."""
    return names.resolve(path)


def built_in_class(name: str) -> type:
    """Returns a built-in class that the module `builtins` does not contain: NoneType, function, dict_keys."""
    return next(c for c in object.__subclasses__() if c.__module__ == "builtins" and c.__name__ == name)


def global_state_is(**expected: Any) -> Outcome:
    """GLOBAL_STATE: grad mode, autocast, determinism, threads, default dtype, torch-function switch, precision flags.

    Some of it has no public getter. All of it is read through `guard_state.global_state`, with torch's own names.
    """
    now = guard_state.global_state()
    differing = [
        _differing(key, value, now[key])
        if isinstance(value, dict)
        else (key, _named(key, value), _named(key, now[key]))
        for key, value in expected.items()
        if key in now and now[key] != value
    ]
    if differing:
        return _state_mismatch([(key, short(wanted), short(found)) for key, wanted, found in differing])
    unknown = ", ".join(key for key in expected if key not in now)
    return NotEvaluated("GLOBAL_STATE", unknown) if unknown else True


def global_state_unlike(parts: Iterable[str]) -> Mismatch:
    """Returns the mismatch of parts of the global state of which only torch knows the values that it compares with."""
    now = {key: _named(key, value) for key, value in guard_state.global_state().items()}
    expected = {key: str(not value) if isinstance(value, bool) else "another" for key, value in now.items()}
    found = {key: short(value) for key, value in now.items()}
    return _state_mismatch([(key, expected.get(key, "another"), found.get(key, "this one")) for key in parts])


def _state_mismatch(differing: Sequence[tuple[str, str, str]]) -> Mismatch:
    if len(differing) == 1:
        return Mismatch(*differing[0])
    expected, found = (" and ".join(f"{each[0]}={each[n]}" for each in differing) for n in (1, 2))
    return Mismatch("global state", expected, found)


SCALAR_TYPES = {5: torch.float16, 6: torch.float32, 7: torch.float64, 15: torch.bfloat16}  # c10/core/ScalarType.h


def _named(key: str, value: Any) -> Any:
    """Returns a value of the global state, with the number that torch uses for a dtype replaced by the dtype."""
    return SCALAR_TYPES.get(value, value) if key.endswith("dtype") else value


def _differing(key: str, expected: dict[str, Any], now: Any) -> tuple[str, Any, Any]:
    """Returns the first item of a setting that differs: its name, the expected and the present value."""
    inner = next((k for k in expected if not isinstance(now, dict) or now.get(k) != expected[k]), "")
    name, wanted, found = f"{key}.{inner}", expected.get(inner), now.get(inner) if isinstance(now, dict) else now
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):  # by device
        position = next(i for i, (a, b) in enumerate(zip(wanted, found, strict=True)) if a != b)
        device = guard_state.autocast_device(position) if key == "autocast_state" else ""
        return f"{name}[{device or position}]", _named(inner, wanted[position]), _named(inner, found[position])
    return name, wanted, found


def default_device_is(recorded: str) -> Outcome:
    """DEFAULT_DEVICE: what torch.set_default_device set; private state, read through `guard_state.current_device`."""
    now = guard_state.current_device()
    if now is guard_state.UNKNOWN:
        return NotEvaluated("DEFAULT_DEVICE", recorded)
    return _outcome(recorded in (str(now), repr(now)), "default device", recorded, now)


def function_modes_are(*names: str) -> Outcome:
    """TORCH_FUNCTION_MODE_STACK: active torch function modes, by type; private state, `guard_state.function_modes`."""
    now = guard_state.function_modes()
    if now is None:
        return NotEvaluated("TORCH_FUNCTION_MODE_STACK", str(names))
    return _outcome(tuple(now) == names, "torch function modes", names, tuple(now))


def saved_tensors_hooks_are(ids: tuple[int, ...] | None) -> Outcome:
    """Saved-tensor hooks that Dynamo inlines, by identity (None: unknown in this process; an empty tuple: no hooks).

    Private state, read through `guard_state.saved_tensors_hooks`.
    """
    now = guard_state.saved_tensors_hooks()
    if now is guard_state.UNKNOWN or ids is None:
        return NotEvaluated("LAMBDA_GUARD", "saved-tensor hooks")
    return _outcome((now or ()) == ids, "saved-tensor hooks", ids, now or ())


def version_is(now: int, version: int | None) -> Outcome:
    """DICT_VERSION: the version of a dictionary, a counter that means nothing in another process (None there)."""
    if version is None:
        return NotEvaluated("DICT_VERSION", "the version of a dictionary")
    return _outcome(now == version, "version of a dictionary", version, now)


def functorch_layers_are(states: list[Any]) -> Outcome:
    """Nesting of vmap, grad and similar transforms: private state, read through `guard_state.functorch_layers_are`."""
    is_same = guard_state.functorch_layers_are(states)
    if is_same is None:
        return NotEvaluated("LAMBDA_GUARD", "functorch transforms")
    return _outcome(is_same, "functorch transforms", states, "others")


def forward_ad_level_is(level: int) -> Outcome:
    """DUAL_LEVEL_MATCH: nesting of forward-mode AD: private state, read through `guard_state.dual_level`."""
    now = guard_state.dual_level()
    if now is None:
        return NotEvaluated("DUAL_LEVEL_MATCH", str(level))
    return _outcome(now == level, "forward-mode level", level, now)


def check_overlapping(overlapping: list[Any], non_overlapping: list[Any]) -> Outcome:
    """STORAGE_OVERLAPPING: which tensors share memory, decided by `guard_state.overlapping`."""
    found = guard_state.overlapping([*overlapping, *non_overlapping])
    if found is None:
        return NotEvaluated("STORAGE_OVERLAPPING", "tensors that share memory")
    wanted = set(range(len(overlapping)))
    return _outcome(found == wanted, "tensors that share memory", sorted(wanted), sorted(found))


# ---- helpers that torch's own guard text calls


def _private(name: str) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        helper = guard_state.guard_helper(name)
        if helper is None:
            raise LookupError(f"this torch has no guard helper {name}")
        return helper(*args)

    call.__name__ = name
    call.__doc__ = f"torch's own `{name}`, which reads private state; found through `guard_state.guard_helper`."
    return call


globals().update({name: _private(name) for name in PRIVATE_NAMES})
