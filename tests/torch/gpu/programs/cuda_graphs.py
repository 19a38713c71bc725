# SPDX-License-Identifier: MIT
"""What is recorded as a CUDA graph, recorded anew, and what is not, and torch's own count of the latter."""

import torch
from said import say
from torch._dynamo.utils import counters

torch.manual_seed(0)


def reduce_overhead(function):
    return torch.compile(function, mode="reduce-overhead")


@reduce_overhead
def captured(x, w):
    return torch.relu(x @ w).sum(dim=0)


@reduce_overhead
def fills(x):
    x.add_(1)  # of a tensor that no CUDA graph owns
    return x * 2


@reduce_overhead
def mixes(x, scale):
    y = x.sin()
    return y.cpu() * scale  # the rest is on the CPU


@reduce_overhead
def any_length(x):
    return (x * 2).cos()


@reduce_overhead
def looks_up(x, places, values):
    x[places] = values
    return x.nonzero()


w = torch.randn(16, 16, device="cuda", requires_grad=True)
for _ in range(4):
    torch.compiler.cudagraph_mark_step_begin()
    out = captured(torch.randn(8, 16, device="cuda"), w)
    w.grad = None
    out.sum().backward()
    say(out, w.grad)
for _ in range(3):
    torch.compiler.cudagraph_mark_step_begin()
    say(fills(torch.ones(8, device="cuda")))
    say(mixes(torch.ones(8, device="cuda"), torch.full((), 3.0)))
for size in range(4, 17):
    torch.compiler.cudagraph_mark_step_begin()
    say(any_length(torch.ones(size, device="cuda")))
for _ in range(2):
    torch.compiler.cudagraph_mark_step_begin()
    say(looks_up(torch.zeros(8, device="cuda"), torch.tensor([1, 3], device="cuda"), torch.ones(2, device="cuda")))
print("skips", counters["inductor"]["cudagraph_skips"])
