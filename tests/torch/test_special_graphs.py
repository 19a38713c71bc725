# SPDX-License-Identifier: MIT
"""Tests graphs of compiled autograd, higher-order operators, nested regions and libraries that log their own."""

from __future__ import annotations

import contextlib
import json
import os
import re
import runpy
import sys
import threading
from pathlib import Path

import depyf
import pytest
import releases
import torch
import torch.export._trace  # otherwise imported, and compiled in part, by a backward pass under some releases
from depyf.cli import dumps
from depyf.torch.write.report import collect
from functorch.compile import make_boxed_func
from test_graph_scripts import run_graph_files
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.utils import lazy_format_graph_code
from torch.utils.checkpoint import checkpoint


def run_in_session(folder, run):
    """Returns the session around `run`, its index, and the result of `run`."""
    session = depyf.prepare_debug(folder)
    with session:
        result = run()
    assert not session.record.problems
    for file in folder.glob("*.py"):
        compile(file.read_text("utf-8"), str(file), "exec")
    return session, json.loads((folder / "index.json").read_text("utf-8")), result


def graphs_of(session, *kinds):
    return [(g.compile_id, g.kind) for g in session.record.graphs if g.kind in kinds]


def weight():
    return torch.linspace(-1, 1, 16).reshape(4, 4).requires_grad_()


def loss(x, w):
    return (x @ w).relu().sum()


def test_compiled_autograd(tmp_path, capsys):
    def train(x, w):
        loss(x, w).backward()

    w = weight()
    with torch._dynamo.config.patch(compiled_autograd=True):
        compiled = torch.compile(train, backend="aot_eager")
        session, index, _ = run_in_session(tmp_path, lambda: [compiled(torch.ones(n, 4), w) for n in (2, 3)])
    expected = weight()
    for n in (2, 3):
        loss(torch.ones(n, 4), expected).backward()
    assert torch.equal(w.grad, expected.grad)
    # Each backward pass has its own number, which is the id of what was compiled for it.
    passes = [i for i, _ in graphs_of(session, "Compiled_autograd_graph")]
    captured = [i for i, _ in graphs_of(session, "Captured_Graph") if i.startswith("!")]
    if "compiled_autograd_id" in torch._guards.CompileId.__annotations__:
        assert passes[0] == "!0" and len(set(passes)) == len(passes)
        assert captured and {i.partition("/")[0] for i in captured} <= set(passes)
    else:  # this torch does not number backward passes
        assert passes == ["-", "-"] and not captured
    # Only frames of the program and of compiled autograd were compiled, and none of depyf.
    assert {e["name"] for e in index["entries"]} == {"train", "forward"}
    path = next(g.path for g in session.record.graphs if g.kind == "Compiled_autograd_graph")
    numbered = "__compiled_fn_for_autograd_0.Compiled_autograd_graph.0.py"
    assert (path.name == numbered) == (passes[0] == "!0")
    text = path.read_text("utf-8")
    assert "class CompiledAutograd" in text
    assert "not in this file, so it cannot run" in text  # the inputs are lists, whose contents torch does not print
    markdown = (tmp_path / "index.md").read_text("utf-8")
    assert ("not attributed" in markdown) == (passes[0] == "-")
    assert "<eval_with_key>" not in markdown and "set_node_origin" not in markdown
    assert ("\nbackward pass as compiled autograd captured it: compiled." in markdown) == (passes[0] != "-")
    backwards = {e["compile_id"] for e in index["entries"] if e["name"] == "forward"} | set(passes)
    session.record.graphs = [g for g in session.record.graphs if g.compile_id not in backwards]
    run_graph_files(session, capsys)


def test_graph_that_runs_in_a_pass_of_compiled_autograd_is_its_file(tmp_path):
    """The code that Python runs when a compiled pass is repeated is in the files that the index names."""
    w = weight()
    w.grad = torch.zeros(4, 4)  # makes the passes equal
    entered = set()

    def note(frame, event, argument):
        entered.add(frame.f_code.co_filename)

    def train():
        with torch._dynamo.compiled_autograd._enable(torch.compile(backend="aot_eager")):
            loss(torch.ones(2, 4), w).backward()

    with depyf.prepare_debug(tmp_path, report=False) as session:
        train()
        sys.settrace(note)
        threading.settrace(note)  # autograd runs in other threads
        try:
            train()
        finally:
            sys.settrace(None)
            threading.settrace(None)
    files = [graph.file for graph in session.run.graphs if graph.kind == "Forward_graph"]
    ran = {graph.file for graph in session.run.graphs if graph.is_what_runs and graph.kind == "Forward_graph"}
    assert files and ran == {Path(file).name for file in entered} & set(files)
    assert ran == (set(files) if releases.RUNS_AOT_GRAPHS else set())


class Tagged(torch.Tensor):
    """A subclass of Tensor, with `Tensor.__torch_function__`."""


@pytest.mark.parametrize("kind", [torch.Tensor, Tagged])
def test_graph_of_a_subclass_of_tensor_runs_from_its_file(kind, tmp_path):
    entered = set()
    compiled = torch.compile(lambda x: x.cos() + 2, backend="eager")
    with depyf.prepare_debug(tmp_path, report=False) as session:
        compiled(torch.ones(2).as_subclass(kind))
        sys.settrace(lambda frame, event, argument: entered.add(Path(frame.f_code.co_filename).name))
        try:
            compiled(torch.ones(2).as_subclass(kind))
        finally:
            sys.settrace(None)
    captured = {graph.file for graph in session.run.graphs if graph.kind == "Captured_Graph"}
    assert captured and captured == captured & entered
    assert {graph.file for graph in session.run.graphs if graph.is_what_runs} == captured


def test_wrappers_that_autograd_generates_are_in_one_file(tmp_path):
    """AOTAutograd creates views of changed inputs again in wrappers around its graph."""

    def views(x, y):
        x.add_(1)
        return x.view(-1), y.t()

    compiled = torch.compile(views, backend="aot_eager")
    session, _, (flat, turned) = run_in_session(tmp_path, lambda: compiled(torch.ones(2, 3), torch.ones(2, 3)))
    assert torch.equal(flat, torch.full((6,), 2.0)) and turned.shape == (3, 2)
    files = [g.path for g in session.record.graphs if g.kind == "AOT_runtime_wrappers"]
    texts = "".join(file.read_text("utf-8") for file in files)
    # Before torch 2.13, no text is logged.
    assert not files or ("gen_alias_from_base(" in texts and "_runtime_wrapper(" in texts)


def chosen(x, w):
    return torch.cond(x.sum() > 0, lambda v: v.sin(), lambda v: v.cos(), (x,)) @ w


def checkpointed(x, w):
    return checkpoint(lambda v: (v @ w).tanh(), x, use_reentrant=False).sin()


@pytest.mark.parametrize(("function", "subgraphs"), [(chosen, 2), (checkpointed, 1)])
def test_subgraphs_of_higher_order_operators(function, subgraphs, tmp_path, capsys):
    w, plain = weight(), weight()
    compiled = torch.compile(function, backend="aot_eager")
    session, index, result = run_in_session(tmp_path, lambda: compiled(torch.ones(4, 4), w))
    result.sum().backward()
    expected = function(torch.ones(4, 4), plain)
    expected.sum().backward()
    assert torch.allclose(result, expected) and torch.allclose(w.grad, plain.grad)
    (captured,) = (g for g in session.record.graphs if g.kind == "Captured_Graph")
    # The subgraphs are classes in the same file, so that the file can be run.
    classes = re.findall(r"^ *class (\w+)\(torch.nn.Module\)", captured.path.read_text("utf-8"), re.MULTILINE)
    assert len(classes) == 1 + subgraphs, classes
    assert {g["compile_id"] for g in index["graphs"]} == {"0/0"}
    for graph in session.record.graphs:  # including those for which torch logs that the backward pass recomputes
        locations = {(path, int(line)) for path, line in re.findall(r"# .*?File: (.+?):(\d+) in ", graph.text)}
        # Some releases name their own line for the operator, too.
        locations = {(path, line) for path, line in locations if not path.endswith("_higher_order_ops/cond.py")}
        assert {(place.path, place.line) for place in graph.source_lines} == locations
        assert graph.kind.startswith("AOT_") or {path for path, _ in locations} == {__file__}
    run_graph_files(session, capsys)


def checkpointed_twice(x, w):
    def inner(v):
        return checkpoint(lambda u: (u @ w).tanh(), v, use_reentrant=False).sin()

    return checkpoint(inner, x, use_reentrant=False) + checkpoint(torch.cos, x, use_reentrant=False)


def checkpointed_in_other_modes(x, w):
    def body(v):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            product = v @ w
        with torch.no_grad():
            sine = v.sin()
        return product.float() + sine

    return checkpoint(body, x, use_reentrant=False)


def checkpointed_batched(x, w):
    return checkpoint(lambda v: torch.vmap(torch.dot)(v, w), x, use_reentrant=False)


def chosen_twice(x, w):
    def choose(v):
        return torch.cond(v.mean() > 0, lambda u: u + 1, lambda u: u - torch.tensor([1.0, 2.0, 3.0, 4.0]), (v,))

    return torch.cond(x.sum() > 0, choose, torch.cos, (x,)) * w


def hooked(x, w):
    y = x.sin()
    y.register_hook(lambda gradient: gradient * 2)
    return y @ w


def differentiated(x, w):
    return torch.autograd.grad((x.sin() @ w).sum(), x)[0]


def dropped_again(x, w):
    return checkpoint(lambda v: torch.nn.functional.dropout((v @ w).tanh(), 0.5), x, use_reentrant=False)


OPERATORS = (
    chosen, checkpointed, checkpointed_twice, checkpointed_in_other_modes, checkpointed_batched, chosen_twice, hooked,
    differentiated, dropped_again,
)  # fmt: skip


def is_one_graph(function, arguments):
    """Returns whether torch compiles a function without a graph break."""
    try:
        torch.compile(function, backend="eager", fullgraph=True)(**arguments)
    except torch._dynamo.exc.Unsupported:
        return False
    return True


@pytest.mark.parametrize("function", OPERATORS, ids=lambda function: function.__name__)
def test_scripts_with_higher_order_operators_give_the_results_of_the_function(function, tmp_path, capsys):
    if function is differentiated and not hasattr(torch._dynamo.config, "trace_autograd_ops"):
        pytest.skip("this torch does not trace torch.autograd.grad")
    arguments = {"x": torch.linspace(-1, 2, 16).reshape(4, 4).requires_grad_(), "w": weight()}

    def run():
        result = torch.compile(function, backend="aot_eager")(**arguments)
        if result.requires_grad:
            result.sum().backward()

    traced = {"trace_autograd_ops": True} if function is differentiated else {}
    with torch._dynamo.config.patch(traced):
        session, _, _ = run_in_session(tmp_path, run)
        torch._dynamo.reset()
        whole = is_one_graph(function, arguments)
    assert whole == (not session.run.graph_breaks)
    if not whole:
        assert function is hooked  # some releases do not trace Tensor.register_hook
        assert run_graph_files(session, capsys)
        return
    captured = next(g for g in session.record.graphs if g.kind == "Captured_Graph")
    graph = runpy.run_path(str(captured.path))["instance"]()
    inputs = {f"L_{name}_": value for name, value in arguments.items()}
    code = graph.forward.__code__
    torch.manual_seed(0)
    (found,) = graph.forward(*(inputs[name] for name in code.co_varnames[1 : code.co_argcount]))
    torch.manual_seed(0)
    assert torch.equal(found, function(**arguments))
    run_graph_files(session, capsys)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(torch.compiler, "nested_compile_region"), reason="torch has no nested_compile_region")
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_nested_compile_regions(backend, tmp_path, capsys):
    @torch.compiler.nested_compile_region
    def block(x, w):
        return (x @ w).relu()

    def net(x, w):
        for _ in range(3):
            x = block(x, w)
        return x.sum()

    w = weight()

    def run():
        result = torch.compile(net, backend=backend)(torch.ones(4, 4), w)
        result.backward()

    session, index, _ = run_in_session(tmp_path, run)
    text = next(g for g in session.record.graphs if g.kind == "Captured_Graph").path.read_text("utf-8")
    assert text.count("invoke_subgraph(") == 3
    subgraphs = len(re.findall(r"^ +class \w+\(torch.nn.Module\)", text, re.MULTILINE))
    assert subgraphs == 2  # two calls whose inputs require gradients share one graph, which is called twice
    kinds = {g["kind"] for g in index["graphs"]}
    assert {"Joint_graph", "Forward_graph", "Backward_graph"} <= kinds
    assert ("kernel" in kinds) == (backend == "inductor")
    assert {g["compile_id"] for g in index["graphs"]} == {"0/0"}
    run_graph_files(session, capsys)


def test_graphs_that_a_library_logs_belong_to_the_function(tmp_path):
    def splitting(gm, inputs):
        # vLLM: vllm/compilation/backends.py logs graphs before and after it splits them, and after its passes
        lazy_format_graph_code("before_split", gm)
        lazy_format_graph_code("after_split", gm)
        return gm.forward

    def model(x):
        x = x * 2
        torch._dynamo.graph_break()
        return x + 1

    session, index, result = run_in_session(tmp_path, lambda: torch.compile(model, backend=splitting)(torch.ones(3)))
    assert torch.equal(result, torch.full((3,), 3.0))
    for kind in ("before_split", "after_split"):
        assert graphs_of(session, kind) == [("0/0", kind), ("1/0", kind)]
    names = [g["file"] for g in index["graphs"] if g["kind"] == "before_split"]
    functions = [g["file"].partition(".")[0] for g in index["graphs"] if g["kind"] == "Captured_Graph"]
    assert [n.partition(".")[0] for n in names] == functions
    assert all(re.fullmatch(r"__compiled_fn_\d+\.before_split\.0\.py", n) for n in names)
    assert "after_split" in (tmp_path / "index.md").read_text("utf-8")


def test_graphs_of_an_abandoned_attempt_do_not_run(tmp_path):
    """AOTAutograd makes Dynamo trace a frame again if it cannot keep a number symbolic."""

    def scale(x):
        number = x.mean()
        print(round(number.item(), 1))
        return x + 1

    compiled = torch.compile(scale, backend="aot_eager")
    values = [torch.linspace(0, 1, 4), torch.linspace(1, 3, 4)]
    session, index, _ = run_in_session(tmp_path / "dump", lambda: [compiled(x) for x in values])
    made = {g["file"]: g for g in index["graphs"] if g["kind"] == "Captured_Graph"}
    calling = [e for e in index["entries"] if e["compiled_fn"]]
    graphs = [session.record.captured_graph(e["compile_id"]) for e in calling]
    assert [g.called_as for g in graphs] == [e["compiled_fn"] for e in calling]  # the names in Dynamo's bytecode
    given_up = made.keys() - {g.path.name for g in graphs}
    assert given_up == {file for file, graph in made.items() if graph["is_abandoned"]}
    assert collect(tmp_path / "dump")["graphs"] == len(calling)
    markdown = (tmp_path / "dump" / "index.md").read_text("utf-8")
    for file in given_up:
        assert "Called as" not in (tmp_path / "dump" / file).read_text("utf-8")
        assert any(file in line and "abandoned" in line for line in markdown.splitlines())
    assert given_up or not torch.__version__.startswith("2.13.")  # other releases may not abandon an attempt
    for x in values:
        assert torch.equal(depyf.full_code(compiled)(x), scale(x))
    checks = [check for entry in index["entries"] for check in entry["checks"] if check["location"] is not None]
    assert checks and all(__file__.endswith(check["location"]["path"]) for check in checks)  # none is in torch


def test_graphs_with_equal_texts_have_separate_files(tmp_path, caplog):
    """A backend that compiles parts of a graph separately may cause equal graphs, each of which torch logs."""
    parts = aot_autograd(fw_compiler=lambda gm, inputs: make_boxed_func(gm.forward))

    def twice(gm, inputs):
        parts(gm, inputs)
        return parts(gm, inputs)

    torch.compiler.reset()
    with depyf.prepare_debug(tmp_path) as session, caplog.at_level("DEBUG", "torch.__trace"):
        torch.compile(lambda x, w: (x @ w).sin(), backend=twice)(torch.ones(2, 2), torch.ones(2, 2, requires_grad=True))
    events = [name for record in caplog.records for name in getattr(record, "metadata", {})]
    kinds = {
        "aot_joint_graph": "Joint_graph",
        "aot_forward_graph": "Forward_graph",
        "dynamo_output_graph": "Captured_Graph",
    }
    for event, kind in kinds.items():
        files = [graph.file for graph in session.run.graphs if graph.kind == kind]
        assert len(files) == len(set(files)) == events.count(event) == (1 if kind == "Captured_Graph" else 2)
        assert all((tmp_path / file).exists() and f"({file})" in (tmp_path / "index.md").read_text() for file in files)


def two_lines(x):
    y = x.sin()
    return y + 1


@pytest.mark.slow
def test_graphs_outside_any_frame_have_source_lines(tmp_path):
    """A backend may compile pieces of a graph at their first call; the lines come from torch's comments."""
    if not hasattr(torch._inductor, "standalone_compile"):
        pytest.skip("this torch has no standalone_compile")
    graphs = []

    def backend(graph, inputs):
        graphs.append((graph, inputs))
        return graph

    torch.compile(two_lines, backend=backend)(torch.ones(3))
    with depyf.prepare_debug(tmp_path, report=False):
        torch._inductor.standalone_compile(*graphs[0], dynamic_shapes="from_example_inputs")
    start = two_lines.__code__.co_firstlineno
    (file,) = tmp_path.glob("*.AFTER_POST_GRAD.0.py")
    assert set(map(int, re.findall(r"# File: .*test_special_graphs\.py:(\d+)", file.read_text("utf-8")))) == {
        start + 1,
        start + 2,
    }
    (index_line,) = (line for line in (tmp_path / "index.md").read_text("utf-8").splitlines() if file.name in line)
    lines = f"test_special_graphs.py:{start + 1}-{start + 2}"
    title = f"graph after Inductor's passes, from which kernels are generated ({lines})"
    assert title in index_line.replace(f"{file.parent}/", "")


def test_index_says_why_compiled_autograd_captures_again(tmp_path, capsys):
    compiled = torch.compile(backend="eager")
    module = torch._dynamo.compiled_autograd
    before = module.snapshot_verbose_logging_enabled
    with depyf.prepare_debug(tmp_path, report=False) as session:
        for function in (torch.sin, torch.sin, torch.cos):
            with module._enable(compiled):
                function(torch.ones(3, requires_grad=True)).sum().backward()
    assert module.snapshot_verbose_logging_enabled is before
    if not session.run.captures:
        assert not hasattr(module.AutogradCompilerInstance, "log_compile_reasons")
        return
    assert list(session.run.captures) == ["!0", "!1"]
    why = "new autograd node: CosBackward0 (NodeCall 2) with key size "
    (line,) = [line for line in session.run.summary if line.startswith("**Captured again by compiled autograd:**")]
    assert line.partition("the backward pass, once [!1]: ")[2].startswith(why), line
    (reason,) = re.findall(r"^- \[!1\] .*\n  - captured again: (.*)$", (tmp_path / "index.md").read_text("utf-8"), re.M)
    assert reason.startswith(why)
    dumps.why(tmp_path, False)
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("[!1] ")]
    assert line.startswith(f"[!1] compiled autograd captured the backward pass again: {why}")


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        torch._dynamo.graph_break()
        return gradient * 2 * x.cos()


def test_index_lists_a_pass_of_compiled_autograd_with_the_first_of_its_frames(tmp_path):
    with depyf.prepare_debug(tmp_path, report=False) as session:
        with torch._dynamo.compiled_autograd._enable(torch.compile(backend="eager")):
            Doubled.apply(torch.ones(3, requires_grad=True)).sum().backward()
    assert len(session.run.frames) > 1
    index = (tmp_path / "index.md").read_text("utf-8")
    listed = re.findall(r"^- \[!0\] backward pass as compiled autograd captured it", index, re.M)
    frames = re.findall(r"^### .*$\n\n.*backward pass as compiled autograd captured it", index, re.M)
    assert len(frames) > 1 and len(listed) == 1, index


def doubled_sine(x):
    a = x * 2
    return a.sin() + torch.ones(3)


FIRST = doubled_sine.__code__.co_firstlineno


class Meters(torch.Tensor):
    """A subclass with torch's own `__torch_function__`."""


@pytest.mark.slow
@pytest.mark.parametrize("overridden_by", ["a subclass", "a default device"])
def test_operations_that_torch_overrides_have_the_programs_lines(overridden_by, tmp_path):
    """Their stacks end in `__torch_function__` of torch: in every operation the same line."""
    seen = []

    def noting(gm, inputs):
        seen.extend(node.stack_trace for node in gm.graph.nodes if node.op.startswith("call"))
        return torch._inductor.compile(gm, inputs)

    x = torch.rand(3)
    is_subclass = overridden_by == "a subclass"
    device = contextlib.nullcontext() if is_subclass else torch.device("cpu")
    with depyf.prepare_debug(tmp_path, report=False, provenance=True) as session, device:
        torch.compile(doubled_sine, backend=noting)(x.as_subclass(Meters) if is_subclass else x)
    overridden = [stack for stack in seen if "in __torch_function__" in stack.split("File ")[-1]]
    assert len(overridden) >= 3  # not `torch.ones` beside a subclass
    lines = [FIRST + 1, FIRST + 2]
    places = [graph.source_lines for graph in session.run.graphs if graph.kind != "kernel" and graph.source_lines]
    places += [kernel.source_lines for kernel in session.run.kernels]
    assert len(places) >= 4
    assert all({(p.path, p.line) for p in found} == {(__file__, line) for line in lines} for found in places), places


def test_torch_names_the_programs_line_of_overridden_operations_in_a_session(tmp_path):
    """FX names the innermost frame; in a session, the innermost outside of torch's own `__torch_function__`."""
    own = os.path.join(torch.__path__[0], "_tensor.py")
    line, override = '  File "a.py", line 3, in f\n    x + 1', f'  File "{own}", line 1, in __torch_function__\n    y'
    unchanged = (line, override, f"{override}\n{line}", f"{line}\n{override.replace(own, 'a.py')}")
    before = [torch.fx.graph._parse_stack_trace(stack) for stack in unchanged]
    of_line, stack = before[0], f"{line}\n{override}\n{override}\n"
    assert torch.fx.graph._parse_stack_trace(stack) != of_line
    with depyf.prepare_debug(tmp_path, report=False):
        assert torch.fx.graph._parse_stack_trace(stack) == of_line
        assert [torch.fx.graph._parse_stack_trace(other) for other in unchanged] == before
    assert torch.fx.graph._parse_stack_trace(stack) != of_line
