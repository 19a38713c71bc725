# SPDX-License-Identifier: MIT
"""Activations computed again in the backward pass, with the same dropout, and a function's own gradient."""

import torch
from said import say
from torch.utils.checkpoint import checkpoint


class Clamped(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(-1, 1)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return torch.where(x.abs() <= 1, grad, grad * 0.1)


class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = torch.nn.Linear(width, width, bias=False)  # Inductor times ways to sum a bias's gradient
        self.second = torch.nn.Linear(width, width, bias=False)

    def forward(self, x):
        h = torch.nn.functional.dropout(torch.tanh(self.first(x)), 0.2)
        return Clamped.apply(self.second(h))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.ModuleList(Block(32) for _ in range(3))

    def forward(self, x):
        for block in self.blocks:
            x = x + checkpoint(block, x, use_reentrant=False)
        return x.square().mean()


torch.manual_seed(0)
model = Model().cuda()
compiled = torch.compile(model)
for _ in range(3):
    loss = compiled(torch.randn(16, 32, device="cuda"))
    model.zero_grad()
    loss.backward()
    say(loss, *(p.grad for p in model.parameters()))
