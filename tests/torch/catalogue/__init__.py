# SPDX-License-Identifier: MIT
"""The catalogue: small programs, each with something that Dynamo's bytecode has to do, as PyTorch users write it.

A file of this folder is found by its name; a program in it is a function under `@case(...)`: what makes its arguments
afresh for each call, and which entries of torch's graph-break registry it is there for. A program's outcome is its
result or exception, its arguments afterwards, and what `observe` (optional) gives: the other things it changed. What
Dynamo leaves to Python altogether is marked `skipped`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import torch

__all__ = ["Case", "case", "cases", "disabled", "ones"]


@dataclass
class Case:
    """One program: called once for each set of arguments that `calls` makes, in one compiled wrapper."""

    name: str
    program: Callable[..., Any]
    calls: Callable[[], Iterable[tuple[Any, ...]]]
    observe: Callable[[], Any]
    breaks: tuple[str, ...]
    skipped: bool = False
    options: dict[str, Any] = field(default_factory=dict)


def ones() -> list[tuple[Any, ...]]:
    """The usual arguments: one call with two small tensors."""
    return [(torch.linspace(-1.0, 1.0, 4), torch.ones(4))]


def case(
    calls: Callable[[], Iterable[tuple[Any, ...]]] = ones,
    *,
    observe: Callable[[], Any] = lambda: None,
    breaks: str = "",
    skipped: bool = False,
    **options: Any,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Marks a program; `breaks` names registry entries it is there for, `options` go to `torch.compile`."""

    def mark(program: Callable[..., Any]) -> Callable[..., Any]:
        marked = Case(program.__name__, program, calls, observe, tuple(breaks.split()), skipped, options)
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
