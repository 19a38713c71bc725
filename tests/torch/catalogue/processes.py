# SPDX-License-Identifier: MIT
"""Collective operations in compiled functions, in a group of one process."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
import torch.distributed as dist
from torch import nn

from . import case, disabled


def alone(*arguments: Any) -> Iterator[tuple[Any, ...]]:
    """Yields the arguments of one call within a process group; callables among them are called in it."""
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        yield tuple(make() for make in arguments)
    finally:
        dist.destroy_process_group()


def tensors() -> Iterator[tuple[Any, ...]]:
    return alone(lambda: torch.ones(4), lambda: torch.linspace(-1.0, 1.0, 4))


@case(tensors)
def all_reduce_between_breaks(a, b):
    a = disabled(a, b)
    dist.all_reduce(a)
    torch._dynamo.graph_break()
    return a * dist.get_world_size() + dist.get_rank()


@case(tensors, breaks="GB0172")
def all_reduce_in_the_background(a, b):
    a = a + b
    work = dist.all_reduce(a, async_op=True)
    work.wait()
    return a * 2


@case(tensors, breaks="GB1750")
def point_to_point_made(a, b):
    a = a + b
    made = dist.P2POp(dist.isend, a, 0)
    return a * 2, made.peer


@case(tensors, breaks="GB2696", skipped=True)
def sent_to_itself(a, b):
    a = a + b
    with contextlib.suppress(ValueError, RuntimeError):
        dist.isend(a, 0)
    return a * 2


@case(tensors, breaks="GB9300", skipped=True)
def a_batch_of_nothing(a, b):
    a = a + b
    try:
        dist.batch_isend_irecv([])
    except (RuntimeError, IndexError, ValueError) as error:
        return a * 2, type(error).__name__
    return a * 3


@case(
    lambda: alone(lambda: torch.ones(4), lambda: dist.P2POp(dist.isend, torch.ones(4), 0)),
    breaks="GB9860",
)
def point_to_point_changed(a, made):
    a = a + 1
    made.tag = 3
    return a * made.tag


class Trained:
    """A model in shards, held by an object: hooks of the model count on from one run to the next."""

    def __init__(self) -> None:
        from torch.distributed.fsdp import FullyShardedDataParallel

        model = nn.Linear(4, 2)
        self.model = FullyShardedDataParallel(model, device_id=torch.device("cpu"), use_orig_params=False)


@case(lambda: alone(Trained, lambda: torch.ones(3, 4)), breaks="GB0053", skipped=True)
def sharded_without_original_parameters(trained, x):
    x = x * 2
    return trained.model(x).detach().sum()
