# SPDX-License-Identifier: MIT
"""Functions to compile, and changes of the values that their guards check.

A subject is a compiled callable with its inputs. A mutation is a context in which one thing is different. Mutations are
derived from the values, so a new subject needs none of its own.
"""

from __future__ import annotations

import collections
import contextlib
import enum
import random
from dataclasses import dataclass, field

import torch

SCALE = 3
TABLE = {"shift": 2, "name": "abc"}
ITEMS = [1, 2]


def helper(x):
    return x + SCALE


def other_helper(x):
    return x - SCALE


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Point(collections.namedtuple("Point", "x y")):
    pass


class Config:
    def __init__(self):
        self.width = 4
        self.factor = 1.5
        self.name = "wide"
        self.flag = True
        self.nothing = None
        self.inner = {"k": 1}


class Small(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.norm = torch.nn.LayerNorm(4)
        self.drop = torch.nn.Dropout(0.5)
        self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 4), torch.nn.ReLU()])
        self.register_buffer("offset", torch.ones(4))
        self.factor = 2
        self.table = {"shift": torch.ones(4), "name": "abc"}
        self.names = ["a", "b"]
        self.nothing = None

    def forward(self, x, y=None, *, flags=(1, 2), items=None):
        z = self.drop(self.norm(self.linear(x))) * self.factor + self.table["shift"] + self.offset
        for layer in self.layers:
            z = layer(z)
        if y is not None:
            z = z + y
        if self.table["name"] == "abc" and len(self.names) == 2 and self.nothing is None:
            z = z + SCALE
        for value in (*flags, *(items or ())):
            z = z + value
        return z if self.training else z * 2


def tensors(a, b, c):
    return a + b.sum() + c.reshape(-1)[0]


def scalars(x, i, f, s, b, n=None):
    if s == "left":
        x = x * i
    if b:
        x = x + f
    return x if n is None else x + n


def containers(x, seq, pair, mapping, ordered, members):
    for v in seq:
        x = x + v
    for v in mapping.values():
        x = x + v
    if "q" in ordered:
        x = x + 1
    x = x + ordered["w"]
    if 3 in members:
        x = x * pair[0]
    return x + pair[1]


def objects(x, config, color, dtype, point, fn):
    x = x * config.factor if config.flag else x
    if config.name == "wide" and color is Color.RED:
        x = x + config.width
    if config.nothing is None and not hasattr(config, "extra"):
        x = x + config.inner["k"]
    return fn(x.to(dtype)) + point.x


def globals_and_calls(x):
    x = helper(x) * TABLE["shift"]
    if TABLE["name"] == "abc":
        x = torch.relu(x)
    for v in ITEMS:
        x = x + v
    return x


def nested(x, tree):
    return x + tree["a"][0] + tree["b"]["c"] + tree["b"]["d"][1]


def views(x, n):
    if x.shape[0] > 3:
        x = x * 2
    return x.reshape(x.shape[0], -1).sum(0) + n


def make_closure():
    scale, shift, table = 2, torch.ones(4), {"k": 1}

    def closed(x, extra=1):
        return x * scale + shift + table["k"] + extra

    return closed


def tuples(x, *rest, **named):
    for v in rest:
        x = x + v
    for k in named:
        x = x + named[k]
    return x


@dataclass
class Subject:
    """A compiled callable and the arguments that it was compiled for."""

    name: str
    fn: object  # what is called
    code: object  # whose entries are compared with torch
    args: tuple
    kwargs: dict = field(default_factory=dict)
    cells: dict = field(default_factory=dict)


def subjects(backend="eager"):
    """Returns all subjects, compiled and called once; some are called twice, so that sizes become dynamic."""
    torch._dynamo.reset()
    torch.manual_seed(0)
    made = []

    def add(name, fn, *calls, code=None, dynamic=None):
        compiled = torch.compile(fn, backend=backend, dynamic=dynamic)
        for args, kwargs in calls:
            compiled(*args, **kwargs)
        made.append(Subject(name, compiled, code or fn.__code__, calls[0][0], calls[0][1]))

    def new(*size, **options):
        return torch.randn(*size, **options)

    add("tensors", tensors, ((new(4), new(2, 3, requires_grad=True), new(2, 2).t()), {}))
    add("scalars", scalars, ((new(4), 2, 1.5, "left", True), {}))
    mapping = {"p": new(4), "r": 2}
    add("containers", containers, ((new(4), [1, 2], (2, 3.5), mapping, collections.OrderedDict(w=new(4)), {3, 4}), {}))
    add("objects", objects, ((new(4), Config(), Color.RED, torch.float64, Point(1, 2), helper), {}))
    add("globals", globals_and_calls, ((new(4),), {}))
    add("nested", nested, ((new(3), {"a": [new(3), 1], "b": {"c": new(3), "d": (1, 2)}}), {}))
    add("dynamic", views, ((new(6, 2), 1), {}), ((new(7, 2), 1), {}))
    closed = make_closure()
    add("closure", closed, ((new(4),), {}))
    add("tuples", tuples, ((new(4), 1, new(4)), {"k": new(4), "m": 2}))
    model = Small()
    compiled = torch.compile(model, backend=backend)
    call = ((new(2, 4),), {"items": [1, 2]})
    compiled(*call[0], **call[1])
    made.append(Subject("module", compiled, Small.forward.__code__, *call))
    model = Small().eval()
    compiled = torch.compile(model, backend=backend, dynamic=True)
    call = ((new(3, 4),), {"y": new(4)})
    compiled(*call[0], **call[1])
    made.append(Subject("dynamic module", compiled, Small.forward.__code__, *call))
    return made


# ---- mutations: each yields (name, args, kwargs) inside a context


@contextlib.contextmanager
def attribute(owner, name, value):
    """Makes `owner.name` another value, or deletes it."""
    had = name in vars(owner) if hasattr(owner, "__dict__") else True
    before = getattr(owner, name, None)
    if value is DELETE:
        delattr(owner, name)
    else:
        setattr(owner, name, value)
    try:
        yield
    finally:
        if had or before is not None:
            setattr(owner, name, before)
        else:
            delattr(owner, name)


@contextlib.contextmanager
def item(owner, key, value):
    """Makes `owner[key]` another value, or deletes it; a dictionary keeps its order."""
    before = owner.copy()
    if value is DELETE:
        del owner[key]
    else:
        owner[key] = value
    try:
        yield
    finally:
        owner.clear()
        owner.update(before) if isinstance(owner, dict) else owner.extend(before)


DELETE = object()


def of_tensor(t):
    """Yields tensors that differ from T in one respect."""
    d = t.detach()
    yield "same metadata", d.clone().requires_grad_(t.requires_grad)
    for dtype in (torch.float64, torch.float16, torch.int64, torch.bool, torch.complex64):
        yield f"dtype {dtype}", d.to(dtype)
    if d.dim():
        yield "one longer", torch.cat([d, d[:1]])
        yield "one shorter", d[: d.shape[0] - 1].clone()
        yield "empty", d[:0].clone()
        yield "size one", d[:1].clone()
        yield "twice as long", torch.cat([d, d])
        yield "other stride", torch.stack([d, d], -1)[..., 0]
    if d.dim() > 1:
        yield "transposed", d.t() if d.dim() == 2 else d.transpose(0, 1)
        yield "contiguous", d.contiguous()
    yield "more dimensions", d.unsqueeze(0)
    yield "no dimensions", d.reshape(-1)[0]
    yield "requires grad", d.clone().requires_grad_(not t.requires_grad)
    yield "meta", d.to("meta")
    yield "parameter", torch.nn.Parameter(d.clone(), requires_grad=t.requires_grad)
    yield "buffer", torch.nn.Buffer(d.clone())
    yield "sparse", d.reshape(-1).to_sparse()
    yield "conjugate", d.to(torch.complex64).conj()
    marked = d.clone().requires_grad_(t.requires_grad)
    if d.dim():
        torch._dynamo.mark_dynamic(marked, 0)
        yield "marked dynamic", marked
        static = d.clone().requires_grad_(t.requires_grad)
        torch._dynamo.mark_static(static, 0)
        yield "marked static", static
    with torch.inference_mode():
        yield "inference tensor", d.clone()
    yield "subclass", d.as_subclass(type("Sub", (torch.Tensor,), {}))
    yield "none", None
    yield "number", 1.0
    yield "list", [1.0]
    yield "text", "tensor"


def of_plain(value):
    """Yields values that differ from a plain value."""
    if isinstance(value, bool):
        yield from (("flipped", not value), ("int", int(value)), ("none", None), ("text", "yes"))
    elif isinstance(value, int):
        yield from (("more", value + 1), ("zero", 0), ("one", 1), ("negative", -value), ("big", 2**40))
        yield from (("float", float(value)), ("bool", True), ("text", str(value)), ("none", None))
        yield "tensor", torch.tensor(value)
        yield "same", int(str(value))
    elif isinstance(value, float):
        yield from (("more", value + 1), ("zero", 0.0), ("minus zero", -0.0), ("nan", float("nan")), ("int", 1))
        yield from (("infinite", float("inf")), ("none", None), ("same", float(str(value))))
    elif isinstance(value, str):
        yield from (("longer", value + "x"), ("empty", ""), ("none", None), ("bytes", value.encode()))
        yield "same", "".join(list(value))
    elif value is None:
        yield from (("zero", 0), ("one", 1), ("tensor", torch.ones(4)), ("text", ""), ("false", False))
    elif isinstance(value, enum.Enum):
        yield from (("other member", Color.BLUE), ("number", value.value), ("name", value.name), ("none", None))
    elif isinstance(value, torch.dtype):
        yield from (("other", torch.float32), ("half", torch.float16), ("text", "float64"))
    elif callable(value) and not isinstance(value, torch.nn.Module):
        yield from (("other function", other_helper), ("lambda", lambda x: x), ("builtin", abs), ("none", None))


def of_container(value):
    """Yields containers that differ in length, keys, type or order."""
    if isinstance(value, dict):
        keys = list(value)
        kind = type(value)
        yield "one key less", kind((k, value[k]) for k in keys[1:])
        yield "one key more", kind([*value.items(), ("added", 1)])
        yield "q added", kind([*value.items(), ("q", 1)])
        yield "reversed", kind(reversed(list(value.items())))
        yield "renamed", kind((f"{k}_", v) for k, v in value.items())
        yield "empty", kind()
        yield "copy", kind(value)
        yield "other class", dict(value) if kind is not dict else collections.OrderedDict(value)
        yield "default dict", collections.defaultdict(int, value)
        yield "list", list(value)
    elif isinstance(value, Point):
        yield from (("other", Point(value.x + 1, value.y)), ("tuple", tuple(value)), ("none", None))
        yield "same", Point(value.x, value.y)
    elif isinstance(value, list | tuple | set):
        kind = type(value)
        items = list(value)
        yield "longer", kind([*items, 7])
        yield "shorter", kind(items[1:])
        yield "empty", kind()
        yield "reversed", kind(items[::-1])
        yield "copy", kind(items)
        for other in (list, tuple, set, frozenset):
            if other is not kind:
                with contextlib.suppress(TypeError):
                    yield other.__name__, other(items)
        yield "dict", dict(enumerate(items))
        yield "none", None


def variants(value, depth=0):
    """Yields (name, changed value) for any value: changes of the whole value, then of its parts."""
    if isinstance(value, torch.Tensor):
        yield from of_tensor(value)
        return
    yield from of_plain(value)
    yield from of_container(value)
    if depth < 3 and isinstance(value, dict):
        for k in list(value):
            for name, changed in variants(value[k], depth + 1):
                yield f"[{k!r}] {name}", type(value)((i, changed if i == k else v) for i, v in value.items())
    elif depth < 3 and isinstance(value, list | tuple) and not isinstance(value, Point):
        for i, v in enumerate(value):
            for name, changed in variants(v, depth + 1):
                yield f"[{i}] {name}", type(value)([*value[:i], changed, *value[i + 1 :]])


def in_place(value, depth=0):
    """Yields (name, context) for changes of one of the program's objects, which the context undoes."""
    if isinstance(value, torch.nn.Module):
        yield "eval", attribute(value, "training", not value.training)
        for name in list(value._modules):
            if value._modules[name] is not None:
                yield f"{name} replaced", item(value._modules, name, torch.nn.Identity())
                yield f"{name} deleted", item(value._modules, name, DELETE)
                for inner, context in in_place(value._modules[name], depth + 1):
                    yield f"{name}.{inner}", context
        for table in (value._parameters, value._buffers):
            for name in list(table):
                for change, new in of_tensor(table[name]) if table[name] is not None else ():
                    if new is None or isinstance(new, torch.Tensor):
                        yield f"{name} {change}", item(table, name, new)
        yield "hook added", hook(value)
        yield "forward replaced", attribute_added(value, "forward", lambda *a, **k: None)
    if depth < 3 and hasattr(value, "__dict__") and not isinstance(value, type | torch.Tensor | enum.Enum):
        for name, current in list(vars(value).items()):
            if name.startswith("_") or name == "training" or callable(current):
                continue
            for change, new in variants(current, depth + 1):
                yield f"{name} {change}", attribute(value, name, new)
            yield f"{name} deleted", attribute(value, name, DELETE)
            if isinstance(current, dict):
                yield f"{name} grows", item(current, "another", 1)
        yield "attribute added", attribute_added(value, "extra", 1)
        yield "class changed", class_changed(value)


@contextlib.contextmanager
def attribute_added(owner, name, value):
    owner.__dict__[name] = value
    try:
        yield
    finally:
        owner.__dict__.pop(name, None)


@contextlib.contextmanager
def class_changed(value):
    before = type(value)
    try:
        value.__class__ = type(before.__name__, (before,), {})
    except TypeError:
        yield
        return
    try:
        yield
    finally:
        value.__class__ = before


@contextlib.contextmanager
def hook(module):
    handle = module.register_forward_hook(lambda *a: None)
    try:
        yield
    finally:
        handle.remove()


@contextlib.contextmanager
def default_dtype():
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(torch.float32)


@contextlib.contextmanager
def deterministic():
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(False)


@contextlib.contextmanager
def threads():
    before = torch.get_num_threads()
    torch.set_num_threads(before + 1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class Mode(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def surroundings():
    """Yields (name, context) for changes of the global state around a call."""
    yield "no grad", torch.no_grad()
    yield "inference mode", torch.inference_mode()
    yield "autocast", torch.autocast("cpu", dtype=torch.bfloat16)
    yield "default dtype", default_dtype()
    yield "deterministic", deterministic()
    yield "threads", threads()
    yield "function mode", Mode()
    yield "default device", torch.device("meta")
    yield "no torch function", torch._C.DisableTorchFunction()
    yield "no torch function subclass", torch._C.DisableTorchFunctionSubclass()
    yield "saved tensor hooks", torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t)
    yield "forward ad", torch.autograd.forward_ad.dual_level()
    yield "nothing", contextlib.nullcontext()


def of_globals(scope):
    """Yields (name, context) for changes of the module's globals."""
    for name in ("SCALE", "TABLE", "ITEMS", "helper", "Color"):
        for change, new in variants(scope[name]):
            yield f"{name} {change}", item(scope, name, new)
        yield f"{name} deleted", item(scope, name, DELETE)
    for key in ("shift", "name"):
        for change, new in variants(scope["TABLE"][key]):
            yield f"TABLE[{key!r}] in place {change}", item(scope["TABLE"], key, new)
    yield "ITEMS longer in place", item(scope["ITEMS"], slice(2, 2), [9])
    yield "torch.relu replaced", attribute(torch, "relu", torch.sigmoid)


def of_cells(fn):
    """Yields (name, context) for changes of the variables of a closure."""
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
        for change, new in variants(cell.cell_contents):
            yield f"cell {name} {change}", attribute(cell, "cell_contents", new)


def mutations(subject, fn):
    """Yields (name, context, args, kwargs) for one subject; FN is its innermost Python function."""
    args, kwargs = subject.args, subject.kwargs
    yield "unchanged", contextlib.nullcontext(), args, kwargs
    for i, value in enumerate(args):
        for name, changed in variants(value):
            yield f"argument {i} {name}", contextlib.nullcontext(), (*args[:i], changed, *args[i + 1 :]), kwargs
        for name, context in in_place(value):
            yield f"argument {i}.{name}", context, args, kwargs
    for k, value in kwargs.items():
        for name, changed in variants(value):
            yield f"argument {k} {name}", contextlib.nullcontext(), args, {**kwargs, k: changed}
    for i, a in enumerate(args):
        for j, b in enumerate(args):
            if i < j and isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
                yield (
                    f"arguments {i} and {j} the same",
                    contextlib.nullcontext(),
                    (*args[:j], a, *args[j + 1 :]),
                    kwargs,
                )
    for name, context in surroundings():
        yield name, context, args, kwargs
    if isinstance(subject.fn, torch.nn.Module):
        for name, context in in_place(subject.fn._orig_mod):
            yield f"self.{name}", context, args, kwargs
        yield "y given", contextlib.nullcontext(), (*args, torch.ones(4)), kwargs
    yield from ((name, context, args, kwargs) for name, context in of_cells(fn))
    for name, context in of_globals(fn.__globals__):
        yield f"global {name}", context, args, kwargs


def pairs(subject, fn, count, seed):
    """Yields COUNT random pairs of mutations."""
    chooser = random.Random(seed)
    made = 0
    while made < count:
        every = list(mutations(subject, fn))
        chooser.shuffle(every)
        for one, two in zip(every[::2], every[1::2], strict=False):
            changed = two if two[2] is not subject.args or two[3] is not subject.kwargs else one
            yield f"{one[0]} + {two[0]}", both(one[1], two[1]), changed[2], changed[3]
            made += 1
            if made >= count:
                return


@contextlib.contextmanager
def both(first, second):
    with first, second:
        yield
