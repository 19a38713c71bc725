# SPDX-License-Identifier: MIT
"""The catalogue: small programs, each with something that Dynamo's bytecode has to do, as PyTorch users write it.

A file of this folder is found by its name; a program in it is a function under `@case(...)`: what makes its arguments
afresh for each call, and which entries of torch's graph-break registry it is there for. A program's outcome is its
result or exception, its arguments afterwards, and what `observe` (optional) gives: the other things it changed. What
Dynamo leaves to Python altogether is marked `skipped`. A program about a part of torch that some releases lack `needs`
it by name; such parts are called through `of_torch`, so that the catalogue can be read everywhere.
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
    """One program: called once for each set of arguments that `calls` makes, in one compiled wrapper."""

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
        """What this program needs and the torch at hand does not have."""
        settings = [f"torch._dynamo.config.{name}" for name in self.config]
        return [name for name in (*self.needs, *settings) if find(name) is None]


def find(path: str) -> Any:
    """The object at a dotted path of loaded modules and their attributes, or None."""
    first, *rest = path.split(".")
    found: Any = sys.modules.get(first)
    for name in rest:
        found = getattr(found, name, None)
    return found


def of_torch(path: str) -> Callable[..., Any]:
    """The function or decorator at a dotted path; without it, one that gives its argument back."""
    found = find(path)
    return found if found is not None else lambda value: value


def ones() -> list[tuple[Any, ...]]:
    """The usual arguments: one call with two small tensors."""
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
    """Marks a program; `breaks` names registry entries it is there for, `needs` parts of torch it cannot do without,
    `config` settings of Dynamo it runs under, `options` go to `torch.compile`.
    """

    def mark(program: Callable[..., Any]) -> Callable[..., Any]:
        named = (tuple(breaks.split()), skipped, tuple(needs.split()), dict(config))
        marked = Case(program.__name__, program, calls, observe, *named, options)
        program.case = marked  # type: ignore[attr-defined]
        return program

    return mark


def cases() -> list[Case]:
    """Every program of every file here."""
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
    """A call that Dynamo must leave to Python."""
    for other in (*rest, *named.values()):
        x = x + other
    return x


def restore() -> None:
    """Puts the catalogue's own globals back, so that a second run starts where the first did."""
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
