# SPDX-License-Identifier: MIT
"""Tests that each dumped graph file, run as a script, makes its inputs and gives outputs of the recorded layout."""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import runpy
import subprocess
import sys
import warnings

import depyf
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from depyf.cli.app import main
from depyf.torch.guards import checks
from depyf.torch.write import runnable
from depyf.torch.write.rewrite import rewrite
from torch._dynamo.backends.debugging import aot_eager


class Normed(torch.nn.Module):
    """An embedding with integer inputs, a buffer updated in place, and several gradients."""

    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(7, 4)
        self.linear = torch.nn.Linear(4, 4)
        self.norm = torch.nn.BatchNorm1d(4)

    def forward(self, index):
        return torch.relu(self.norm(self.linear(self.embedding(index))))


class Convolved(torch.nn.Module):
    """A convolution and pooling, which save indices, with channels-last strides."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3, padding=1)
        self.drop = torch.nn.Dropout(0.5)

    def forward(self, image):
        return self.drop(F.max_pool2d(self.conv(image), 2)).flatten(1).log_softmax(-1)


def conditional(x):
    return torch.cond(x.sum() > 0, lambda v: v.sin(), lambda v: v.cos(), (x,))


def nested(x):
    def outer(v):
        return torch.cond(v.sum() > 1, lambda w: w + 1, lambda w: w - 1, (v,)) * 2

    return torch.cond(x.sum() > 0, outer, lambda v: v.cos(), (x,))


def constant(x):
    return x + torch.tensor([1.0, 2.0, 3.0])


def shapes(x, n):
    return (x * n + x.shape[0]).reshape(-1)[: x.shape[0] * 2], torch.cat([x, x]), x.new_zeros(x.shape[0] + 1)


def attention(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def expanded(x):
    return x.expand(4, 3).sum(0) + x.t().real.abs().to(torch.float64), (x > 0), x.to(torch.bfloat16)


def spectrum(x):
    return torch.fft.rfft(x).abs() + torch.polar(x[..., :5], x[..., :5]).real


def lower(x):
    with torch.autocast("cpu", dtype=torch.bfloat16), torch.no_grad():
        return x @ x.t()


def checkpointed(x):
    return torch.utils.checkpoint.checkpoint(lambda v: v.sin().cos(), x, use_reentrant=False)


def mapped(x):
    return torch.vmap(lambda row: row * row.sum())(x)


def last_word(tokens):
    """The last token that is not padding, if there is one."""
    return tokens.gather(1, (tokens.ne(0).sum(1) - 1).unsqueeze(1)) * 2


def dropped(x, probability):
    """The probability is an input of the graph after the break."""
    torch._dynamo.graph_break()
    return torch.bernoulli(probability) * x


def of_numpy(x):
    a = x.numpy()
    b = np.sin(a) + np.sin(np.arange(a.shape[0])) * np.linalg.norm(a)
    return torch.from_numpy(b), b.astype(np.float64).sum(), np.fft.fft(b).real, b[::-1].T, (b > 1).any(), np.log1p(b)


def image():
    return torch.randn(2, 3, 8, 8).to(memory_format=torch.channels_last)


def leaf(*shape):
    return torch.randn(*shape, requires_grad=True)


def enlarged(x, weight):
    """torch predicts channels-last strides for the view. The operator returns others, as there is only one image, and
    so does the convolution after it."""
    image = x.transpose(2, 3).view(1, 16, 8, 8)
    return F.gelu(F.conv_transpose2d(image, weight, stride=2)).permute(0, 2, 3, 1) * 2


PROGRAMS = {
    "enlarged": lambda: (enlarged, (leaf(1, 1, 64, 16), leaf(16, 4, 2, 2))),
    "normed": lambda: (Normed(), (torch.tensor([1, 2, 6]),)),
    "convolved": lambda: (Convolved(), (image(),)),
    "conditional": lambda: (conditional, (torch.randn(3),)),
    "nested": lambda: (nested, (torch.randn(3),)),
    "constant": lambda: (constant, (leaf(3),)),
    "attention": lambda: (attention, (leaf(1, 2, 5, 8), leaf(1, 2, 5, 8), leaf(1, 2, 5, 8))),
    "expanded": lambda: (expanded, (leaf(1, 3),)),
    "spectrum": lambda: (spectrum, (leaf(2, 8),)),
    "lower": lambda: (lower, (leaf(4, 4),)),
    "checkpointed": lambda: (checkpointed, (leaf(4, 4),)),
    "last_word": lambda: (last_word, (torch.tensor([[3, 1, 0], [2, 0, 0]]),)),
    "dropped": lambda: (dropped, (torch.randn(40), torch.full((40,), 0.5))),
    "mapped": lambda: (mapped, (leaf(4, 3),)),
    "of_numpy": lambda: (of_numpy, (torch.ones(3),)),
}


def run(function, arguments, backend, dynamic=False):
    result = torch.compile(function, backend=backend, dynamic=dynamic)(*arguments)
    outputs = result if isinstance(result, tuple) else (result,)
    differentiable = [o.sum() for o in outputs if getattr(o, "requires_grad", False)]
    if differentiable:
        sum(differentiable).backward()


def run_graph_files(session, capsys):
    """Runs every graph file and returns how many there are."""
    for graph in session.record.graphs:
        if graph.kind == "kernel" or graph.kind.startswith("AOT_"):  # not graphs
            continue
        with warnings.catch_warnings(), pytest.raises(SystemExit) as stopped:
            warnings.simplefilter("ignore")
            runpy.run_path(str(graph.path), run_name="__main__")
        assert stopped.value.code == 0, f"{graph.path.name}: {stopped.value.code} {capsys.readouterr().out}"
    return len(session.record.graphs)


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_graph_file_runs(name, tmp_path, capsys):
    function, arguments = PROGRAMS[name]()
    session = depyf.prepare_debug(tmp_path)
    with session:
        run(function, arguments, "aot_eager")
    assert not session.record.problems
    assert run_graph_files(session, capsys) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["eager", "inductor"])
def test_symbolic_sizes_take_the_recorded_values(backend, tmp_path, capsys):
    session = depyf.prepare_debug(tmp_path)
    with session:
        run(shapes, (leaf(5, 3), 4), backend, dynamic=True)
    assert run_graph_files(session, capsys) >= 1
    captured = next(g for g in session.record.graphs if g.kind == "Captured_Graph")
    assert {5, 3, 4} <= set(captured.plan.symbols.values())


def pooled(image):
    return F.max_pool2d(image, 3, 2, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "program", [PROGRAMS["normed"], lambda: (pooled, (leaf(2, 3, 9, 9),))], ids=["normed", "pooled"]
)
def test_inductor_graphs_run(program, tmp_path, capsys):
    session = depyf.prepare_debug(tmp_path)
    with session:
        run(*program(), "inductor")
    assert run_graph_files(session, capsys) >= 5


@pytest.mark.parametrize("name", ["conditional", "nested", "constant", "of_numpy"])
def test_full_code_scripts_run_graphs_with_attributes(name, tmp_path, capsys):
    """The branches of torch.cond are graph modules, and a constant is an attribute; the graph's file creates both."""
    function, arguments = PROGRAMS[name]()
    with depyf.prepare_debug(tmp_path):
        run(function, arguments, "eager")
    (file,) = tmp_path.glob("full_code_for_*.py")
    runpy.run_path(str(file), run_name="__main__")
    assert "[0/0] -> " in capsys.readouterr().out


OPERATORS = """
import torch
from torch import Tensor

@torch.library.custom_op("depyf_tests::doubled", mutates_args=())
def doubled(x: Tensor) -> Tensor:
    return x * 2

@doubled.register_fake
def _(x):
    return torch.empty_like(x)

library = torch.library.Library("depyf_tests", "FRAGMENT")
library.define("halved(Tensor x) -> Tensor")
library.impl("halved", lambda x: x / 2, "CompositeExplicitAutograd")
library.impl("halved", lambda x: torch.empty_like(x), "Meta")
"""


def test_operators_that_are_not_registered(tmp_path, monkeypatch, capsys):
    """The script runs if the program's operators are registered; otherwise it names the module that registers them."""
    (tmp_path / "my_operators.py").write_text(OPERATORS)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("my_operators")
    session = depyf.prepare_debug(tmp_path / "dump")
    with session:
        run(lambda x: torch.ops.depyf_tests.halved(x) + torch.ops.depyf_tests.doubled(x), (torch.ones(3),), "aot_eager")
    assert run_graph_files(session, capsys) >= 2
    for graph in session.record.graphs:
        expected = {("depyf_tests", "doubled"): "my_operators", ("depyf_tests", "halved"): "my_operators"}
        assert graph.kind.startswith("AOT_") or graph.plan.operators == expected
    done = subprocess.run([sys.executable, str(session.record.graphs[0].path)], capture_output=True, text=True)
    assert done.returncode == 1
    assert re.search(r"depyf_tests\.\w+ is missing here: my_operators registers it, so import that first", done.stderr)


def test_main_script_that_registers_an_operator_is_named_by_its_file(tmp_path):
    script = tmp_path / "program.py"
    call = "torch.compile(lambda x: torch.ops.depyf_tests.halved(x), backend='eager')(torch.ones(3))"
    script.write_text(f"{OPERATORS}\n{call}\n")
    subprocess.run([sys.executable, "-m", "depyf", "run", "-o", tmp_path / "dump", script], check=True)
    (graph,) = (tmp_path / "dump").glob("*.Captured_Graph.*.py")
    done = subprocess.run([sys.executable, str(graph)], capture_output=True, text=True)
    assert f"depyf_tests.halved is missing here: {script} registers it" in done.stderr


def test_operator_of_a_program_that_ran_elsewhere(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(
        f"{OPERATORS.replace('depyf_tests', 'depyf_elsewhere')}\n"
        "torch.compile(lambda x: torch.ops.depyf_elsewhere.halved(x), backend='eager')(torch.ones(3))\n"
    )
    environment = {**os.environ, "TORCH_TRACE": str(tmp_path / "logs")}
    subprocess.run([sys.executable, script], check=True, env=environment)
    depyf.from_trace(tmp_path / "logs", tmp_path / "dump")
    (graph,) = (tmp_path / "dump").glob("*.Captured_Graph.*.py")
    done = subprocess.run([sys.executable, str(graph)], capture_output=True, text=True)
    assert "depyf_elsewhere.halved is missing here: the program, or what it imports, registers it" in done.stderr
    assert main(["rewrite", str(tmp_path / "dump"), str(tmp_path / "again")]) == 0
    assert (tmp_path / "again" / graph.name).read_text("utf-8") == graph.read_text("utf-8")


def test_operators_in_comments_are_not_required(tmp_path, monkeypatch, capsys):
    """torch quotes the program's line above the call, which may contain calls after a graph break."""
    (tmp_path / "quoted_operators.py").write_text(OPERATORS.replace("depyf_tests", "depyf_quoted"))
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("quoted_operators")

    def f(x):
        y = x.sin(); torch._dynamo.graph_break(); return torch.ops.depyf_quoted.halved(y)  # fmt: skip # noqa: E702

    session = depyf.prepare_debug(tmp_path / "dump")
    with session:
        run(f, (torch.ones(3),), "eager")
    first = session.record.graphs[0].path
    assert "torch.ops.depyf_quoted.halved" in first.read_text()
    done = subprocess.run([sys.executable, str(first)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_strides_of_dimensions_of_size_one_are_ignored():
    scope = {"torch": torch}
    exec(runnable._HELPERS, scope)
    same, rest = scope["same"], (torch.float32, "cpu")
    assert same(((4, 3, 1, 1), (3, 1, 1, 1), *rest), ((4, 3, 1, 1), (3, 1, 3, 3), *rest))
    assert same(((0, 3), (3, 1), *rest), ((0, 3), (1, 1), *rest))
    assert not same(((4, 3), (3, 1), *rest), ((4, 3), (1, 4), *rest))
    assert not same(((4, 1), (1, 1), *rest), ((1, 4), (1, 1), *rest))
    assert not same(((4,), (1,), *rest), ((4,), (1,), torch.float64, "cpu"))
    assert same((2,), (2,)) and not same((2,), (3,))


def test_objects_without_a_source_are_named(tmp_path):
    from depyf.torch.write import runnable

    text = (
        "class G(torch.nn.Module):\n"
        '    def forward(self, x: "f32[u0][1]cpu"):\n'
        "        y = self.lost(x, odd)\n"
        "        return (y,)\n"
    )
    tail = runnable.script(runnable.plan(text, {}, frozenset({"torch"}), lambda namespace, name: None), boxed=False)
    for lost in ("the value of u0", "the attribute lost", "the name odd"):
        assert lost in tail


def mixed(x):
    return x @ torch.ones(3, 3), torch.arange(3) / 2


@pytest.fixture
def default_dtype():
    """Restores the default dtype."""
    before = torch.get_default_dtype()
    yield
    torch.set_default_dtype(before)


@contextlib.contextmanager
def defaults_to(dtype):
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


AMBIENT = {
    "autocast": lambda: torch.autocast("cpu", dtype=torch.bfloat16),
    "autocast, half": lambda: torch.autocast("cpu", dtype=torch.float16, cache_enabled=False),
    "default dtype": lambda: defaults_to(torch.float64),
}


@pytest.mark.parametrize("name", AMBIENT)
def test_graph_runs_with_the_global_state_of_its_call(name, tmp_path, capsys, default_dtype):
    with depyf.prepare_debug(tmp_path / "dump") as session, AMBIENT[name]():
        expected = [o.dtype for o in torch.compile(mixed, backend="aot_eager")(torch.ones(2, 3))]
    assert expected != [o.dtype for o in mixed(torch.ones(2, 3))]
    assert run_graph_files(session, capsys) >= 2
    (captured,) = (tmp_path / "dump").glob("*.Captured_Graph.0.py")
    output = capsys.readouterr().out
    assert all(f"output {i}: ((" in output and str(dtype) in output for i, dtype in enumerate(expected))
    rewrite(tmp_path / "dump", tmp_path / "again")
    assert (tmp_path / "again" / captured.name).read_text("utf-8") == captured.read_text("utf-8")


def test_graph_that_is_recorded_before_its_guards_runs_with_that_state(tmp_path, capsys):
    def backend(graph, inputs):
        session.recorder.complete_graph_files(ended=False)  # as at the end of another compilation
        return aot_eager(graph, inputs)

    with depyf.prepare_debug(tmp_path) as session, torch.autocast("cpu", dtype=torch.bfloat16):
        expected = torch.compile(mixed, backend=backend)(torch.ones(2, 3))[0].dtype
    assert expected != mixed(torch.ones(2, 3))[0].dtype
    (captured,) = tmp_path.glob("*.Captured_Graph.0.py")
    with pytest.raises(SystemExit) as stopped:
        runpy.run_path(str(captured), run_name="__main__")
    assert not stopped.value.code
    assert re.search(r"output 0: .*", capsys.readouterr().out)[0].count(str(expected)) == 1


def counts_node_types(x):
    return x + len(torch.utils._pytree.SUPPORTED_NODES)


def test_guards_on_counters_of_the_process_are_ignored_elsewhere(tmp_path, capsys):
    """Dynamo has a guard on the version of pytree's table of node types, which differs between processes."""
    compiled = torch.compile(counts_node_types, backend="eager")
    with depyf.prepare_debug(tmp_path) as found:
        compiled(torch.ones(3))
    assert any(guard.kind == "DICT_VERSION" for guard in found.record.entries[0].guards)
    (file,) = tmp_path.glob("full_code_for_*.py")
    (number,) = re.findall(r"version_is\(.*, same_process_id\((\d+)\)", file.read_text("utf-8"))
    here = checks.identities(str(file))
    versions = [here(n) for n in range(int(number) + 1)]
    for identities, runs in (
        (versions, True),
        ([*versions[:-1], versions[-1] + 1], False),
        ([], True),
    ):  # no record: elsewhere
        checks.note_identities(str(file), identities)
        with contextlib.nullcontext() if runs else pytest.raises(SystemExit):
            runpy.run_path(str(file), run_name="__main__")
        assert ("[0/0] -> " in capsys.readouterr().out) == runs
