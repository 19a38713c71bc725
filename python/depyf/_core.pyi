# SPDX-License-Identifier: MIT
"""The native core, which decompiles live code objects and the content of `.pyc` files, and verifies texts."""

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

# Compiles a text. The second argument has (display name, object, is_expression) for each opaque constant.
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

_Origin = tuple[int, str]  # the offset and the operation of the instruction that produced a value

# The origins of the values on the stack from its bottom, of the items of lists on it, and of the values of variables;
# None if not certain.
def stack_origins(
    code: CodeType, offset: int, *, begun: bool
) -> tuple[list[_Origin | None], dict[_Origin, list[_Origin | None]], dict[str, _Origin]]: ...
def describe(code: CodeType) -> str: ...
def describe_pyc(data: bytes) -> str: ...
def set_leak_warnings(enabled: bool) -> None: ...
