# SPDX-License-Identifier: MIT
"""A side stream, events, and a random number generator of the GPU."""

import torch
from said import say

torch.manual_seed(0)
side = torch.cuda.Stream()


@torch.compile
def work(x):
    y = x.sin()
    with torch.cuda.stream(side):
        z = y.cos()
    torch.cuda.current_stream().wait_stream(side)
    return z + torch.rand_like(z).mul(0)


@torch.compile
def moves(x):
    y = x.to("cuda", non_blocking=True)
    return (y * 2).to("cpu"), torch.cuda.get_device_properties(x.device if x.is_cuda else 0).multi_processor_count > 0


x = torch.arange(64.0, device="cuda")
torch.cuda.synchronize()
say(work(x), work(x))
out, has_any = moves(torch.ones(8).pin_memory())
say(out)
print(has_any)
