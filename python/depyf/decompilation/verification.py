# SPDX-License-Identifier: MIT
"""Comparing two code objects: does the second do what the first does?

Invariant: `proved` is said only where symbolic execution of both found the same effects in the same order on every
path; `unproved` means that it could not be shown, not that they differ. Nothing is run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType
from typing import Any

from depyf import _core

from .resolve import code_and_function, hidden_builtins
from .result import Verdict, worst

__all__ = ["Verification", "verify"]


@dataclass(frozen=True)
class Verification:
    """What is known of two code objects: the worst verdict, and one for each code object of the first.

    Examples:
        >>> import depyf
        >>> result = depyf.verify(lambda x: x + 1, lambda x: x - 1)
        >>> (bool(result), result.verdict.kind.value)
        (False, 'unproved')

    """

    verdict: Verdict
    verdicts: tuple[Verdict, ...]

    def __bool__(self) -> bool:
        return self.verdict.holds

    def __str__(self) -> str:
        return self.verdict.describe()


def verify(a: CodeType | Callable[..., Any], b: CodeType | Callable[..., Any]) -> Verification:
    """Whether `b` does, as far as anybody can observe, what `a` does, code object by code object.

    True as a condition when every code object that `a` reaches is `exact` or `proved`; a verdict that is neither says
    where in `a` the two could not be followed any further. What the two are called themselves is not compared.

    Raises:
        DecompilationError: One of the two has no Python code, or its code is malformed or larger than the limits.

    Examples:
        >>> import depyf
        >>> bool(depyf.verify(lambda x: x + 1, lambda x: x + 1))
        True
        >>> bool(depyf.verify(lambda x: x + 1, lambda x: x - 1))
        False

    """
    (code, first), (other, second) = code_and_function(a), code_and_function(b)
    rows = _core.verify(code, _named_as(code, other), hidden_builtins=hidden_builtins(first, second))
    verdicts = tuple(Verdict(kind, reason, offset, "", code) for code, kind, reason, offset in rows)
    return Verification(worst(verdicts), verdicts)


def _named_as(code: CodeType, other: CodeType) -> CodeType:
    """The other code object by the name of the first, by which what is defined in it is qualified, too (3.11 on)."""
    own, wanted = getattr(other, "co_qualname", ""), getattr(code, "co_qualname", "")
    return _requalified(other, own, wanted).replace(co_name=code.co_name)


def _requalified(code: CodeType, own: str, wanted: str) -> CodeType:
    name = getattr(code, "co_qualname", "")
    if name != own and not name.startswith(f"{own}."):  # a class body's `__qualname__` is a constant of its own
        return code
    inner = tuple(_requalified(c, own, wanted) if isinstance(c, CodeType) else c for c in code.co_consts)
    qualified: dict[str, Any] = {"co_qualname": wanted + name.removeprefix(own)} if name else {}
    return code.replace(co_consts=inner, **qualified)
