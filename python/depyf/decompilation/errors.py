# SPDX-License-Identifier: MIT
"""The exception `DecompilationError`, in a module of its own because the native core imports it, too."""

from __future__ import annotations

from types import CodeType
from typing import Any

__all__ = ["DecompilationError"]


class DecompilationError(Exception):
    """Raised if something cannot be decompiled or recompiled.

    Attributes:
        code: The code object. For an object without code, the object itself; for the content of a file, None.
        offset: Offset into `co_code`, in bytes; None if it is not known.
        what: What is wrong, and what was expected, in one line.
        message: The same under the name used by depyf 0.20. An error created from a message alone, as in 0.20
            (`DecompilationError("…")`, `DecompilationError(message="…")`), has only the message in `args`.

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
        if what is None:  # a message alone, as in depyf 0.20
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
    """The object has no code at all. Also a `TypeError`, which functions of Python such as `dis.dis` raise then."""
