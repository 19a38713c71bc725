# SPDX-License-Identifier: MIT
"""Tensors: in-place operations, views, changing shapes, autograd, transforms, random state, data-dependent numbers."""

from __future__ import annotations

import math
import random

import torch

from . import case, disabled, ones


def sizes():
    return [(torch.linspace(-1.0, 1.0, n), torch.ones(n)) for n in (4, 6, 9)]


def numbers():
    return [(*ones()[0], n, f) for n, f in ((2, 0.5), (3, 1.5), (7, -2.0))]


def leaves():
    return [(torch.linspace(-1.0, 1.0, 4, requires_grad=True), torch.ones(4, requires_grad=True))]


def signs():
    a, b = ones()[0]
    return [(a, b), (-a, -b)]


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n = n
        return x * n

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * ctx.n + x * 0, None


@case(sizes)
def sizes_that_change(a, b):
    n = a.shape[0]
    x = a.reshape(-1)[: n - 1]
    torch._dynamo.graph_break()
    y = torch.zeros(n) + b
    return x * n, y.sum() / disabled(n)


@case(sizes)
def branches_on_sizes(a, b):
    n = a.size(0)
    if n > 5:
        a = disabled(a) * n
    if n % 2 == 0:
        return a.view(2, -1) + b.view(2, n // 2)
    torch._dynamo.graph_break()
    return a + b


@case(sizes)
def loops_over_sizes(a, b):
    a = a + b
    torch._dynamo.graph_break()
    out = []
    for i in range(0, a.shape[0], 2):
        out.append(a[i] * i)
        if i == disabled(2):
            out.append(b[i])
    return torch.stack(out), len(out)


@case(numbers)
def numbers_that_change(a, b, n, f):
    x = a * n + f
    torch._dynamo.graph_break()
    y = x ** (n % 2) - math.floor(f)
    return y, n // 2, f"{n}:{f}", disabled(n) + n


@case(numbers)
def tests_of_numbers(a, b, n, f):
    x = a if f > 0 else b
    y = disabled(x) * max(n, 3)
    if 2 < n <= 7 and f != 1.5:
        y = y - min(f, 1.0)
    return y, abs(f), round(f), n in (2, 7)


@case()
def in_place_and_views(a, b):
    a = a + b
    torch._dynamo.graph_break()
    v = a[1:3]
    v.mul_(2)
    torch._dynamo.graph_break()
    a.view(2, 2)[0] += 1
    v.zero_()
    b.copy_(disabled(a))
    return v, a


@case()
def indexed_stores(a, b):
    a[0], a[-1] = 5, b[0]
    mask = b > 0
    torch._dynamo.graph_break()
    a[mask] = 0
    a[disabled([1, 2])] = b[:2]
    return a, mask.sum()


@case()
def metadata_asked(a, b):
    kind = a.dtype, a.device.type, a.dim(), a.is_contiguous(), a.stride()
    torch._dynamo.graph_break()
    x = torch.zeros_like(a, dtype=torch.int64) + disabled(1)
    return x.to(a.dtype) + b, [str(k) for k in kind], x.numel(), x.element_size()


@case()
def splits_and_joins(a, b):
    p, q = a.chunk(2)
    r, *_ = torch.split(b, [1, 3])
    torch._dynamo.graph_break()
    s = torch.cat([p, disabled(q), r])
    values, indices = s.sort()
    top = torch.topk(s, k=disabled(2))
    return values, indices, top.values


@case(signs)
def data_decides(a, b):
    if b.sum() > 0 and a[0] < 0:
        x = a.abs()
    elif b.max().item() > 5:
        x = b
    else:
        x = disabled(a) - 1
    return x * 2 if x.mean() > 0 else x


@case(signs)
def data_decides_in_a_loop(a, b):
    a = a + b
    torch._dynamo.graph_break()
    steps = 0
    for i in range(3):
        if (a * i + b).sum() > 0:
            steps += 1
            continue
        a = a + 1
    return a, steps


@case(signs)
def data_decides_when_to_leave(a, b):
    for i in range(4):
        a = a + b
        if a.sum() > 6:
            return a * i
        if a.min() < -4:
            break
    else:
        a = a + 100
    return a


@case(signs)
def numbers_read_from_data(a, b):
    n = int(b.sum().item())
    k = float(a[0]) + n
    flags = [bool(v > 0) for v in b]
    return a * n + k, flags, b.tolist()


@case(leaves)
def gradients_across_breaks(a, b):
    x = (a * b).sum()
    torch._dynamo.graph_break()
    y = disabled(x) * 2
    return y, y.requires_grad, a.detach() + b.detach()


@case(leaves)
def backward_by_hand(a, b):
    loss = (a * b).pow(2).sum()
    loss.backward()
    torch._dynamo.graph_break()
    grad = a.grad * 2
    a.grad = None
    return grad, a.grad is None


@case(leaves)
def own_autograd_function(a, b):
    x = Scaled.apply(a, 3)
    torch._dynamo.graph_break()
    y = Scaled.apply(b, disabled(2))
    return x + y


@case(leaves)
def tensor_hooks(a, b):
    x = a * 2
    x.register_hook(lambda g: g * 3)
    torch._dynamo.graph_break()
    return x.sum() + disabled(b).sum()


@case(leaves)
def detached_and_cloned(a, b):
    x = a.detach().clone()
    x.add_(1)
    torch._dynamo.graph_break()
    x.requires_grad_()
    return disabled(x) * b, x.is_leaf


@case()
def mapped_over_rows(a, b):
    rows = a.view(2, 2)
    x = torch.func.vmap(lambda v: v * 2 + v.sum())(rows)
    torch._dynamo.graph_break()
    y = torch.func.vmap(torch.dot, in_dims=(0, 0))(disabled(rows), b.view(2, 2))
    return x, y


@case()
def differentiated(a, b):
    f = lambda v: (v * v * b).sum()  # noqa: E731
    x = torch.func.grad(f)(a)
    y = disabled(x)
    return torch.func.grad(f)(y), torch.func.vmap(torch.func.grad(lambda v: v**3))(b)


@case(signs)
def conditional_operator(a, b):
    x = torch.cond(b.sum() > 0, lambda v: v + 1, lambda v: v - 1, (a,))
    torch._dynamo.graph_break()
    return disabled(x) * 2


@case()
def random_state_of_torch(a, b):
    torch.manual_seed(7)
    x = a + torch.rand(4)
    torch._dynamo.graph_break()
    y = torch.randn(4) * disabled(b)
    return x, y, torch.randint(0, 5, (2,))


@case()
def random_state_of_python(a, b):
    a = a + b
    torch._dynamo.graph_break()
    random.seed(1)
    n, k = random.random(), random.randint(0, 9)
    torch._dynamo.graph_break()
    items = [1, 2, 3]
    random.shuffle(items)
    return a * n + k, random.uniform(0, 1), random.choice(items)


@case()
def dropout_and_training(a, b):
    torch.manual_seed(3)
    x = torch.nn.functional.dropout(a, 0.5, training=True)
    torch._dynamo.graph_break()
    return x, torch.nn.functional.dropout(disabled(b), 0.5, training=False)


@case()
def attention_and_losses(a, b):
    q = a.view(1, 1, 2, 2)
    x = torch.nn.functional.scaled_dot_product_attention(q, q, disabled(q))
    torch._dynamo.graph_break()
    loss = torch.nn.functional.mse_loss(x.view(-1), b, reduction=disabled("sum"))
    return loss, torch.nn.functional.softmax(disabled(a), dim=0)


@case()
def types_promoted(a, b):
    x = a.to(torch.float64) + b
    y = (a > 0) & (b > 0) | disabled(a < 0)
    torch._dynamo.graph_break()
    z = x.to(torch.complex128) * 1j
    return x, y, z.real, disabled(z).imag


@case()
def numbers_of_the_library(a, b):
    x = a * math.pi + math.sqrt(4)
    torch._dynamo.graph_break()
    y = x * math.prod([1, 2]) + math.gcd(disabled(6), 4)
    return y, divmod(7, 2), pow(2, disabled(3)), sum([1, 2], start=disabled(1)), round(2.5)


@case()
def constants_of_all_kinds(a, b):
    things = (None, True, ..., 1.5, 2j, b"by", "s", ((), 1), range(3))
    torch._dynamo.graph_break()
    return a[things[7][1]] + disabled(b)[:1], [repr(t) for t in things], things[0] is None


@case()
def default_settings_asked(a, b):
    kind = torch.get_default_dtype()
    x = torch.zeros(4, dtype=kind) + a
    torch._dynamo.graph_break()
    on = torch.is_grad_enabled(), torch.is_inference_mode_enabled()
    return disabled(x) + b, on, torch.finfo(kind).bits
