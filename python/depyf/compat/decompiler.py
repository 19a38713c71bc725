# SPDX-License-Identifier: MIT
"""`depyf.decompiler` of depyf 0.20: `Decompiler`, with the interface that it had."""

from __future__ import annotations

import dis
import os
from collections.abc import Callable
from types import CodeType
from typing import Any

from depyf.decompilation.api import decompile
from depyf.decompilation.errors import DecompilationError
from depyf.decompilation.resolve import code_and_function
from depyf.decompilation.result import Decompiled

__all__ = ["DecompilationError", "Decompiler", "decompile"]


class Decompiler:
    """The decompiler of one code object, as depyf 0.20 spelled it; `depyf.decompile` is the shorter way.

    Examples:
        >>> import depyf
        >>> print(depyf.Decompiler(lambda x: x + 1).decompile(overwite_fn_name="f").strip())
        def f(x):
            return x + 1

    """

    def __init__(self, code: CodeType | Callable[..., Any]) -> None:
        self.subject = code
        self.code: CodeType = code_and_function(code)[0]

    def __repr__(self) -> str:
        return f"Decompiler({self.code!r})"

    def decompile(
        self, indentation: int = 4, temp_prefix: str = "__temp_", overwite_fn_name: str | None = None
    ) -> Decompiled:
        """Decompile to source; `overwite_fn_name` (spelled so since depyf 0.1) renames the function in the text.

        The variable DEPYF_REMOVE_TEMP of depyf 0.20, which kept temporary variables in the text when it was 0, changes
        nothing: names that begin with `temp_prefix` appear only where the text cannot do without them.
        """
        return decompile(
            self.subject, indent=indentation, temp_prefix=temp_prefix, function_name=overwite_fn_name or ""
        )

    @staticmethod
    def decompile_and_compile_like(
        code_to_decompile: CodeType,
        reference_code: CodeType,
        indentation: int = 4,
        temp_prefix: str = "__temp_",
        filepath_template: str | None = None,
    ) -> CodeType:
        """Decompile one code object and compile the text to one that can replace `reference_code`.

        With `filepath_template` (holding one `%s` for a number) the text is written to the first file of that name
        that does not exist yet, and the result says it comes from there.
        """
        name, path = "", "noname"
        if filepath_template is not None:
            path = _free_path(filepath_template)
            name = os.path.splitext(os.path.basename(path))[0]
        text = decompile(code_to_decompile, indent=indentation, temp_prefix=temp_prefix, function_name=name)
        if filepath_template is not None:
            with open(path, "x", encoding="utf-8") as file:
                file.write(text)
        code = text.recompile(path)
        if code.co_freevars != reference_code.co_freevars:
            what = f"free variables {code.co_freevars} where {reference_code.co_freevars} are wanted"
            raise DecompilationError(code_to_decompile, None, what)
        return code

    @staticmethod
    def supported_opnames() -> list[str]:
        """Names of this interpreter's operations that decompile: all of them."""
        return [name for name in dis.opname if not name.startswith("<")]


def _free_path(template: str) -> str:
    number = 0
    while os.path.exists(template % number):
        number += 1
    return template % number
