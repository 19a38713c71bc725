# SPDX-License-Identifier: MIT
"""Graph breaks by attributes, exceptions, iterators and methods of tensors."""

from __future__ import annotations

import functools
import io
import itertools
import types

import torch
from torch import nn

from . import case, ones


@case(breaks="GB0003", skipped=True)
def generator_itself(a, b):
    yield a


@case(breaks="GB0001")
def as_subclass_of_nothing(a, b):
    return a.as_subclass(torch.nn.Parameter)


class NotAMethod:
    thing = functools.partial(torch.add, alpha=2)


class SuperCaller(NotAMethod):
    def go(self, a, b):
        return super().thing(a, b)


@case(lambda: [(*ones()[0], SuperCaller())], breaks="GB0006")
def super_of_no_method(a, b, o):
    return o.go(a, b)


@case(breaks="GB0007")
def skipped_function(a, b):
    import time

    time.sleep(0)
    return a + b


@case(breaks="GB0011", skipped=True)
def unbound_local(a, b):
    if a.shape[0] == 3:
        x = 1
    return a + x


@case(breaks="GB0147")
def deleted_attr(a, b):
    o = types.SimpleNamespace(q=1)
    del o.q
    return a + o.q


@case(lambda: [(torch.ones(2, 3, 4), nn.GRU(4, 4))], breaks="GB0014", skipped=True)
def gru(a, m):
    return m(a)[0]


@case(lambda: [(torch.eye(3).to_sparse(), torch.ones(3, 3))], breaks="GB0015", skipped=True)
def sparse_input(a, b):
    return a @ b


@case(
    lambda: [(torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]), torch.ones(3, 3))],
    breaks="GB0016",
    skipped=True,
)
def nested_input(a, b):
    return a * 2


@case(breaks="GB0069", skipped=True)
def import_missing(a, b):
    try:
        import not_there_at_all  # noqa: F401
    except ImportError:
        a = a + 1
    return a


@case(breaks="GB0033")
def data_dependent_equal(a, b):
    return a if torch.equal(a, b) else b


@case(breaks="GB0036")
def nonzero(a, b):
    return a.nonzero()


@case(breaks="GB0045")
def is_inference(a, b):
    return a + 1 if not a.is_inference() else b


@case(breaks="GB0046")
def inference_enabled(a, b):
    return a + 1 if not torch.is_inference_mode_enabled() else b


@case(breaks="GB0050", skipped=True)
def except_nonsense(a, b):
    kinds = [ValueError]
    try:
        raise ValueError("x")
    except kinds:
        return a


@case(breaks="GB0051", skipped=True)
def except_value(a, b):
    try:
        raise ValueError("x")
    except (3,):  # noqa: B013, B030
        return a


@case(breaks="GB0056")
def data_set(a, b):
    c = a + 1
    c.data = b
    return c


@case(breaks="GB4315", skipped=True)
def shape_error(a, b):
    return a @ torch.ones(5, 5)


@case(breaks="GB0275 GB4636", skipped=True)
def step_unsupported(a, b):
    x = a + 1
    torch._dynamo.step_unsupported()
    return x + b


@case(breaks="GB4297", skipped=True)
def skip_frame(a, b):
    x = a + 1
    torch._dynamo.skip_frame()
    return x + b


@case(breaks="GB0008")
def break_in_vmap_context(a, b):
    with torch.autograd.graph.save_on_cpu():
        x = a + 1
        torch._dynamo.graph_break()
        return x


@case(breaks="GB0148")
def inplace_view(a, b):
    a.t_()
    a.unsqueeze_(0)
    return a + 1


@case(breaks="GB0088", skipped=True)
def key_error(a, b):
    return {}["missing"]


@case(breaks="GB0091")
def unset_cell(a, b):

    def inner():
        return late

    if a.shape[0] == 3:
        late = 1
    return a + inner()


@case(breaks="GB0363")
def reconstruct_graph_object(a, b):
    g = torch.Generator()
    torch._dynamo.graph_break()
    return a + 1, g.initial_seed()


@case(breaks="GB0104")
def grad_fn(a, b):
    y = a.requires_grad_() * 2 if not a.requires_grad else a
    return (y.grad_fn is None, y)


@case()
def to_numpy(a, b):
    return a.numpy()


@case(breaks="GB0107")
def random_in_place(a, b):
    return a.clone().random_(0, 3) * 0


@case(breaks="GB0110")
def uniform_in_place(a, b):
    return a.clone().uniform_(**{"from": 0.0, "to": 1.0}) * 0


@case(lambda: [(torch.ones(4, requires_grad=True), torch.ones(4))], breaks="GB0108", skipped=True)
def retain_grad(a, b):
    y = a * 2
    y.retain_grad()
    return y


@case(breaks="GB0109")
def tolist(a, b):
    return (a.tolist(), b)


@case(breaks="GB0112")
def type_error_fake(a, b):
    return torch.nn.functional.linear(a, "x")


class C1:
    def __init__(self):
        self.x = 1


class Sup(C1):
    def go(self, a):
        return super().nothing


@case(breaks="GB0092 GB0113", skipped=True)
def super_missing(a, b):
    class_ = Sup()
    return class_.go(a)


@case(breaks="GB0811")
def groupby_breaks(a, b):

    def key(x):
        torch._dynamo.graph_break()
        return 1

    return a * len(list(itertools.groupby([1, 2], key)))


@case(breaks="GB7650")
def generator_method(a, b):
    g = torch.Generator()
    g.manual_seed(3)
    return torch.rand(2, generator=g)


@case(lambda: [(torch.ones(4, requires_grad=True), torch.ones(4))], breaks="GB0123")
def backward_inside(a, b):
    y = (a * b).sum()
    y.backward()
    return a.grad


@case(breaks="GB0124")
def item_of(a, b):
    return a.sum().item() + 1


@case(breaks="GB0125")
def requires_grad_set(a, b):
    a.requires_grad_()
    return a * 2


@case(breaks="GB0126")
def resized(a, b):
    a = a.clone()
    a.resize_(2)
    return a


@case(breaks="GB0127")
def resized_as(a, b):
    a = a.clone()
    a.resize_as_(torch.ones(2))
    return a


@case(breaks="GB9186")
def autograd_grad(a, b):
    a = a.clone().requires_grad_()
    return torch.autograd.grad((a * b).sum(), a)[0]


@case(breaks="GB0134")
def groupby_bad(a, b):
    return (a, len(list(itertools.groupby([1, 1], None, 3))))


@case(breaks="GB0155", skipped=True)
def groupby_kwargs(a, b):
    try:
        itertools.groupby([1], nokey=1)
    except TypeError:
        return a


@case(breaks="GB0268", skipped=True)
def product_kwargs(a, b):
    try:
        itertools.product([1], nokey=1)
    except TypeError:
        return a


@case(breaks="GB0135")
def exception_attribute(a, b):
    e = ValueError("x")
    e.mine = 3
    return a * e.mine


@case(breaks="GB0273")
def exception_kwargs(a, b):
    e = ImportError("x", name="n")
    return (a, e.name)


@case(breaks="GB0137", skipped=True)
def slice_nothing(a, b):
    return (a, slice(1).nothing)


@case(lambda: [(*ones()[0], io.StringIO())], breaks="GB0142", skipped=True)
def file_manager(a, b, f):
    with f:
        x = a + b
    return x
