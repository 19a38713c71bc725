# SPDX-License-Identifier: MIT
"""Disabled calls at every position in an expression."""

from __future__ import annotations

import torch

from . import case, disabled


@case(breaks="GB0098")
def statement(a, b):
    x = a + b
    disabled(x)
    return x * 2


@case(breaks="GB0098")
def at_the_end(a, b):
    return disabled(a + b)


@case(breaks="GB0098")
def at_the_start(a, b):
    return disabled(a) + b


@case(breaks="GB0098")
def operand(a, b):
    return (a + 1) * disabled(b + 2)


@case(breaks="GB0098")
def two_in_one_expression(a, b):
    return disabled(a) + disabled(b)


@case(breaks="GB0098")
def nested(a, b):
    return disabled(disabled(a + 1) * 2, disabled(b)) - 1


@case(breaks="GB0098")
def deep(a, b):
    return a + (b * (a - (b / (2 + disabled(a * b)))))


@case(breaks="GB0098")
def argument_of_a_call(a, b):
    return torch.add(a * 2, disabled(b), alpha=3)


@case(breaks="GB0098")
def keyword_arguments(a, b):
    return disabled(a, first=b, second=a * 2) + 1


@case(breaks="GB0098")
def keywords_in_a_dict(a, b):
    named = {"first": a * 2, "second": b}
    x = disabled(a, **named)
    return x, named


class Loss:
    """Returns its function from a property, which Dynamo does not trace."""

    scale = 3

    @property
    def function(self):
        torch._dynamo.graph_break()
        return disabled


def loss_and_more():
    return [(torch.linspace(-1.0, 1.0, 4), torch.ones(4), Loss(), {"second": torch.ones(4)})]


@case(loss_and_more, breaks="GB0025")
def star_keywords_behind_a_break(a, b, loss, more):
    x = a * 2 + b
    return loss.function(x, a, first=loss.scale, **more)


@case(breaks="GB0098")
def star_arguments(a, b):
    both = (a, b)
    named = {"x": a}
    return disabled(*both, **named) * 2


@case(breaks="GB0098")
def in_a_list(a, b):
    return [a + 1, disabled(b), a * b]


@case(breaks="GB0098")
def in_a_tuple(a, b):
    return (disabled(a), disabled(b), a)


@case(breaks="GB0098")
def in_a_dict(a, b):
    return {"a": a * 2, "b": disabled(b), "c": {"d": disabled(a)}}


@case(breaks="GB0098")
def subscripted(a, b):
    return disabled(a)[1:3] + b[disabled(torch.tensor(1)) :][:2]


@case(breaks="GB0098")
def attribute_of_the_result(a, b):
    return disabled(a).shape[0] + b


@case(breaks="GB0098")
def compared(a, b):
    return 0 < disabled(a.sum()) < b.sum() + 10


@case(breaks="GB0098")
def short_circuit(a, b):
    return (disabled(a).sum().item() > 100 and a) or b


@case(breaks="GB0098")
def conditional(a, b):
    y = disabled(a) if a.shape[0] == 4 else b
    return y * 2


@case(breaks="GB0098")
def formatted(a, b):
    n = disabled(a).shape[0]
    return f"{n}-{b.shape[0]:>3}", a * n


@case(breaks="GB0098")
def unpacked(a, b):
    x, *rest = disabled(torch.stack([a, b, a]))
    return x, rest


@case(breaks="GB0098")
def chained(a, b):
    x = y = disabled(a) * 2
    return x + y + b


@case(breaks="GB0098")
def augmented(a, b):
    a = a + 1
    a *= disabled(b)
    return a


@case(breaks="GB0098")
def walrus(a, b):
    return (x := disabled(a)) + x * b


@case(breaks="GB0025")
def plain_break(a, b):
    x = a + b
    torch._dynamo.graph_break()
    return x * b


@case(breaks="GB0025", skipped=True)
def many_breaks(a, b):
    for _ in range(6):
        a = a + b
        torch._dynamo.graph_break()
    return a


@case(breaks="GB0025")
def locals_of_all_kinds(a, b):
    n, s, t, d = 3, "s", (a, 1), {"k": b}
    torch._dynamo.graph_break()
    return t[0] * n + d["k"], s


@case(breaks="GB0025")
def dropped_locals(a, b):
    big = a * 3
    small = big.sum()
    del big
    torch._dynamo.graph_break()
    return small + b


@case(breaks="GB0025")
def deleted_behind_the_break(a, b):
    big = a * 3
    torch._dynamo.graph_break()
    y = big + b
    del big
    torch._dynamo.graph_break()
    return y * 2


@case(breaks="GB0025")
def many_outputs(a, b):
    xs = [a * i + b for i in range(20)]
    torch._dynamo.graph_break()
    return sum(xs)


@case(breaks="GB0025")
def no_graph_before(a, b):
    torch._dynamo.graph_break()
    return a + b


@case(breaks="GB0025")
def nothing_after(a, b):
    x = a + b
    torch._dynamo.graph_break()
    return x


@case(breaks="GB0025")
def same_value_twice(a, b):
    x = a + b
    y = x
    pair = [x, y, x]
    torch._dynamo.graph_break()
    return pair, x + y


@case(breaks="GB0025")
def aliases_kept(a, b):
    items = [a]
    other = items
    torch._dynamo.graph_break()
    other.append(b)
    return items, items is other


@case(breaks="GB0025")
def a_long_frame(a, b):
    xs = [a * i + b for i in range(300)]
    torch._dynamo.graph_break()
    return sum(xs), xs[7]
