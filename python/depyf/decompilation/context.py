# SPDX-License-Identifier: MIT
"""What a decompiled function taken alone needs in order to compile as itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class RecompileContext:
    """What the text alone does not say, but needs in order to compile as the code object it came from.

    Attributes:
        free_variables: Names of variables of enclosing functions.
        class_name: Of the enclosing class, by which names are mangled; "" without one.
        imports: Names that the function's module imports.
        future_flags: What `from __future__` asks for there, as `compile()` takes it.
        opaque: The live object that each placeholder or dotted name in the text represents.

    Examples:
        >>> import depyf
        >>> def outer(k):
        ...     return lambda x: x + k
        >>> depyf.decompile(outer(1)).context.free_variables
        ('k',)

    """

    free_variables: tuple[str, ...] = ()
    class_name: str = ""
    imports: tuple[str, ...] = ()
    future_flags: int = 0
    opaque: Mapping[str, Any] = field(default_factory=dict)
