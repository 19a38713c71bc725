# SPDX-License-Identifier: MIT
"""What a decompilation gives: the text, and with it always what is known about it.

Invariant: `Decompiled` is a `str` and compares as one; its other parts never change after it is made.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from types import CodeType
from typing import Any, NamedTuple

from .context import RecompileContext

__all__ = ["Decompiled", "MapEntry", "RecompileContext", "Verdict", "VerdictKind"]


class VerdictKind(str, enum.Enum):
    """How sure a decompiled text is; as a `str` it is the word.

    Examples:
        >>> import depyf
        >>> depyf.decompile(lambda x: x + 1).verdict.kind is depyf.VerdictKind.EXACT
        True

    """

    EXACT = "exact"
    """It recompiles to the same canonical graph."""
    PROVED = "proved"
    """It was shown to behave the same."""
    UNPROVED = "unproved"
    """Neither: the verdict says why, and where."""
    UNCHECKED = "unchecked"
    """No compiler of that version was at hand."""
    NOT_DECOMPILED = "not decompiled"
    """There is no text."""

    __str__ = str.__str__


# From best to worst: `Decompiled.verdict` is the worst of its code objects.
_BY_RANK = (VerdictKind.EXACT, VerdictKind.PROVED, VerdictKind.UNCHECKED, VerdictKind.UNPROVED)


class Verdict(str):
    """What is known of one decompiled code object; as a `str` it is its kind.

    `exact`: recompiles to the same canonical graph. `proved`: shown to behave the same; a `reason` tells of a call
    during which the text holds an object that the bytecode had dropped, or of a tuple or slice that one of the two
    makes at each run where the other has a constant, which `is` and `id()` tell apart. Line numbers, offsets,
    attributes of code objects, the `__traceback__` of exceptions and the order of constant sets of texts are not
    compared, nor local variables, unless the code itself loads `locals`, `vars`, `dir`, `eval`, `exec`, `_getframe` or
    `currentframe`: who reads a frame from outside (a debugger, a callee by `sys._getframe(1)`) may see others. Of a
    function that resumes another, when it is handed what the code that it jumps over leaves, as Dynamo does; where
    Dynamo's exception table contradicts itself there (CPython 3.14), `reason` says so, and what happens to an exception
    is proved of the table that is meant. `unproved`: `reason` and `offset` say why and where. `unchecked`: no compiler
    of that version was at hand. `compiler` names the one used, `code` is the index of the code object in
    `Decompiled.codes`.

    Examples:
        >>> import depyf
        >>> verdict = depyf.decompile(lambda x: x + 1).verdict
        >>> (verdict.kind.value, verdict.holds)
        ('exact', True)

    """

    kind: VerdictKind
    reason: str
    offset: int | None
    compiler: str
    code: int

    def __new__(
        cls, kind: VerdictKind | str, reason: str = "", offset: int | None = None, compiler: str = "", code: int = 0
    ) -> Verdict:
        self = super().__new__(cls, VerdictKind(kind).value)
        self.kind, self.reason, self.offset, self.compiler, self.code = (
            VerdictKind(kind),
            reason,
            offset,
            compiler,
            code,
        )
        return self

    def __getnewargs__(self) -> tuple[str, str, int | None, str, int]:  # type: ignore[override]
        return self.kind, self.reason, self.offset, self.compiler, self.code

    @property
    def holds(self) -> bool:
        """Whether the text is known to behave as the bytecode does."""
        return self.kind in (VerdictKind.EXACT, VerdictKind.PROVED)

    def describe(self) -> str:
        """One line for people."""
        notes = "; ".join(note for note in (self.compiler, self.why) if note)
        return f"{self.kind} ({notes})" if notes else self.kind

    @property
    def why(self) -> str:
        """The reason and its place; empty without one."""
        place = f"offset {self.offset}: " if self.reason and self.offset is not None else ""
        return place + self.reason


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """The weakest verdict, which holds for all of them; of equals, one that tells what may still differ."""
    if not verdicts:
        return Verdict(VerdictKind.UNCHECKED)
    return max(verdicts, key=lambda verdict: (_BY_RANK.index(verdict.kind), bool(verdict.reason)))


class MapEntry(NamedTuple):
    """One instruction and the text that represents it: lines from 1, columns from 0 in UTF-8 bytes, end exclusive.

    Examples:
        >>> import depyf
        >>> text = depyf.decompile(lambda x: x + 1)
        >>> {text.splitlines()[entry.line - 1].strip() for entry in text.source_map if entry.line > 1}
        {'return x + 1'}

    """

    code: int  # index into Decompiled.codes
    offset: int
    line: int
    column: int
    end_line: int
    end_column: int


class Decompiled(str):
    """Decompiled source: a `str`, with its verdicts, source map and recompile context.

    Attributes:
        verdict: The weakest of `verdicts`, which holds for all of the text.
        verdicts: One for each code object in the text.
        source_map: One entry for each instruction that the text shows.
        codes: The code objects in the text, that of the function first.
        context: What the text needs in order to compile as the function that it came from.

    Examples:
        >>> import depyf
        >>> text = depyf.decompile(lambda x: x + 1)
        >>> text.splitlines()
        ['def lambda_(x):', '    return x + 1']
        >>> text
        <decompiled <lambda>: 2 lines, exact>

    """

    verdict: Verdict
    verdicts: tuple[Verdict, ...]
    source_map: tuple[MapEntry, ...]
    codes: tuple[CodeType, ...]
    context: RecompileContext

    def __new__(
        cls,
        text: str,
        *,
        verdicts: Sequence[Verdict] = (),
        source_map: Sequence[MapEntry] = (),
        codes: Sequence[CodeType] = (),
        context: RecompileContext | None = None,
    ) -> Decompiled:
        self = super().__new__(cls, text)
        self.verdicts = tuple(verdicts)
        self.verdict = worst(self.verdicts)
        self.source_map = tuple(source_map)
        self.codes = tuple(codes)
        self.context = context if context is not None else RecompileContext()
        return self

    def __reduce__(self) -> tuple[type[str], tuple[str]]:  # code objects do not pickle: the text does
        return str, (str(self),)

    def __repr__(self) -> str:
        name = self.codes[0].co_name if self.codes else "text"
        lines = len(self.splitlines())
        return f"<decompiled {name}: {lines} line{'' if lines == 1 else 's'}, {self.verdict.kind}>"

    def __rich__(self) -> Any:
        """The text with colours, for rich's terminals."""
        from rich.syntax import Syntax

        return Syntax(str(self), "python", line_numbers=True)

    def _repr_html_(self) -> str:
        """The text and its verdict, for notebooks."""
        import html

        return f"<pre>{html.escape(str(self))}</pre><p>{html.escape(self.verdict.describe())}</p>"

    def lines_of(self, code: int = 0) -> dict[int, int]:
        """Line of the text for each mapped bytecode offset of a code object (its innermost range)."""
        lines: dict[int, int] = {}
        for entry in self.source_map:
            if entry.code == code:
                lines[entry.offset] = entry.line
        return lines

    def recompile(self, filename: str = "<depyf>") -> CodeType:
        """Compile the text, in its context, to the code object that corresponds to the one it came from."""
        from .recompile import recompile

        if not self.codes:
            from .errors import DecompilationError

            raise DecompilationError(None, None, "only the text of a live code object recompiles in this process")
        return recompile(str(self), self.context, self.codes[0], filename)
