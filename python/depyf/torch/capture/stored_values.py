# SPDX-License-Identifier: MIT
"""Writes values as Python expressions that recreate them, or as placeholders.

A recreated tensor has the same layout, but other numbers. An object of a Python class is written as its class and its
attributes; an attribute that cannot be written becomes a placeholder. Invariant: no reference to a value is kept, and
no code of the program's classes runs, neither here nor when an object is recreated.
"""

from __future__ import annotations

import builtins
import collections
import functools
import keyword
import logging
import os
import sys
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CodeType, FunctionType, MemberDescriptorType, MethodType
from typing import Any

import torch

from depyf.decompilation import names
from depyf.decompilation.literals import NoSource, Speller
from depyf.torch.internals import guard_state
from depyf.torch.internals.stable_names import stable
from depyf.torch.model.facts import Program
from depyf.torch.write.full_code import imported

CALL_LIMIT, GLOBALS_LIMIT = 4_000, 400  # limits for the values that one object contains, directly and indirectly
_LONGEST = 10_000  # characters of a text, bits of a number
_HEAP_TYPE = 1 << 9  # CPython's Py_TPFLAGS_HEAPTYPE: set for classes that are created at run time
_PROGRAM = ("__main__", "__mp_main__")  # the module of a script, and of one that multiprocessing has restarted


class TooLarge(Exception):
    """An object contains more values than a file should have."""


def expression(value: Any, most: int = GLOBALS_LIMIT) -> str | None:
    """Returns an expression for a value, using `torch` and `replay`; None if there is none.

    `most` limits an object's values.
    """
    return spelled({"": value}, most, tensors=False)[""]


def source_or_placeholder(name: str, value: Any) -> str:
    """Returns an expression for a value, or a placeholder that names it."""
    return spelled({name: value}, GLOBALS_LIMIT, tensors=False)[name] or missing(name, value)


def missing(name: str, value: Any, why: str = "") -> str:
    """Returns an expression for a placeholder that names the missing value."""
    return f"replay.missing({stable(name)!r}, {f'a live {type_name(value)}{why}'!r})"


def spelled(values: Mapping[str, Any], most: int, tensors: bool = True) -> dict[str, str | None]:
    """Returns expressions for several values; None for a value that has none.

    An object that occurs in several places is recreated once, and the other expressions refer to it, so they must be
    evaluated in this order.

    Args:
        values: The values by name.
        most: Limit for the values that one object contains; 0: no objects.
        tensors: Whether a tensor that occurs in several places is recreated once, too.

    """
    speller = _Stored(most, tensors)
    expressions = speller.all(values)
    shared = [key for key, count in speller.places.items() if count > 1]
    return _Stored(most, tensors, shared).all(values) if shared else expressions


def type_name(value: Any) -> str:
    """Describes the type of a value for readers."""
    cls = type(value)
    if cls is CodeType:
        return "code object"
    if cls is dict and (module := module_of(value)):
        return f"dict (the globals of {module})"
    name = cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"
    qualname = getattr(value, "__qualname__", None) if cls.__name__ in ("function", "type", "method") else None
    return f"{name} {qualname}" if isinstance(qualname, str) else name


def module_of(scope: Mapping[Any, Any]) -> str:
    """Returns the name of the module whose globals a dictionary is, or "" if there is none."""
    name = scope.get("__name__")
    if type(name) is not str:
        return ""
    return name if getattr(sys.modules.get(name), "__dict__", None) is scope else ""


class _Stored(Speller):
    """Spells the values of one call, or a global: live objects are recreated or imported.

    `places` counts the occurrences of each tensor and object, by id. Those in `shared` get a number.
    """

    most = (64, 16, 8, 4, 2)

    def __init__(self, most_values: int, tensors: bool, shared: Sequence[int] = ()) -> None:
        self.places: collections.Counter[int] = collections.Counter()
        self._counted: list[Any] = []  # keeps them alive, so that no other object gets the id of one of them
        self._most_values, self._tensors = most_values, tensors
        self._values_left = most_values
        self._numbers = {key: number for number, key in enumerate(shared)}
        self._path: list[str] = []  # attributes and keys on the way to the current value
        self._enclosing: list[int] = []  # ids of the objects that contain it
        self._written: set[int] = set()

    def all(self, values: Mapping[str, Any]) -> dict[str, str | None]:
        """Returns expressions for the values; None for a value that has none."""
        expressions: dict[str, str | None] = {}
        for name, value in values.items():
            written, places = {*self._written}, self.places.copy()
            self._values_left, self._path, self._enclosing = self._most_values, [name], []
            try:
                expressions[name] = self.source(value)
            except (NoSource, TooLarge, RecursionError) as error:
                is_large = isinstance(error, TooLarge) and name
                expressions[name] = missing(name, value, ", too large for this file") if is_large else None
                self._written, self.places = written, places  # its contents were not written
        return expressions

    def source(self, value: Any, depth: int = 0) -> str:
        if not self._enclosing:
            return self._source(value, depth)
        self._values_left -= 1
        if self._values_left < 0:
            raise TooLarge
        try:
            return self._source(value, depth)
        except NoSource:
            return missing("".join(self._path), value)

    def _source(self, value: Any, depth: int) -> str:
        is_long = type(value) in (str, bytes) and len(value) > _LONGEST
        if is_long or (type(value) is int and value.bit_length() > _LONGEST):
            raise NoSource
        return super().source(value, depth)

    def other(self, value: Any, depth: int) -> str:
        cls = type(value)
        if isinstance(value, torch.Tensor):
            return self._tensor(value)
        if cls is range or cls in (torch.dtype, torch.layout, torch.memory_format):
            return str(value)
        if cls is torch.device:
            return f"torch.{value!r}"
        if cls is torch.Size:
            return f"torch.Size([{', '.join(self.items(value, depth))}])"
        if cls is slice:
            return f"slice({', '.join(self.items((value.start, value.stop, value.step), depth))})"
        if cls in (collections.OrderedDict, collections.defaultdict) and (self._enclosing or self._most_values):
            spell = self._ordered if cls is collections.OrderedDict else self._defaulting
            return self._once(value, lambda number: self._numbered(number, spell(value, depth)))
        if cls is weakref.ReferenceType:
            return self._weak_reference(value, depth)
        return _named(value) or _undecorated(value) or self._object(value)

    def items(self, values: Sequence[Any], depth: int) -> list[str]:
        """Spells the items of a sequence; inside an object, the object's own limit applies."""
        return [self.source(v, depth + 1) for v in values] if self._enclosing else super().items(values, depth)

    def _container(self, value: Any, depth: int) -> str:
        if value is vars(builtins):
            return "vars(named('builtins'))"
        if not self._enclosing:
            return super()._container(value, depth)
        if type(value) in (list, set, dict):
            return self._once(value, lambda number: self._numbered(number, self._items_of(value, depth)))
        return self._items_of(value, depth)

    def _items_of(self, value: Any, depth: int) -> str:
        if type(value) is not dict:
            return super()._container(value, depth)
        pairs = [f"{self.source(key)}: {self._item(f'[{_key(key)}]', item)}" for key, item in value.copy().items()]
        return "{" + ", ".join(pairs) + "}"

    def _ordered(self, value: Any, depth: int) -> str:
        return f"named('collections.OrderedDict')({self._items_of(dict(value), depth)})"

    def _defaulting(self, value: Any, depth: int) -> str:
        factory = self._item(".default_factory", value.default_factory)
        return f"named('collections.defaultdict')({factory}, {self._items_of(dict(value), depth)})"

    def _weak_reference(self, value: Any, depth: int) -> str:
        """Spells a weak reference; Dynamo keeps some to optimizers, which are placeholders, and to tensors."""
        referent = value()
        if isinstance(referent, torch.Tensor):
            return f"replay.reference({self.source(referent, depth)})"
        name = "".join(self._path) + "()"
        return f"replay.reference({None if referent is None else missing(name, referent)})"

    @staticmethod
    def _numbered(number: int | None, text: str) -> str:
        return text if number is None else f"replay.shared({number}, {text})"

    def _once(self, value: Any, spell: Callable[[int | None], str]) -> str:
        """Spells a mutable object at its first occurrence, and refers to it later.

        Raises NoSource if it contains itself.
        """
        if id(value) in self._enclosing:
            raise NoSource
        number = self._number(value)
        if id(value) in self._written:
            return f"replay.again({number})"
        self._enclosing.append(id(value))
        text = spell(number)
        self._enclosing.pop()
        self._written.add(id(value))
        return text

    def _number(self, value: Any) -> int | None:
        """Counts an occurrence; returns the number of an object that occurs in several places."""
        self.places[id(value)] += 1
        self._counted.append(value)
        return self._numbers.get(id(value))

    def _item(self, place: str, value: Any) -> str:
        self._path.append(place)
        try:
            return self.source(value)
        finally:
            self._path.pop()

    def _tensor(self, value: torch.Tensor) -> str:
        if not self._tensors:
            return tensor(value)
        number = self._number(value)
        return tensor(value, "" if number is None else f", same={number}")

    def _object(self, value: Any) -> str:
        """Returns a call of `replay.made`, or of `replay.again` for an object that was recreated before."""
        cls = type(value)
        if self._most_values and cls.__bases__ == (tuple,) and hasattr(cls, "_fields") and (path := _path(cls)):
            return f"replay.tuple_of({path!r}, {', '.join(self.items(value, 0))})"
        path = _class_path(cls) if self._most_values else ""
        if not path:
            raise NoSource
        return self._once(value, lambda number: self._recreated(value, path, number))

    def _recreated(self, value: Any, path: str, number: int | None) -> str:
        attributes, others = [], []
        for name, item in _state(value):
            text = self._item(f".{name}", item)
            if type(name) is str and name.isidentifier() and not keyword.iskeyword(name):
                attributes.append(f"{name}={text}")
            else:
                others.append(f"{name!r}: {text}")
        if others:
            attributes.append("**{" + ", ".join(others) + "}")
        arguments = [repr(path), *([str(number)] if number is not None else [])]
        return f"replay.made({', '.join([*arguments, *attributes])})"


def _key(key: Any) -> str:
    return repr(key) if type(key) in (str, int, bool) else "…"


def _named(value: Any) -> str:
    """Returns the expression for an object that a module has under a public name; "" for any other object.

    A class method belongs to a class that has one, and a logger is found by its own name.
    """
    if isinstance(value, logging.Logger):
        is_found = logging.Logger.manager.loggerDict.get(value.name) is value
        return f"named('logging').getLogger({value.name!r})" if is_found else ""
    owner = value.__self__ if type(value) is MethodType else None
    is_class_method = isinstance(owner, type) and type(owner) is type and vars(owner).get(value.__name__) is not None
    path = f"{names.public_name(owner)}.{value.__name__}" if is_class_method else names.public_name(value)
    path = "" if path.startswith(".") else path
    module, _, rest = path.partition(".")
    if module == "builtins" and hasattr(builtins, rest):
        return rest
    return imported(path) if path and (module not in _PROGRAM or program() is not None) else ""


def _undecorated(value: Any) -> str:
    """Returns the expression for a function that decorators wrap, such as `Adam.step`; "" for any other object."""
    if type(value) is not FunctionType or "<locals>" in value.__qualname__:
        return ""
    path = f"{value.__module__}.{value.__qualname__}"
    decorated, name = names.loaded(path), value.__code__.co_name
    if names.undecorated(decorated, name) is not value or (path.partition(".")[0] in _PROGRAM and program() is None):
        return ""
    return f"replay.undecorated({imported(path)}, {name!r})"


def program() -> Program | None:
    """Returns the file that runs as `__main__`, where scripts find its definitions; None for notebooks and prompts."""
    main = sys.modules.get("__main__")
    file, package = getattr(main, "__file__", None), getattr(main, "__package__", None)
    if not isinstance(file, str) or not file.endswith((".py", ".pyw")):
        return None
    return Program(os.path.abspath(file), package if isinstance(package, str) else "")


def _class_path(cls: type) -> str:
    """Returns the path of a class whose objects are defined by their attributes alone; "" for other classes."""
    are_plain = all(base is object or _is_pythons(base) for base in cls.__mro__)
    return _path(cls) if are_plain and not hasattr(cls, "__del__") else ""


def _path(cls: type) -> str:
    """Returns the path by which a script finds a class; "" for those of the standard library and local ones."""
    path = names.public_name(cls)
    module = path.partition(".")[0]
    return "" if module in sys.stdlib_module_names or (module in _PROGRAM and program() is None) else path


def _is_pythons(cls: type) -> bool:
    """Returns whether a `class` statement created the class, so that its objects have no hidden C state."""
    has_python_state = cls.__dictoffset__ or "__slots__" in vars(cls)
    return bool(cls.__flags__ & _HEAP_TYPE and has_python_state and not cls.__itemsize__ and "__module__" in vars(cls))


def _state(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yields the attributes of an object, from slots and its dictionary.

    For a torch module, only those a new one lacks.
    """
    for cls in reversed(type(value).__mro__):
        for member in [m for m in vars(cls).values() if isinstance(m, MemberDescriptorType)]:
            try:
                yield member.__name__, member.__get__(value)
            except AttributeError:  # a slot without a value
                continue
    try:
        attributes = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return
    new = _new_module() if isinstance(value, torch.nn.Module) else {}
    yield from (
        (name, item)
        for name, item in attributes.copy().items()
        if name not in new or not _is_unchanged(item, new[name])
    )


@functools.lru_cache(maxsize=1)
def _new_module() -> dict[str, Any]:
    return dict(vars(torch.nn.Module()))


def _is_unchanged(item: Any, new: Any) -> bool:
    """Returns whether an attribute of a module is the same as in a new one; a container is if it is empty."""
    return type(item) is type(new) and not item if isinstance(new, dict | set) else item is new


def _is_number(value: torch.Tensor) -> bool:
    """Returns whether a tensor is a single number that can be read without an operation that modes would intercept."""
    is_view = value.is_conj() or value.is_neg()
    return not value.dim() and value.device.type == "cpu" and value.dtype in _NUMBERS and not is_view


_NUMBERS = frozenset(
    (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
    + (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128)
)


_LARGEST_BASE = 1 << 22  # elements; a script must not allocate the whole data set of which an input is one row


def _base_of(value: torch.Tensor) -> str:
    """Returns an argument with the layout of the tensor of which another one is a view; entries may guard on it."""
    base = value._base
    if base is None or value.requires_grad or value.is_conj() or value.is_neg() or type(base) is not torch.Tensor:
        return ""
    if base.layout is not torch.strided or base.dtype is not value.dtype or base.numel() > _LARGEST_BASE:
        return ""
    size, stride = tuple(int(s) for s in base.size()), tuple(int(s) for s in base.stride())
    return f", view_of=({size}, {stride}, {int(value.storage_offset()) - int(base.storage_offset())})"


@guard_state.without_torch_function()
def tensor(value: torch.Tensor, more: str = "") -> str:
    """Returns a call of `replay.tensor` with shape, strides, dtype, device, kind of view and gradient.

    The value of a single number is kept, because the program may use it as a size (`n.item()`), which entries guard on.
    Other numbers are made up.
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
    extra += _base_of(value)
    extra += f", grad={tensor(value.grad)}" if value.is_leaf and value.grad is not None else ""
    extra += f", value={Speller().source(value.tolist())}" if _is_number(value) else ""
    return f"replay.tensor({size}, {stride}, {value.dtype}, {str(value.device)!r}{extra}{more})"
