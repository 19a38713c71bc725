# SPDX-License-Identifier: MIT
"""Values as Python source: the one place that spells them.

Invariant: the text, evaluated, gives an equal value of the same type; no user-defined `__repr__` runs. What is no plain
constant and no container of such is the business of whoever spells it: a name, a call, or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["NoSource", "Speller"]


class NoSource(Exception):
    """The value has no form as source."""


class Speller:
    """Spells constants and builtin containers; subclasses name what else they can.

    `most`: how many items a container may have, for each level of nesting; deeper ones have no source.
    """

    most: Sequence[int] = (1000,) * 20

    def source(self, value: Any, depth: int = 0) -> str:
        """The value as source. NoSource: it has none."""
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
        """What is neither a constant nor a builtin container. NoSource: it has no source."""
        raise NoSource

    def items(self, values: Sequence[Any], depth: int) -> list[str]:
        """The items of something at this depth."""
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
