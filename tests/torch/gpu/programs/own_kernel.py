# SPDX-License-Identifier: MIT
"""Kernels that the program wrote itself, in Triton: called as they are, tuned, and behind an operator."""

import torch
import triton
import triton.language as tl
from said import say


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out_ptr + at, tl.load(x_ptr + at, mask=mask) + tl.load(y_ptr + at, mask=mask), mask=mask)


@triton.autotune(configs=[triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 128})], key=["n"])
@triton.jit
def double_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out_ptr + at, tl.load(x_ptr + at, mask=mask) * 2, mask=mask)


@torch.library.triton_op("depyf_gpu::double", mutates_args=())
def double(x: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(x)
    n = x.numel()
    torch.library.wrap_triton(double_kernel)[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, out, n)
    return out


@torch.compile
def work(x, y):
    out = torch.empty_like(x)
    n = out.numel()
    add_kernel[(triton.cdiv(n, 128),)](x.sin(), y, out, n, BLOCK=128)
    return double(out).cos() + 1


x = torch.arange(300.0, device="cuda")
say(work(x, x + 1))
