# SPDX-License-Identifier: MIT
"""A disabled call in each kind of statement and expression; most programs have several."""

from __future__ import annotations

import types

import torch

from . import case, disabled, ones

LAST: object = None


def last():
    return LAST


def with_box():
    return [(*ones()[0], types.SimpleNamespace(v=torch.ones(4), w=[1, 2, 3], d={"k": torch.zeros(4)}))]


@case()
def in_each_operand(a, b):
    x = disabled(a) - disabled(b)
    y = x @ disabled(b)
    z = -(disabled(x) ** 2)
    return x, y, z, ~disabled(a > 0), disabled(x) // disabled(b)


@case()
def in_comparisons(a, b):
    less = disabled(a).sum() < b.sum()
    between = a.min() <= disabled(b).max() <= disabled(a * 9).max()
    same = disabled(a) is a, disabled(b) is not b
    return less, between, same


@case()
def in_membership(a, b):
    sizes = [1, 4]
    inside = disabled(4) in sizes
    outside = a.shape[0] not in disabled(sizes)
    return a + inside, b + outside


@case()
def in_chained_conditions(a, b):
    x = a if disabled(1) and disabled(0) else b
    y = (disabled(0) or disabled(a)) + 1
    z = a if not disabled(0) and (disabled(1) or disabled(2)) else b
    return x, y, z


@case()
def in_a_condition_of_a_condition(a, b):
    return disabled(a if disabled(1) else b) if disabled(0) else (disabled(b) if disabled(2) else a)


@case()
def in_slices(a, b):
    x = a[disabled(1) : disabled(3)]
    y = b[:: disabled(2)]
    a[disabled(0) : 2] = disabled(b)[:2]
    return x, y, a[..., disabled(1)]


@case(with_box)
def in_stores(a, b, o):
    o.v = disabled(a)
    o.w[disabled(1)] = disabled(7)
    disabled(o).d["n"] = disabled(b)
    o.w[disabled(0)] += disabled(5)
    o.v += disabled(a)
    return o.v + o.w[0]


@case(with_box)
def in_deletions(a, b, o):
    del o.w[disabled(0)]
    del disabled(o).d["k"]
    del o.w[disabled(0) : disabled(1)]
    return a + len(o.w) + len(o.d)


@case(observe=last)
def in_global_stores(a, b):
    global LAST
    LAST = disabled(a)
    x = LAST + b
    LAST = disabled(3)
    return x * LAST


@case()
def in_starred_targets(a, b):
    first, *rest = disabled([a, b, a * b])
    (x, y), [z, *_] = disabled((a, b)), disabled([b, a])
    *front, last_one = rest
    return first, x + y, z, front, disabled(last_one)


@case()
def in_chained_stores(a, b):
    x = y = disabled(a)
    x = (z := disabled(x) + 1) * disabled(y)
    p = q, r = disabled((x, z))
    return p, q - r


@case()
def in_all_displays(a, b):
    parts = [disabled(a), *disabled([b, a]), a]
    table = {"x": disabled(a), **disabled({"y": b}), "z": disabled(b)}
    names = {disabled(1), *disabled((2, 3))}
    return parts, table, names, (*disabled((a,)), disabled(b))


@case()
def in_all_kinds_of_arguments(a, b):
    def take(x, /, y, *more, k, **named):
        return x + y + sum(more) + k + sum(named.values())

    p = take(disabled(a), disabled(b), k=disabled(1))
    q = take(a, *disabled([b, a]), k=disabled(2), z=b)
    r = take(*disabled((a, b)), **disabled({"k": a, "w": b}))
    return p, q, r


@case()
def in_calls_of_what_it_gives(a, b):
    pick = disabled([torch.sin, torch.cos])
    x = pick[disabled(0)](a)
    y = disabled(pick)[1](disabled(b))
    return disabled(torch.add)(x, y)


@case()
def in_method_chains(a, b):
    a = a + b
    torch._dynamo.graph_break()
    x = disabled(a).mul(2).add(disabled(b)).relu()
    return disabled(x.view(2, 2)).t().contiguous().view(disabled(4))


@case()
def in_formatted_text(a, b):
    n = a.shape[0]
    text = f"{disabled(n)}:{disabled(n)!r:>{disabled(4)}}|{n:{disabled(3)}d}"
    other = "%s-%d" % (disabled("s"), disabled(n))
    return a + len(text), text + other, "{:>3}".format(disabled(n))  # noqa: UP032


@case()
def in_comprehension_sources(a, b):
    x = [v * 2 for v in disabled([a, b])]
    y = {k: v + 1 for k, v in disabled({"p": a}).items()}
    z = sum(v for v in disabled([a, b, a]))
    return x, y, z, len({v % 2 for v in disabled([1, 1, 2])})


@case()
def in_lambdas_and_defaults(a, b):
    f = lambda x, y=disabled(b): x + y  # noqa: B008, E731
    g = lambda: disabled(a)  # noqa: E731

    def h(x, *, k=disabled(2)):  # noqa: B008
        return x * k

    return f(a), g(), h(disabled(b))


@case()
def in_asserts(a, b):
    assert disabled(1), "no"
    x = a + b
    assert disabled(x).shape == a.shape, f"{disabled(x)}"
    assert x.shape[0] == disabled(4)
    return x


@case()
def failing_assert_with_a_disabled_message(a, b):
    x = a * b
    assert x.shape[0] == disabled(5), "size " + str(disabled(x.shape[0]))
    return x


@case()
def in_returns_of_branches(a, b):
    if disabled(0):
        return disabled(a)
    x = a + b
    if disabled(1):
        return disabled(x), x
    return disabled(b)


@case()
def in_loop_headers(a, b):
    for i in range(disabled(2)):
        a = a + i
    for k, v in disabled({"p": b}).items():
        a = a * v + len(k)
    n = 0
    while n < disabled(2):
        n += 1
        a = a - n
    return a


@case()
def in_loop_bodies_with_exits(a, b):
    a = a + b
    torch._dynamo.graph_break()
    for i in range(4):
        if disabled(i) == 2:
            break
        if i == disabled(1):
            continue
        a = a + disabled(b)
    else:
        a = a * 100
    return a


@case()
def in_loop_else(a, b):
    for _ in range(2):
        a = a + 1
    else:
        a = disabled(a) * 2
    n = 2
    while n:
        n -= 1
    else:
        b = disabled(b) - n
    return a, b


@case()
def in_nested_loops(a, b):
    a = a + b
    torch._dynamo.graph_break()
    for i in range(2):
        for j in range(2):
            if disabled(j) > i:
                break
            a = a + i * disabled(j)
        a = a * 2
    return a + b


@case()
def in_match_subjects_and_guards(a, b):
    match disabled((1, 2)):
        case (1, y) if disabled(y) == 3:
            return a
        case (x, 2) if disabled(x):
            a = a + x
        case _:
            return b
    match disabled({"k": 3}):
        case {"k": n, **rest}:
            a = a * n + len(rest)
    match a.shape[0]:
        case 1 | 2:
            return a
        case size:
            return disabled(a) + size


@case()
def in_match_bodies(a, b):
    a = a + b
    torch._dynamo.graph_break()
    out = []
    for item in ([1, 2], {"w": 3}, "text", 4, None):
        match item:
            case [x, *_]:
                out.append(disabled(a) + x)
            case {"w": w}:
                out.append(b * disabled(w))
            case str(s):
                out.append(a + len(s))
            case int(n):
                out.append(b - n)
            case None:
                out.append(disabled(b))
    return out


@case()
def in_nested_calls(a, b):
    return disabled(torch.sin(disabled(a + disabled(b) * 2)) + disabled(disabled(a), disabled(b)))


@case()
def with_much_on_the_stack(a, b):
    return (a + 1, [b * 2, {"k": a - (b + (a * disabled(a, b, w=a + disabled(b))))}], (a, b, disabled(a)))


@case()
def with_a_method_on_the_stack(a, b):
    a = a + b
    torch._dynamo.graph_break()
    items = [a]
    items.append(disabled(b))
    items.extend([disabled(a), a.add(disabled(b))])
    return torch.stack(items).sum(disabled(0))


@case()
def with_a_null_on_the_stack(a, b):
    return torch.add(a, torch.mul(b, torch.sub(disabled(a), alpha=1, other=disabled(b))))


@case()
def with_an_iterator_on_the_stack(a, b):
    a = a + b
    torch._dynamo.graph_break()
    total = a
    for x, y in zip([a, b], [b, a]):
        for z in (x, y):
            total = total + disabled(z)
        total = total * 2
    return total


@case()
def dropped_values(a, b):
    disabled(a)
    disabled(a) + b
    a.sin() if disabled(1) else b
    [disabled(b)]
    return a


@case()
def in_boolean_values(a, b):
    x = disabled(0) or disabled("") or disabled(a)
    y = disabled(1) and disabled([2]) and disabled(b)
    z = not disabled(0), bool(disabled(1))
    return x, y, z


@case()
def in_arithmetic_on_numbers(a, b):
    n = a.shape[0]
    m = disabled(n) * 2 + n % disabled(3)
    k = m << disabled(1) | disabled(1) ^ n
    return a * m + k, divmod(disabled(m), 3), disabled(k) ** 2


@case()
def in_text_operations(a, b):
    name = "x" + disabled("y")
    name = name * disabled(2)
    parts = name.split(disabled("y"))
    return a + len(parts), name.upper(), disabled(name)[1:]


@case()
def twice_in_one_name(a, b):
    a = disabled(a)
    a = disabled(a) + disabled(a)
    a += disabled(a)
    a, b = b, disabled(a)
    return a, b


@case()
def in_a_deleted_name(a, b):
    x = disabled(a)
    y = x + b
    del x
    z = disabled(y)
    del y, a
    x = disabled(z) * 2
    return x
