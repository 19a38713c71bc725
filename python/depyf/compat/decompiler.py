# SPDX-License-Identifier: MIT
"""`depyf.decompiler` of depyf 0.20: the class `Decompiler` with its old interface."""

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
    """The decompiler for one code object with the interface of depyf 0.20. New code uses `depyf.decompile`.

    Args:
        code: A code object, or a function, method, wrapper or callable object.

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
        """Decompile to source.

        The environment variable DEPYF_REMOVE_TEMP of depyf 0.20, which kept temporary variables in the text if it was
        0, has no effect: names that begin with `temp_prefix` appear only where the text needs them.

        Args:
            indentation: Columns for each level of indentation.
            temp_prefix: Prefix for the names of temporary variables.
            overwite_fn_name: Name of the function in the text (spelled like this since depyf 0.1).

        Returns:
            The text, as from `depyf.decompile`.

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
        """Decompile a code object, and compile the text to a code object that can replace `reference_code`.

        Args:
            code_to_decompile: The code object.
            reference_code: The code object to replace; its free variables must be the same.
            indentation: Columns for each level of indentation.
            temp_prefix: Prefix for the names of temporary variables.
            filepath_template: A path with one `%s` for a number. The text is written to the first such file that does
                not exist yet, which becomes the `co_filename` of the result.

        Returns:
            The compiled code object.

        Raises:
            DecompilationError: The code cannot be decompiled, or its free variables differ.

        """
        name, path = "", "noname"
        if filepath_template is not None:
            path = _free_path(filepath_template)
            name = os.path.splitext(os.path.basename(path))[0]
        text = decompile(code_to_decompile, indent=indentation, temp_prefix=temp_prefix, function_name=name)
        code = text.recompile(path)
        if code.co_freevars != reference_code.co_freevars:
            what = f"wanted free variables {reference_code.co_freevars}, found {code.co_freevars}"
            raise DecompilationError(code_to_decompile, None, what)
        if filepath_template is not None:
            with open(path, "x", encoding="utf-8") as file:
                file.write(text)
        return code

    @staticmethod
    def supported_opnames() -> list[str]:
        """Return the names of the opcodes that can be decompiled, which are all opcodes of the running interpreter."""
        return [name for name in dis.opname if not name.startswith("<")]


def _free_path(template: str) -> str:
    number = 0
    while os.path.exists(template % number):
        number += 1
    return template % number
