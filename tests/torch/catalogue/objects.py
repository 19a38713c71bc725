# SPDX-License-Identifier: MIT
"""Objects, classes and modules that are created before a break and used after it; methods that break when inlined."""

from __future__ import annotations

import abc
import collections
import copy
import dataclasses
import enum
import functools
import itertools
import operator
import types
import typing

import torch

from . import case, disabled, ones


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Bits(enum.IntFlag):
    READ = 1
    WRITE = 2


@dataclasses.dataclass
class Pair:
    first: torch.Tensor
    second: torch.Tensor
    count: int = 0

    def total(self):
        self.count += 1
        return self.first + disabled(self.second)


@dataclasses.dataclass(frozen=True)
class Setting:
    scale: float = 2.0
    names: tuple = ("p", "q")


class Point(typing.NamedTuple):
    x: torch.Tensor
    y: int = 3

    def moved(self):
        return self._replace(y=self.y + 1)


class Slotted:
    __slots__ = ("v", "w")

    def __init__(self, v):
        self.v = v
        self.w = 0


class Base(abc.ABC):
    def __init__(self):
        self.seen = []

    @abc.abstractmethod
    def step(self, x): ...

    def run(self, x):
        self.seen.append(1)
        x = self.step(x)
        torch._dynamo.graph_break()
        return self.step(x)


class Doubling(Base):
    def step(self, x):
        return x * 2


class Overriding(Doubling):
    def step(self, x):
        y = super().step(x)
        self.seen.append(disabled(2))
        return y + 1


class Properties:
    def __init__(self, v):
        self._v = v

    @property
    def v(self):
        return disabled(self._v)

    @v.setter
    def v(self, value):
        self._v = value + 1

    @functools.cached_property
    def slow(self):
        return disabled(self._v) * 3

    @staticmethod
    def plus(x):
        return disabled(x) + 1

    @classmethod
    def make(cls, x):
        return cls(disabled(x))


class Arithmetic:
    def __init__(self, v):
        self.v = v

    def __add__(self, other):
        return Arithmetic(self.v + disabled(other.v))

    def __call__(self, x):
        return x * disabled(self.v)

    def __getitem__(self, key):
        return self.v[key] + disabled(1)

    def __len__(self):
        return disabled(4)

    def __bool__(self):
        return bool(disabled(1))

    def __eq__(self, other):
        return disabled(self.v is other.v)

    __hash__ = None

    def __contains__(self, x):
        return disabled(x) == 2

    def __iter__(self):
        for i in range(2):
            yield self.v * disabled(i)


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.register_buffer("mean", torch.zeros(4))
        self.calls = 0
        torch.nn.init.constant_(self.linear.weight, 0.5)
        torch.nn.init.constant_(self.linear.bias, 0.25)

    def forward(self, x):
        self.calls += 1
        y = self.linear(x)
        self.mean = self.mean * 0.5 + disabled(y.detach())
        return torch.relu(y) + self.mean


class Stack(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([Layer(), Layer()])
        self.named = torch.nn.ModuleDict({"last": Layer()})
        self.scale = torch.nn.Parameter(torch.ones(4))

    def forward(self, x):
        outputs = []
        for i, layer in enumerate(self.layers):
            x = layer(x) * self.scale
            if i == disabled(0):
                outputs.append(x)
        for name, layer in self.named.items():
            outputs.append(layer(x) + len(name))
        return outputs


def with_layer():
    return [(*ones()[0], Layer().eval())]


def with_stack():
    return [(*ones()[0], Stack().eval())]


@case()
def enum_across_a_break(a, b):
    c = Colour.RED if a.shape[0] == 4 else Colour.BLUE
    torch._dynamo.graph_break()
    x = a * c.value if c is Colour.RED else b
    y = disabled(x) + Colour["BLUE"].value
    return x, y, Colour(disabled(2)).name


@case()
def flags_across_a_break(a, b):
    mode = Bits.READ | Bits.WRITE
    x = disabled(a) * int(mode)
    return x + (1 if Bits.WRITE in mode else 0), int(mode & ~Bits.READ)


@case()
def dataclass_with_methods(a, b):
    a = a + b
    torch._dynamo.graph_break()
    p = Pair(a, b)
    x = p.total()
    p.first = x
    y = p.total()
    return y, p.count, dataclasses.replace(p, count=disabled(9)).count


@case()
def frozen_dataclass(a, b):
    s = Setting(scale=3.0)
    x = disabled(a) * s.scale
    torch._dynamo.graph_break()
    return x + len(s.names), dataclasses.astuple(Setting())


@case()
def namedtuple_with_methods(a, b):
    p = Point(a)
    torch._dynamo.graph_break()
    q = p.moved()
    x, n = q
    return disabled(x) * n, Point(b, y=disabled(1)).y, q._fields


@case()
def slots_across_a_break(a, b):
    s = Slotted(a)
    s.w = disabled(2)
    torch._dynamo.graph_break()
    s.v = s.v * s.w
    return disabled(s.v) + b


@case()
def abstract_and_overridden(a, b):
    first, second = Doubling(), Overriding()
    x = first.run(a)
    y = second.run(b)
    return x, y, first.seen, second.seen


@case()
def properties_that_break(a, b):
    p = Properties(a)
    x = p.v + 1
    p.v = x
    y = p.v
    return x, y, p.slow + p.slow, Properties.plus(b), Properties.make(b).v


@case()
def operators_that_break(a, b):
    p, q = Arithmetic(a), Arithmetic(b)
    x = (p + q).v
    y = p(b)
    z = q[0]
    return x, y, z


@case()
def protocols_that_break(a, b):
    p = Arithmetic(a)
    x = a + len(p)
    if p:
        x = x * 2
    if p == Arithmetic(b):
        x = x - 1
    return x, 2 in p


@case(skipped=True)  # a break in the iterator's method, inside the loop over it
def own_iterator_that_breaks(a, b):
    total = b
    for v in Arithmetic(a):
        total = total + v
    return total, [v + 1 for v in Arithmetic(b)]


@case(with_layer)
def module_that_breaks(a, b, layer):
    x = layer(a)
    y = layer(b)
    return x + y, layer.calls


@case(with_stack)
def modules_in_lists_and_dicts(a, b, stack):
    return stack(a), [n for n, _ in stack.named_children()]


@case(with_layer)
def module_hooks(a, b, layer):
    handle = layer.linear.register_forward_hook(lambda m, i, o: o * 2)
    x = layer.linear(a)
    torch._dynamo.graph_break()
    handle.remove()
    return x, layer.linear(b)


@case(with_layer)
def module_pre_hooks(a, b, layer):
    layer.linear.register_forward_pre_hook(lambda m, i: (disabled(i[0]) + 1,))
    return layer.linear(a) + layer.linear(b)


@case(with_layer)
def module_state(a, b, layer):
    layer.train()
    x = layer.linear(a)
    torch._dynamo.graph_break()
    layer.eval()
    names = [n for n, _ in layer.named_parameters()]
    return x, layer.training, names, [tuple(p.shape) for p in layer.parameters()]


@case(with_layer)
def module_attributes_written(a, b, layer):
    layer.note = [1]
    x = disabled(a)
    layer.note.append(2)
    layer.calls += 5
    torch._dynamo.graph_break()
    layer.mean = b
    return x + layer.mean, layer.note


@case()
def functions_as_values(a, b):
    table = {"sin": torch.sin, "twice": lambda x: x * 2}
    x = table["sin"](a)
    torch._dynamo.graph_break()
    y = functools.reduce(operator.add, [table["twice"](x), b, disabled(a)])
    return y, list(map(table["twice"], [a, b]))


@case()
def partials_across_breaks(a, b):
    f = functools.partial(torch.add, alpha=2)
    g = functools.partial(f, a)
    x = g(disabled(b))
    torch._dynamo.graph_break()
    return x, f(b, a), functools.partial(disabled, a)(b)


@case()
def closures_that_share(a, b):
    count, seen = 0, []

    def bump(n=1):
        nonlocal count
        count += n
        seen.append(count)
        return count

    x = a * bump()
    torch._dynamo.graph_break()
    y = b * bump(disabled(2))
    return x + y, count, seen


@case()
def closures_in_a_loop(a, b):
    made = []
    for i in range(3):
        made.append(lambda x, i=i: x * i)
        if i == disabled(1):
            a = a + 1
    return [f(a) for f in made], made[2](disabled(b))


@case()
def decorators_in_the_body(a, b):
    def logged(f):
        @functools.wraps(f)
        def inner(*args, **kwargs):
            return disabled(f(*args, **kwargs))

        return inner

    @logged
    def work(x, y=1):
        return x + y

    return work(a), work(b, y=a), work.__name__


@case()
def recursion_that_breaks(a, b):
    def walk(tree, depth):
        if isinstance(tree, (list, tuple)):
            return [walk(t, depth + 1) for t in tree]
        return disabled(tree) * depth

    return walk([a, (b, [a])], 0)


@case()
def generators_in_steps(a, b):
    def numbers(n):
        for i in range(n):
            yield i * 2
        return

    g = numbers(3)
    x = a + next(g)
    torch._dynamo.graph_break()
    y = b + next(g)
    return x, y, list(g)


@case()
def itertools_across_breaks(a, b):
    x = a
    for i, j in itertools.product(range(2), repeat=2):
        x = x + i * j
    torch._dynamo.graph_break()
    pairs = list(itertools.chain([a], [disabled(b)]))
    return x, pairs, list(itertools.accumulate([1, 2, 3])), list(itertools.islice(itertools.count(), 2))


@case()
def containers_of_the_library(a, b):
    counts = collections.Counter("aab")
    table = collections.defaultdict(list)
    table["x"].append(a)
    queue = collections.deque([a, b])
    torch._dynamo.graph_break()
    queue.rotate(disabled(1))
    table["y"].append(disabled(b))
    return counts["a"], dict(table), list(queue)


@case()
def chains_of_mappings(a, b):
    defaults = {"p": 1, "q": 2}
    merged = defaults | {"q": disabled(3)}
    view = types.MappingProxyType(merged)
    torch._dynamo.graph_break()
    return a * view["q"], sorted(merged), {v: k for k, v in merged.items()}


@case()
def copies_across_breaks(a, b):
    nested = {"l": [1, [2]], "t": (a,)}
    shallow, deep = copy.copy(nested), copy.deepcopy(nested["l"])
    torch._dynamo.graph_break()
    nested["l"].append(disabled(3))
    return shallow["l"] is nested["l"], deep, nested["t"][0] + b


@case()
def sorted_with_keys(a, b):
    items = [(3, "c"), (1, "a"), (2, "b")]
    items.sort(key=lambda p: p[0])
    torch._dynamo.graph_break()
    best = max(items, key=operator.itemgetter(1))
    return a * best[0] + disabled(b), sorted(items, reverse=True), min(disabled(4), 3)


@case()
def class_body_that_breaks(a, b):
    class Local:
        factor = 2

        def __init__(self, x):
            self.x = x

        def times(self):
            return self.x * self.factor

    first = Local(a).times()
    torch._dynamo.graph_break()
    return first + Local(b).times()


@case()
def attributes_by_name(a, b):
    box = types.SimpleNamespace(x=1)
    setattr(box, "y", a)  # noqa: B010
    name = "x" if hasattr(box, "y") else "z"
    torch._dynamo.graph_break()
    value = getattr(box, name) + getattr(box, "none", 5)
    delattr(box, "x")
    return disabled(box.y) * value, sorted(vars(box))


@case()
def types_asked(a, b):
    x = a if isinstance(a, torch.Tensor) and callable(disabled) else b
    torch._dynamo.graph_break()
    y = type(x) is torch.Tensor, issubclass(Doubling, Base), isinstance(disabled(1), (int, str))
    return x, y
