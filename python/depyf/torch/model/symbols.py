# SPDX-License-Identifier: MIT
"""Symbolic sizes and numbers of compilations, and those that the program forced to one value. Needs no torch."""

from __future__ import annotations

from dataclasses import dataclass

from depyf.torch.model.location import Location


@dataclass(frozen=True)
class Symbol:
    """A symbolic size or number: a graph is compiled for all values in its range.

    Attributes:
        compile_id: Of the compilation.
        name: torch's name of it.
        source: What it is a size or value of; "" of one that is known at run time only (unbacked).
        value: In the call compiled for; "" of an unbacked one.
        range: Values that the entry takes.
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
