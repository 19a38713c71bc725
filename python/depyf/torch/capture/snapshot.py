# SPDX-License-Identifier: MIT
"""Values as text: what a full-code file says of arguments, defaults and globals, so that it can run on its own.

Invariant: a value becomes an expression that gives an equal one (a tensor: one alike, of other numbers), or it is
named as missing; nothing of the value itself is kept, and no code of the user's classes runs.
"""

from __future__ import annotations

import builtins
import collections
import sys
from collections.abc import Mapping
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

import torch

from depyf.decompilation import names
from depyf.decompilation.literals import NoSource, Speller
from depyf.decompilation.parameters import parameters_of
from depyf.torch.internals import cache_entries, guard_state, texts
from depyf.torch.internals.stable_names import stable
from depyf.torch.model.record import Entry
from depyf.torch.write.full_code import imported


def of_frame(entry: Entry, scope: Mapping[str, Any], local: Mapping[str, Any]) -> None:
    """Notes on an entry the values of its frame's variables during the compilation, as Python expressions."""
    spelled = _spelled({name: local[name] for name in entry.arguments if name in local})
    entry.inputs.update((name, text or missing(name, local[name])) for name, text in spelled.items())
    for name in entry.free_variables:
        if name in local:
            value = local[name].cell_contents if isinstance(local[name], CellType) else local[name]
            entry.free_values[name] = (
                "replay.ITSELF" if _is_function_of(entry, value) else source_or_placeholder(name, value)
            )
    of_globals(entry, scope)
    entry.parameters = entry.parameters or entry.signature


def _is_function_of(entry: Entry, value: Any) -> bool:
    """Returns whether a value is the entry's own function, or torch.compile's wrapper of it."""
    if not isinstance(value, FunctionType) or entry.original is None:
        return False
    return getattr(cache_entries.innermost_function(value), "__code__", None) is entry.original()


def of_globals(entry: Entry, scope: Mapping[str, Any]) -> None:
    """Notes the values of the global variables that the text and the guards read."""
    for name in entry.live_names:
        if name in scope and name not in entry.values:
            entry.values[name] = source_or_placeholder(name, scope[name])


def of_text(entry: Entry, opaque: Mapping[str, Any]) -> None:
    """Notes the values of placeholders in the decompiled text, and the modules in its dotted names."""
    for name, value in opaque.items():
        module, _, rest = name.partition(".")
        if not rest:
            entry.opaque[name] = source_or_placeholder(name, value)
        elif module not in ("torch", *entry.modules, *entry.live_names):
            entry.opaque[module] = imported(module)


def of_function(entry: Entry, function: FunctionType) -> None:
    """Notes the function's default arguments, which its code object does not contain."""
    entry.parameters = parameters(function.__code__, function.__defaults__ or (), function.__kwdefaults__ or {})
    entry.defaults_known = True


def parameters(code: CodeType, defaults: tuple[Any, ...], keyword_defaults: Mapping[str, Any]) -> str:
    """Returns a parameter list as source, with defaults."""
    found = parameters_of(code)
    plain = (*found.positional_only, *found.positional)
    known = {**dict(zip(plain[len(plain) - len(defaults) :], defaults, strict=True)), **keyword_defaults}

    def shown(name: str) -> str:
        if name not in known:
            return name
        return f"{name}={expression(known[name]) or missing(f'default of {name}', known[name])}"

    return ", ".join(found.listed(shown))


def globals_read(entry: Entry, new_code: CodeType, scope: Mapping[str, Any]) -> None:
    """Notes the modules among the global variables that transformed code names, and other values that it reads."""
    live = set(entry.live_names)
    for name in new_code.co_names:
        value = scope.get(name)
        if name not in scope or texts.COMPILED_FN.match(name):
            continue
        if isinstance(value, ModuleType):
            entry.modules[name] = value.__name__
        elif not texts.RESUME_FN.match(name):
            live.add(name)
    entry.live_names = tuple(sorted(live))


def expression(value: Any) -> str | None:
    """Python for a value, over `torch` and `replay`; None when there is none."""
    try:
        return _SPELLER.source(value)
    except NoSource:
        return None


def missing(name: str, value: Any) -> str:
    """Python for a placeholder that names what the file lacks."""
    return f"replay.missing({stable(name)!r}, {'a live ' + type_name(value)!r})"


def source_or_placeholder(name: str, value: Any) -> str:
    """The value as Python, or a placeholder that says what is missing."""
    return expression(value) or missing(name, value)


def type_name(value: Any) -> str:
    """What kind of thing a value is, for people."""
    cls = type(value)
    if cls is CodeType:
        return "code object"
    if cls is dict and (module := _module_of(value)):
        return f"dict (the globals of {module})"
    name = cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"
    own = getattr(value, "__qualname__", None) if cls.__name__ in ("function", "type", "method") else None
    return f"{name} {own}" if isinstance(own, str) else name


def _module_of(scope: dict[Any, Any]) -> str:
    """The module whose globals a dictionary is."""
    name = scope.get("__name__")
    if type(name) is not str:
        return ""
    return name if getattr(sys.modules.get(name), "__dict__", None) is scope else ""


class _Stored(Speller):
    """Values that a file has: what is live is made again, or had by importing it."""

    most = (64, 16, 8, 4, 2)

    def source(self, value: Any, depth: int = 0) -> str:
        is_long = type(value) in (str, bytes) and len(value) > _LONGEST
        if is_long or (type(value) is int and value.bit_length() > _LONGEST):
            raise NoSource
        return super().source(value, depth)

    def other(self, value: Any, depth: int) -> str:
        cls = type(value)
        if isinstance(value, torch.Tensor):
            return _tensor(value)
        if cls is range or cls in (torch.dtype, torch.layout, torch.memory_format):
            return str(value)
        if cls is torch.device:
            return f"torch.{value!r}"
        if cls is torch.Size:
            return f"torch.Size([{', '.join(self.items(value, depth))}])"
        if cls is slice:
            return f"slice({', '.join(self.items((value.start, value.stop, value.step), depth))})"
        return self._named(value)

    def _container(self, value: Any, depth: int) -> str:
        return "vars(named('builtins'))" if value is vars(builtins) else super()._container(value, depth)

    @staticmethod
    def _named(value: Any) -> str:
        path = names.public_name(value)
        module, _, rest = path.partition(".")
        if module == "builtins" and hasattr(builtins, rest):
            return rest
        if not path or module == "__main__":
            raise NoSource
        return imported(path)


class _OfCall(_Stored):
    """Values of one call, in which a tensor may be in several places: it has a number then.

    `places`: how often each tensor is among them, by its id; counted here where that is not known yet.
    """

    def __init__(self, places: Mapping[int, int] | None = None) -> None:
        self.places: collections.Counter[int] = collections.Counter()
        self._numbers = {key: n for n, key in enumerate(k for k, count in (places or {}).items() if count > 1)}

    def other(self, value: Any, depth: int) -> str:
        if not isinstance(value, torch.Tensor):
            return super().other(value, depth)
        self.places[id(value)] += 1
        number = self._numbers.get(id(value))
        return _tensor(value, "" if number is None else f", same={number}")

    def all(self, values: Mapping[str, Any]) -> dict[str, str | None]:
        """The values as Python; None where there is none."""
        found: dict[str, str | None] = {}
        for name, value in values.items():
            try:
                found[name] = self.source(value)
            except NoSource:
                found[name] = None
        return found


def _spelled(values: Mapping[str, Any]) -> dict[str, str | None]:
    """The values of one call as Python, a tensor that is in several places as one; None where there is none."""
    speller = _OfCall()
    found = speller.all(values)
    return _OfCall(speller.places).all(values) if any(n > 1 for n in speller.places.values()) else found


_LONGEST = 10_000  # characters of a text, bits of a number
_SPELLER = _Stored()


def _is_number(value: torch.Tensor) -> bool:
    """Whether it is a number that can be read without an operation of torch's, which modes of the program would see."""
    is_view = value.is_conj() or value.is_neg()
    return not value.dim() and value.device.type == "cpu" and value.dtype in _NUMBERS and not is_view


_NUMBERS = frozenset(
    (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
    + (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128)
)


@guard_state.without_torch_function()
def _tensor(value: torch.Tensor, more: str = "") -> str:
    """A call of `replay.tensor`: shape, strides, dtype, device, kind of view, gradient are facts, and a single number.

    The program may make it a size, and entries ask for it (`n.item()`); other numbers are made up.
    """
    if type(value) not in (torch.Tensor, torch.nn.Parameter) or value.layout is not torch.strided:
        raise NoSource
    try:
        size, stride = tuple(int(s) for s in value.size()), tuple(int(s) for s in value.stride())
    except Exception as error:  # symbolic sizes, nested tensors
        raise NoSource from error
    extra = ", requires_grad=True" if value.requires_grad else ""
    extra += ", parameter=True" if type(value) is torch.nn.Parameter else ""
    extra += ", conj=True" if value.is_conj() else ""
    extra += ", neg=True" if value.is_neg() and value.is_floating_point() else ""
    extra += ", inference=True" if value.is_inference() else ""
    extra += f", grad={_tensor(value.grad)}" if value.is_leaf and value.grad is not None else ""
    extra += f", value={_SPELLER.source(value.tolist())}" if _is_number(value) else ""
    return f"replay.tensor({size}, {stride}, {value.dtype}, {str(value.device)!r}{extra}{more})"
