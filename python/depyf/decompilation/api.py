# SPDX-License-Identifier: MIT
"""The public functions `decompile` and `decompile_pyc`.

Invariant: a text always comes with its verdict. What a live function has beyond its code object (defaults,
annotations) is in the text or, as a placeholder, in the context.
"""

from __future__ import annotations

import dataclasses
import functools
import keyword
import os
import re
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from depyf import _core

from .parameters import defined_name, header_of, with_header
from .recompile import COMPREHENSIONS, context_of, is_function
from .recompile import recompile as recompiled
from .resolve import code_and_function, hidden_builtins
from .result import Decompiled, MapEntry, RecompileContext, Verdict, VerdictKind

_MOST_COLUMNS = 64


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

    Args:
        code: What to decompile. For a bound method, a partial or a compiled function, this is the function it wraps.
        readable: If False, produce the literal form, which keeps containers that a framework's compiler fills and
            empties again.
        recompile: If False, skip the check by recompilation; every verdict is then `unchecked`.
        skip: Names of passes to skip. `depyfc --passes` lists them.
        indent: Columns for each level of indentation, 1 to 64.
        temp_prefix: Prefix for the names of variables that the text needs and the bytecode does not have. It is made
            longer if the code itself uses such a name.
        function_name: Name of the function in the text, instead of its own.

    Returns:
        The text, a `str` with `verdict`, `source_map`, `context` and `recompile()`.

    Raises:
        DecompilationError: The object has no Python code, or its code is malformed or exceeds the limits. If this is
            the case for a nested code object only, the text has a `raise SystemError` in its place, and its verdict
            says so.
        ValueError: `indent`, `temp_prefix`, `function_name` or a name in `skip` is invalid.
        TypeError: An option has a wrong type.

    Examples:
        >>> import depyf
        >>> text = depyf.decompile(lambda x: x + 1)
        >>> print(text.strip())
        def lambda_(x):
            return x + 1
        >>> text.verdict.kind.value
        'exact'

    """
    _check(readable, recompile, skip, indent, temp_prefix, function_name)
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
        hidden_builtins=hidden_builtins(function),
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


def decompile_pyc(
    pyc: str | os.PathLike[str] | bytes | bytearray | memoryview,
    *,
    version: tuple[int, int] | None = None,
    readable: bool = True,
    recompile: bool = True,
    skip: Sequence[str] = (),
    indent: int = 4,
    temp_prefix: str = "tmp_",
) -> Decompiled:
    """Decompile a `.pyc` file written by CPython 3.8 to 3.15.

    Args:
        pyc: The path of the file, or its content.
        version: The version of CPython that produced the bytes, such as `(3, 11)`, if they have no header. This is the
            case for the output of `marshal.dumps`.
        readable: As in `decompile`.
        recompile: If False, skip the check by recompilation. The check is only possible for files of the running
            Python version; for other files, and with `version`, every verdict is `unchecked`. `depyfc --python` can
            check with another Python.
        skip: As in `decompile`.
        indent: As in `decompile`.
        temp_prefix: As in `decompile`.

    Returns:
        The text, a `str` with `verdict` and `source_map`. `codes` is empty, because there are no live code objects.

    Raises:
        OSError: The file cannot be read.
        DecompilationError: It is not a `.pyc` file, or it is malformed or exceeds the limits.
        ValueError: As in `decompile`, or `version` is not a pair of numbers.

    Examples:
        >>> import depyf, marshal, sys
        >>> data = marshal.dumps(compile("x = [1]", "m", "exec"))
        >>> print(depyf.decompile_pyc(data, version=sys.version_info[:2]).strip())
        x = [1]

    """
    _check(readable, recompile, skip, indent, temp_prefix, "")
    if version is not None and not (len(version) == 2 and all(isinstance(n, int) and 0 <= n < 256 for n in version)):
        raise ValueError(f"version: wanted two numbers, as (3, 11), found {version!r}")
    data = bytes(pyc) if isinstance(pyc, (bytes, bytearray, memoryview)) else Path(pyc).read_bytes()
    result = _core.decompile_pyc(
        data,
        version=version,
        readable=readable,
        skip=list(skip),
        recompile=recompile and version is None,
        indent=indent,
        temp_prefix=temp_prefix,
    )
    compiler = _compiler_name() if recompile else ""
    verdicts = [
        Verdict(kind, reason, offset, compiler if kind != VerdictKind.UNCHECKED else "", index)
        for index, kind, reason, offset in result.verdicts
    ]
    return Decompiled(result.text, verdicts=verdicts, source_map=[MapEntry(*row) for row in result.source_map])


def _check(
    readable: bool, recompile: bool, skip: Sequence[str], indent: int, temp_prefix: str, function_name: str
) -> None:
    """Raises TypeError or ValueError if an option is invalid; the core checks whether the passes in `skip` exist."""
    for name, value, kind in (
        ("readable", readable, bool), ("recompile", recompile, bool), ("indent", indent, int),
        ("temp_prefix", temp_prefix, str), ("function_name", function_name, str),
    ):  # fmt: skip
        if not isinstance(value, kind):
            raise TypeError(f"{name}: wanted {kind.__name__}, found {value!r}")
    if isinstance(skip, str):
        raise ValueError(f"skip: wanted a sequence of names, found the text {skip!r}")
    if not isinstance(skip, Collection) or not all(isinstance(name, str) for name in skip):
        raise TypeError(f"skip: wanted a sequence of names, found {skip!r}")
    if not 1 <= indent <= _MOST_COLUMNS:
        raise ValueError(f"indent: wanted 1 to {_MOST_COLUMNS} columns, found {indent}")
    for name, value in (("temp_prefix", temp_prefix), ("function_name", function_name)):
        if value and not (value.isidentifier() and not (name == "function_name" and keyword.iskeyword(value))):
            raise ValueError(f"{name}: wanted an identifier, found {value!r}")


def _printable_name(code: CodeType) -> str:
    """Returns the name for the `def` of code whose own name is not an identifier, such as `lambda_`.

    Returns "" to let the core choose.
    """
    if (code.co_name.isidentifier() and not keyword.iskeyword(code.co_name)) or code.co_name in COMPREHENSIONS:
        return ""
    name = re.sub(r"\W", "_", code.co_name.strip("<>")) or "_"
    name = name if name.isidentifier() else "_" + name
    return name + "_" if keyword.iskeyword(name) else name


def _compile_like(
    target: CodeType, surroundings: RecompileContext, text: str, bindings: Sequence[tuple[str, Any, bool]]
) -> CodeType:
    """Compiles a text for the core, which checks it; returns the code object that corresponds to `target`."""
    return recompiled(text, dataclasses.replace(surroundings, opaque={row[0]: row[1] for row in bindings}), target)


def _compiler_name() -> str:
    import platform

    return f"CPython {platform.python_version()}"


def _with_live_header(
    text: str, source_map: list[MapEntry], function: FunctionType, opaque: dict[str, Any]
) -> tuple[str, list[MapEntry]]:
    """Adds defaults and annotations of a live function to the text; adds their placeholders to `opaque`."""
    name = defined_name(text)
    if name is None or not (function.__defaults__ or function.__kwdefaults__ or _is_annotated(function)):
        return text, source_map
    header, placeholders = header_of(function, name)
    opaque.update(placeholders)
    return with_header(text, header, source_map)


def _is_annotated(function: FunctionType) -> bool:
    # From 3.14 on, reading __annotations__ would evaluate the program's expressions, so ask only for __annotate__.
    if getattr(function, "__annotate__", None) is not None:
        return True
    return not hasattr(function, "__annotate__") and bool(function.__annotations__)
