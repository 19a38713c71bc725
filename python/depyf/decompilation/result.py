# SPDX-License-Identifier: MIT
"""The result of a decompilation: the text with its verdicts, source map and recompile context.

Invariant: `Decompiled` is a `str` and compares as one; its attributes do not change after construction.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from types import CodeType
from typing import Any, NamedTuple

from .context import RecompileContext

__all__ = ["Decompiled", "MapEntry", "RecompileContext", "Verdict", "VerdictKind"]


class VerdictKind(str, enum.Enum):
    """The kinds of verdicts. A kind is also a `str`.

    Examples:
        >>> import depyf
        >>> depyf.decompile(lambda x: x + 1).verdict.kind is depyf.VerdictKind.EXACT
        True

    """

    EXACT = "exact"
    """Recompiling the text gives the same canonical graph."""
    PROVED = "proved"
    """The text was proved to behave the same."""
    UNPROVED = "unproved"
    """Neither could be shown; the verdict says why and where."""
    UNCHECKED = "unchecked"
    """No compiler of that Python version was available."""
    NOT_DECOMPILED = "not decompiled"
    """There is no text. `Verdict` does not use this kind, only the record of a run."""

    __str__ = str.__str__


# From best to worst: `Decompiled.verdict` is the worst of its code objects.
_BY_RANK = (VerdictKind.EXACT, VerdictKind.PROVED, VerdictKind.UNCHECKED, VerdictKind.UNPROVED)


class Verdict(str):
    """What is known about the equivalence of a text and one code object. As a `str`, it is its kind.

    - `exact`: recompiling the text gives the same canonical graph.
    - `proved`: the text was proved to behave the same. A `reason` mentions a call during which the text keeps an object
      alive that the bytecode has already released, or a tuple or slice that one side creates at each execution while
      the other has a constant, which `is` and `id()` can observe.
    - `unproved`: neither could be shown; `reason` and `offset` say why and where.
    - `unchecked`: no compiler of that Python version was available.

    Not compared are line numbers, offsets, attributes of code objects, the `__traceback__` of exceptions and the order
    of constant sets of strings. Local variables are compared only if the code itself loads `locals`, `vars`, `dir`,
    `eval`, `exec`, `_getframe` or `currentframe`: code that reads the frame from outside (a debugger, or a callee with
    `sys._getframe(1)`) may see other variables.

    For a resume function, the verdict assumes that it is called as Dynamo calls it, with the values that the skipped
    code would have left. If Dynamo's exception table contradicts itself there (CPython 3.14), `reason` says so, and the
    proof uses the intended table.

    Attributes:
        kind: One of the kinds above.
        reason: Why the verdict is not better, or what remains to be observed; may be empty.
        offset: The bytecode offset that `reason` refers to; None if there is none.
        compiler: The compiler used, for example `CPython 3.11.2`; empty if there was none.
        code: The index of the code object in `Decompiled.codes`.

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
        """Whether the text is known to behave the same as the bytecode."""
        return self.kind in (VerdictKind.EXACT, VerdictKind.PROVED)

    def describe(self) -> str:
        """Return the verdict with compiler and reason as one line of text."""
        notes = "; ".join(note for note in (self.compiler, self.why) if note)
        return f"{self.kind} ({notes})" if notes else self.kind

    @property
    def why(self) -> str:
        """The reason with its bytecode offset; empty if there is no reason."""
        place = f"offset {self.offset}: " if self.reason and self.offset is not None else ""
        return place + self.reason


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """Returns the weakest verdict, which holds for all; among equal kinds, one that has a reason."""
    if not verdicts:
        return Verdict(VerdictKind.UNCHECKED)
    return max(verdicts, key=lambda verdict: (_BY_RANK.index(verdict.kind), bool(verdict.reason)))


class MapEntry(NamedTuple):
    """The range of the text that represents one instruction.

    Lines count from 1, columns from 0 in UTF-8 bytes. The end is exclusive.

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


def _unpickled(text: str, verdicts: Sequence[Verdict], source_map: Sequence[MapEntry]) -> Decompiled:
    return Decompiled(text, verdicts=verdicts, source_map=source_map)


class Decompiled(str):
    """Decompiled source text: a `str` with verdicts, a source map and a recompile context.

    Attributes:
        verdict: The weakest of `verdicts`, which holds for the whole text.
        verdicts: One verdict for each code object in the text.
        source_map: The range of text for each instruction that is visible in the text.
        codes: The code objects in the text; the first one is that of the function itself. A pickle has none.
        context: The surroundings in which the text compiles to the same code object. A pickle has none.

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

    def __copy__(self) -> Decompiled:
        """Returns the text itself, because it is immutable."""
        return self

    def __deepcopy__(self, memo: object) -> Decompiled:
        """Returns the text itself, because it is immutable."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the text with verdicts and source map, without code objects, which cannot be pickled."""
        return _unpickled, (str(self), self.verdicts, self.source_map)

    def __repr__(self) -> str:
        name = self.codes[0].co_name if self.codes else "text"
        lines = len(self.splitlines())
        return f"<decompiled {name}: {lines} line{'' if lines == 1 else 's'}, {self.verdict.kind}>"

    def __rich__(self) -> Any:
        """Returns the text with syntax highlighting, for rich."""
        from rich.syntax import Syntax

        return Syntax(str(self), "python", line_numbers=True)

    def _repr_html_(self) -> str:
        """Returns the text and its verdict, for notebooks."""
        import html

        return f"<pre>{html.escape(str(self))}</pre><p>{html.escape(self.verdict.describe())}</p>"

    def lines_of(self, code: int = 0) -> dict[int, int]:
        """Return the line of the text for each mapped bytecode offset of a code object.

        Args:
            code: The index of the code object in `codes`.

        Returns:
            Lines by bytecode offset. If an instruction has several ranges, the line of the innermost one.

        """
        lines: dict[int, int] = {}
        for entry in self.source_map:
            if entry.code == code:
                lines[entry.offset] = entry.line
        return lines

    def recompile(self, filename: str = "<depyf>") -> CodeType:
        """Compile the text in its context to the code object that corresponds to the original one.

        Args:
            filename: The `co_filename` of the result.

        Returns:
            The code object, with the names of the original one. It is not executed.

        Raises:
            DecompilationError: The text is from a `.pyc` file, or has no function that corresponds to the original.

        """
        from .recompile import recompile

        if not self.codes:
            from .errors import DecompilationError

            raise DecompilationError(None, None, "only the text of a live code object can be recompiled")
        return recompile(str(self), self.context, self.codes[0], filename)
