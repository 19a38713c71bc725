# SPDX-License-Identifier: MIT
"""The surroundings that a decompiled function needs in order to compile to the same code object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class RecompileContext:
    """The facts that a text needs, besides itself, to compile to the code object it was decompiled from.

    Attributes:
        free_variables: Names of variables of enclosing functions.
        class_name: Name of the enclosing class, with which private names are mangled; "" if there is none.
        imports: Names that the function's module imports.
        future_flags: The `from __future__` imports of that module, as the `flags` of `compile()`.
        opaque: The live object for each placeholder or dotted name in the text.

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
