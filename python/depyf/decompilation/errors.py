# SPDX-License-Identifier: MIT
"""The one exception of the package; a module of its own because the native core raises it too."""

from __future__ import annotations

from types import CodeType
from typing import Any

__all__ = ["DecompilationError"]


class DecompilationError(Exception):
    """Something could not be decompiled or recompiled: which code object, at which bytecode offset, and why.

    Attributes:
        code: The code object (for something that has none the object itself, or None for the bytes of a file).
        offset: In bytes, into `co_code`; None where it is not known.
        what: What is wrong and what was wanted, in one line.
        message: The same, under the name that depyf 0.20 gave it. An error made of a message alone, as there
            (`DecompilationError("…")`, `DecompilationError(message="…")`), has just that in `args`.

    Examples:
        >>> import depyf
        >>> try:
        ...     depyf.decompile(len)
        ... except depyf.DecompilationError as error:
        ...     print(error.code)
        <built-in function len>

    """

    code: CodeType | Any | None
    offset: int | None
    what: str

    message: Any

    def __init__(
        self,
        code: CodeType | Any | None = None,
        offset: int | None = None,
        what: str | None = None,
        *,
        message: Any = None,
    ) -> None:
        if what is None:  # as depyf 0.20 had it: a message alone
            message = message if message is not None else code if code is not None else ""
            super().__init__(message)
            code, what = None, str(message)
        else:
            super().__init__(code, offset, what)
        self.code = code
        self.offset = offset
        self.what = " ".join(what.split())
        self.message = self.what if message is None else message

    def __str__(self) -> str:
        place = ""
        if isinstance(self.code, CodeType):
            place = f"{self.code.co_name} ({self.code.co_filename}:{self.code.co_firstlineno})"
        if self.offset is not None:
            place += f"{', ' if place else ''}offset {self.offset}"
        return f"{place}: {self.what}" if place else self.what


class NoCodeError(DecompilationError, TypeError):
    """What was given has no code at all: a `TypeError` too, as Python's own functions that take code raise it."""
