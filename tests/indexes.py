# SPDX-License-Identifier: MIT
"""An index.json written by hand: what a test does not say is empty, so that the whole is what depyf reads."""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from typing import Any

from depyf.torch.model.facts import SCHEMA_VERSION, Run


def index_of(**known: Any) -> dict[str, Any]:
    """The data of a run of which this is known."""
    return _filled(Run, {"schema_version": SCHEMA_VERSION, **known})


def _filled(kind: Any, known: Any) -> Any:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return None if known is None else _filled(arguments[0], known)
    if origin is tuple:
        return [_filled(arguments[0], item) for item in known or ()]
    if origin is dict:
        return {key: _filled(arguments[1], item) for key, item in (known or {}).items()}
    if dataclasses.is_dataclass(kind):
        known, hints = known or {}, typing.get_type_hints(kind)
        assert known.keys() <= hints.keys(), (kind, known.keys() - hints.keys())
        return {name: _filled(hint, known.get(name)) for name, hint in hints.items()}
    if known is None and isinstance(kind, type):
        return next(iter(kind)).value if issubclass(kind, enum.Enum) else kind()
    return known
