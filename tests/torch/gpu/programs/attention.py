# SPDX-License-Identifier: MIT
"""Attention by PyTorch's operator, and by flex_attention with a mask and a score of the program's own."""

import torch
from said import say
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

torch.manual_seed(0)
LENGTH = 256


def causal(b, h, q, k):
    return q >= k


def biased(score, b, h, q, k):
    return score + (q - k) * 0.01


@torch.compile
def both(q, k, v, mask):
    first = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    return first + flex_attention(q, k, v, score_mod=biased, block_mask=mask)


mask = create_block_mask(causal, None, None, LENGTH, LENGTH, device="cuda")
q, k, v = (torch.randn(1, 2, LENGTH, 64, device="cuda", dtype=torch.float16, requires_grad=True) for _ in range(3))
out = both(q, k, v, mask)
out.float().sum().backward()
say(out.float().mean().round(decimals=3), q.grad.float().abs().mean().round(decimals=2))
