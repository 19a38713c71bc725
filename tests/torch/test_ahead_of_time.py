# SPDX-License-Identifier: MIT
"""Tests functions that bytecode hooks do not see: compiled ahead of time, loaded from a file, or exported."""

from __future__ import annotations

import importlib.util
import inspect
import logging
import runpy

import depyf
import pytest
import torch
from depyf.cli import app

AHEAD = importlib.util.find_spec("torch._dynamo.aot_compile") is not None
needs_ahead = pytest.mark.skipif(not AHEAD, reason="torch has no torch._dynamo.aot_compile")


def product(x, y):
    return (x @ y).relu() + 1


def compile_ahead():
    example = (torch.randn(4, 4), torch.randn(4, 4))
    return torch.compile(product, fullgraph=True, backend="inductor").aot_compile((example, {}))


@pytest.fixture
def inputs():
    return torch.randn(4, 4), torch.randn(4, 4)


@pytest.mark.slow
@needs_ahead
def test_function_compiled_ahead_of_time(tmp_path, inputs):
    session = depyf.prepare_debug(tmp_path)
    with session:
        compiled = compile_ahead()
    assert torch.allclose(compiled(*inputs), product(*inputs))
    assert not session.record.problems
    (entry,) = session.record.entries
    assert entry.name == "product" and entry.guards and entry.compiled_fn
    assert compiled.fn.__code__.co_filename == str(tmp_path / "__transformed_code_0_for_product.py")
    kinds = {g.kind for g in session.record.graphs if g.compile_id == entry.compile_id}
    assert {"Captured_Graph", "Forward_graph", "AFTER_POST_GRAD", "kernel"} <= kinds
    took = {phase.name: phase.seconds for phase in session.run.phases}
    total = took["bytecode_tracing"] + took["create_aot_dispatcher_function"]
    assert session.run.compile_seconds >= total and "ahead of time" in session.run.summary[-1]
    assert {g.path.name.partition(".")[0] for g in session.record.graphs} == {"__compiled_fn_" + _number(entry)}
    assert (tmp_path / "full_code_for_product_0.py").exists()
    assert "| aot0 | product |" in (tmp_path / "index.md").read_text("utf-8")


def _number(entry):
    return entry.compiled_fn.removeprefix("__compiled_fn_").partition("_")[0]


@needs_ahead
def test_function_loaded_from_a_file(tmp_path, inputs):
    path = tmp_path / "compiled"
    compile_ahead().save_compiled_function(str(path))
    session = depyf.prepare_debug(tmp_path / "dump")
    with session, open(path, "rb") as file:
        loaded = torch.compiler.load_compiled_function(file)
    assert torch.allclose(loaded(*inputs), product(*inputs))
    # The file does not record under which torch function modes the function was compiled.
    assert [problem.what for problem in session.record.problems] == ["guards of product [loaded]"]
    assert "1 of " in session.record.problems[0].error and "MODE_STACK" in session.record.problems[0].error
    (entry,) = session.record.entries
    assert entry.name == "product" and entry.compile_id == "loaded" and entry.guards
    assert "product" in (tmp_path / "dump" / "__transformed_code_0_for_product.py").read_text("utf-8")


def compile_ahead_eagerly():
    example = (torch.randn(4, 4), torch.randn(4, 4))
    return torch.compile(product, fullgraph=True, backend="aot_eager").aot_compile((example, {}))


@needs_ahead
def test_message_does_not_say_that_code_compiled_ahead_of_time_was_dropped(tmp_path, inputs):
    with depyf.prepare_debug(tmp_path / "compiled") as compiling:
        compiled = compile_ahead_eagerly()
    compiled.save_compiled_function(str(tmp_path / "saved"))
    with depyf.prepare_debug(tmp_path / "loaded") as loading, open(tmp_path / "saved", "rb") as file:
        loaded = torch.compiler.load_compiled_function(file)
    for session, function in ((compiling, compiled), (loading, loaded)):
        assert function.guard_check(*inputs) and torch.equal(function(*inputs), compiled(*inputs))  # it is not dropped
        assert [entry.dropped for entry in session.run.entries] == [False]
        dumped = [*session.folder.path.glob("*.md"), *session.folder.path.glob("full_code_*.py")]
        assert len(dumped) == 2 and not any("dropped" in file.read_text("utf-8") for file in dumped)


@needs_ahead
@pytest.mark.parametrize("question", [depyf.which_entry, depyf.entries, depyf.full_code])
def test_error_of_a_question_says_that_the_function_was_compiled_ahead_of_time(inputs, question):
    compiled = compile_ahead_eagerly()
    assert compiled.guard_check(*inputs)
    with pytest.raises(depyf.NotCompiled, match="compiled ahead of time") as caught:
        question(compiled, *inputs) if question is depyf.which_entry else question(compiled)
    assert "guard_check" in str(caught.value) and "not compiled" not in str(caught.value)


@needs_ahead
def test_two_compilations_have_different_ids(tmp_path):
    session = depyf.prepare_debug(tmp_path)
    with session:
        compile_ahead()
        compile_ahead()
        torch.export.export(torch.nn.Linear(2, 2), (torch.randn(1, 2),), strict=True)
    ids = [g.compile_id for g in session.record.graphs if g.kind == "Captured_Graph"]
    assert len(set(ids)) == 3
    assert not session.record.problems


def test_time_of_an_export_is_not_added_to_the_frame_with_the_same_id(tmp_path):
    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2))
        before = [phase for phase in session.run.phases if phase.compile_id == "0/0"]
        torch.export.export(Scaled(), (torch.randn(3, 2),), strict=True)
    assert before and [phase for phase in session.run.phases if phase.compile_id == "0/0"] == before
    text = (tmp_path / "index.md").read_text("utf-8")
    assert "| export0 | torch.export |" in text and "outside any frame" not in text


class Scaled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 2)

    def forward(self, x):
        return self.linear(x) * 2


@pytest.mark.parametrize("strict", [False, True])
def test_exported_program(tmp_path, strict):
    session = depyf.prepare_debug(tmp_path)
    with session:
        program = torch.export.export(Scaled(), (torch.randn(3, 2),), strict=strict)
    assert program.module()(torch.randn(3, 2)).shape == (3, 2)
    assert not session.record.problems
    graphs = {g.kind: g for g in session.record.graphs}
    assert graphs.keys() == {"Exported_program", "Captured_Graph"} if strict else {"Exported_program"}
    assert len({g.compile_id for g in graphs.values()}) == 1
    exported = graphs["Exported_program"]
    assert exported.plan is not None and not exported.plan.missing
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(exported.path), run_name="__main__")
    assert not ended.value.code


class Listener(logging.Handler):
    """Collects the sources that AOTInductor logs in the structured trace."""

    def __init__(self):
        super().__init__()
        self.sources = []

    def emit(self, record):
        if str(record.metadata.get("graph_dump", {}).get("name")).startswith("inductor_aot_"):
            self.sources.append(record.payload)


@pytest.mark.slow
@pytest.mark.skipif(
    "inductor_aot_wrapper_code" not in inspect.getsource(importlib.import_module("torch._inductor.codecache")),
    reason="this torch does not tell of AOTInductor's sources",
)
def test_code_of_aotinductor_is_dumped(tmp_path, capsys):
    program = torch.export.export(Scaled(), (torch.randn(3, 2),))
    listener, logger = Listener(), logging.getLogger("torch.__trace")
    logger.addHandler(listener)
    try:
        with depyf.prepare_debug(tmp_path) as session, torch.no_grad():
            for _ in range(2):
                torch._inductor.aoti_compile_and_package(
                    program,
                    package_path=str(tmp_path / "program.pt2"),
                    inductor_configs={"aot_inductor.package_cpp_only": True},  # no C++ compiler is run
                )
    finally:
        logger.removeHandler(listener)
    assert listener.sources
    assert not session.run.problems
    kernels = [graph for graph in session.run.graphs if graph.stage is depyf.Stage.KERNELS]
    written = {(tmp_path / graph.file).read_text("utf-8") for graph in kernels}
    assert written == set(filter(None, listener.sources))
    assert all(graph.file.endswith(".cpp") for graph in kernels)
    ids = {graph.compile_id for graph in session.run.graphs}
    assert ids == {"aoti0", "aoti1"}
    assert not any("-" in graph.file or graph.compile_id == "-" for graph in session.run.graphs)
    assert not any("kernel" in line for line in session.run.not_produced)
    capsys.readouterr()
    app.main(["why", str(tmp_path)])
    assert "graphs of [aoti0], [aoti1]" in capsys.readouterr().out
    text = (tmp_path / "index.md").read_text("utf-8")
    assert "| aoti0 | AOTInductor |" in text and "| aoti1 | AOTInductor |" in text
