# SPDX-License-Identifier: MIT
"""Converts frozen dataclasses to JSON and back, and derives their JSON Schema, all from the annotations of the classes.

Invariant: `decode(type(x), encode(x)) == x` for values of the types that `_schema` lists. Data that do not match the
types are rejected with the path to the mismatch, never repaired. Does not depend on the meaning of the classes.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import inspect
import re
import types
import typing
from collections.abc import Mapping
from typing import Any, TypeVar, Union, cast

Json = Any  # any result of json.loads, for example numbers that torch measures
T = TypeVar("T")


def encode(value: Any) -> Any:
    """Returns the value in a form that `json.dumps` accepts."""
    cls: Any = type(value)
    if cls in _SIMPLE:
        return value
    if isinstance(value, enum.Enum):
        return value.value
    if names := _field_names(cls):
        return {name: encode(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {key: encode(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [encode(item) for item in value]
    return value


@functools.cache
def _field_names(cls: type[Any]) -> tuple[str, ...]:
    """Returns the names of the fields of a dataclass; none for another class."""
    return tuple(field.name for field in dataclasses.fields(cls)) if dataclasses.is_dataclass(cls) else ()


def decode(cls: type[T], data: Any, path: str = "") -> T:
    """Returns the value from which `encode` made the data.

    Raises:
        ValueError: The data do not have that type; the message contains the path to the mismatch.

    """
    return cast("T", _decode(cls, data, path))


@functools.cache
def _parts_of(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    return typing.get_origin(kind), typing.get_args(kind)


def _decode(kind: Any, data: Any, path: str) -> Any:
    """Returns JSON data as a value of a type of the model; raises ValueError, with the path, if it does not fit."""
    if kind is type(data) and kind in _SIMPLE:
        return data
    origin, arguments = _parts_of(kind)
    if kind is Any:
        return data
    if origin in (Union, types.UnionType):
        members = [a for a in arguments if a is not type(None)]
        if data is None and len(members) < len(arguments):
            return None
        return _decode(members[0] if len(members) == 1 else _one_of(members, data, path), data, path)
    if origin is tuple:
        items = _expect(data, list, path)
        return tuple(_decode(arguments[0], item, f"{path}[{n}]") for n, item in enumerate(items))
    if origin is dict:
        pairs = _expect(data, dict, path)
        return {key: _decode(arguments[1], item, f"{path}.{key}") for key, item in pairs.items()}
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _decode_object(kind, _expect(data, dict, path), path)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        try:
            return kind(data)
        except ValueError:
            raise ValueError(f"{path or 'the data'}: {data!r} is none of {[m.value for m in kind]}") from None
    if kind is float and type(data) is int:
        return float(data)
    return _expect(data, kind, path)


def _one_of(kinds: list[Any], data: Any, path: str) -> Any:
    """Returns the one of several simple types that the data have."""
    if type(data) not in kinds:
        raise ValueError(f"{path or 'the data'}: {type(data).__name__} is none of {[k.__name__ for k in kinds]}")
    return type(data)


def _decode_object(cls: type[Any], data: dict[str, Any], path: str) -> Any:
    kinds = _types_of(cls)
    if unknown := sorted(data.keys() - kinds.keys()):
        raise ValueError(f"{path or 'the data'}: {cls.__name__} has no {', '.join(unknown)}")
    if lacking := sorted(kinds.keys() - data.keys()):
        raise ValueError(f"{path or 'the data'}: {cls.__name__} lacks {', '.join(lacking)}")
    return cls(**{name: _decode(kinds[name], item, f"{path}.{name}".lstrip(".")) for name, item in data.items()})


def _expect(data: Any, kind: type, path: str) -> Any:
    if type(data) is not kind:
        raise ValueError(f"{path or 'the data'}: {type(data).__name__} is no {kind.__name__}")
    return data


_known: dict[type[Any], dict[str, Any]] = {}


def _types_of(cls: type[Any]) -> dict[str, Any]:
    if cls in _known:
        return _known[cls]
    hints = typing.get_type_hints(cls)
    return _known.setdefault(cls, {field.name: hints[field.name] for field in dataclasses.fields(cls)})


# ---- the schema


def schema_of(cls: type[Any], title: str, address: str) -> dict[str, Any]:
    """Returns the JSON Schema (draft 2020-12) of a class; descriptions are taken from the docstrings."""
    definitions: dict[str, Any] = {}
    root = _object_schema(cls, definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": address,
        "title": title,
        **root,
        "$defs": dict(sorted(definitions.items())),
    }


_SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean"}


def _schema(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """Returns the JSON schema of a type; classes are added to `definitions` and referred to."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return {}
    if kind in _SIMPLE:
        return {"type": _SIMPLE[kind]}
    if origin in (Union, types.UnionType):
        return {"anyOf": [{"type": "null"} if a is type(None) else _schema(a, definitions) for a in arguments]}
    if origin is tuple and arguments[1:] == (Ellipsis,):
        return {"type": "array", "items": _schema(arguments[0], definitions)}
    if origin is dict and arguments[0] is str:
        return {"type": "object", "additionalProperties": _schema(arguments[1], definitions)}
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        text = (inspect.getdoc(kind) or "").split("\n\n", 1)[0]
        definitions.setdefault(kind.__name__, {"description": text, "enum": [member.value for member in kind]})
    elif isinstance(kind, type) and dataclasses.is_dataclass(kind):
        if kind.__name__ not in definitions:
            definitions[kind.__name__] = {}
            definitions[kind.__name__] = _object_schema(kind, definitions)
    else:
        raise TypeError(f"no JSON Schema for {kind!r}")
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _object_schema(cls: type[Any], definitions: dict[str, Any]) -> dict[str, Any]:
    text = inspect.getdoc(cls) or ""
    described = attributes_of(cls)
    properties = {
        name: {**_schema(kind, definitions), **({"description": described[name]} if name in described else {})}
        for name, kind in _types_of(cls).items()
    }
    return {
        "description": text.split("\n\n", 1)[0],
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def attributes_of(cls: type[Any]) -> dict[str, str]:
    """Returns the descriptions in the `Attributes:` section of the docstring of a class, by attribute."""
    _, _, section = (inspect.getdoc(cls) or "").partition("Attributes:\n")
    descriptions = re.findall(r"^    (\w+): (.*(?:\n {8}.*)*)", section, re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in descriptions}
