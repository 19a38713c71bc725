# SPDX-License-Identifier: MIT
"""Decompiling live code: `decompile` for everybody, `Decompiler` with the interface of depyf 0.20.

Invariant: the text always travels with its verdict; whatever a live function knows beyond its code object (defaults,
annotations) is in the text or, as a placeholder, in the context.
"""

from __future__ import annotations

import dataclasses
import dis
import functools
import keyword
import os
import re
from collections.abc import Callable, Sequence
from types import CodeType, FunctionType
from typing import Any

from . import _core
from ._decompiled import Decompiled, MapEntry, RecompileContext, Verdict
from ._errors import DecompilationError
from ._recompile import COMPREHENSIONS, context_of, is_function
from ._recompile import recompile as recompiled
from ._signature import defined_name, header_of, with_header
from ._subject import code_and_function

__all__ = ["DecompilationError", "Decompiler", "decompile"]


def decompile(
    code: CodeType | Callable[..., Any],
    *,
    readable: bool = True,
    recompile: bool = True,
    skip: Sequence[str] = (),
    indent: int = 4,
    temp_prefix: str = "tmp_",
    function_name: str = "",
) -> Decompiled:
    """Decompile a code object, or the code of a function, method, wrapper or callable object.

    `readable=False` gives the literal form, with nothing evaluated away; `recompile=False` skips the check by
    recompilation, so that every verdict is `unchecked`. `skip` names passes to leave out.

    Examples:
        >>> import depyf
        >>> text = depyf.decompile(lambda x: x + 1)
        >>> print(text.strip())
        def lambda_(x):
            return x + 1
        >>> text.verdict.kind
        'exact'

    """
    target, function = code_and_function(code)
    surroundings = context_of(target, function.__qualname__ if function is not None else "")
    result = _core.decompile(
        target,
        readable=readable,
        skip=list(skip),
        recompile=recompile,
        indent=indent,
        temp_prefix=temp_prefix,
        function_name=function_name or _printable_name(target),
        compile=functools.partial(_compile_like, target, surroundings),
    )
    text, source_map = result.text, [MapEntry(*row) for row in result.source_map]
    opaque = dict(result.opaque)
    if function is not None and is_function(target):
        text, source_map = _with_live_header(text, source_map, function, opaque)
    context = dataclasses.replace(
        surroundings,
        class_name=result.class_name or surroundings.class_name,
        imports=tuple(sorted({*result.imports, *surroundings.imports})),
        opaque=opaque,
    )
    compiler = _compiler_name() if recompile else ""
    verdicts = [Verdict(kind, reason, offset, compiler, index) for index, kind, reason, offset in result.verdicts]
    return Decompiled(text, verdicts=verdicts, source_map=source_map, codes=result.codes, context=context)


def _printable_name(code: CodeType) -> str:
    """What the `def` of a function without a proper name is called: `lambda_`; "" leaves it to the core."""
    if (code.co_name.isidentifier() and not keyword.iskeyword(code.co_name)) or code.co_name in COMPREHENSIONS:
        return ""
    name = re.sub(r"\W", "_", code.co_name.strip("<>")) or "_"
    name = name if name.isidentifier() else "_" + name
    return name + "_" if keyword.iskeyword(name) else name


def _compile_like(
    target: CodeType, surroundings: RecompileContext, text: str, bindings: Sequence[tuple[str, Any, bool]]
) -> CodeType:
    """What the core calls to check a text: the code object that corresponds to `target` (a function: itself)."""
    return recompiled(text, dataclasses.replace(surroundings, opaque={row[0]: row[1] for row in bindings}), target)


def _compiler_name() -> str:
    import platform

    return f"CPython {platform.python_version()}"


def _with_live_header(
    text: str, source_map: list[MapEntry], function: FunctionType, opaque: dict[str, Any]
) -> tuple[str, list[MapEntry]]:
    name = defined_name(text)
    if name is None or not (function.__defaults__ or function.__kwdefaults__ or _is_annotated(function)):
        return text, source_map
    header, placeholders = header_of(function, name)
    opaque.update(placeholders)
    return with_header(text, header, source_map)


def _is_annotated(function: FunctionType) -> bool:
    # From 3.14 on reading __annotations__ runs the user's expressions; __annotate__ only tells that there are some.
    if getattr(function, "__annotate__", None) is not None:
        return True
    return not hasattr(function, "__annotate__") and bool(function.__annotations__)


class Decompiler:
    """The decompiler of one code object, as depyf 0.20 spelled it; `depyf.decompile` is the shorter way."""

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
