# SPDX-License-Identifier: MIT
"""Compares two code objects: does the second one behave the same as the first?

Invariant: the verdict is `proved` only if symbolic execution of both found the same effects in the same order on every
path. `unproved` means that this could not be shown, not that they differ. Nothing is executed.
"""

from __future__ import annotations

import dis
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any

from depyf import _core

from .instructions import Instruction, instructions_of
from .resolve import code_and_function, hidden_builtins
from .result import Verdict, worst

__all__ = ["Verification", "verify"]


@dataclass(frozen=True)
class Verification:
    """The result of `verify`. As a condition, it is true if the verdict is `exact` or `proved`.

    Attributes:
        verdict: The weakest of `verdicts`, which holds for all.
        verdicts: One verdict for each code object of the first argument.

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
    """Check whether `b` has the same observable behavior as `a`, for each code object in them.

    The names of the two functions are not compared, nor the part of qualified names nested in them that comes from
    these names.

    Args:
        a: A code object, or a function, method, wrapper or callable object.
        b: The same, compared with `a`.

    Returns:
        The verdicts. As a condition, the result is true if each code object in `a` is `exact` or `proved`. Any other
        verdict says where in `a` the comparison stopped. A malformed code object is `unproved`, with what is wrong.

    Raises:
        DecompilationError: One of the two has no Python code, or its code exceeds the limits.

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
    """Returns `other` with the name of `code`, also as the prefix of the qualified names in it."""
    return _requalified(other, _qualified_name(other), _qualified_name(code)).replace(co_name=code.co_name)


def _requalified(code: CodeType, old: str, new: str) -> CodeType:
    """Returns the code with the qualified name `new` in place of `old`, also as a prefix of the names nested in it."""
    names = _names_of_definitions(code)

    def renamed(name: str) -> str:
        return new + name.removeprefix(old) if name == old or name.startswith(f"{old}.") else name

    consts: list[Any] = []
    for index, const in enumerate(code.co_consts):
        if isinstance(const, CodeType):
            consts.append(_requalified(const, old, new))
        else:
            consts.append(renamed(const) if index in names else const)
    name = getattr(code, "co_qualname", "")
    qualified: dict[str, Any] = {"co_qualname": renamed(name)} if name else {}
    return code.replace(co_consts=tuple(consts), **qualified)


def _qualified_name(code: CodeType) -> str:
    """Returns the qualified name of a code object.

    Up to 3.10 it is derived from the names of the functions it defines.
    """
    names = (code.co_consts[index].rpartition(".")[0] for index in sorted(_names_of_definitions(code)))
    return getattr(code, "co_qualname", "") or next(filter(None, names), code.co_name).removesuffix(".<locals>")


def _names_of_definitions(code: CodeType) -> set[int]:
    """Returns the indices of constants used only as qualified names: of the class, and up to 3.10 of functions."""
    names: set[int] = set()
    others: set[int] = set()
    instructions = [i for i in instructions_of(code) if i.opcode != dis.EXTENDED_ARG]
    for instruction, following in itertools.zip_longest(instructions, instructions[1:]):
        if instruction.opcode in dis.hasconst:
            is_name = following is not None and _takes_name(code, following)
            is_text = isinstance(_item(code.co_consts, instruction.argument), str)
            (names if is_name and is_text else others).add(instruction.argument)
    return names - others


def _takes_name(code: CodeType, instruction: Instruction) -> bool:
    """Returns whether an instruction takes the qualified name of a function or a class."""
    if instruction.name == "STORE_NAME":
        return bool(_item(code.co_names, instruction.argument) == "__qualname__")
    return instruction.name == "MAKE_FUNCTION"


def _item(items: Sequence[Any], index: int) -> Any:
    """Returns an item of a code object's names or constants; None if there is none with this index."""
    return items[index] if index < len(items) else None
