# SPDX-License-Identifier: MIT
"""Inductor's code in C++ that launches Triton's kernels."""

import torch
import torch._inductor.config as config
from said import say

config.cpp_wrapper = True
torch.manual_seed(0)


@torch.compile
def layer(x, w):
    return torch.softmax(x @ w, dim=-1).sum(dim=0)


w = torch.randn(16, 16, device="cuda", requires_grad=True)
out = layer(torch.randn(8, 16, device="cuda"), w)
out.pow(2).sum().backward()
say(out.round(decimals=4), w.grad.round(decimals=4))
