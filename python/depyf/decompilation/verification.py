# SPDX-License-Identifier: MIT
"""Comparing two code objects: does the second do what the first does?

Invariant: `proved` is said only where symbolic execution of both found the same effects in the same order on every
path; `unproved` means that it could not be shown, not that they differ. Nothing is run.
"""

from __future__ import annotations

import dis
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
    where in `a` the two could not be followed any further. What the two are called themselves is not compared, and so
    not how what they define is called after them.

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
    """The other code object by the name of the first, by which what is defined in it is qualified, too."""
    return _requalified(other, _qualified_name(other), _qualified_name(code)).replace(co_name=code.co_name)


def _requalified(code: CodeType, own: str, wanted: str) -> CodeType:
    names = _names_of_definitions(code)

    def renamed(name: str) -> str:
        return wanted + name.removeprefix(own) if name == own or name.startswith(f"{own}.") else name

    consts: list[Any] = []
    for index, const in enumerate(code.co_consts):
        if isinstance(const, CodeType):
            consts.append(_requalified(const, own, wanted))
        else:
            consts.append(renamed(const) if index in names else const)
    name = getattr(code, "co_qualname", "")
    qualified: dict[str, Any] = {"co_qualname": renamed(name)} if name else {}
    return code.replace(co_consts=tuple(consts), **qualified)


def _qualified_name(code: CodeType) -> str:
    """Of a code object; up to 3.10 only the names of what it defines tell it, and without one nothing asks for it."""
    names = (code.co_consts[index].rpartition(".")[0] for index in sorted(_names_of_definitions(code)))
    return getattr(code, "co_qualname", "") or next(filter(None, names), code.co_name).removesuffix(".<locals>")


def _names_of_definitions(code: CodeType) -> set[int]:
    """Indices of the constants that are qualified names alone: of classes (their bodies'), up to 3.10 of functions."""
    names: set[int] = set()
    others: set[int] = set()
    instructions = [i for i in dis.get_instructions(code) if i.opcode != dis.EXTENDED_ARG]
    for here, following in zip(instructions, [*instructions[1:], None], strict=True):
        if here.opcode in dis.hasconst and here.arg is not None:
            told = following is not None and (following.opname, following.argval)
            is_name = told == ("STORE_NAME", "__qualname__") or (told and told[0] == "MAKE_FUNCTION")
            (names if is_name and isinstance(here.argval, str) else others).add(here.arg)
    return names - others
