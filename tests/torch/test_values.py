# SPDX-License-Identifier: MIT
"""depyf.values(): what the names of a dumped file stand for that are no locals of the running frame."""

from __future__ import annotations

import ast
import dis
import json
import linecache
import sys

import depyf
import pytest
import torch
from depyf.torch.debug import values
from depyf.torch.debug.stack_values import Stack
from releases import needs_the_stack
from test_catalogue import IN_LISTS
from test_full_code import PARTS


def branchy(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


def test_values_show_what_no_local_holds(tmp_path):
    """A tracer stands in the remapped frame, as a debugger does."""
    seen = {}
    named = set()

    def trace(frame, event, arg):
        if not frame.f_code.co_filename.startswith(str(tmp_path)) or frame.f_code.co_name != "branchy":
            return None
        found = depyf.values(frame)
        seen.update({name: found[name] for name in found})
        for shown in found.shown:
            assert shown.name not in frame.f_code.co_varnames and str(shown)
            named.add(shown.name)
        return trace

    compiled = torch.compile(branchy, backend="eager")
    with depyf.prepare_debug(tmp_path):
        compiled(torch.ones(3), torch.ones(3))
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        compiled(torch.ones(3), torch.ones(3))
    finally:
        sys.settrace(before)
    text = (tmp_path / "__transformed_code_0_for_branchy.py").read_text("utf-8")
    assert named and all(name in text for name in named)
    assert any(callable(value) for value in seen.values()) == ("graph = " in text)  # earlier releases name no graph


@needs_the_stack
def test_values_that_lie_on_the_stack_alone(tmp_path):
    """What a branch is decided on is in no variable; it is read where it lies, and only while it does."""
    seen, after = [], []

    def trace(frame, event, arg):
        if not frame.f_code.co_filename.startswith(str(tmp_path)) or frame.f_code.co_name != "branchy":
            return None
        known = dict(depyf.values(frame))
        line = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()
        if event == "line" and line.startswith("if branch"):
            seen.append(known.get("branch"))
        elif event == "return" or line.startswith("return"):
            after.append(known)
        return trace

    compiled = torch.compile(branchy, backend="eager")
    a, positive, negative = torch.ones(3), torch.ones(3), -torch.ones(3)
    with depyf.prepare_debug(tmp_path):
        compiled(a, positive)
        compiled(a, negative)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        compiled(a, positive)
        compiled(a, negative)
    finally:
        sys.settrace(before)
    assert [bool(value) for value in seen] == [False, True] and all(torch.is_tensor(v) for v in seen)
    assert after and all("branch" not in known for known in after)
    # a frame that has ended has no stack any more
    with pytest.raises(RuntimeError) as caught, torch.compiler.set_stance("fail_on_recompile"):
        compiled(a, torch.ones(3, 3))
    frame = caught.value.__traceback__
    while frame is not None:
        depyf.values(frame.tb_frame)
        frame = frame.tb_next


def test_values_in_variables_that_dynamo_named(tmp_path):
    """Dynamo keeps what it fetches twice in `tmp_3`; the text names it after its path, and so does `values()`."""

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = torch.nn.Linear(3, 3), torch.nn.Linear(3, 3)

        def forward(self, x):
            return self.second(self.first(x))

    model, seen = Model(), []

    def trace(frame, event, arg):
        if not frame.f_code.co_filename.startswith(str(tmp_path)) or frame.f_code.co_name != "forward":
            return None
        line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
        if event == "line" and " graph(" in line:
            seen.append((dict(depyf.values(frame)), sorted(frame.f_locals)))
        return trace

    with depyf.prepare_debug(tmp_path):
        compiled = torch.compile(model, backend="eager")
        compiled(torch.ones(3))
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        compiled(torch.ones(3))
    finally:
        sys.settrace(before)
    ((known, variables),) = seen
    assert known["modules"] is model._modules and known["first_parameters"] is model.first._parameters
    assert not {"modules", "first_parameters"} & set(variables)
    assert any(name.startswith("tmp_") for name in variables)


LOOKED: list[depyf.torch.debug.values.Values] = []


@torch.compiler.disable
def looks(x):
    LOOKED.append(depyf.values())
    return x + 1


def pending(a, b):
    c = a * 2
    d = [c, b + 1]
    return torch.sin(a) + looks(b.cos()) + c + d[1]


@needs_the_stack
@pytest.mark.skipif(not IN_LISTS, reason="this torch keeps no lists on the stack")
def test_values_that_lie_in_lists_on_the_stack(tmp_path):
    """While Dynamo's frame makes a call, it holds what is needed after it in lists of lists."""
    LOOKED.clear()
    a, b = torch.arange(3.0), torch.ones(3)
    with depyf.prepare_debug(tmp_path):
        compiled = torch.compile(pending, backend="eager")
        compiled(a, b)
    LOOKED.clear()
    compiled(a, b)
    (found,) = LOOKED
    shown = {s.expression: s for s in found.shown if s.expression.startswith("graph_out[")}
    held = [s.value for s in shown.values() if s.known]
    assert len(held) >= len(shown) - 1 >= 2  # all but what the call itself was given
    expected = [torch.sin(a), a * 2, b + 1]
    assert all(any(torch.equal(value, one) for one in expected) for value in held)


def test_a_list_that_something_else_may_change_is_unknown():
    """A list is followed until it goes to a call or into what is not followed itself, wherever else it lies."""

    def some():
        return f([a, [b, c]], g(d), [a, b][1], h([a, b][i]))  # noqa: F821

    stack, instructions = Stack(some.__code__), list(dis.get_instructions(some))
    inner, outer, indexed, asked = (i.offset for i in instructions if i.opname == "BUILD_LIST")
    g, h, _ = (i.offset for i in instructions if i.opname == "CALL")
    b = [i.offset for i in instructions if i.argval == "b"]
    assert stack.lists[g][outer][1] == inner and stack.lists[g][inner][0] == b[0]
    assert b[1] in stack.origins[h]
    assert stack.lists[h][asked] is None and stack.lists[h][indexed] is not None
    assert stack.lists[h][outer] is not None
    (end,) = (i.offset for i in instructions if i.opname == "RETURN_VALUE")
    assert stack.lists[end][outer] is None and stack.lists[end][inner] is None


def test_the_stack_is_followed_on_all_ways():
    def some(a, b, c):
        for x in a:
            b = [x, *b] if x in c else b[1:]
        try:
            return len(b)
        finally:
            c.append((a, b))

    for function in (some, depyf.values, test_values_at_a_debuggers_prompt, json.dumps):
        stack = Stack(function.__code__)
        assert stack.is_known
        depths = {o: len(s) for o, s in stack.origins.items()}
        assert depths and max(depths.values()) <= function.__code__.co_stacksize


def test_values_at_a_debuggers_prompt(run_script, tmp_path):
    source = """
import sys, pdb, depyf, torch
sys.path.insert(0, sys.argv[0].rsplit("/", 1)[0])
import program_parts as parts

compiled = torch.compile(parts.defaults, backend="eager")
with depyf.prepare_debug("dump"):
    compiled(torch.ones(3))
with depyf.debug():
    compiled(torch.ones(3))
"""
    (tmp_path / "program_parts.py").write_text(PARTS)
    done = run_script(source)  # nobody is at the prompt
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "dump" / "__transformed_code_0_for_defaults.py").read_text("utf-8").splitlines()
    named = any(t.strip().startswith("graph = ") for t in text)  # earlier releases call the graph by its global name
    line = next(i for i, t in enumerate(text, 1) if ("= graph(" if named else "= __compiled_fn_") in t)
    stop = f"b {tmp_path}/dump2/__transformed_code_0_for_defaults.py:{line}"
    feed = "\n".join([stop, "c", "values", "p __import__('depyf').values()", "c", ""])
    done = run_script(source.replace('"dump"', '"dump2"'), feed=feed)
    assert done.returncode == 0, done.stderr
    shown = ["graph = <", "__compiled_fn_"] if named else ["every name in this text is a local"]
    assert sum(all(part in t for part in shown) for t in done.stdout.splitlines()) == 2, done.stdout


def test_values_in_a_graph(tmp_path):
    """There every name is a local, but for those that the graph has let go; tensors of one number show it."""
    seen = []

    def trace(frame, event, arg):
        if ".Captured_Graph." not in frame.f_code.co_filename:
            return None
        if event == "return":
            seen.append(depyf.values(frame))
        return trace

    def summed(a):
        return (a.sin() + 1).sum() * 2

    compiled = torch.compile(summed, backend="eager")
    with depyf.prepare_debug(tmp_path):
        compiled(torch.zeros(3))
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        compiled(torch.zeros(3))
    finally:
        sys.settrace(before)
    (found,) = seen
    shown = {s.name: s for s in found.shown}
    assert shown["l_a_"].expression == "L_a_" and shown["sin"].expression == "l_a_.sin()"
    assert "sin" not in found and "let go after its last use" in str(shown["sin"])
    (result,) = (s for s in found.shown if s.expression.endswith("* 2"))
    assert found[result.name].item() == 6.0 and str(result).startswith(f"{result.name} = 6.0 (")


def test_a_number_that_is_not_there():
    with torch.device("meta"):
        assert str(values.Shown("x", "y", 1, True, torch.ones(()))).startswith("x = Tensor ()")


def test_values_outside_of_such_a_frame():
    assert depyf.values() == {}


def test_names_that_a_value_is_unpacked_into():
    (statement,) = ast.parse("x, branch = graph(a, b)").body
    made = values._pairs(statement)
    assert {name: ast.unparse(node) for name, (node, _, _) in made.items()} == {
        "x": "graph(a, b)[0]",
        "branch": "graph(a, b)[1]",
    }
    assert [values._place(node) for node, _, _ in made.values()] == [(1, 0, 1, 1), (1, 3, 1, 9)]
