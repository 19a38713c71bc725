# SPDX-License-Identifier: MIT
"""Tests that failed compilations are reported with torch's text and line, compared with the exceptions it raises."""

from __future__ import annotations

import inspect
import logging
import re
import sys
from pathlib import Path

import depyf
import pytest
import torch
from depyf.cli import app
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.backends.debugging import boxed_nop
from torch._dynamo.eval_frame import _debug_get_cache_entry_list


@torch.library.custom_op("depyf_tests::without_fake", mutates_args=())
def without_fake(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


def prints(x):
    y = x + 1
    print("hello")
    return y


def calls_an_operator(x):
    y = x + 1
    return without_fake(y) * 2


def returns_its_input(x):
    y = x + 1
    return torch.cond(x.sum() > 0, lambda x: x, lambda x: x.sin(), (y,))


def differentiates(x):
    y = (x * x).sum()
    return torch.autograd.grad(y, (x,))


def specializes(x):
    if x.shape[0] == 4:
        return x * 2
    return x


def marked():
    x = torch.ones(4, 3)
    torch._dynamo.mark_dynamic(x, 0)
    return x


def raised_by(function, x):
    with pytest.raises(Exception) as caught:
        torch.compile(function, backend="eager", fullgraph=True)(x)
    return caught.value


@pytest.mark.parametrize(
    ("function", "made"),
    [
        (prints, lambda: torch.ones(3)),
        (calls_an_operator, lambda: torch.ones(3)),
        (returns_its_input, lambda: torch.ones(3)),
        (differentiates, lambda: torch.ones(3, requires_grad=True)),
        (specializes, marked),
    ],
)
def test_failed_compilation_has_torchs_explanation_hints_and_line(tmp_path, capsys, function, made):
    with depyf.prepare_debug(tmp_path) as session:
        error = raised_by(function, made())
    text = re.sub(r"0x[0-9a-f]+", "0x…", str(error))  # addresses differ between runs
    line = int(re.findall(rf'File "{re.escape(__file__)}", line (\d+)', text)[-1])
    (failure,) = session.run.failures
    assert (failure.location.path, failure.location.line) == (__file__, line)

    app.main(["why", str(tmp_path)])
    why = capsys.readouterr().out
    assert f"{__file__}:{line}: {function.__name__}" in why
    explanations = re.findall(r"Explanation: (.+)", text)
    assert all(explanation.strip() in why for explanation in explanations)
    assert (failure.explanation != "") == bool(explanations)
    hints = [hint.strip() for hint in re.findall(r"Hint: (.+)", text)]
    printed_hints = [hint for hint in hints if f"what to do: {hint}\n" in why]
    assert printed_hints == list(failure.hints)
    assert printed_hints or all("error when running in eager" in hint for hint in hints)
    index = (tmp_path / "index.md").read_text("utf-8")
    assert all(f"what to do: {hint}" in index for hint in printed_hints)

    assert app.main(["where", f"{__file__}:{line}", str(tmp_path)]) == 0
    assert f"[{failure.compile_id}] of {function.__name__} failed: {failure.kind}" in capsys.readouterr().out


def test_compilation_that_fails_after_code_generation_has_no_entry(tmp_path):
    compiled = torch.compile(specializes, backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        with pytest.raises(torch.fx.experimental.symbolic_shapes.ConstraintViolationError):
            compiled(marked())
        assert _debug_get_cache_entry_list(specializes.__code__) == []
        compiled(torch.ones(4, 3))
    assert len(_debug_get_cache_entry_list(specializes.__code__)) == len(session.run.entries) == 1
    assert [entry.compile_id for entry in session.run.entries] == ["0/1"]
    assert [failure.compile_id for failure in session.run.failures] == ["0/0"]
    assert not session.run.problems
    index = (tmp_path / "index.md").read_text("utf-8")
    assert "1 compiled entry" in index and "dropped" not in index and "after its code was generated" in index
    assert ".." not in index.replace("…", "")
    named = {path.name for path in tmp_path.glob("__transformed_code_*")}
    assert named and all(f"({name})" in index for name in named)
    again = tmp_path / "again"
    assert app.main(["rewrite", str(tmp_path), str(again)]) == 0
    written = {path.name: path.read_text("utf-8") for path in again.iterdir() if path.is_file()}
    assert written.keys() >= named
    assert all((tmp_path / name).read_text("utf-8") == text for name, text in written.items())


def narrows(x):
    y = x.sin()
    if x.shape[0] > 8:
        return y * 2
    return y + 1


def divides(x):
    y = x.sin()
    return y.view(2, -1) if x.shape[0] % 2 == 0 else y


@pytest.mark.parametrize("function", [narrows, divides])
def test_size_narrowed_below_its_marked_range_is_reported_at_the_line(function, tmp_path, capsys):
    """torch's text names only the size and the guard; the line is that of the guard without the mark."""
    x = torch.ones(6)
    torch._dynamo.mark_dynamic(x, 0, min=2, max=32)
    error = torch.fx.experimental.symbolic_shapes.ConstraintViolationError
    with depyf.prepare_debug(tmp_path) as session, pytest.raises(error, match="Not all values") as raised:
        torch.compile(function, backend="eager")(x)
    assert "User stack" not in str(raised.value)
    (failure,) = session.run.failures
    line = inspect.getsourcelines(function)[1] + 2
    assert (failure.location.path, failure.location.line) == (__file__, line)
    assert app.main(["why", str(tmp_path)]) == 0
    assert f"{__file__}:{line}: {function.__name__}: failed to compile" in capsys.readouterr().out


def test_no_event_is_reported_missing_if_the_only_compilation_fails_late(tmp_path):
    with depyf.prepare_debug(tmp_path) as session:
        raised_by(specializes, marked())
    assert session.run.entries == () and not session.run.problems


@pytest.mark.parametrize("backend", ["eager", pytest.param("inductor", marks=pytest.mark.slow)])
def test_no_graph_of_a_compilation_that_fails_late_runs(tmp_path, backend):
    entered = set()
    with depyf.prepare_debug(tmp_path) as session:
        sys.settrace(lambda frame, event, argument: entered.add(Path(frame.f_code.co_filename).name))
        try:
            with pytest.raises(torch.fx.experimental.symbolic_shapes.ConstraintViolationError):
                torch.compile(specializes, backend=backend)(marked())
        finally:
            sys.settrace(None)
    made = [graph for graph in session.run.graphs if graph.compile_id == "0/0"]
    assert made and not any(graph.is_what_runs for graph in made)
    called = {graph.file for graph in made if graph.kind != "kernel"}  # a file of kernels is loaded, not called
    assert not entered & called
    index = (tmp_path / "index.md").read_text("utf-8")
    assert "executed as is" not in index and "which runs" not in index


class Failures(logging.Handler):
    """Collects the failed compilations in torch's trace."""

    def __init__(self):
        super().__init__()
        self.backward = []
        self.outside = []

    def emit(self, record):
        for event, told in record.metadata.items():
            if event.endswith("compilation_metrics") and told.get("fail_type"):
                found = (told["fail_type"], told["fail_reason"])
                self.backward += [found] if told.get("is_forward") is False else []
                self.outside += [found] if record.metadata.get("frame_id") is None else []


@pytest.fixture
def logged_failures():
    listener, logger = Failures(), logging.getLogger("torch.__trace")
    logger.addHandler(listener)
    yield listener
    logger.removeHandler(listener)


def test_failed_compilation_of_a_backward_graph_does_not_remove_the_entry(tmp_path, capsys, logged_failures):
    def refused(graph, inputs):
        raise RuntimeError("no backward of it")

    compiled = torch.compile(lambda x: x.sin().sum(), backend=aot_autograd(fw_compiler=boxed_nop, bw_compiler=refused))
    with depyf.prepare_debug(tmp_path) as session, pytest.raises(RuntimeError, match="no backward of it"):
        compiled(torch.ones(3, requires_grad=True)).backward()
    if not logged_failures.backward:
        pytest.skip("this torch does not tell of it")
    (failure,), (frame,) = session.run.failures, session.run.frames
    assert [(failure.kind, failure.text)] == logged_failures.backward
    assert frame.status is depyf.FrameStatus.COMPILED and frame.entries == (failure.compile_id,)
    (forward,) = (graph for graph in session.run.graphs if graph.stage is depyf.Stage.FORWARD)
    assert forward.is_what_runs  # the forward graph ran
    index = (tmp_path / "index.md").read_text("utf-8")
    assert f"compiled; the backward graph of [{failure.compile_id}] failed: RuntimeError: no backward of it." in index
    app.main(["why", str(tmp_path)])
    assert f"backward of <lambda>: compilation [{failure.compile_id}] failed" in capsys.readouterr().out


class Branching(torch.nn.Module):
    def forward(self, x):
        return x + 1 if x.sum() > 0 else x


def test_failed_export_is_not_listed_as_a_frame(tmp_path, logged_failures):
    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(prints, backend="eager")(torch.ones(3))
        with pytest.raises(torch._dynamo.exc.Unsupported):
            torch.export.export(Branching(), (torch.ones(3),), strict=True)
    if not logged_failures.outside:
        pytest.skip("this torch measures it as a frame, or not at all")
    (failure,) = session.run.failures
    assert [(failure.kind, failure.text)] == logged_failures.outside
    assert failure.compile_id.startswith("export") and failure.location.path == __file__
    assert failure.compile_id not in {compile_id for frame in session.run.frames for compile_id in frame.compile_ids}
    assert {frame.name.partition(" at ")[0] for frame in session.run.frames} == {"prints", "resume in prints"}
    assert any(line.startswith(f"- **Failed to compile:** `torch.export` [{failure.compile_id}]")
               for line in (tmp_path / "index.md").read_text("utf-8").splitlines())  # fmt: skip


def test_interrupted_compilation_is_a_failure(tmp_path):
    """The caller sees an exception, although torch's metrics look like those of a frame without operations."""

    def interrupted(graph, inputs):
        raise KeyboardInterrupt

    with depyf.prepare_debug(tmp_path) as session:
        with pytest.raises(KeyboardInterrupt):
            torch.compile(lambda x: x + 1, backend=interrupted)(torch.ones(3))
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt:  # code that is compiled meanwhile does not see it
            torch.compile(lambda y: y, backend="eager")(torch.ones(3))
    (failure,), (failed, idle) = session.run.failures, session.run.frames
    assert (failure.kind, failure.text) == ("KeyboardInterrupt", "")
    assert failed.status is depyf.FrameStatus.ERROR and idle.status is depyf.FrameStatus.SKIPPED
    index = (tmp_path / "index.md").read_text("utf-8")
    assert "[0/0]: KeyboardInterrupt\n" in index and index.count("Dynamo traced no operations") == 2


class Narrowing(torch.nn.Module):
    def forward(self, x):
        return x * 2 if x.shape[0] == 3 else x


@pytest.mark.parametrize(("module", "is_at"), [(Branching, True), (Narrowing, False)])
def test_failed_export_without_dynamo_is_a_failed_compilation(module, is_at, tmp_path):
    shapes = {"x": {0: torch.export.Dim("b")}}
    with depyf.prepare_debug(tmp_path) as session, pytest.raises(Exception) as caught:
        torch.export.export(module(), (torch.ones(3),), dynamic_shapes=shapes, strict=False)
    (failure,) = session.run.failures
    assert failure.kind == type(caught.value).__qualname__ and str(caught.value).startswith(failure.text)
    line = Branching.forward.__code__.co_firstlineno + 1
    place = failure.location
    assert (place and (place.path, place.line)) == ((__file__, line) if is_at else None)
    index = (tmp_path / "index.md").read_text("utf-8")
    assert "**Failed to compile:** `torch.export` [export0]" in index and "Nothing was compiled" not in index


def refused(x):
    return x + 1


def test_summary_lists_each_reason_for_which_a_frame_failed(tmp_path):
    reasons = iter(["the first", "the second", "the second"])

    def refuses(graph, inputs):
        raise ValueError(f"{next(reasons)} on purpose")

    with depyf.prepare_debug(tmp_path, report=False) as session:
        for _ in range(3):
            with pytest.raises(Exception, match="on purpose"):
                torch.compile(refused, backend=refuses)(torch.ones(3))
    summary = [line for line in session.run.summary if line.startswith("**Failed to compile:**")]
    assert len(summary) == 2 and "the first on purpose" in summary[0] and "the second on purpose" in summary[1], summary


INTERRUPTED = """
import torch

@torch.library.custom_op("depyf_test::interrupted", mutates_args=())
def interrupted(x: torch.Tensor) -> torch.Tensor:
    return x.clone()

@interrupted.register_fake
def _(x):
    raise KeyboardInterrupt

def nothing(x):
    return 1

def calls(x):
    return interrupted(x + 1)

torch.compile(nothing, backend="eager")(torch.ones(3))
try:
    torch.compile(calls, backend="eager")(torch.ones(3))
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.slow
def test_log_distinguishes_interrupted_frames_from_those_without_operations(run_script, tmp_path):
    made = run_script(INTERRUPTED, TORCH_TRACE=str(tmp_path / "logs"))
    assert made.stdout == "interrupted\n", made.stderr
    dump = depyf.from_trace(tmp_path / "logs", tmp_path / "dump")
    run = depyf.Run.load(dump)
    assert {frame.name: frame.status.value for frame in run.frames}["nothing"] == "skipped"
    if not any("stack_trace" in line for line in (tmp_path / "logs").glob("*.log").__next__().open()):
        return  # the log of this torch does not distinguish them
    (failure,) = run.failures
    assert (failure.name, failure.kind) == ("calls", "BaseException")
    assert "it was interrupted, by Ctrl-C most often" in (dump / "index.md").read_text("utf-8")
