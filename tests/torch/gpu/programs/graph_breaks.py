# SPDX-License-Identifier: MIT
"""A branch on a value on the GPU, a print, and a synchronization inside a compiled function."""

import torch
from said import say


@torch.compile
def toy(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    torch.cuda.synchronize()
    print("between")
    return x * b


for sign in (1, -1, 1):
    say(toy(torch.arange(10.0, device="cuda"), sign * torch.ones(10, device="cuda")))
