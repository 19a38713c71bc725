# SPDX-License-Identifier: MIT
"""Graph breaks by classes of the program and their special methods, including disabled ones."""

from __future__ import annotations

import array
import functools
import itertools
import re
import sys
import types
import typing

import torch
from torch import nn

from . import case, of_torch, ones


class DisM:
    @torch.compiler.disable
    def __len__(self):
        return 3

    @torch.compiler.disable
    def __bool__(self):
        return True

    @torch.compiler.disable
    def __getattr__(self, n):
        return 3

    @torch.compiler.disable
    def __iter__(self):
        return iter([1])

    @torch.compiler.disable
    def __add__(self, o):
        return o

    @torch.compiler.disable
    def __getitem__(self, o):
        return o

    @torch.compiler.disable
    def __contains__(self, o):
        return True

    @torch.compiler.disable
    def __setitem__(self, k, o):
        pass

    @torch.compiler.disable
    def __hash__(self):
        return 3

    @torch.compiler.disable
    def __eq__(self, o):
        return True

    @torch.compiler.disable
    def __repr__(self):
        return "r"


def one(*x):
    return lambda: [(*ones()[0], *[y() for y in x])]


@case(one(DisM), breaks="GB0099")
def disabled_len(a, b, o):
    return a * len(o)


@case(one(DisM), breaks="GB0000", skipped=True)
def disabled_add(a, b, o):
    return o + a


@case(breaks="GB0120", skipped=True)
def yields_from(a, b):

    def inner():
        n = yield a
        yield (b * n)

    def outer():
        yield from inner()

    g = outer()
    next(g)
    return g.send(3)


def gd():
    t = torch.ones(4, requires_grad=True)
    t.grad = torch.ones(4)
    t.data = t.data.double()
    return [(t, torch.ones(4))]


@case(gd, breaks="GB0181", skipped=True)
def grad_of_other_dtype2(a, b):
    return a + 1


class C1:
    def __init__(self):
        self.x = 1


@case(one(lambda: {(1, C1): 1}.keys()), breaks="GB0203", skipped=True)
def keys_argument(a, b, k):
    return a * len(k)


@case(breaks="GB0190")
def getattr_tensor_name(a, b):
    return getattr(a, b)


DD = {"x": 1}


@case(lambda: [(*ones()[0], types.MappingProxyType(DD), DD)], breaks="GB0198")
def proxy_after_mutation(a, b, m, d):
    d["x"] = 2
    return a * m["x"]


@case(breaks="GB0078", needs="torch._dynamo.nonstrict_trace")
def nonstrict_of_closure(a, b):
    return torch._dynamo.nonstrict_trace(lambda x: x + b)(a)


@torch._dynamo.assume_constant_result
def ASSUMED(*o):
    return 3


@case(breaks="GB2520")
def assumed_of_made(a, b):
    return (ASSUMED([a.sum()], C1()), a)


@case(breaks="GB0115 GB0152")
def groupby_tensors(a, b):
    return (len(list(itertools.groupby([a.sum(), b.sum()]))), a)


@case(breaks="GB0166")
def engine(a, b):
    torch.autograd.Variable._execution_engine.queue_callback(len)
    return a


@case(breaks="GB0165")
def engine_other(a, b):
    torch.autograd.Variable._execution_engine.is_checkpoint_valid()
    return a


@case(breaks="GB0682", skipped=True)
def hash_method(a, b):
    return ({a.add: 1}, a)


@case(breaks="GB6215")
def compare_methods(a, b):
    return (a.add == b.add, a)


@case(one(lambda: list))
def typing_item(a, b, t):
    return (t[a], a)


@case(one(lambda: re.compile("a")), breaks="GB0292")
def pattern_scanner(a, b, p):
    return (p.scanner("a").match(), a)


class HasM(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 4)

    def forward(self, x):
        self.n = nn.Linear(4, 4)
        return x * len(list(self.named_parameters()))


@case(one(HasM), breaks="GB3934")
def module_grown(a, b, m):
    return m(a)


def needs_grad():
    return [(torch.ones(4, requires_grad=True), torch.ones(4))]


@case(needs_grad, breaks="GB7444")
def hook_on_metadata(a, b):
    y = a * 2
    y.register_hook(lambda g: g * 2 if g.is_contiguous() else g)
    return y + b


def sub(k):
    return lambda: [(torch.ones(4).as_subclass(k), torch.ones(4))]


@case(sub(type("S3", (torch.Tensor,), {})), breaks="GB0026")
def subclass_constructor(a, b):
    return type(a)(b, 3)


@case(breaks="GB0233")
def nested_strided(a, b):
    return torch.nested.nested_tensor([a, b], layout=torch.strided).size(0)


class Const:
    def __init__(self, n):
        self.n = n

    def __eq__(self, o):
        return self.n == o.n

    def __hash__(self):
        return hash(self.n)


of_torch("torch.utils._pytree.register_constant")(Const)


@of_torch("torch._dynamo.nonstrict_trace")
def NS6(x, c):
    return x * c.n


@case(breaks="GB0238", needs="torch._dynamo.nonstrict_trace torch.utils._pytree.register_constant")
def nonstrict_constant(a, b):
    return NS6(a, Const(3))


class S4(torch.Tensor):
    pass


@case(sub(S4), breaks="GB0163", skipped=True)
def subclass_base(a, b):
    return (a._base, a + 1)


T = torch.linspace


class S5(torch.Tensor):
    sin = 3

    @property
    def shape(self):
        return (9,)

    def cos(self):
        return 5

    T = functools.partial(len)


@case(sub(S5), breaks="GB0164", skipped=True)
def subclass_overrides(a, b):
    return (a.shape, a.T, a + 1)


class Plain:
    def __init__(self):
        self.q = 1


@case(one(Plain), breaks="GB0254")
def setattr_tensor(a, b, o):
    setattr(o, b, 1)
    return a


@case(one(lambda: Plain()), breaks="GB4271")
def class_assigned(a, b, o):
    o.__class__ = C1
    return a * o.x if 0 else a


def with_no_module():
    sys.modules["catalogue_no_module"] = 3
    return ones()


@case(with_no_module, breaks="GB0022", skipped=True)
def import_nothing(a, b):
    import catalogue_no_module

    return a, catalogue_no_module


@case(breaks="GB4393")
def issubclass_made(a, b):
    return (issubclass(a, int), a)


@case(breaks="GB4608")
def equal_strange(a, b):
    return (zip() == zip(), itertools.count() != 3, a)


@case(one(lambda: lambda x: x), breaks="GB9277")
def bound_by_hand(a, b, f):
    return (types.FunctionType.__get__(f, a)(), type(f).__get__(len, 3))


class Removing:
    def remove(self, name):
        super().__delattr__(name)


@case(breaks="GB0084")
def deletes_what_a_tensor_names(a, b):
    try:
        Removing().remove(a)
    except TypeError:
        return a + b


@case(breaks="GB9648", skipped=True)
def generator_equals_number(a, b):
    numbers = (n for n in (1, 2))
    return a if numbers == 3 else a + b


class KeepsNoGradients(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx._materialize_non_diff_grads = False
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad


@case(breaks="GB0347")
def sets_a_private_flag_of_the_context(a, b):
    return KeepsNoGradients.apply(a.clone().requires_grad_()) + b


NUMBERS = array.array("i", [1, 2])


@case(breaks="GB9458", skipped=True)
def repeats_an_array(a, b):
    return a * len(NUMBERS * 2) + b


@case(breaks="GB4411", skipped=True)
def looks_in_an_array(a, b):
    return a + b if 1 in NUMBERS else a - b


@case(breaks="GB7786")
def stores_in_an_array(a, b):
    NUMBERS[0] = 1
    return a + b


@case(breaks="GB9137")
def subscripts_typing_with_a_tensor(a, b):
    try:
        typing.List[a]  # noqa: B018, UP006
    except TypeError:
        return a - b
    return a + b
