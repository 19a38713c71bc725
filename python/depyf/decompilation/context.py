# SPDX-License-Identifier: MIT
"""What a decompiled function taken alone needs in order to compile as itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class RecompileContext:
    """What the text alone does not say, but needs in order to compile as the code object it came from."""

    free_variables: tuple[str, ...] = ()
    class_name: str = ""
    imports: tuple[str, ...] = ()
    future_flags: int = 0
    opaque: Mapping[str, Any] = field(default_factory=dict)
    """The live object that each placeholder or dotted name in the text represents."""
