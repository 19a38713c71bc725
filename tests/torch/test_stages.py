# SPDX-License-Identifier: MIT
"""Tests that the texts of `depyf.stages` are torch's, and that running a stage gives the results of eager torch."""

from __future__ import annotations

import functools
import inspect
import logging
import re

import depyf
import pytest
import torch
from depyf import Stage

INFERENCE = {
    "eager": ["source", "transformed", "captured"],
    "aot_eager": ["source", "transformed", "captured", "forward"],
    "inductor": ["source", "transformed", "captured", "pre-grad", "forward", "post-grad", "kernels"],
}
TRAINING = {
    "eager": INFERENCE["eager"],
    "aot_eager": ["source", "transformed", "captured", "joint", "forward", "backward"],
    "inductor": [
        *("source", "transformed", "captured", "pre-grad", "joint", "forward", "backward"),
        *("post-grad", "post-grad", "kernels", "kernels"),
    ],
}
# The events of torch's structured trace that contain the text of each stage.
EVENTS = {
    "dynamo_output_graph": Stage.CAPTURED,
    "aot_joint_graph": Stage.JOINT,
    "aot_forward_graph": Stage.FORWARD,
    "aot_inference_graph": Stage.FORWARD,
    "aot_backward_graph": Stage.BACKWARD,
    "inductor_post_grad_graph": Stage.POST_GRAD,
    "inductor_output_code": Stage.KERNELS,
}
ARTIFACTS = {
    "before_pre_grad_graph": Stage.PRE_GRAD,
    "after_post_grad_graph": Stage.POST_GRAD,  # the name in torch 2.8 and 2.9
    "inductor_post_grad_graph": Stage.POST_GRAD,
}
OPERATION = re.compile(r"^\s*(\w+)(?:: \"[^\"]*\")? = (.*?)(?:;.*)?$", re.MULTILINE)


def program(x, w):
    return (x @ w).relu().sum() + x.sin().mean()


class Trace(logging.Handler):
    """Collects torch's records by kind."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.payloads = {}

    def emit(self, record):
        for event, value in getattr(record, "metadata", {}).items():
            kind = ARTIFACTS.get(value.get("name")) if event == "artifact" else EVENTS.get(event)
            if kind is not None:
                self.payloads.setdefault(kind, []).append(record.payload)


def operations(text):
    """Returns the assignments of a graph in order, without those of inputs."""
    assigned = [(name, value) for name, value in OPERATION.findall(text) if "torch" in value or "." in value]
    return [(name, value.strip()) for name, value in assigned if not value.startswith("args_list")]


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path / "inductor"))
    torch.compiler.reset()
    torch.manual_seed(0)
    with torch._inductor.utils.fresh_cache():
        yield
    torch.compiler.reset()


@pytest.mark.slow
@pytest.mark.parametrize("train", [False, True], ids=["inference", "training"])
@pytest.mark.parametrize("backend", ["eager", "aot_eager", "inductor"])
def test_each_stage_has_torchs_text_and_runs(backend, train, fresh):
    x, w = torch.randn(3, 4), torch.randn(4, 5, requires_grad=train)
    trace, logger = Trace(), logging.getLogger("torch.__trace")
    logger.addHandler(trace)
    try:
        compiled = torch.compile(program, backend=backend)
        steps = depyf.stages(compiled, x, w)
    finally:
        logger.removeHandler(trace)
    assert [stage.kind.value for stage in steps] == (TRAINING if train else INFERENCE)[backend]
    assert w.grad is None
    expected = compiled(x, w)
    torch.testing.assert_close(steps.result, expected, rtol=0, atol=0)

    compared = 0
    for kind, payloads in trace.payloads.items():
        stages = steps.of(kind)
        assert len(stages) == len(payloads), kind
        for stage, payload in zip(stages, payloads, strict=True):
            if kind is Stage.KERNELS:
                assert stage.text == payload
            else:
                printed = operations(payload)
                without_helpers = stage.text.partition("\ndef tensor(")[0]
                assert [o for o in operations(without_helpers) if o in printed] == printed != []
            compared += 1
    assert compared == len(steps) - 2

    assert steps.source(x, w).item() == pytest.approx(program(x, w).item())
    torch.testing.assert_close(steps.transformed(x, w), expected, rtol=0, atol=0)
    for kind in (Stage.CAPTURED, Stage.PRE_GRAD, Stage.FORWARD, Stage.POST_GRAD, Stage.KERNELS):
        for stage in steps.of(kind)[:1]:
            with torch.no_grad():
                torch.testing.assert_close(stage(x, w)[0], expected.detach())
    if train and backend != "eager":
        with torch.no_grad():
            _, *saved = steps.forward(x, w)
            gradients = steps.backward(*saved, torch.ones(()))
        (wanted_gradient,) = torch.autograd.grad(program(x, w), [w])
        assert any(g is not None and torch.allclose(g, wanted_gradient) for g in gradients)
        with pytest.raises(TypeError, match="does not run"):
            steps.joint()


def test_frames_of_a_module_with_a_break_are_in_order(fresh):
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(3, 3)

        def forward(self, x):
            y = self.layer(x)
            torch._dynamo.graph_break()
            return y.relu()

    model = Model()
    steps = depyf.stages(torch.compile(model, backend="aot_eager"), torch.ones(2, 3))
    assert [s.kind.value for s in steps].count("captured") == 2
    assert {s.kind for s in steps} - {g.stage for g in steps.run.graphs} == {Stage.SOURCE, Stage.TRANSFORMED}
    first = [s for s in steps if s.frame == "forward"]
    assert [s.kind.value for s in first] == TRAINING["aot_eager"]
    assert [p.grad for p in model.parameters()] == [None, None]
    weight, bias = model.layer.weight, model.layer.bias
    torch.testing.assert_close(steps.captured(weight, bias, torch.ones(2, 3))[0], model.layer(torch.ones(2, 3)))
    assert str(steps[1]).startswith("def forward(self, x):") and "layer_weight" in steps.transformed.text


def test_error_if_nothing_is_compiled(fresh):
    compiled = torch.compile(lambda x: x + 1, backend="eager")
    compiled(torch.ones(2))
    with pytest.raises(depyf.NotCompiled, match="compiled nothing"):
        depyf.stages(compiled, torch.ones(2))


def test_display(fresh):
    steps = depyf.stages(torch.compile(lambda x: x < 1, backend="eager"), torch.ones(2))
    assert len(repr(steps).splitlines()) == 4 and len(repr(steps[0])) < 120
    assert "&lt; 1" in steps[0]._repr_html_() and "<th>stage</th>" in steps._repr_html_()
    assert steps[-1] is steps.captured and steps[:2] == (steps.source, steps.transformed)
    assert "captured" in dir(steps) and "kernels" not in dir(steps)
    with pytest.raises(AttributeError, match=r"no kernels stage; it has source, transformed, captured"):
        _ = steps.kernels
    with pytest.raises(AttributeError, match="'elsewhere'"):
        _ = steps.elsewhere


def graph_can_be_retained(use, backend="aot_eager"):
    """Returns whether torch allows `backward(retain_graph=True)` on a call, after USE ran the function."""
    torch.compiler.reset()
    compiled = torch.compile(lambda x, w: (x.sin() @ w).relu().exp() + 1, backend=backend)
    x, w = torch.ones(4, 4, requires_grad=True), torch.ones(4, 4)
    use(compiled, x, w)
    try:
        compiled(x, w).sum().backward(retain_graph=True)
    except RuntimeError as error:
        assert "donated" in str(error)
        return False
    return True


def test_stages_do_not_change_how_the_backward_is_compiled(fresh):
    def plain(compiled, x, w):
        compiled(x, w).sum().backward()

    assert graph_can_be_retained(depyf.stages) == graph_can_be_retained(plain) != graph_can_be_retained(lambda *_: None)


@pytest.mark.slow
def test_backward_graph_from_torchs_cache_is_shown(fresh):
    def after_another_run(compiled, x, w):
        compiled(x, w).sum().backward()
        torch.compiler.reset()
        steps = depyf.stages(compiled, x, w)
        assert torch._dynamo.utils.counters["aot_autograd"]["autograd_cache_hit"] == 1
        assert Stage.BACKWARD in [stage.kind for stage in steps]

    torch._dynamo.utils.counters.clear()
    assert not graph_can_be_retained(after_another_run, "inductor")


@pytest.mark.parametrize("grad", [torch.enable_grad, torch.inference_mode])
def test_autograd_graph_of_the_arguments_is_not_freed(grad, fresh):
    x = torch.ones(3, requires_grad=True)
    hidden = x.sin()
    with grad():
        steps = depyf.stages(torch.compile(lambda x: x.exp(), backend="aot_eager"), hidden)
    assert (Stage.BACKWARD in [stage.kind for stage in steps]) == (grad is torch.enable_grad)
    hidden.sum().backward()
    assert x.grad is not None


def scaled(x, factor):
    return x * factor


class Shift:
    def __call__(self, x):
        return x + 1


PASSED_ON = {
    "partial": (functools.partial(scaled, factor=2), scaled),
    "callable": (Shift(), Shift.__call__),
    "module": (torch.nn.Linear(2, 2), torch.nn.Linear.forward),
    "vmap": (torch.vmap(scaled, in_dims=(0, None)), scaled),
    "builtin": (torch.sin, None),
}


@pytest.mark.parametrize("name", PASSED_ON)
def test_source_is_that_of_the_function_which_pytorchs_wrapper_calls(name):
    compiled, wanted = PASSED_ON[name]
    arguments = (torch.ones(2, 2), 3) if name == "vmap" else (torch.ones(2, 2),)
    steps = depyf.stages(torch.compile(compiled, backend="eager"), *arguments)
    sources = [step for step in steps if step.kind is Stage.SOURCE]
    assert [source.text for source in sources] == ([] if wanted is None else [inspect.getsource(wanted)])
    assert all(torch.equal(source(*arguments), compiled(*arguments)) for source in sources)
