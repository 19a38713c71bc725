# SPDX-License-Identifier: MIT
"""Defines a model of the zoo: its name, what it represents, and how to build it with inputs. Nothing is downloaded."""

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
    """A model of the zoo. Each call of `build` returns a new pair (module, keyword inputs)."""

    name: str
    suite: str  # transformers, timm, torchvision, plain or today
    build: Callable[[], tuple[torch.nn.Module, dict[str, Any]]]
    stands_for: str  # the class or builder, and what is smaller than in the original
    successor: bool = False  # the class of this name left its library; this is the most similar one


@dataclass
class Zoo:
    """All models by name, in the order in which they were added."""

    models: dict[str, Model] = field(default_factory=dict)

    def add(self, model: Model) -> None:
        """Adds a model; raises ValueError if the name exists."""
        if model.name in self.models:
            raise ValueError(f"{model.name} is in the zoo already")
        self.models[model.name] = model


def tokens(size: int = 64, length: int = 16, batch: int = 2) -> torch.Tensor:
    """Returns token ids below `size`, without the first few, which models use for padding and the like."""
    return torch.randint(5, size, (batch, length))


def image(size: int = 64, channels: int = 3, batch: int = 2) -> torch.Tensor:
    """Returns random images of `size` by `size` pixels."""
    return torch.randn(batch, channels, size, size)


def define_missing_operators() -> None:
    """Defines operators of torchvision's C++ part, which torchvision needs when others import it.

    No model calls them.
    """
    if importlib.util.find_spec("torchvision") is None:
        return
    try:  # the import also loads the C++ part, if that fits this torch
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
    """Imports a library that some models need, if it is installed; without it, building those models fails."""
    with contextlib.suppress(ImportError):
        importlib.import_module(name)


_libraries: list[torch.library.Library] = []  # operators exist only as long as their library object
