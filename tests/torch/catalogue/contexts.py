# SPDX-License-Identifier: MIT
"""Breaks inside `with` and `try`: resume functions enter the open contexts again."""

from __future__ import annotations

import contextlib

import torch

from . import case, disabled

EVENTS: list[str] = []


def seen():
    return list(EVENTS), torch.is_grad_enabled()


class Recorder:
    """A context manager that torch does not trace."""

    def __init__(self, name):
        self.name = name

    @torch.compiler.disable
    def __enter__(self):
        EVENTS.append("enter " + self.name)
        return self

    @torch.compiler.disable
    def __exit__(self, kind, value, traceback):
        EVENTS.append(f"exit {self.name} {kind and kind.__name__}")
        return False


@contextlib.contextmanager
def made():
    EVENTS.append("enter made")
    try:
        yield 7
    finally:
        EVENTS.append("exit made")


def grad():
    return [(torch.linspace(-1.0, 1.0, 4, requires_grad=True), torch.ones(4))]


@case(grad, observe=seen, breaks="GB0098")
def in_no_grad(a, b):
    with torch.no_grad():
        y = disabled(a * 2) + b
    return y * a, y.requires_grad


def big():
    return [(torch.full((8, 8), 2.0), torch.full((8, 8), 3.0))]


@case(big, breaks="GB0098")
def depyf_moved_this_call(a, b):
    with torch.no_grad():
        x = a @ b
        y = disabled(x)
        z = y + x
    return z.sum()


@case(grad, breaks="GB0025")
def break_in_no_grad(a, b):
    with torch.no_grad():
        y = a * 2
        torch._dynamo.graph_break()
        y = y + b
    return y, a * y


@case(grad, breaks="GB0025")
def break_in_enable_grad_in_no_grad(a, b):
    with torch.no_grad():
        x = a + 1
        with torch.enable_grad():
            y = a * 2
            torch._dynamo.graph_break()
            y = y + b
        z = x + y
    return z, y


@case(big, breaks="GB0025")
def in_autocast(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        x = a @ b
        torch._dynamo.graph_break()
        y = x @ b
    return y.dtype, y.float()


@case(big, breaks="GB0098")
def disabled_in_autocast(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = disabled(a @ b) @ b
    return y


@case(breaks="GB0098")
def value_pending_in_with(a, b):
    with torch.no_grad():
        return (a + 1) * disabled(b) + a


@case(observe=seen, skipped=True)
def user_made(a, b):
    with Recorder("r") as r:
        x = a + b
        torch._dynamo.graph_break()
        x = x * 2
    return x, r.name


@case(observe=seen, skipped=True)
def generator_made(a, b):
    with made() as n:
        x = a * n
        torch._dynamo.graph_break()
        x = x + b
    return x


@case(observe=seen, skipped=True)
def exception_in_with(a, b):
    with Recorder("e"):
        x = a + b
        torch._dynamo.graph_break()
        raise ValueError("out")
    return x


@case(breaks="GB0025", skipped=True)
def break_in_try(a, b):
    try:
        x = a + b
        torch._dynamo.graph_break()
        return x * 2
    except ValueError:
        return a


@case(breaks="GB0098", skipped=True)
def caught_behind_the_break(a, b):
    try:
        x = disabled(a)
        raise KeyError("k")
    except KeyError as e:
        return x + b, str(e)


@case(breaks="GB0088")
def raised(a, b):
    x = a + b
    torch._dynamo.graph_break()
    raise RuntimeError("on purpose")
    return x


@case(breaks="GB0098")
def raised_by_the_call(a, b):
    @torch.compiler.disable
    def fails(x):
        raise LookupError("inside")

    try:
        return fails(a)
    except LookupError as e:
        return b * 2, str(e)


@case(breaks="GB0025")
def break_in_finally(a, b):
    try:
        x = a + b
    finally:
        torch._dynamo.graph_break()
        b = b * 2
    return x + b


@case(breaks="GB0025", skipped=True)
def break_in_try_finally(a, b):
    try:
        x = a + b
        torch._dynamo.graph_break()
        x = x * 3
    finally:
        b = b * 2
    return x + b


@case(breaks="GB0025")
def with_in_a_loop(a, b):
    for i in range(2):
        with torch.no_grad():
            a = a + b * i
    torch._dynamo.graph_break()
    return a


@case(grad, observe=seen)
def set_grad_enabled(a, b):
    torch.set_grad_enabled(False)
    x = a * 2
    torch._dynamo.graph_break()
    y = x + a
    torch.set_grad_enabled(True)
    return y.requires_grad, y


@case(grad)
def inference_mode(a, b):
    with torch.inference_mode():
        y = a * 2
        torch._dynamo.graph_break()
        y = y + 1
    return y


@case(breaks="GB0025")
def two_managers(a, b):
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        x = a + b
        torch._dynamo.graph_break()
        x = x * 2
    return x
