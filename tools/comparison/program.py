# SPDX-License-Identifier: MIT
"""The program of the comparison: it has a graph break, a recompilation, a specialized size and several kernels.

`--transposed` calls it with another memory layout; under torchrun, only rank 1 has one more graph break.
"""

import argparse
import os

import torch


def normalise(x):
    """Divides each element by the sum."""
    return x / (x.abs().sum() + 1)


@torch.compile
def step(x):
    """Breaks at a branch on a value; called with two sizes, it is compiled twice."""
    y = torch.softmax(normalise(x), dim=-1)
    if y.sum() < 0:
        y = -y
    return torch.cumsum(y.sin(), 0)


@torch.compile
def pinned(x):
    """Specializes a size."""
    if x.shape[0] == 8:  # specializes the size that the caller marked as dynamic
        return x.cos()
    return x.tan()


@torch.compile
def of_rank(x, rank):
    """Has a graph break on one rank."""
    x = x + 1
    if rank == 1:
        torch._dynamo.graph_break()
    return x * 2


def main() -> None:
    """Calls each compiled function as the questions need it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--transposed", action="store_true")
    transposed = parser.parse_args().transposed
    if "RANK" in os.environ:
        torch.distributed.init_process_group("gloo")
    for rows in (8, 9):
        x = torch.rand(16, rows).t() if transposed else torch.rand(rows, 16)
        step(x)
    marked = torch.rand(8, 4)
    torch._dynamo.maybe_mark_dynamic(marked, 0)
    pinned(marked)
    of_rank(torch.rand(3), int(os.environ.get("RANK", "0")))
    if "RANK" in os.environ:
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
