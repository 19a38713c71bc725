# SPDX-License-Identifier: MIT
"""Reads `index.json`: valid JSON, of the current schema version, with exactly the fields of the schema.

Invariant: any violation raises one ValueError, which begins with whether the file is no index, has another
version, or other fields.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any, TypeVar

from depyf.torch.model.serialization import decode

T = TypeVar("T")


def parsed(text: bytes) -> Any:
    """Returns the content of the file as data."""
    with _no_index():
        return json.loads(text)


def decoded(cls: type[T], data: Any, version: int) -> T:
    """Returns the data as an object of a class of the model, if they have this schema version."""
    found_version = data.get("schema_version") if isinstance(data, dict) else None
    with _no_index():
        if not isinstance(found_version, int):
            raise ValueError("it has no schema_version")
    if found_version != version:
        raise ValueError(f"written with schema_version {found_version}; this depyf reads {version}")
    with _named("changed since, or written by a development version of depyf with other fields"):
        return decode(cls, data)


def _no_index() -> contextlib.AbstractContextManager[None]:
    return _named("no index of a dump")


@contextlib.contextmanager
def _named(what: str) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from error
