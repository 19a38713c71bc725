# SPDX-License-Identifier: MIT
"""The backward pass compiled as a whole, hooks of parameters and a graph break in forward included."""

import torch
from said import say

torch._dynamo.config.compiled_autograd = True


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(16, 32)
        self.second = torch.nn.Linear(32, 4)

    def forward(self, x):
        h = torch.relu(self.first(x))
        torch._dynamo.graph_break()
        return self.second(h)


def scale(grad):
    return grad * 0.5


torch.manual_seed(0)
model = Model().cuda()
model.first.weight.register_hook(scale)


@torch.compile
def train(x, y):
    loss = torch.nn.functional.mse_loss(model(x), y)
    loss.backward()
    return loss.detach()


for _ in range(3):
    model.zero_grad()
    loss = train(torch.randn(8, 16, device="cuda"), torch.randn(8, 4, device="cuda"))
    say(loss, *(p.grad for p in model.parameters()))
