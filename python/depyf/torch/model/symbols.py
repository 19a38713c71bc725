# SPDX-License-Identifier: MIT
"""Symbolic sizes and numbers of compilations, and those that the program forced to one value. Needs no torch."""

from __future__ import annotations

import re
from dataclasses import dataclass

from depyf.torch.model.location import Location

_RANGE = re.compile(r"\[(.+), (.+)\]")
_WITHOUT_LIMITS = {("-int_oo", "int_oo"): "any integer", ("-oo", "oo"): "any number"}


@dataclass(frozen=True)
class Symbol:
    """A symbolic size or number: a graph is compiled for all values in its range.

    Attributes:
        compile_id: Of the compilation.
        name: torch's name of it.
        source: What it is a size or value of; "" of one that is known at run time only (unbacked).
        value: In the call compiled for; "" of an unbacked one.
        range: Values that the entry takes, as torch writes them: `int_oo` and `oo` are no limit.
        where: The user's line that made it, shortened for a reader.
        location: The user's line that made it.

    """

    compile_id: str
    name: str
    source: str
    value: str
    range: str
    where: str
    location: Location | None


def words_of_range(text: str) -> str:
    """Say in words which values a range holds that torch writes as `[2, int_oo]`; "" where none is known."""
    match = _RANGE.fullmatch(text)
    if match is None:
        return text
    low, high = match.groups()
    if (low, high) in _WITHOUT_LIMITS:
        return _WITHOUT_LIMITS[low, high]
    if high.endswith("oo"):
        return f"{low} or more"
    return f"{high} or less" if low.endswith("oo") else f"{low} to {high}"


@dataclass(frozen=True)
class Specialization:
    """A symbol that the program forced to one value.

    Attributes:
        compile_id: Of the compilation.
        name: torch's name of the symbol.
        sources: What it is a size or value of.
        value: The one value.
        reason: Why, in torch's words.
        where: The user's line, shortened for a reader.
        location: The user's line.

    """

    compile_id: str
    name: str
    sources: tuple[str, ...]
    value: str
    reason: str
    where: str
    location: Location | None
