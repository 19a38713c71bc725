# SPDX-License-Identifier: MIT
"""Closures, comprehensions, generators, methods, modules, classes."""

from __future__ import annotations

import collections
import dataclasses
import functools

import torch

from . import case, disabled, ones


@case(breaks="GB0025")
def list_comprehension_then_break(a, b):
    y = [a + i for i in range(2)]
    torch._dynamo.graph_break()
    return y[0] + a


@case(breaks="GB0098")
def break_in_a_list_comprehension(a, b):
    return [disabled(x) for x in (a, b)]


@case(breaks="GB0098")
def break_in_a_dict_comprehension(a, b):
    return {k: disabled(x) + 1 for k, x in (("a", a), ("b", b))}


@case(breaks="GB0098", skipped=True)
def break_in_a_generator_expression(a, b):
    return sum(disabled(x) for x in (a, b))


@case(breaks="GB0098", skipped=True)
def generator_function(a, b):
    def gen():
        yield a
        yield disabled(b)
        yield a * b

    return list(gen())


@case(breaks="GB0025")
def closure_across_a_break(a, b):
    def inner(x):
        return x + a

    y = inner(b)
    torch._dynamo.graph_break()
    return inner(y)


@case(breaks="GB0025")
def cell_written_across_a_break(a, b):
    count = 0

    def bump():
        nonlocal count
        count += 1

    bump()
    torch._dynamo.graph_break()
    bump()
    return a * count


@case(breaks="GB0025")
def closure_returned(a, b):
    k = 3
    torch._dynamo.graph_break()

    def inner(x):
        return x * k + a

    return inner(b)


@case(breaks="GB0098")
def disabled_closure(a, b):
    @torch.compiler.disable
    def inner(x):
        return x + a

    return inner(b) * 2


@case(breaks="GB0025")
def lambda_across_a_break(a, b):
    f = lambda x: x * 2 + a  # noqa: E731
    torch._dynamo.graph_break()
    return f(b)


@case(breaks="GB0025")
def default_arguments(a, b):
    def inner(x, k=2, *more, flag=True, **named):
        return x * k if flag else x

    torch._dynamo.graph_break()
    return inner(a) + inner(b, 3, flag=False)


@case(breaks="GB0025")
def partial(a, b):
    f = functools.partial(torch.add, alpha=2)
    x = f(a, b)
    torch._dynamo.graph_break()
    return f(x, b)


class Model:
    scale = 2

    def __init__(self):
        self.seen = 0

    def method(self, x):
        self.seen += 1
        torch._dynamo.graph_break()
        return x * self.scale

    @property
    def halved(self):
        return self.scale / 2

    @classmethod
    def made(cls, x):
        return disabled(x) * cls.scale

    @staticmethod
    def still(x):
        return disabled(x)


class Child(Model):
    def method(self, x):
        return super().method(x) + 1


def with_model():
    return [(a, b, kind()) for a, b in ones() for kind in (Model, Child)]


@case(with_model, breaks="GB0025")
def method(a, b, model):
    return model.method(a) + b, model.seen


@case(with_model, breaks="GB0098")
def class_and_static_methods(a, b, model):
    return model.made(a) + model.still(b) * model.halved


class Inner(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(4))

    def forward(self, x):
        return disabled(x * self.weight) + 1


class Outer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = Inner(), Inner()
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x):
        self.calls += 1
        return self.second(self.first(x)) * 2


def with_module():
    return [(*ones()[0], Outer())]


@case(with_module, breaks="GB0098")
def nested_modules(a, b, module):
    return module(a) + b


@case(breaks="GB8977")
def class_in_the_body(a, b):
    class Local:
        factor = 3

        def apply(self, x):
            return x * self.factor

    return Local().apply(a)


@dataclasses.dataclass
class Point:
    x: torch.Tensor
    y: torch.Tensor


@case(breaks="GB0025")
def dataclass_across_a_break(a, b):
    p = Point(a + 1, b)
    torch._dynamo.graph_break()
    return p.x * p.y


Pair = collections.namedtuple("Pair", "first second")


@case(breaks="GB0025")
def namedtuple_across_a_break(a, b):
    p = Pair(a + 1, b)
    torch._dynamo.graph_break()
    return p.first * p.second, p


@case(breaks="GB8335", skipped=True)
def generator_argument(a, b):
    g = (x for x in (a, b))
    torch._dynamo.graph_break()
    return next(g) + next(g)


@case(breaks="GB0025")
def zip_map_enumerate(a, b):
    z = zip([a, b], [1, 2])
    m = map(torch.neg, [a, b])
    torch._dynamo.graph_break()
    return [x * n for x, n in z], list(m), [i for i, _ in enumerate([a, b])]


@case(breaks="GB0025")
def iterator_across_a_break(a, b):
    it = iter([a, b, a])
    x = next(it)
    torch._dynamo.graph_break()
    return x + next(it)


@case(breaks="GB0098")
def decorated(a, b):
    def twice(f):
        @functools.wraps(f)
        def wrapper(x):
            return f(f(x))

        return wrapper

    @twice
    def step(x):
        return disabled(x) + 1

    return step(a)


async def shifted(x, y):
    z = x + y
    return z * 2


def finished(coroutine):
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("it waits")


@case(breaks="GB0088")
def coroutine(a, b):
    return finished(shifted(a, b)) + disabled(a)


@case(breaks="GB0098")
def recursive(a, b):
    def go(x, n):
        return disabled(x) if n == 0 else go(x + 1, n - 1) * 2

    return go(a, 3)


@case(breaks="GB0025")
def varargs(a, b):
    def inner(*xs, **named):
        torch._dynamo.graph_break()
        return sum(xs) + named["k"]

    return inner(a, b, k=a * 2)
