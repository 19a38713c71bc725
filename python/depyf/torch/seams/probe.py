# SPDX-License-Identifier: MIT
"""The probe of torch by feature, and what it found lacking."""

from __future__ import annotations

from typing import Any

_missing: dict[str, str] = {}
_probed: dict[str, Any] = {}


def missing() -> dict[str, str]:
    """The seams this torch lacks: name -> what is lost."""
    return dict(_missing)


def probe(path: str, lost: str) -> Any:
    """The object at dotted `path` below torch, or None (recorded once, with what is lost)."""
    if path in _probed:
        return _probed[path]
    import torch

    found: Any = None
    parts = path.split(".")
    try:
        found = torch
        for i, part in enumerate(parts[1:], start=2):
            if not hasattr(found, part):
                __import__(".".join(parts[:i]))
            found = getattr(found, part)
    except (ImportError, AttributeError):
        found = None
        lack(path, lost)
    _probed[path] = found
    return found


def lack(name: str, lost: str) -> None:
    """Records a part that this torch does not have."""
    import torch

    _missing[name] = f"torch {torch.__version__} has no {name}: {lost}"
