# SPDX-License-Identifier: MIT
"""Side effects on lists, dicts, attributes, globals, cells, tensors."""

from __future__ import annotations

import collections
import random
import types

import torch

from . import case, disabled, ones

COUNT = 0
LOG: list[int] = []
TABLE: dict[str, object] = {}


def world():
    return COUNT, list(LOG), dict(TABLE)


def with_things():
    return [(*ones()[0], [1, 2], {"k": 1}, types.SimpleNamespace(n=0), {3})]


@case(with_things, breaks="GB0025")
def list_grown(a, b, items, table, thing, members):
    items.append(a.shape[0])
    items.insert(0, "first")
    torch._dynamo.graph_break()
    items.extend([5, 6])
    return a + b


@case(with_things)
def list_without_a_break(a, b, items, table, thing, members):
    items.append(a + b)
    items.pop(0)
    return a


@case(with_things, breaks="GB0025")
def list_cut(a, b, items, table, thing, members):
    del items[0]
    items[0] = a
    torch._dynamo.graph_break()
    items.clear()
    items += [b]
    return a + b


@case(with_things, breaks="GB0025")
def list_sorted(a, b, items, table, thing, members):
    items.reverse()
    torch._dynamo.graph_break()
    items.sort()
    return a + items[0]


@case(with_things, breaks="GB0025")
def dict_changed(a, b, items, table, thing, members):
    table["new"] = a * 2
    table.pop("k")
    torch._dynamo.graph_break()
    table.update(z=b)
    return a + b


@case(with_things)
def dict_without_a_break(a, b, items, table, thing, members):
    table["sum"] = a + b
    table.setdefault("t", []).append(1)
    return a


@case(with_things, breaks="GB0025")
def set_changed(a, b, items, table, thing, members):
    members.add(7)
    torch._dynamo.graph_break()
    members.discard(3)
    return a + len(members)


@case(with_things, breaks="GB0025")
def attributes(a, b, items, table, thing, members):
    thing.n += 1
    thing.t = a + b
    torch._dynamo.graph_break()
    thing.n += 1
    del thing.t
    return a


@case(with_things)
def attributes_without_a_break(a, b, items, table, thing, members):
    thing.n = 5
    thing.result = a * b
    return thing.result + 1


@case(observe=world, breaks="GB0025")
def global_written(a, b):
    global COUNT
    COUNT += 1
    torch._dynamo.graph_break()
    COUNT += 1
    return a + b


@case(observe=world, breaks="GB0025")
def global_containers(a, b):
    LOG.append(a.shape[0])
    TABLE["x"] = 1
    torch._dynamo.graph_break()
    LOG.append(2)
    return a + b


def make_counter():
    count = 0

    def bump():
        nonlocal count
        count += 1
        return count

    return bump


def with_counter():
    return [(*ones()[0], make_counter())]


@case(with_counter, breaks="GB0025")
def foreign_cell(a, b, bump):
    bump()
    torch._dynamo.graph_break()
    return a * bump()


@case(with_counter)
def foreign_cell_without_a_break(a, b, bump):
    bump()
    return a * bump()


@case(breaks="GB0025")
def tensor_in_place(a, b):
    a.add_(1)
    torch._dynamo.graph_break()
    a[0] = 5
    b.mul_(a)
    return a


@case(breaks="GB0025")
def tensor_attribute(a, b):
    a.tag = "t"
    torch._dynamo.graph_break()
    return a + b, a.tag


@case(breaks="GB0025")
def new_containers_escape(a, b):
    inner = [a]
    outer = [inner, inner, (inner,)]
    torch._dynamo.graph_break()
    inner.append(b)
    return outer


@case(breaks="GB0025")
def self_referential(a, b):
    box = {}
    box["n"] = [1]
    torch._dynamo.graph_break()
    box["self"] = box
    return a + len(box), box["self"] is box


@case(breaks="GB0025")
def ordered_and_default_dicts(a, b):
    o = collections.OrderedDict(x=a)
    d = collections.defaultdict(list)
    d["k"].append(b)
    torch._dynamo.graph_break()
    o.move_to_end("x")
    return o, dict(d)


@case(breaks="GB0025")
def deque(a, b):
    q = collections.deque([a, b], maxlen=2)
    torch._dynamo.graph_break()
    q.append(a * b)
    return list(q)


@case(breaks="GB0025")
def random_numbers(a, b):
    random.seed(3)
    x = random.random()
    torch._dynamo.graph_break()
    return a * x * random.randint(1, 5)


@case(breaks="GB0098")
def printed_order(a, b):
    LOG.append(10)
    y = disabled(a)
    LOG.append(11)
    return disabled(y) + b


@case(with_things)
def exception_after_effects(a, b, items, table, thing, members):
    items.append(9)
    thing.n = 1
    torch._dynamo.graph_break()
    table["late"] = 1
    return items[100]


@case(with_things, breaks="GB0025")
def everything_at_once(a, b, items, table, thing, members):
    items.append(a)
    table["b"] = b
    thing.x = items
    members.add(1)
    x = a * b
    torch._dynamo.graph_break()
    return x, thing.x is items
