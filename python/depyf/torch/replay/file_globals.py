# SPDX-License-Identifier: MIT
"""The globals of a full-code file as they are before it calls anything, so that each call finds these.

Invariant: an object stays itself: what a call changed of a list, a set or a dictionary is changed back in place. What
it changed of other objects stays changed.
"""

from __future__ import annotations

from typing import Any


class FileGlobals:
    """Values of names, and what the containers among them hold."""

    def __init__(self, scope: dict[str, Any]) -> None:
        """`scope`: the file's globals."""
        self._scope = scope
        self._values = {name: value for name, value in scope.items() if not name.startswith("__")}
        self._contents: list[tuple[Any, list[Any]]] = []  # a container, and its items: of a dictionary in pairs
        waiting, seen = [*self._values.values()], {id(scope)}
        while waiting:
            value = waiting.pop()
            if id(value) in seen or type(value) not in (list, set, dict, tuple) or _is_of_a_module(value):
                continue
            seen.add(id(value))
            waiting += value.values() if isinstance(value, dict) else value
            if not isinstance(value, tuple):
                self._contents.append((value, [*value.items()] if isinstance(value, dict) else [*value]))

    def restore(self) -> None:
        """Gives names and containers what they had."""
        for container, items in self._contents:
            container.clear()
            fill = container.extend if isinstance(container, list) else container.update
            fill(items)
        self._scope.update(self._values)


def _is_of_a_module(value: Any) -> bool:
    """Whether a value is the namespace of a module, which is not for this file to change."""
    return isinstance(value, dict) and "__spec__" in value
