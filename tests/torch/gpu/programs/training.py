# SPDX-License-Identifier: MIT
"""A block of a transformer, trained in mixed precision: forward and backward graphs, dropout, a compiled optimizer."""

import torch
from said import say


class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.first = torch.nn.Linear(width, 4 * width)
        self.second = torch.nn.Linear(4 * width, width)
        self.drop = torch.nn.Dropout(0.1)

    def forward(self, x):
        h = self.norm(x)
        h = torch.nn.functional.gelu(self.first(h))
        return x + self.drop(self.second(h))


torch.manual_seed(0)
model = torch.nn.Sequential(Block(32), Block(32)).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
compiled = torch.compile(model)


@torch.compile
def update():
    optimizer.step()


for _ in range(3):
    x = torch.randn(8, 16, 32, device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = compiled(x).float().pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    update()
    say(loss)
say(*model.parameters())
