# SPDX-License-Identifier: MIT
"""Makes the data of an index.json for tests: every field that a test does not specify is empty."""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from typing import Any

from depyf.torch.model.facts import SCHEMA_VERSION, Run


def index_of(**fields: Any) -> dict[str, Any]:
    """Returns the data of a run with these fields."""
    return _filled(Run, {"schema_version": SCHEMA_VERSION, **fields})


def _filled(kind: Any, fields: Any) -> Any:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return None if fields is None else _filled(arguments[0], fields)
    if origin is tuple:
        return [_filled(arguments[0], item) for item in fields or ()]
    if origin is dict:
        return {key: _filled(arguments[1], item) for key, item in (fields or {}).items()}
    if dataclasses.is_dataclass(kind):
        fields, hints = fields or {}, typing.get_type_hints(kind)
        assert fields.keys() <= hints.keys(), (kind, fields.keys() - hints.keys())
        return {name: _filled(hint, fields.get(name)) for name, hint in hints.items()}
    if fields is None and isinstance(kind, type):
        return next(iter(kind)).value if issubclass(kind, enum.Enum) else kind()
    return fields
