# SPDX-License-Identifier: MIT
"""Converts values to Python source. All generated text uses this module for literals.

Invariant: evaluating the text gives an equal value of the same type; no user-defined `__repr__` is called. Subclasses
of `Speller` decide about values that are neither constants nor builtin containers of constants: a name, a call, or no
source.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["NoSource", "Speller"]


class NoSource(Exception):
    """The value cannot be written as source."""


class Speller:
    """Converts constants and builtin containers to source; subclasses override `other` for further values.

    `most` is the maximum number of items of a container at each level of nesting; deeper containers have no source.
    """

    most: Sequence[int] = (1000,) * 20

    def source(self, value: Any, depth: int = 0) -> str:
        """Returns the value as source, or raises NoSource."""
        kind = type(value)
        if value is Ellipsis:
            return "..."
        if kind is int and abs(value) >= 1 << 64:
            return hex(value)
        if value is None or kind in (bool, int, str, bytes):
            return repr(value)
        if kind in (float, complex):
            text = repr(value)
            return f'{kind.__name__}("{text.strip("()")}")' if "inf" in text or "nan" in text else text
        if kind in (tuple, list, set, frozenset, dict):
            return self._container(value, depth)
        return self.other(value, depth)

    def other(self, value: Any, depth: int) -> str:
        """Returns a value that is neither a constant nor a builtin container as source, or raises NoSource."""
        raise NoSource

    def items(self, values: Sequence[Any], depth: int) -> list[str]:
        """Returns the items of a container at this depth as source, or raises NoSource."""
        if depth >= len(self.most) or len(values) > self.most[depth]:
            raise NoSource
        return [self.source(value, depth + 1) for value in values]

    def _container(self, value: Any, depth: int) -> str:
        if type(value) is dict:
            keys, values = self.items([*value], depth), self.items([*value.values()], depth)
            return "{" + ", ".join(f"{k}: {v}" for k, v in zip(keys, values)) + "}"
        items = self.items([*value], depth)
        if type(value) is list:
            return "[" + ", ".join(items) + "]"
        if type(value) is tuple:
            return "(" + ", ".join(items) + ("," if len(items) == 1 else "") + ")"
        inner = "{" + ", ".join(sorted(items)) + "}" if items else ""
        return f"frozenset({inner})" if type(value) is frozenset else (inner or "set()")
