# SPDX-License-Identifier: MIT
"""What a model of the zoo is: a name, what it represents, and how to build it with inputs. No download, ever."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch


@dataclass(frozen=True)
class Model:
    """One name of the zoo. `build` returns (module, keyword inputs) and may be called again for a fresh pair."""

    name: str
    suite: str  # transformers, timm, torchvision, plain or today
    build: Callable[[], tuple[torch.nn.Module, dict[str, Any]]]
    stands_for: str  # the class or builder, and what is smaller than the original
    successor: bool = False  # the name's class left its library; this is the nearest one


@dataclass
class Zoo:
    """All models, by name, in the order they were added."""

    models: dict[str, Model] = field(default_factory=dict)

    def add(self, model: Model) -> None:
        """Adds a model; a name is used once."""
        if model.name in self.models:
            raise ValueError(f"{model.name} is in the zoo already")
        self.models[model.name] = model


def tokens(size: int = 64, length: int = 16, batch: int = 2) -> torch.Tensor:
    """Token ids below `size`, without the first few, which models use for padding and the like."""
    return torch.randint(5, size, (batch, length))


def image(size: int = 64, channels: int = 3, batch: int = 2) -> torch.Tensor:
    """Images of `size` by `size` points."""
    return torch.randn(batch, channels, size, size)


def define_missing_operators() -> None:
    """torchvision's Python, which others import, wants operators of its C++ part; no model here calls them."""
    if importlib.util.find_spec("torchvision") is None:
        return
    try:  # the C++ part is loaded by the import, where it fits this torch
        importlib.import_module("torchvision")
        return
    except RuntimeError:  # operator torchvision::nms does not exist
        for name in [name for name in sys.modules if name.partition(".")[0] == "torchvision"]:
            del sys.modules[name]
    library = torch.library.Library("torchvision", "DEF")
    library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    library.define("qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    _libraries.append(library)


def import_if_there(name: str) -> None:
    """Imports a library that some models need; without it those models say so when they are built."""
    with contextlib.suppress(ImportError):
        importlib.import_module(name)


_libraries: list[torch.library.Library] = []  # a library's operators live as long as it
