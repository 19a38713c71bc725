# SPDX-License-Identifier: MIT
"""Objects that a frame has released must be free while its next call runs, which weak references check."""

from __future__ import annotations

import weakref

import torch

from . import case

REFERENCES: list[weakref.ref] = []
ALIVE: list[list[bool]] = []


def seen():
    return [list(row) for row in ALIVE]


@torch.compiler.disable
def watch(x):
    REFERENCES.append(weakref.ref(x))
    return x.sum()


@torch.compiler.disable
def look():
    ALIVE.append([r() is not None for r in REFERENCES])


@case(observe=seen, breaks="GB0098")
def let_go_before_a_call(a, b):
    big = a * 3
    total = watch(big)
    del big
    look()
    return total + b


@case(observe=seen, breaks="GB0098")
def argument_of_a_break(a, b):
    total = watch(a * 3)
    look()
    return total + b


@case(observe=seen, breaks="GB0098")
def kept_over_a_call(a, b):
    big = a * 3
    total = watch(big)
    look()
    return total + b + big


@case(observe=seen, breaks="GB0098")
def overwritten(a, b):
    x = a * 3
    watch(x)
    x = x + 1
    look()
    watch(x)
    x = x.sum()
    look()
    return x + b


@case(observe=seen, breaks="GB0170")
def condition(a, b):
    x = a * 2
    watch(x)
    if (x + b).sum() > 0:
        look()
        x = b
    look()
    return x
