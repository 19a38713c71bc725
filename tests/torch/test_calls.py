# SPDX-License-Identifier: MIT
"""Tests questions about calls through hooks, decorators or a module's own `__call__`, compared with what torch does."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import threading

import depyf
import pytest
import torch
from depyf.cli import dumps
from depyf.torch.capture import route


@pytest.fixture(autouse=True)
def forget():
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


class Shifted(torch.nn.Module):
    def forward(self, x):
        return x + 1


class Called(Shifted):
    def __call__(self, x):
        return super().__call__(x * 3) - 1


def double(_module, args):
    return (args[0] * 2,)


def seven_times(_module, _args, output):
    return output * 7


def compiled_in_place(module):
    module.compile(backend="eager", dynamic=False)
    return module


def compiled_around(module):
    return torch.compile(module, backend="eager", dynamic=False)


def forward_compiled(module):
    module.forward = torch.compile(module.forward, backend="eager", dynamic=False)
    return module


def frames_compiled():
    return torch._dynamo.utils.counters["frames"]["total"]


def entries_of(function):
    return len(torch._dynamo.eval_frame._debug_get_cache_entry_list(function.__code__))


def decision_holds(decision, call, function=None):
    """Returns whether torch does with a call what a decision predicts; a decision may be open.

    `function` is the one that the decision is about, if hooks may be compiled as well.
    """
    aside = function is not None and decision.runs_eagerly and "are frames of their own" in decision.reason
    before = entries_of(function) if aside else frames_compiled()
    call()
    after = entries_of(function) if aside else frames_compiled()
    return bool(decision.undecided) or (after == before) == (decision.hit or decision.runs_eagerly)


COMPILED = (compiled_in_place, compiled_around, forward_compiled)


@pytest.mark.parametrize("make", [Shifted, Called, torch.nn.Sigmoid])
@pytest.mark.parametrize("how", COMPILED)
@pytest.mark.parametrize("hooks", ["none", "after", "all"])
def test_calls_of_modules_with_hooks(make, how, hooks):
    module = make()
    if hooks == "all":
        module.register_forward_pre_hook(double)
    if hooks in ("after", "all"):
        module.register_forward_hook(seven_times)
    if hooks == "all":
        module.register_full_backward_hook(lambda _module, grads, _outputs: (grads[0] * 5,))
    called = how(module)
    x = torch.ones(2, 2, requires_grad=True)
    expected = called(x)
    (grad,) = torch.autograd.grad(expected.sum(), x)
    attributes = dict(vars(module))
    full = depyf.full_code(called)
    assert torch.equal(full(x), expected)
    assert torch.equal(torch.autograd.grad(full(x).sum(), x)[0], grad)
    assert vars(module) == attributes
    assert decision_holds(depyf.which_entry(called, x), lambda: called(x), make.forward)
    assert decision_holds(depyf.which_entry(called, x[:1]), lambda: called(x[:1]), make.forward)
    assert hooks == "all" or make is Called or not depyf.which_entry(called, x).undecided


@pytest.mark.parametrize("how", [compiled_in_place, compiled_around])
def test_arguments_that_hooks_change_are_unknown(how):
    module = Shifted()
    module.register_forward_pre_hook(lambda _module, args: (args[0].double(),))
    called = how(module)
    x = torch.ones(2)
    called(x)
    decision = depyf.which_entry(called, x)
    assert not decision.hit
    assert str(decision).startswith("undecided: hooks of Shifted run before its forward")
    assert depyf.which_entry(module.forward, x.double()).hit
    assert depyf.full_code(called)(x).dtype is torch.float64


def test_hooks_of_all_modules():
    module = compiled_in_place(Shifted())
    x = torch.ones(2)
    handle = torch.nn.modules.module.register_module_forward_hook(seven_times)
    try:
        expected = module(x)
        assert torch.equal(depyf.full_code(module)(x), expected)
    finally:
        handle.remove()


def test_hook_that_raises_does_not_change_the_module():
    module = compiled_in_place(Shifted())
    module(torch.ones(2))

    def refuse(_module, _args):
        raise ValueError("refused")

    module.register_forward_pre_hook(refuse)
    attributes = dict(vars(module))
    with pytest.raises(ValueError, match="refused"):
        depyf.full_code(module)(torch.ones(2))
    assert vars(module) == attributes


def test_calls_of_a_module_with_hooks_in_several_threads():
    module = Shifted()
    at_once = threading.Barrier(4, timeout=60)
    module.register_forward_pre_hook(lambda _module, args: (args[0] * 2, at_once.wait())[:1] if waits else args)
    called = compiled_in_place(module)
    waits = False
    x = torch.ones(2)
    called(x)
    full = depyf.full_code(called)
    expected = full(x)
    attributes = dict(vars(module))
    waits = True
    found = []
    threads = [threading.Thread(target=lambda: found.append(full(x))) for _ in range(3)]
    threads.append(threading.Thread(target=lambda: found.append(module._call_impl(x))))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(torch.equal(result, expected + 1) for result in found)
    assert vars(module) == attributes


def test_simultaneous_calls_in_two_threads_are_independent():
    module = Shifted()
    is_waiting, may_arrive = threading.Event(), threading.Event()

    def call_in_a_thread():
        with route._StandIn.waiting_for(module, "forward", lambda x: x * 5):
            is_waiting.set()
            may_arrive.wait(60)
            found.append(module.forward(x))

    class Interrupted(list):
        """While it is iterated, the other thread's call arrives if it can."""

        def __iter__(self):
            for waiting in super().__iter__():
                yield waiting
                may_arrive.set()
                if threading.current_thread() is not other:
                    other.join(0.5)

    x, found = torch.ones(2), []
    other = threading.Thread(target=call_in_a_thread)
    other.start()
    assert is_waiting.wait(60)
    with route._StandIn.waiting_for(module, "forward", lambda x: x * 7):
        stand_in = vars(module)["forward"]
        stand_in._waiting = Interrupted(stand_in._waiting)
        assert torch.equal(module.forward(x), x * 7)
    other.join()
    assert torch.equal(found[0], x * 5)
    assert "forward" not in vars(module)


def test_modules_with_different_forwards_have_different_entries():
    with torch.no_grad():
        around, hooked = torch.compile(torch.nn.Sigmoid(), backend="eager", dynamic=False), torch.nn.Sigmoid()
        hooked.register_forward_pre_hook(lambda _module, args: print())
        compiled_in_place(hooked)
        for size in (2, 3):
            around(torch.ones(1, size))
        before = [entry.compile_id for entry in depyf.entries(around)]
        hooked(torch.ones(1, 2))
        assert [entry.compile_id for entry in depyf.entries(around)] == before
        for size in (2, 3, 4):
            x = torch.ones(1, size)
            assert decision_holds(depyf.which_entry(around, x), functools.partial(around, x))


def scaled_by_wrapper(function):
    @functools.wraps(function)
    def scaled(x, *, scale=2):
        return function(x * scale) + 1

    return scaled


class Wrapped(torch.nn.Module):
    @torch.no_grad()
    @torch.compile(backend="eager", dynamic=False)
    def forward(self, x):
        return x * 2


@torch.no_grad()
@torch.compile(backend="eager", dynamic=False)
def without_grad(x):
    return x * 2


@torch.inference_mode()
@torch.compile(backend="eager", dynamic=False)
def inferred(x):
    return x * 2


@torch.enable_grad()
@torch.no_grad()
@torch.compile(backend="eager", dynamic=False)
def twice(x):
    return x * 2


@torch.autocast("cpu", dtype=torch.bfloat16)
@torch.compile(backend="eager", dynamic=False)
def lower(x):
    return x * 2


@pytest.mark.parametrize(
    "make",
    [lambda: without_grad, lambda: inferred, lambda: twice, lambda: lower, Wrapped, lambda: Wrapped().forward],
    ids=["no_grad", "inference_mode", "two", "autocast", "module", "method"],
)
def test_compiled_functions_within_torchs_contexts(make):
    called = make()
    x = torch.ones(2, requires_grad=True)
    expected = called(x)
    (entry,) = depyf.entries(called)
    decision = depyf.which_entry(called, x)
    assert decision.entry == entry
    assert decision_holds(decision, lambda: called(x))
    assert entry.explain(x)
    assert decision_holds(depyf.which_entry(called, x[:1]), lambda: called(x[:1]))
    full = depyf.full_code(called)
    result = full(x)
    assert torch.equal(result, expected)
    assert (result.requires_grad, result.is_inference()) == (expected.requires_grad, expected.is_inference())
    assert full.calls_handed_to_torch == 0


@torch._dynamo.disable
def asked_within(ask, x):
    if ask:
        depyf.which_entry(lower_and_asked, x, ask)


@torch.autocast("cpu", dtype=torch.bfloat16)
@torch.compile(backend="eager", dynamic=False)
def lower_and_asked(x, ask):
    asked_within(ask, x)
    return x * 2


@pytest.mark.parametrize("ask", [False, True])
def test_question_within_a_call_does_not_change_its_context(ask):
    lower_and_asked(torch.ones(2), ask)
    assert not torch.is_autocast_enabled("cpu")


def test_compiled_function_in_a_decorator_of_the_program():
    @scaled_by_wrapper
    @torch.compile(backend="eager", dynamic=False)
    def function(x):
        return x - 5

    x = torch.ones(2)
    expected = function(x, scale=3)
    assert torch.equal(depyf.full_code(function)(x, scale=3), expected)
    assert [entry.compile_id for entry in depyf.entries(function)] == ["0/0"]
    assert "scaled" in depyf.which_entry(function, x).undecided
    assert depyf.which_entry(function.__wrapped__, x).hit


def test_compiled_module_in_a_decorator_of_the_program():
    module = Shifted()
    function = scaled_by_wrapper(torch.compile(module, backend="eager", dynamic=False))
    x = torch.ones(2)
    expected = function(x, scale=3)
    assert torch.equal(depyf.full_code(function)(x, scale=3), expected)
    assert "scaled" in depyf.which_entry(function, x).undecided


def test_unsupported_decorator_is_named():
    functions = {"compiled": torch.compile(lambda x: x + 1, backend="eager")}

    @functools.wraps(functions["compiled"])
    def looked_up(x):
        return functions["compiled"](x)

    looked_up(torch.ones(2))
    with pytest.raises(depyf.NotCompiled, match=r"looked_up .*test_calls.py.* wraps a compiled function"):
        depyf.entries(looked_up)


PRECOMPILED = """
import sys, torch, depyf
from torch._dynamo.utils import counters

torch._dynamo.config.caching_precompile = True

def f(x):
    return x.sin() * 2

compiled = torch.compile(f, backend="inductor", dynamic=False)
with torch.no_grad():
    compiled(torch.ones(2))
    if sys.argv[1:] == ["stored"]:
        graphs = counters["stats"]["unique_graphs"]
        if graphs > 0:  # torch 2.9 compiles again: there is nothing to ask
            sys.exit("compiled again")
        compiled(torch.ones(2))
        assert counters["stats"]["unique_graphs"] == graphs == 0  # the judge: nothing was compiled
        for size in (2, 3):
            told = depyf.which_entry(compiled, torch.ones(size))
            print(told.hit, told.precompiled, str(told).splitlines()[0])
        for ask in (depyf.entries, depyf.full_code):
            try:
                ask(compiled)
            except depyf.NotCompiled as error:
                print(error)
torch.compiler.save_cache_artifacts()
"""


LOADED = """
import sys, torch, depyf
from torch._dynamo.utils import counters

torch._dynamo.config.caching_precompile = True

def f(x):
    x = x.sin()
    torch._dynamo.graph_break()
    return x * 2

with torch.no_grad(), depyf.prepare_debug(sys.argv[1], report=False):
    torch.compile(f, backend="inductor", dynamic=False)(torch.ones(2))
print(counters["stats"]["unique_graphs"])
torch.compiler.save_cache_artifacts()
"""


@pytest.mark.slow
@pytest.mark.skipif(
    not hasattr(torch._dynamo.config, "caching_precompile"), reason="this torch has no caching_precompile"
)
def test_dump_says_that_code_was_loaded_and_not_compiled(tmp_path, capsys):
    script = tmp_path / "program.py"
    script.write_text(LOADED)
    environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(tmp_path / "cache")}
    for folder in (tmp_path / "first", tmp_path / "second"):
        command = [sys.executable, str(script), str(folder)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stderr
    loaded = depyf.Run.load(tmp_path / "second")
    if int(done.stdout) > 0:  # torch 2.9 compiles again
        assert len(loaded.entries) == 2 and not any(frame.reason for frame in loaded.frames)
        pytest.skip("this torch compiles again what another process has stored")
    assert not loaded.entries and not loaded.graph_breaks
    assert {frame.status for frame in loaded.frames} == {depyf.FrameStatus.COMPILED}
    reason = (
        "torch loaded its code from the results of another process (caching_precompile); depyf cannot read that code"
    )
    assert [frame.reason for frame in loaded.frames] == [reason] * 2
    assert not any(compilation.stack for compilation in loaded.compilations)
    assert not any("Every frame that Dynamo traced" in line for line in loaded.summary)
    dumps.why(tmp_path / "second", False)
    shown = capsys.readouterr().out
    assert f"program.py:7: f: compiled\n    {reason}" in shown.replace(f"{tmp_path}/", "")
    assert "no graph break, no recompile" not in shown


@pytest.mark.slow
@pytest.mark.skipif(
    not hasattr(torch._dynamo.config, "caching_precompile"), reason="this torch has no caching_precompile"
)
def test_precompiled_entry_accepts_the_call(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(PRECOMPILED)
    environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(tmp_path / "cache")}
    for arguments in ([], ["stored"]):
        command = [sys.executable, str(script), *arguments]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
        if run.stderr.strip().endswith("compiled again"):
            pytest.skip("this torch compiles again what another process has stored")
        assert run.returncode == 0, run.stderr
    loaded, other, *refused = run.stdout.splitlines()
    assert loaded == "True True an entry that torch loaded precompiled, which has no compile id"
    assert other.startswith("False False no entry")
    assert len(refused) == 2
    assert all("f has only precompiled entries, which torch loaded" in line for line in refused)
