# SPDX-License-Identifier: MIT
"""The native core: live code objects and .pyc bytes in; text, source map, verdicts and context out."""

from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any

class Result:
    """The outcome of one decompilation."""

    @property
    def text(self) -> str: ...
    @property
    def source_map(
        self,
    ) -> list[tuple[int, int, int, int, int, int]]: ...  # code, offset, line, column, end line, end column
    @property
    def codes(self) -> list[CodeType]: ...
    @property
    def verdicts(self) -> list[tuple[int, str, str, int | None]]: ...  # code, kind, reason, offset
    @property
    def free_variables(self) -> tuple[str, ...]: ...
    @property
    def class_name(self) -> str: ...
    @property
    def imports(self) -> tuple[str, ...]: ...
    @property
    def future_flags(self) -> int: ...
    @property
    def opaque(self) -> dict[str, Any]: ...

# Called with a text and, for each opaque constant, (display, object, is_expression).
_Compile = Callable[[str, Sequence[tuple[str, Any, bool]]], CodeType]

def decompile(
    code: CodeType,
    *,
    readable: bool = True,
    skip: Sequence[str] = ...,
    recompile: bool = True,
    indent: int = 4,
    temp_prefix: str = "tmp_",
    function_name: str = "",
    hidden_builtins: Sequence[str] = ...,
    compile: _Compile | None = None,
) -> Result: ...
def decompile_pyc(
    data: bytes,
    *,
    version: tuple[int, int] | None = None,
    readable: bool = True,
    skip: Sequence[str] = ...,
    recompile: bool = True,
    indent: int = 4,
    temp_prefix: str = "tmp_",
    compile: _Compile | None = None,
) -> Result: ...
def verify(
    a: CodeType, b: CodeType, *, hidden_builtins: Sequence[str] = ...
) -> list[tuple[int, str, str, int | None]]: ...
def dump_stage(code: CodeType, stage: str, *, readable: bool = True, skip: Sequence[str] = ...) -> str: ...

_Origin = tuple[int, str]  # offset of the instruction that left a value, and its operation

# The stack from its bottom, the items of lists there, and what variables were assigned; None: not certain.
def stack_origins(
    code: CodeType, offset: int, *, begun: bool
) -> tuple[list[_Origin | None], dict[_Origin, list[_Origin | None]], dict[str, _Origin]]: ...
def describe(code: CodeType) -> str: ...
def describe_pyc(data: bytes) -> str: ...
def set_leak_warnings(enabled: bool) -> None: ...
