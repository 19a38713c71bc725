# SPDX-License-Identifier: MIT
"""What an index.json must be to be read: JSON, of the schema's version, with all that the schema names and no more.

Invariant: what is wrong is one ValueError, whose text says first that it is no index, or one of another version.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any, TypeVar

from depyf.torch.model.serialization import decode

T = TypeVar("T")


def parsed(text: bytes) -> Any:
    """The file as data."""
    with _no_index():
        return json.loads(text)


def decoded(cls: type[T], data: Any, version: int) -> T:
    """The data as an object of a class of the model, if they are of this version of the schema."""
    found = data.get("schema_version") if isinstance(data, dict) else None
    with _no_index():
        if not isinstance(found, int):
            raise ValueError("it has no schema_version")
    if found != version:
        raise ValueError(f"written with schema_version {found}; this depyf reads {version}")
    with _no_index():
        return decode(cls, data)


@contextlib.contextmanager
def _no_index() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise ValueError(f"no index of a dump: {error}") from error
