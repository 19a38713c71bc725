# SPDX-License-Identifier: MIT
"""Sizes that change: a reduction, a sort and a segment sum of a number of rows that the graph does not know."""

import torch
from said import say


@torch.compile
def scores(x, groups):
    top = x.sort(dim=0, descending=True).values[: x.shape[0] // 2]
    total = torch.zeros(4, device=x.device).index_add_(0, groups, x.sum(dim=1))
    return torch.nn.functional.normalize(top, dim=1).sum(), total


torch.manual_seed(0)
for rows in (6, 10, 12, 3000):
    x = torch.randint(0, 9, (rows, 5), device="cuda").float()
    first, second = scores(x, torch.arange(rows, device="cuda") % 4)
    say(first.round(decimals=2), second)
