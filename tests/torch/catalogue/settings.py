# SPDX-License-Identifier: MIT
"""Programs with settings of `torch._dynamo.config` that are not the default."""

from __future__ import annotations

import contextlib

import torch

from . import case, disabled


def leaves():
    return [(torch.ones(4, requires_grad=True), torch.linspace(-1.0, 1.0, 4).requires_grad_())]


def inner_tensors():
    return [(torch.ones(4, requires_grad=True) * 2, torch.ones(4))]


TRACED = {"trace_autograd_ops": True}


@case(leaves, config=TRACED)
def gradients_between_breaks(a, b):
    loss = (a * b).sum()
    (first,) = torch.autograd.grad(loss, [a])
    torch._dynamo.graph_break()
    return disabled(first.detach(), b.detach())


@case(inner_tensors, config=TRACED)
def gradient_of_an_outer_function(a, b):
    b = b + 1
    (found,) = torch.autograd.grad((a * b).sum(), [a])
    return found


@case(leaves, breaks="GB6663", config=TRACED)
def gradient_of_what_is_no_tensor(a, b):
    loss = (a * b).sum()
    try:
        return torch.autograd.grad(loss, 3)
    except (TypeError, RuntimeError) as error:
        return type(error).__name__


@case(leaves, breaks="GB0372 GB1381", config=TRACED)
def gradient_taken_twice(a, b):
    loss = (a * b).exp().sum()
    (first,) = torch.autograd.grad(loss, [a])
    try:
        (second,) = torch.autograd.grad(loss, [b])
    except RuntimeError:
        second = first
    return first.detach() + second.detach()


@case(leaves, breaks="GB4927", config=TRACED)
def gradient_of_what_is_returned(a, b):
    product = (a * b).exp()
    (first,) = torch.autograd.grad(product.sum(), [a])
    return product, first.detach()


@case(
    lambda: [((torch.ones(4, requires_grad=True) * 2).grad_fn, torch.ones(4, requires_grad=True))],
    config=TRACED,
)
def a_node_of_autograd(node, b):
    b = b * 2
    return b.detach(), node.name()


@case(
    lambda: [
        (torch.autograd.graph.get_gradient_edge(torch.ones(4, requires_grad=True)), torch.ones(4, requires_grad=True))
    ],
    breaks="GB5748",
    config=TRACED,
)
def gradient_at_an_edge(edge, b):
    loss = (b * 2).sum()
    return torch.autograd.grad(loss, [edge], allow_unused=True)


@case(leaves, breaks="GB0442", config=TRACED)
def backward_to_nothing(a, b):
    loss = (a * b).sum()
    try:
        loss.backward(inputs=[])
    except RuntimeError as error:
        return type(error).__name__
    return loss.detach()


@case(leaves, breaks="GB1042", config=TRACED)
def backward_to_a_tensor_made_here(a, b):
    made = (b.detach() * 2).requires_grad_()
    (a * made).sum().backward(inputs=[made])
    return made.grad


@case(leaves, breaks="GB7054", config=TRACED)
def backward_to_what_is_no_leaf(a, b):
    made = a * 2
    (made * b).sum().backward(inputs=[made])
    return b.grad, a.grad


@case(leaves, config=TRACED)
def made_to_require_a_gradient(a, b):
    made = a.detach() * 2
    made.requires_grad_()
    return made * b


@contextlib.contextmanager
def noting(notes):
    notes.append("in")
    try:
        yield notes
    finally:
        notes.append("out")


@case(breaks="GB0263", config={"enable_trace_contextlib": False})
def context_manager_of_a_generator_untraced(a, b):
    notes = []
    with noting(notes) as inside:
        a = a + b
        inside.append("body")
    return a, notes


@case(breaks="GB0370", config={"capture_profiler_record_function": True}, skipped=True)
def profiled_region_that_breaks(a, b):
    with torch.profiler.record_function("outer"):
        a = a + b
        torch._dynamo.graph_break()
        a = a * 2
    return a


def leaf(x):
    return x + 1


@case(breaks="GB0269", config={"debug_force_graph_break_on_leaf_return": True})
def breaks_at_leaves(a, b):
    return leaf(a) * leaf(b)


@case(config={"nested_graph_breaks": True})
def breaks_in_functions_that_are_inlined(a, b):
    def first(value):
        value = disabled(value, 1.0)
        return value * 2

    def second(value, other):
        found = first(value) + other
        torch._dynamo.graph_break()
        return found - other

    return [second(a, b), second(b, a)]


@case(config={"nested_graph_breaks": True})
def breaks_in_inlined_functions_in_a_loop(a, b):
    def step(value, i):
        if i % 2:
            torch._dynamo.graph_break()
        return value + i

    total = {"sum": a}
    for i in range(3):
        total["sum"] = step(total["sum"], i) * b
    return total


@case(config={"assume_static_by_default": False, "automatic_dynamic_shapes": True})
def sizes_as_symbols(a, b):
    n = a.shape[0]
    torch._dynamo.graph_break()
    return a[: n - 1] + n, [n * 2, f"{n}"]


@case(config={"capture_scalar_outputs": True})
def scalars_as_symbols(a, b):
    n = int(b.sum().item())
    a = a * n
    torch._dynamo.graph_break()
    return a + n, n


@case(config={"capture_dynamic_output_shape_ops": True})
def shapes_of_data(a, b):
    found = torch.nonzero(a > 0)
    count = found.shape[0]
    torch._dynamo.graph_break()
    return found + 1, count


@case(config={"specialize_int": True, "specialize_float": True})
def numbers_as_constants(a, b):
    k, f = 3, 0.5
    a = disabled(a, k)
    return a * f, k, f
