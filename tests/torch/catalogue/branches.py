# SPDX-License-Identifier: MIT
"""Branches, loops and `match` on values that are only known at run time."""

from __future__ import annotations

import torch

from . import case, disabled


def both_signs():
    return [(torch.linspace(-1.0, 1.0, 4), sign * torch.ones(4)) for sign in (1, -1, 1)]


@case(both_signs, breaks="GB0170")
def toy(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


@case(both_signs, breaks="GB0170")
def both_arms(a, b):
    y = a * 2 if b.sum() > 0 else a - 1
    return y + b


@case(both_signs, breaks="GB0170")
def three_ways(a, b):
    if b.sum() < -10:
        return a
    elif b.sum() < 0:
        return -a
    else:
        return a + b


@case(both_signs, breaks="GB0170")
def negated(a, b):
    if not b.sum() > 0:
        a = a + 1
    return a


@case(both_signs, breaks="GB0170")
def and_or(a, b):
    if (b.sum() > 0 and a.sum() > -1) or b.sum() < -100:
        return a
    return b


@case(both_signs, breaks="GB0170")
def nested_ifs(a, b):
    if b.sum() > 0:
        if a.sum() > 100:
            return a
        b = b * 2
    return a + b


@case(both_signs, breaks="GB0170")
def while_on_a_tensor(a, b):
    n = 0
    while b.sum() < 8:
        b = b + 3
        n += 1
    return a * b, n


@case(breaks="GB7000", skipped=True)
def break_in_a_loop(a, b):
    for i in range(3):
        a = a + disabled(b) * i
    return a


@case(breaks="GB7000", skipped=True)
def break_in_a_loop_over_a_list(a, b):
    out = []
    for x in [a, b, a * b]:
        out.append(disabled(x))
    return out


@case(breaks="GB7000", skipped=True)
def while_with_a_break(a, b):
    i = 0
    while i < 3:
        if i == 2:
            break
        a = disabled(a) + b
        i += 1
    else:
        a = a * 100
    return a


@case(both_signs, breaks="GB0124")
def item(a, b):
    n = int(b.sum().item())
    return a * n


@case(breaks="GB0098")
def matched(a, b):
    match disabled(a).shape:
        case (4,):
            return a + b
        case _:
            return a


@case(breaks="GB0098")
def matched_mapping(a, b):
    match {"kind": "add", "x": disabled(a)}:
        case {"kind": "add", "x": x}:
            return x + b
        case {"kind": other}:
            return other
    return None


@case(both_signs)
def asserted(a, b):
    assert b.sum() != 0, "nothing"
    return a / b.sum()


@case(both_signs, breaks="GB0170")
def branch_in_a_comprehension(a, b):
    return [x * 2 for x in (a, b) if x.sum() >= 0]


@case(both_signs, breaks="GB0170")
def branch_then_break(a, b):
    if b.sum() > 0:
        torch._dynamo.graph_break()
        a = a * 2
    a = a + 1
    torch._dynamo.graph_break()
    return a


@case(both_signs, breaks="GB0170")
def inlined_helper(a, b):
    def helper(x):
        if x.sum() > 0:
            return x + 1
        return x - 1

    return helper(a) * helper(b)
