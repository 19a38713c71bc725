# SPDX-License-Identifier: MIT
"""Graph breaks by functions of torch and of the standard library, with one program per registry entry."""

from __future__ import annotations

import collections
import contextlib
import copy
import dataclasses
import functools
import itertools
import logging
import random
import types
import typing

import torch
from torch import nn

from . import case, ones


class Custom(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2


@case(breaks="GB0140")
def function_method(a, b):
    return Custom.forward(None, a) if 0 else Custom.mark_thing(a)


class Jvp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2

    @staticmethod
    def jvp(ctx, g):
        return g * 2


@case(lambda: [(torch.ones(4, requires_grad=True),)], breaks="GB0144")
def custom_jvp2(a):
    return Jvp.apply(a)


class Dirty(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.add_(1) * 1

    @staticmethod
    def backward(ctx, g):
        return g * 2


@case(lambda: [(torch.ones(4, requires_grad=True),)], breaks="GB2019 GB2464")
def dirty_not_returned(a):
    return Dirty.apply(a * 1)


class Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, g):
        return (g, g)


@case(lambda: [(torch.ones(4, requires_grad=True),)], breaks="GB6297")
def duplicate_input(a):
    return Two.apply(a, a)


class NoFun(torch.autograd.Function):
    forward = functools.partial(lambda k, ctx, x: x * k, 2)
    backward = staticmethod(lambda ctx, g: g * 2)


@case(lambda: [(torch.ones(4, requires_grad=True),)], breaks="GB0346")
def forward_is_partial(a):
    return NoFun.apply(a)


@case(breaks="GB0150")
def hasattr_of_iterator(a, b):
    return a if hasattr(zip([1], [2]), "foo") else b


@case(breaks="GB0156")
def method_of_iterator(a, b):
    return a * sum(1 for _ in itertools.count().__reduce__())


@case(breaks="GB0171")
def assert_with_object(a, b):
    assert a.shape[0] == 3, ValueError("x")
    return a


@case(breaks="GB4198")
def deepcopied_tensor(a, b):
    return copy.deepcopy(a) + b


@case(breaks="GB0180")
def fields_of_nothing(a, b):
    return (a, dataclasses.fields(3))


@case(breaks="GB0059")
def str_of_tensor(a, b):
    return (str(a), a + 1)


@case(breaks="GB0569")
def repr_of_tensor(a, b):
    return (repr(a), a + 1)


@case(breaks="GB6053")
def repr_of_iter(a, b):
    return (len(repr(zip())), a)


@case(breaks="GB1584")
def repr_of_function(a, b):

    def f():
        return a

    return (bool(repr(f)), a)


@case(breaks="GB0193")
def bad_builtin_args(a, b):
    return (a, isinstance(a))


@case(breaks="GB0201")
def namedtuple_made2(a, b):
    N = collections.namedtuple("N", ["x", b])
    return N(a, b)


class C1:
    def __init__(self):
        self.x = 1


def one(*x):
    return lambda: [(*ones()[0], *[y() if callable(y) and (not isinstance(y, type)) else y for y in x])]


@case(one(lambda: types.MappingProxyType({(1, 2): 1, C1: 2})), breaks="GB0204", skipped=True)
def proxy_keys(a, b, m):
    return a * m[C1]


@case(breaks="GB0206")
def set_requires_grad(a, b):
    a.requires_grad = True
    return a * 2


@case(breaks="GB0207")
def sort_tensors(a, b):
    return sorted([a.sum(), b.sum()])


@case(breaks="GB0208")
def non_tensor_op(a, b):
    return (torch.__version__, torch.get_num_threads(), a)


class GetattrModule(nn.Module):
    __getattr__ = functools.partial(lambda *x: 3)


@case(one(lambda: GetattrModule()), breaks="GB0256", skipped=True)
def module_getattr(a, b, m):
    return m.other + a


class GAttribute(nn.Module):
    def __getattribute__(self, n):
        return super().__getattribute__(n)

    def forward(self, x):
        return x + 1


@case(one(GAttribute), breaks="GB0119")
def module_getattribute(a, b, m):
    return m(a)


@case(breaks="GB0279", skipped=True)
def annotated(a, b):
    with torch.fx.traceback.annotate({"k": 1}):
        x = a + 1
        torch._dynamo.graph_break()
        x = x + 1
    return x


@case(breaks="GB0220")
def data_dtype(a, b):
    a.data = b.double()
    return a


@case(lambda: [(torch.ones(2), {torch.ones(1)})], breaks="GB0222", skipped=True)
def set_of_tensors(a, s):
    return a + len(s)


@case(breaks="GB0223")
def compile_with_args(a, b):
    return torch.compile(lambda x: x + 1, None, fullgraph=False)(a)


@case(breaks="GB0225")
def creation_requires_grad(a, b):
    return torch.ones(3, requires_grad=True) * 2


@case(breaks="GB0226")
def parameter_of_int(a, b):
    return nn.Parameter([1.0])


@case(breaks="GB0264")
def parameter_made_of_new(a, b):
    return nn.Parameter(a + 1) * 1


@case(breaks="GB0237")
def parameter_grad(a, b):
    return nn.Parameter(a, requires_grad=b.sum() > 0) * 1


@case()
def from_numpy(a, b):
    return torch.from_numpy(3)


@case(breaks="GB0245")
def nested_of_tensor(a, b):
    return torch.nested.nested_tensor(a).size(0)


@case(breaks="GB0240")
def out_list_shape(a, b):
    return torch.aminmax(a, out=(torch.empty(3), torch.empty(3)))


@case(breaks="GB0247")
def out_shape(a, b):
    return torch.add(a, b, out=torch.empty(1))


@case(breaks="GB0242")
def out_strided(a, b):
    return torch.add(a, b, out=torch.empty(8)[::2])


@case(breaks="GB0241")
def out_strided_list(a, b):
    return torch.aminmax(torch.ones(2, 4), dim=1, out=(torch.empty(4)[::2], torch.empty(4)[::2]))


@case(breaks="GB0243", skipped=True)
def ntuple_bad(a, b):
    return torch.nn.modules.utils._ntuple(3)(C1())


@case(breaks="GB0246")
def one_hot(a, b):
    return nn.functional.one_hot(b.long())


@case(breaks="GB0248")
def device_module_bad(a, b):
    return (torch.get_device_module("cpu", "x"), a)


@case(breaks="GB0286")
def device_module_bad2(a, b):
    return (torch.get_device_module(torch), a)


@case(breaks="GB0249")
def current_stream(a, b):
    return torch.accelerator.current_stream("nothing")


@case(breaks="GB0285")
def current_stream2(a, b):
    return torch.accelerator.current_stream(1, 2)


def gen():
    yield 1
    yield 2


@case(one(gen), breaks="GB0253")
def generator_method_call(a, b, g):
    return a * g.send(None)


@case(breaks="GB0467")
def setattr_iter(a, b):
    zip().x = 1
    return a


class TD(typing.TypedDict, total=False):
    x: int


@case(breaks="GB0257")
def typed_dict(a, b):
    return (TD(x=1), a)


@case(breaks="GB0258")
def deque_bad(a, b):
    return collections.deque(1, 2, 3)


@case(breaks="GB0260")
def partial_bad(a, b):
    return functools.partial()


@case(breaks="GB0262")
def contextlib_bad(a, b):
    with contextlib.redirect_stdout(None):
        return a + 1


BADCM = contextlib.contextmanager(lambda: iter([1]))


@case(breaks="GB0221")
def nongenerator_manager(a, b):
    with BADCM():
        return a


@case(breaks="GB9840")
def check_message(a, b):
    torch._check(a.shape[0] == 4, "text")
    return a


@case(breaks="GB9158")
def check_closure(a, b):
    n = b.sum()
    torch._check(a.shape[0] == 4, lambda: f"{n}")
    return a


LOGGER = logging.getLogger("catalogue")


@case(breaks="GB0291")
def logged(a, b):
    LOGGER.warning("x")
    return a + 1


@case(breaks="GB0297")
def random_bad(a, b):
    return (random.Random(1, 2), a)


@case(breaks="GB0354", skipped=True)
def missing_builtin(a, b):
    return nothing_of_that_name(a)  # noqa: F821


@case(breaks="GB0277")
def sparse_made_method(a, b):
    return a.to_sparse().to_dense()


@case(one(lambda: torch.jit.script(nn.Linear(4, 4))), breaks="GB4695", skipped=True)
def scripted(a, b, m):
    return m(a)


@case(breaks="GB0100", skipped=True)
def hook_in_global(a, b):
    global HOOK
    HOOK = a.register_hook(lambda g: g)
    return a


@case(
    lambda: [(torch.ones(4), torch.ones(4, requires_grad=True).register_hook(lambda g: g))],
    breaks="GB0013",
    skipped=True,
)
def handle_argument(a, h):
    h.remove()
    return a + 1


@case(breaks="GB8985")
def requires_grad_leaks(a, b):
    c = a + 1
    c.requires_grad_()
    return c * 2
