# SPDX-License-Identifier: MIT
"""Tests depyf's decisions about calls under each stance and option on recompiles, compared with what torch does."""

from __future__ import annotations

import contextlib
import functools

import depyf
import pytest
import torch


@pytest.fixture(autouse=True)
def forget(monkeypatch):
    monkeypatch.setattr(torch._dynamo.eval_frame, "_EXAMPLE_INPUTS", None, raising=False)  # not cleared by a reset
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


class Counting:
    """A backend that counts the calls of its graphs."""

    def __init__(self):
        self.calls = 0

    def __call__(self, graph, _inputs):
        def run(*args):
            self.calls += 1
            return graph(*args)

        return run


@contextlib.contextmanager
def options(**values):
    with torch._dynamo.config.patch(**values):
        yield


def one_more(x):
    """Adds one, or subtracts one where it runs eagerly."""
    return x + 1 if torch.compiler.is_compiling() else x - 1


def outcome(function, x):
    """Returns what torch does with a call of the compiled `one_more`."""
    graphs = torch._dynamo.utils.counters["stats"]["unique_graphs"]
    try:
        result = function(x)
    except Exception:
        return "raises"
    if torch._dynamo.utils.counters["stats"]["unique_graphs"] > graphs:
        return "compiles"
    return "entry" if torch.equal(result, x + 1) else "eager"


def predicted(decision):
    """Returns the outcome that a decision predicts."""
    if decision.hit:
        return "entry"
    if decision.runs_eagerly:
        return "eager"
    return "raises" if decision.raises else "not told" if decision.undecided else "compiles"


stance = torch.compiler.set_stance
HAS_THEN_COMPILE = hasattr(torch._dynamo.eval_frame, "_create_delayed_compile_callback")
THEN_COMPILE = ("eager_then_compile", "aot_eager_then_compile") if HAS_THEN_COMPILE else ()
STANCES = (
    "default",
    "force_eager",
    "eager_on_recompile",
    "fail_on_recompile",
    *THEN_COMPILE,
)
CASES = {
    **{name: functools.partial(stance, name) for name in STANCES},
    "error_on_recompile": lambda: options(error_on_recompile=True),
    "limit": lambda: options(recompile_limit=1),
    "fail_on_recompile_limit_hit": lambda: options(recompile_limit=1, fail_on_recompile_limit_hit=True),
}


@pytest.mark.parametrize("fullgraph", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_decision_agrees_with_torch(case, fullgraph):
    function = torch.compile(one_more, backend="eager", dynamic=False, fullgraph=fullgraph)
    function(torch.ones(2))
    with CASES[case]():
        for size in (2, 3, 3):
            x = torch.ones(size)
            decision = depyf.which_entry(function, x)
            assert predicted(decision) == outcome(function, x), (size, decision)
            assert decision.hit or predicted(decision) == "compiles" or decision.reason


@pytest.mark.parametrize("case", [*STANCES, "error_on_recompile"])
def test_decision_on_a_first_call_agrees_with_torch(case):
    function = torch.compile(one_more, backend="eager", dynamic=False)
    x = torch.ones(2)
    with CASES[case]():
        for _ in range(3):
            decision = depyf.which_entry(function, x)
            assert predicted(decision) == outcome(function, x), decision


@pytest.mark.parametrize("case", STANCES)
@pytest.mark.parametrize("is_met", [False, True])
def test_stance_of_a_decorator_applies_to_the_call(case, is_met):
    compiled = torch.compile(one_more, backend="eager", dynamic=False)
    function = stance(case)(compiled)
    if is_met:
        compiled(torch.ones(2))
    for size in (2, 3, 3):
        x = torch.ones(size)
        decision = depyf.which_entry(function, x)
        assert predicted(decision) == outcome(function, x), (size, decision)


def test_stance_of_a_decorator_applies_within_a_compiled_call():
    decisions = []

    @stance("eager_on_recompile")
    @torch.compile(backend="eager", dynamic=False)
    def function(x):
        return x + 1

    @torch.compile(backend="eager", dynamic=False)
    def outer(x):
        for _ in range(2):
            torch._dynamo.graph_break()  # the frame is skipped, and Dynamo stays active
        decisions.append(depyf.which_entry(function, x))
        return x + 1

    outer(torch.ones(2))
    assert decisions[0].runs_eagerly


def set_within(name):
    def decorate(function):
        @functools.wraps(function)
        def run(x):
            with stance(name):
                return function(x)

        return run

    return decorate


@pytest.mark.parametrize("case", ["force_eager", "eager_on_recompile", *THEN_COMPILE[:1]])
@pytest.mark.parametrize("decorate", [stance, set_within])
def test_full_code_runs_eagerly_under_the_stance_of_a_decorator(case, decorate):
    compiled = torch.compile(broken, backend="eager", dynamic=False)
    function = decorate(case)(compiled)
    compiled(torch.ones(2))
    full = depyf.full_code(function)
    for size in (2, 3) if decorate is stance else (2,):
        assert torch.equal(full(torch.ones(size)), function(torch.ones(size)))


def test_frame_at_its_limit_runs_eagerly_under_any_stance():
    function = torch.compile(one_more, backend="eager", dynamic=False)
    function(torch.ones(2))
    with options(recompile_limit=1):
        function(torch.ones(3))
    with stance("fail_on_recompile"):
        x = torch.ones(4)
        assert predicted(depyf.which_entry(function, x)) == outcome(function, x) == "eager"


def test_decision_is_open_if_guards_are_not_evaluated():
    backend = Counting()
    function = torch.compile(lambda x: x + 1, backend=backend, dynamic=False)
    function(torch.ones(2))
    with stance("default", skip_guard_eval_unsafe=True):
        assert depyf.which_entry(function, torch.ones(2)).hit
        assert "skip_guard_eval_unsafe" in depyf.which_entry(function, torch.ones(3)).undecided


@pytest.mark.parametrize("by_decorator", [False, True])
def test_entries_of_a_forced_backend_are_used(by_decorator):
    forced = Counting()
    compiled = torch.compile(lambda x: x + 1, backend="eager", dynamic=False)
    compiled(torch.ones(2))
    function = torch.compiler.set_stance("default", force_backend=forced)(compiled) if by_decorator else compiled
    with contextlib.nullcontext() if by_decorator else stance("default", force_backend=forced):
        function(torch.ones(2))
        (entry,) = depyf.entries(function)
        calls = forced.calls
        assert depyf.which_entry(function, torch.ones(2)).entry == entry
        depyf.full_code(function)(torch.ones(2))
        assert forced.calls == calls + 1
    assert [e.compile_id for e in depyf.entries(compiled)] != [entry.compile_id]


def broken(x):
    y = x * 2
    torch._dynamo.graph_break()
    return y + 1 if torch.compiler.is_compiling() else y - 1


@pytest.mark.parametrize("case", ["force_eager", "eager_on_recompile", *THEN_COMPILE[:1]])
def test_full_code_runs_eagerly_where_torch_does(case):
    function = torch.compile(broken, backend="eager", dynamic=False)
    function(torch.ones(2))
    full = depyf.full_code(function)
    with CASES[case]():
        graphs = torch._dynamo.utils.counters["stats"]["unique_graphs"]
        for size in (2, 3):
            assert torch.equal(full(torch.ones(size)), function(torch.ones(size)))
        assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == graphs
    with pytest.raises(LookupError, match="would compile"):
        full(torch.ones(3))


@pytest.mark.parametrize("watched", [False, True])
def test_entry_without_guards_accepts_every_call(watched, tmp_path):
    backend = Counting()
    keep_none = {"guard_filter_fn": torch.compiler.skip_all_guards_unsafe}
    with depyf.prepare_debug(tmp_path, report=False) if watched else contextlib.nullcontext():
        function = torch._dynamo.optimize(backend, **keep_none)(lambda x, k: x + k)
        function(torch.ones(2), 1.5)
    decision = depyf.which_entry(function, torch.ones(3), 2.5)
    assert (decision.hit, decision.not_evaluated, str(decision)) == (True, 0, "entry [0/0]")
    calls = backend.calls
    expected = function(torch.ones(3), 2.5)
    assert backend.calls == calls + 1  # torch agrees
    assert torch.equal(depyf.full_code(function)(torch.ones(3), 2.5), expected)
