# SPDX-License-Identifier: MIT
"""Tests depyf.values(), which gives the values of names in a dumped file that are not local variables of the frame."""

from __future__ import annotations

import ast
import builtins
import collections
import dis
import linecache
import re
import symtable
import sys
from pathlib import Path

import depyf
import pytest
import torch
from depyf.torch.debug import values
from depyf.torch.debug.stack_values import values_by_origin
from releases import needs_the_stack
from test_catalogue import IN_LISTS
from test_full_code import PARTS

from tools.judges import torch_says


def branchy(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


def test_values_that_are_in_no_local_variable(tmp_path):
    """A tracer reads the remapped frame, as a debugger does."""
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
    assert any(callable(value) for value in seen.values()) == ("graph = " in text)  # earlier releases have no such name


@needs_the_stack
def test_values_that_are_only_on_the_stack(tmp_path):
    """The condition of a branch is in no variable; it is read from the stack while it is there."""
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
    # A frame that has ended has no stack.
    with pytest.raises(RuntimeError) as caught, torch.compiler.set_stance("fail_on_recompile"):
        compiled(a, torch.ones(3, 3))
    frame = caught.value.__traceback__
    while frame is not None:
        depyf.values(frame.tb_frame)
        frame = frame.tb_next


def test_values_of_constants_without_a_literal(tmp_path):
    """Dynamo puts a `torch.Size` into the constants of its code; only the text has a name for it."""
    given, seen = [], []

    @torch.compiler.disable
    def takes(size):
        given.append(size)
        frame = sys._getframe()
        while frame is not None and not frame.f_code.co_filename.startswith(str(tmp_path)):
            frame = frame.f_back
        if frame is not None:
            seen.append((depyf.values(frame), Path(frame.f_code.co_filename).read_text("utf-8")))

    def asks(x):
        takes(x.shape)
        return x + 1

    compiled = torch.compile(asks, backend="eager")
    with depyf.prepare_debug(tmp_path, report=False):
        compiled(torch.ones(3, 5))
    ((found, text),) = seen
    (name,) = (n for n, value in found.items() if type(value) is torch.Size)
    assert found[name] == given[0] == torch.Size([3, 5])
    line = next(s.line for s in found.shown if s.name == name)
    assert re.search(rf"\b{name}\)", text.splitlines()[line - 1])


def test_values_of_variables_that_dynamo_named(tmp_path):
    """Dynamo stores what it loads twice in `tmp_3`; the text and `values()` name it after its path."""

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
    (entry,) = torch_says.entries_of(Model.forward.__code__)
    if not any(name.startswith("tmp_") for name in entry.code.co_varnames):
        pytest.skip("this torch fetches everything where it is used")
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        compiled(torch.ones(3))
    finally:
        sys.settrace(before)
    ((known, variables),) = seen
    (of_first,) = (name for name, value in known.items() if value is model.first._parameters)
    assert known["modules"] is model._modules and not {"modules", of_first} & set(variables)
    text = (tmp_path / "__transformed_code_0_for_forward.py").read_text("utf-8")
    assert re.search(rf"^ +{of_first} = .*\bmodules\b.*'first'.*\._parameters", text, re.MULTILINE)
    assert of_first == ("parameters_value" if "dict_getitem" in text else "first_parameters")  # torch 2.7's name
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
def test_values_in_lists_on_the_stack(tmp_path):
    """While Dynamo's frame makes a call, the values that are needed later are in nested lists on the stack."""
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
    assert len(held) >= len(shown) - 1 >= 2  # all except the arguments of the call
    expected = [torch.sin(a), a * 2, b + 1]
    assert all(any(torch.equal(value, one) for one in expected) for value in held)


def keeps(x, c):
    for item in (1, 2):
        held = [x, [item, c], x if item > 1 else c]
        x = [item, *held[:2]] if c in held else [c, min(c, 3), [x, [c]][1]]
    with open(__file__, encoding="utf-8") as file:
        return [x, [c, file.name], max(1, len({c: [x, c]})), held, c and x]


@needs_the_stack
def test_values_are_those_that_instructions_pushed():
    """Monitoring gives the value of each load; each value that depyf attributes to a load must be that value."""
    seen = collections.Counter()
    names = {**vars(builtins), **globals()}

    def trace(frame, event, arg):
        if frame.f_code is not keeps.__code__:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            for (offset, operation), value in values_by_origin(frame).items():
                if operation == "LOAD_CONST":
                    assert any(value is c for c in loaded[offset])
                elif operation == "LOAD_GLOBAL":
                    assert any(value is names[name] for name in loaded[offset])
                elif operation == "BUILD_LIST":
                    assert type(value) is list
                elif operation == "COMPARE_OP":
                    assert type(value) is bool
                else:
                    continue
                seen[operation] += 1
        return trace

    loaded = collections.defaultdict(list)
    start = None
    for i in dis.get_instructions(keeps.__code__):  # an instruction with prefixes counts by its first byte
        start = i.offset if start is None else start
        if i.opname != "EXTENDED_ARG":
            loaded[start].append(i.argval)
            start = None
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        keeps(1, 2)
    finally:
        sys.settrace(before)
    assert seen["LOAD_CONST"] > 5 and seen["LOAD_GLOBAL"] > 5 and seen["BUILD_LIST"] > 5


@pytest.mark.slow
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
    done = run_script(source)  # without a debugger's terminal
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "dump" / "__transformed_code_0_for_defaults.py").read_text("utf-8").splitlines()
    named = any(t.strip().startswith("graph = ") for t in text)  # earlier releases use the graph's global name
    line = next(i for i, t in enumerate(text, 1) if ("= graph(" if named else "= __compiled_fn_") in t)
    stop = f"b {tmp_path}/dump2/__transformed_code_0_for_defaults.py:{line}"
    (graph,) = (tmp_path / "dump").glob("*.Captured_Graph.0.py")
    returns = next(i for i, t in enumerate(graph.read_text("utf-8").splitlines(), 1) if t.strip().startswith("return "))
    stop_in_graph = f"b {tmp_path}/dump2/{graph.name}:{returns}"
    feed = [stop, stop_in_graph, "c", "values", "p depyf.values()", "c", "p depyf.values()", "p 'as it is: depyf'", "c"]
    done = run_script(source.replace('"dump"', '"dump2"'), feed="\n".join([*feed, ""]))
    assert done.returncode == 0, done.stderr
    assert "NameError" not in done.stdout and "L_x_" in done.stdout and "'as it is: depyf'" in done.stdout
    shown = ["graph = <", "__compiled_fn_"] if named else ["no values: every name assigned so far is a local variable"]
    assert sum(all(part in t for part in shown) for t in done.stdout.splitlines()) == 2, done.stdout


def test_without_values_the_reason_is_shown():
    assert repr(depyf.values()) == "no values: no dumped file is running"


def test_values_in_a_graph(tmp_path):
    """All names there are locals, except those that the graph has released; scalar tensors show their values."""
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
    assert "sin" not in found and "freed after its last use" in str(shown["sin"])
    (result,) = (s for s in found.shown if s.expression.endswith("* 2"))
    assert found[result.name].item() == 6.0 and str(result).startswith(f"{result.name} = 6.0 (")


def test_scalar_tensor_without_data_is_shown_by_its_shape():
    with torch.device("meta"):
        assert str(values.Shown("x", "y", 1, True, torch.ones(()))).startswith("x = Tensor ()")


def test_values_outside_a_dumped_frame():
    assert depyf.values() == {}


def test_names_of_unpacked_values():
    (statement,) = ast.parse("x, branch = graph(a, b)").body
    made = values._pairs(statement)
    assert {name: ast.unparse(node) for name, (node, _, _) in made.items()} == {
        "x": "graph(a, b)[0]",
        "branch": "graph(a, b)[1]",
    }
    assert [values._place(node) for node, _, _ in made.values()] == [(1, 0, 1, 1), (1, 3, 1, 9)]


def test_values_requires_a_frame():
    with pytest.raises(TypeError, match="values: wanted a frame, found 3"):
        depyf.values(3)


@torch.compiler.disable
def handed(*values):
    HANDED.extend(values)


HANDED = []


def hands_constants(x):
    handed(x.shape, x.device, slice(1, x.shape[0]), (lambda: x), {"type": Path}["type"])
    return x + 1


def test_header_of_a_file_explains_the_names_of_constants(tmp_path):
    """Python's symbol table lists the names that the text does not bind, and the call gives their values."""
    HANDED.clear()
    with depyf.prepare_debug(tmp_path):
        torch.compile(hands_constants, backend="eager", dynamic=False)(torch.ones(3))
    text = (tmp_path / "__transformed_code_0_for_hands_constants.py").read_text("utf-8")
    (listed,) = re.findall(r"^# Constants of the bytecode: (.*)\.$", text, re.MULTILINE)
    explained = dict(re.findall(r"(\w+) is ((?:(?!, \w+ is ).)+)", listed))
    tables = symtable.symtable(text, "text", "exec").get_children()  # in CPython 3.14, the first is for annotations
    table = next(found for found in tables if found.get_name() == "hands_constants")
    known = {*globals(), *vars(builtins)}
    loose = {
        s.get_name()
        for s in table.get_symbols()
        if s.is_global() and s.get_name() not in known and not s.get_name().startswith("__")
    }
    assert set(explained) == loose
    displayed_values = {str(value) for value in HANDED}
    assert {str(eval(value)) for value in explained.values() if not value.startswith("a ")} <= displayed_values
    kinds = {"torch.Size([3])", "a live code object", f"a live dict (the globals of {__name__})"}
    assert all(any(value.startswith(kind) for value in explained.values()) for kind in kinds), explained
