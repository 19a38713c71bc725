# SPDX-License-Identifier: MIT
"""Symbolic sizes and numbers of compilations, and their specializations. Does not need torch."""

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
        compile_id: Compile id of the compilation.
        name: Torch's name of the symbol.
        source: The expression whose size or value it is; "" for an unbacked symbol, which is only known at run time.
        value: Its value in the call that was compiled; "" for an unbacked symbol.
        range: The values that the entry accepts, as torch writes them: `int_oo` and `oo` mean unlimited.
        where: The user's line that created it, shortened for a reader.
        location: The user's line that created it.

    """

    compile_id: str
    name: str
    source: str
    value: str
    range: str
    where: str
    location: Location | None


def words_of_range(text: str) -> str:
    """Describes in words a range that torch writes as `[2, int_oo]`; "" if the range is unknown."""
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
    """A symbol that was specialized: the program forced it to one value.

    Attributes:
        compile_id: Compile id of the compilation.
        name: Torch's name of the symbol.
        sources: The expressions whose size or value it is.
        value: The value to which it was specialized.
        reason: Why, in torch's words.
        where: The user's line that specialized it, shortened for a reader.
        location: The user's line that specialized it.

    """

    compile_id: str
    name: str
    sources: tuple[str, ...]
    value: str
    reason: str
    where: str
    location: Location | None
