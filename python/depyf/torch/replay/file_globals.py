# SPDX-License-Identifier: MIT
"""Saves and restores the globals of a full-code file, so that each call finds the same values.

Invariant: objects are not replaced: changes of a list, a set, a dictionary or the attributes of an object are undone in
place. Changes of tensors and of slots are not undone.
"""

from __future__ import annotations

from types import FunctionType, ModuleType
from typing import Any

import torch


class FileGlobals:
    """The values of global variables, and the items of containers among them."""

    def __init__(self, scope: dict[str, Any]) -> None:
        """`scope` are the globals of the file."""
        self._scope = scope
        self._values = {name: value for name, value in scope.items() if not name.startswith("__")}
        self._contents: list[tuple[Any, list[Any]]] = []  # containers with their items (pairs for a dictionary)
        waiting, seen = [*self._values.values()], {id(scope)}
        while waiting:
            value = _attributes_or_value(waiting.pop())
            if id(value) in seen or type(value) not in (list, set, dict, tuple) or _is_of_a_module(value):
                continue
            seen.add(id(value))
            waiting += value.values() if isinstance(value, dict) else value
            if not isinstance(value, tuple):
                self._contents.append((value, [*value.items()] if isinstance(value, dict) else [*value]))

    def restore(self) -> None:
        """Restores the saved values and items."""
        for container, items in self._contents:
            container.clear()
            fill = container.extend if isinstance(container, list) else container.update
            fill(items)
        self._scope.update(self._values)


def _attributes_or_value(value: Any) -> Any:
    """Returns the dictionary with the attributes of an object of a Python class; any other value itself."""
    if isinstance(value, type | ModuleType | FunctionType | torch.Tensor):
        return value
    try:
        attributes = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return value
    return attributes if type(attributes) is dict else value


def _is_of_a_module(value: Any) -> bool:
    """Returns whether a value is the namespace of a module, which must not be changed."""
    return isinstance(value, dict) and "__spec__" in value
