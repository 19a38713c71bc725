# SPDX-License-Identifier: MIT
"""One rank of DistributedDataParallel over NCCL: its buckets cut the graph, its hooks run in the backward."""

import torch
import torch.distributed as dist
from said import say

dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29577", rank=0, world_size=1)
torch.manual_seed(0)
layers = torch.nn.Sequential(*(torch.nn.Linear(512, 512) for _ in range(4))).cuda()
model = torch.nn.parallel.DistributedDataParallel(layers, bucket_cap_mb=1)
compiled = torch.compile(model)
for _ in range(2):
    compiled(torch.ones(4, 512, device="cuda")).pow(2).sum().backward()
say(*(p.grad for p in layers.parameters()))


@torch.compile
def reduced(x):
    y = x * 2
    dist.all_reduce(y)
    return y + 1


say(reduced(torch.ones(8, device="cuda")))
dist.destroy_process_group()
