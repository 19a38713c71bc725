# SPDX-License-Identifier: MIT
"""The catalogue: small programs, as users of PyTorch write them, for each feature of Dynamo's bytecode.

Each program is a function with the decorator `@case(...)` in a file of this folder. The decorator names a function that
creates the arguments for each call, and the entries of torch's registry of graph breaks that the program triggers. The
outcome of a program is its result or exception, its arguments afterwards, and what the optional `observe` returns, for
other effects. A program whose frame Dynamo skips is marked `skipped`. A program with a feature of torch that some
releases lack names it in `needs`, and calls it through `of_torch`, so that its file can always be imported.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import torch

__all__ = ["Case", "case", "cases", "disabled", "of_torch", "ones", "restore"]


@dataclass
class Case:
    """One program, which is compiled once and called with each set of arguments that `calls` yields."""

    name: str
    program: Callable[..., Any]
    calls: Callable[[], Iterable[tuple[Any, ...]]]
    observe: Callable[[], Any]
    breaks: tuple[str, ...]
    skipped: bool = False
    needs: tuple[str, ...] = ()
    config: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def lacking(self) -> list[str]:
        """Returns the names in `needs` that this torch does not have."""
        settings = [f"torch._dynamo.config.{name}" for name in self.config]
        return [name for name in (*self.needs, *settings) if find(name) is None]


def find(path: str) -> Any:
    """Returns the object at a dotted path of loaded modules and their attributes, or None."""
    first, *rest = path.split(".")
    found: Any = sys.modules.get(first)
    for name in rest:
        found = getattr(found, name, None)
    return found


def of_torch(path: str) -> Callable[..., Any]:
    """Returns the function or decorator at a dotted path, or one that returns its argument if there is none."""
    found = find(path)
    return found if found is not None else lambda value: value


def ones() -> list[tuple[Any, ...]]:
    """Returns the default arguments: one call with two small tensors."""
    return [(torch.linspace(-1.0, 1.0, 4), torch.ones(4))]


def case(
    calls: Callable[[], Iterable[tuple[Any, ...]]] = ones,
    *,
    observe: Callable[[], Any] = lambda: None,
    breaks: str = "",
    skipped: bool = False,
    needs: str = "",
    config: Mapping[str, Any] = MappingProxyType({}),
    **options: Any,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers a program. BREAKS are the registry entries that it triggers, NEEDS names of torch that it requires,
    CONFIG settings of Dynamo, and OPTIONS are passed to `torch.compile`.
    """

    def mark(program: Callable[..., Any]) -> Callable[..., Any]:
        named = (tuple(breaks.split()), skipped, tuple(needs.split()), dict(config))
        marked = Case(program.__name__, program, calls, observe, *named, options)
        program.case = marked  # type: ignore[attr-defined]
        return program

    return mark


def cases() -> list[Case]:
    """Returns the programs of all files in this folder."""
    found: list[Case] = []
    for info in sorted(pkgutil.iter_modules(__path__), key=lambda i: i.name):
        module = importlib.import_module(f"{__name__}.{info.name}")
        for value in vars(module).values():
            marked = getattr(value, "case", None)
            if isinstance(marked, Case) and value.__module__ == module.__name__:
                found.append(Case(f"{info.name}-{marked.name}", *list(vars(marked).values())[1:]))
    return found


@torch.compiler.disable
def disabled(x: Any, *rest: Any, **named: Any) -> Any:
    """A call that Dynamo does not trace."""
    for other in (*rest, *named.values()):
        x = x + other
    return x


def restore() -> None:
    """Resets the catalogue's globals, so that another run starts in the same state."""
    from . import contexts, effects, memory, protected, statements

    contexts.EVENTS.clear()
    memory.REFERENCES.clear()
    memory.ALIVE.clear()
    effects.LOG.clear()
    effects.TABLE.clear()
    effects.COUNT = 0
    protected.TRACE.clear()
    statements.LAST = None
    torch.set_grad_enabled(True)
