# SPDX-License-Identifier: MIT
"""A matrix product and a convolution for which Inductor tries several kernels and keeps the fastest."""

import torch
import torch._inductor.config as config
from said import say

config.deterministic = False  # it times kernels
config.max_autotune_gemm_backends = "TRITON"  # so that a template of Triton is what runs
torch.manual_seed(0)


@torch.compile(mode="max-autotune-no-cudagraphs")
def layer(x, w, b):
    return torch.relu(x @ w + b)


x = torch.randn(128, 64, device="cuda", dtype=torch.float16)
w = torch.randn(64, 96, device="cuda", dtype=torch.float16)
say(layer(x, w, torch.ones(96, device="cuda", dtype=torch.float16)).float().mean().round(decimals=2))
