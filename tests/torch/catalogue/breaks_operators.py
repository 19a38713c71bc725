# SPDX-License-Identifier: MIT
"""Graph breaks by higher-order operators, slots of types, and custom operators."""

from __future__ import annotations

import collections
import functools
import itertools
import re
import types

import torch
from torch._higher_order_ops import while_loop

from . import case, of_torch, ones


@case(breaks="GB0309", skipped=True)
def cond_args(a, b):
    return torch.ops.higher_order.cond(a)


cond = torch.cond


@case(breaks="GB0311", skipped=True)
def cond_operands(a, b):
    return cond(a.sum() > 0, lambda x: x + 1, lambda x: x + 2, a)


@case(breaks="GB0314", skipped=True)
def cond_returns(a, b):
    return cond(a.sum() > 0, lambda x: "s", lambda x: "t", (a,))


@case(breaks="GB0302", skipped=True)
def cond_not_callable(a, b):
    return cond(a.sum() > 0, 3, lambda x: x + 2, (a,))


@case(breaks="GB0067", skipped=True)
def cond_side_effect(a, b):
    found = []

    def t(x):
        found.append(1)
        return x + 1

    return (cond(a.sum() > 0, t, lambda x: x + 2, (a,)), found)


@case(breaks="GB0041", skipped=True)
def cond_mutates(a, b):

    def t(x):
        x.add_(1)
        return x + 1

    return cond(a.sum() > 0, t, lambda x: x + 2, (a,))


@case(breaks="GB0040", skipped=True)
def cond_aliases(a, b):
    return cond(a.sum() > 0, lambda x: x.view(2, 2), lambda x: x.view(2, 2), (a,))


@case(breaks="GB0304", skipped=True)
def while_bad_additional(a, b):
    return torch.ops.higher_order.while_loop(lambda x: x.sum() < 5, lambda x: (x + 1,), (a,), 3)


@case(breaks="GB0339", skipped=True)
def while_for_ever(a, b):
    return while_loop(lambda x: True, lambda x: (x + 1,), (a,))


@case(breaks="GB0315", skipped=True)
def ascan_xs(a, b):
    return torch.ops.higher_order.associative_scan(lambda x, y: x + y, a, ())


@case(breaks="GB0316", skipped=True)
def ascan_more(a, b):
    return torch.ops.higher_order.associative_scan(lambda x, y: x + y, [a], 3)


@case(breaks="GB0317", skipped=True)
def ascan_empty2(a, b):
    return torch.ops.higher_order.associative_scan(lambda x, y: (x + y,), [torch.ones(0)], ())


@case(breaks="GB0319", skipped=True)
def ascan_structure2(a, b):
    return torch.ops.higher_order.associative_scan(lambda x, y: x + y, [a], ())


@case(breaks="GB0342", skipped=True)
def scan_not_partial(a, b):
    return torch.ops.higher_order.scan(lambda c, x: (c + x, x), [a[0]], [a], ())


@case(breaks="GB0336")
def out_dtype_kwargs(a, b):
    return torch.ops.higher_order.out_dtype(torch.ops.aten.add.Tensor, torch.int32, a, b, q=1)


@case(breaks="GB0337", skipped=True)
def strict_kwargs(a, b):
    return torch.ops.higher_order.strict_mode(lambda x: x + 1, (a,), q=1)


@case(breaks="GB0330")
def wrap_grad(a, b):
    return torch.ops.higher_order.wrap_with_set_grad_enabled(False, lambda x: x + 1, a, q=1)


@case(breaks="GB0331")
def wrap_grad2(a, b):
    return torch.ops.higher_order.wrap_with_set_grad_enabled(a, lambda x: x + 1, a)


@case(breaks="GB0332")
def wrap_grad3(a, b):
    return torch.ops.higher_order.wrap_with_set_grad_enabled(False, lambda x: x + b, a)


@case(breaks="GB0333")
def wrap_autocast(a, b):
    return torch.ops.higher_order.wrap_with_autocast("cpu", None, True, True, lambda x: x + 1, a, q=1)


@case(breaks="GB0344")
def wrap_autocast2(a, b):
    return torch.ops.higher_order.wrap_with_autocast(a, None, True, True, lambda x: x + 1, a)


@case(breaks="GB0334")
def wrap_autocast3(a, b):
    return torch.ops.higher_order.wrap_with_autocast("cpu", None, True, True, lambda x: x + b, a)


@case(breaks="GB0306")
def unsupported_hop(a, b):
    return torch.ops.higher_order.run_and_save_rng_state(torch.ops.aten.add.Tensor, a, b)


@case(breaks="GB0327")
def executorch(a, b):
    return torch.ops.higher_order.executorch_call_delegate(a, q=1)


@case(breaks="GB6017")
def executorch2(a, b):
    return torch.ops.higher_order.executorch_call_delegate(a)


@case(breaks="GB0017")
def invoke_subgraph(a, b):
    return torch.ops.higher_order.invoke_subgraph(lambda x: x + 1, "n", a)


@case(breaks="GB0042")
def nested_region_module(a, b):
    return torch.compiler.nested_compile_region(functools.partial(torch.add, alpha=2))(a, b)


@case(breaks="GB0116 GB9561", skipped=True)
def repeated_in_place(a, b):
    d = collections.deque([1])
    d *= 2
    return (a, d)


@case(breaks="GB4880", skipped=True)
def subscripted_type(a, b):
    return (a, list[int])


@case(breaks="GB4347", skipped=True)
def next_strange(a, b):
    return (a, next([1]))


@case(breaks="GB6622")
def compared_lists(a, b):
    return ([a] == [b], a)


def array():
    import array as m

    return m.array("i", [1])


def one(*x):
    return lambda: [
        (
            *ones()[0],
            *[
                y()
                if (callable(y) and (not isinstance(y, types.FunctionType)))
                or isinstance(y, type)
                or getattr(y, "__name__", "") == "<lambda>"
                else y
                for y in x
            ],
        )
    ]


@case(one(lambda: array()), breaks="GB1220")
def c_compare2(a, b, p):
    return (p < p, a)


@case(one(lambda: re.compile("x")), breaks="GB0367", skipped=True)
def c_hash(a, b, p):
    return ({p: 1}[p], a)


@case(breaks="GB3006", skipped=True)
def hash_iter(a, b):
    return (hash(itertools.count()) * 0, a)


@case(breaks="GB9316", skipped=True)
def id_compared(a, b):
    return (a, id([a]) == 3, id([a]) < 4)


@case(breaks="GB4501", skipped=True)
def id_kept(a, b):
    n = id([a])
    torch._dynamo.graph_break()
    return (a, n == 0)


@case(breaks="GB5976")
def data_pointer(a, b):
    return (a.data_ptr() == (a + 1).data_ptr(), a)


@case(breaks="GB8977")
def local_class_instance(a, b):

    class L:
        pass

    o = L()
    o.x = a
    torch._dynamo.graph_break()
    return o.x


class Meta(type):
    def __getattribute__(cls, n):
        return super().__getattribute__(n)


class WithMeta(metaclass=Meta):
    val = 3


@case(breaks="GB5458")
def meta_getattribute(a, b):
    return a * WithMeta.val


@case(breaks="GB8335", skipped=True)
def generator_mutates(a, b):
    found = []

    def g():
        found.append(1)
        yield a

    x = g()
    torch._dynamo.graph_break()
    return (next(x), found)


def takes_one(x):
    return x


@case(breaks="GB7312")
def wrong_arguments(a, b):
    return takes_one(a, b)


@case(breaks="GB9625", skipped=True)
def last_instruction(a, b):
    try:
        raise ValueError
    except ValueError as e:
        return a * e.__traceback__.tb_lasti


@case(breaks="GB0049")
def overloads(a, b):
    return torch.ops.aten.add(a, "x")


OPERATORS = torch.library.Library("depyf_catalogue", "DEF")
OPERATORS.define("nometa(Tensor x) -> Tensor")
OPERATORS.impl("nometa", lambda x: x + 1, "CPU")


@case(breaks="GB0090")
def no_meta(a, b):
    return torch.ops.depyf_catalogue.nometa(a)


class C1:
    def __init__(self):
        self.x = 1


@case(breaks="GB0055")
def proxy_args(a, b):
    return torch.add(a, C1())


@case(breaks="GB0117")
def shared(a, b):
    return a.share_memory_()


@case(breaks="GB0129")
def sparse_resized(a, b):
    return a.sparse_resize_((3,), 1, 0)


@case(breaks="GB0130")
def sparse_cleared(a, b):
    return a.sparse_resize_and_clear_((3,), 1, 0)


@case(breaks="GB0058")
def attribute_of_tensor(a, b):
    a.real = b
    return a


@case(lambda: [(torch.ones(3),), (torch.ones(5),)], breaks="GB0002", skipped=True, dynamic=True)
def symbolic_assert2(a):
    assert a.shape[0] < 0
    return a


@case(breaks="GB0360")
def guard_scalar(a, b):
    return (torch.fx.experimental.symbolic_shapes.guard_scalar(a), a)


@case(breaks="GB0234")
def pop_mode(a, b):
    torch._C._pop_torch_function_stack()
    return a


@case(breaks="GB0030")
def comptime(a, b):
    torch._dynamo.comptime.comptime.graph_break()
    return a + 1


@of_torch("torch._dynamo.nonstrict_trace")
def NS(x, o):
    return x + 1


@case(breaks="GB0236", needs="torch._dynamo.nonstrict_trace")
def nonstrict(a, b):
    return NS(a, C1())


@of_torch("torch._dynamo.nonstrict_trace")
def NS2(x):
    return C1()


@case(breaks="GB0251", needs="torch._dynamo.nonstrict_trace")
def nonstrict_out(a, b):
    return NS2(a)
