# SPDX-License-Identifier: MIT
"""`./dev zoo`: runs small versions of models of depyf's paper, and of newer ones, under depyf."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.zoo.spec import Model


@functools.cache
def every_model() -> dict[str, Model]:
    """Returns all models by name."""
    from tools.zoo import image_models, plain_models, text_models
    from tools.zoo.spec import Zoo

    zoo = Zoo()
    for module in (text_models, image_models, plain_models):
        module.add_to(zoo)
    return zoo.models
