# SPDX-License-Identifier: MIT
"""Frames that Dynamo leaves alone or gives up: what their full code does, and how that is known."""

from __future__ import annotations

import contextlib
import types

import depyf
import pytest
import torch
from depyf.torch import attempts, seams


def test_a_function_that_dynamo_left_alone_runs_as_it_is():
    def looping(x):
        for i in range(2):
            x = x + i
            torch._dynamo.graph_break()
        return x

    compiled = torch.compile(looping, backend="eager")
    expected = compiled(torch.ones(2))
    full = depyf.full_code(compiled)
    assert torch.equal(full(torch.ones(2)), expected)
    assert "compiled nothing of this frame" in str(full.which(torch.ones(2)))
    told = any(m.co_name == "looping" and m.fail_type for m in torch._dynamo.utils.get_compilation_metrics())
    reason = full.which(torch.ones(2)).reason
    assert ("graph_break()" in reason and reason in full.text) if told else reason == ""


def test_a_function_that_torch_refuses_raises_what_torch_raises():
    def mismatched(x):
        return torch.cond(x.sum() > 0, lambda v: v, lambda v: v.sum(), (x,))

    def resumed(x):
        torch._dynamo.graph_break()
        return mismatched(x)

    def broken(x):
        torch._dynamo.graph_break()
        return x + 1

    for function, whole in ((mismatched, False), (resumed, False), (broken, True)):
        compiled = torch.compile(function, backend="eager", fullgraph=whole)
        with pytest.raises(torch._dynamo.exc.TorchDynamoException) as refused:
            compiled(torch.ones(2))
        full = depyf.full_code(compiled)
        with pytest.raises(type(refused.value)) as again:
            full(torch.ones(2))
        assert str(again.value).splitlines()[0] == str(refused.value).splitlines()[0]
        in_place = any(seams.is_resumed_in_place(e.code) for e in full._frames[0].entries)  # then it has no frame here
        assert (type(refused.value).__name__ in full.text) != in_place
    assert not depyf.full_code(torch.compile(mismatched, backend="eager")).which(torch.ones(2)).hit


def breaks_in_a_loop(x, n):
    y = x + 1
    if n > 5:
        for i in range(2):
            torch._dynamo.graph_break()
            y = y + i
    return y * 2


def without_operations(x, n):
    return x + 1 if n < 5 else x


def counting(ran):
    """A backend whose graphs note that they run, and that fails where an input has more than two items."""

    def backend(graph, inputs):
        if inputs[0].numel() > 2:
            raise ValueError("too large")
        return lambda *args: ran.append(1) or graph.forward(*args)

    return backend


@pytest.mark.parametrize("fullgraph", [False, True])
@pytest.mark.parametrize("function", [breaks_in_a_loop, without_operations], ids=lambda f: f.__name__)
def test_a_frame_that_was_given_up_uses_its_entries_no_more(function, fullgraph, tmp_path):
    ran, x = [], torch.ones(2)
    with depyf.prepare_debug(tmp_path):
        compiled = torch.compile(function, backend=counting(ran), fullgraph=fullgraph, dynamic=False)
        compiled(x, 1)
        before = depyf.full_code(compiled)
        with contextlib.suppress(torch._dynamo.exc.Unsupported):
            compiled(x, 9)
    # as when much is compiled later: Dynamo's own list of attempts is short
    torch._dynamo.utils.clear_compilation_metrics()
    ran.clear()
    assert torch.equal(compiled(x, 1), function(x, 1))
    used = kept = len(ran)
    assert kept or not fullgraph or function is without_operations
    for full in (before, depyf.full_code(compiled)):
        assert torch.equal(full(x, 1), function(x, 1))
        used += kept
        assert len(ran) == used
        if not kept:
            assert torch.equal(full(x, 9), function(x, 9))
    assert depyf.which_entry(compiled, x, 1).left_alone is not bool(kept)
    name = f"full_code_for_{function.__name__}_0.py"
    assert kept or depyf.full_code(compiled).path == str(tmp_path / name)  # what was dumped says the same


def test_attempts_are_noted_of_code_that_does_not_hash(monkeypatch):
    code = plus.__code__.replace(co_consts=(None, {}))
    attempt = object()
    monkeypatch.setattr(seams, "attempt_in_progress", lambda measured: (code, attempt))
    monkeypatch.setattr(seams, "entries_of_attempt", lambda code: [types.SimpleNamespace(code=code)])
    attempts.note({})
    assert attempts._latest[code] is attempt


def test_what_a_session_does_not_see_is_read_from_torch():
    ran, x = [], torch.ones(2)
    compiled = torch.compile(breaks_in_a_loop, backend=counting(ran))
    compiled(x, 1)
    compiled(x, 9)
    ran.clear()
    full = depyf.full_code(compiled)
    assert torch.equal(full(x, 1), compiled(x, 1)) and not ran
    torch._dynamo.reset()
    compiled(x, 1)
    assert torch.equal(full(x, 1), compiled(x, 1)) and len(ran) == 3
    assert depyf.which_entry(compiled, x, 1).hit


def plus(x, n):
    return x + n


def test_an_error_of_the_backend_gives_the_frame_up_only_where_errors_are_suppressed(tmp_path):
    for suppressed in (False, True):
        torch._dynamo.reset()
        ran = []
        compiled = torch.compile(plus, backend=counting(ran))
        with depyf.prepare_debug(tmp_path / str(suppressed)), torch._dynamo.config.patch(suppress_errors=suppressed):
            compiled(torch.ones(2), 1)
            with contextlib.suppress(Exception):
                compiled(torch.ones(3), 1)
            ran.clear()
            compiled(torch.ones(2), 1)
        assert bool(ran) is not suppressed
        assert depyf.which_entry(compiled, torch.ones(2), 1).hit is not suppressed


@pytest.mark.parametrize("watched", [False, True])
def test_a_frame_that_was_compiled_too_often_keeps_its_entries(watched, tmp_path):
    ran, x = [], torch.ones(2)
    limit = "recompile_limit" if hasattr(torch._dynamo.config, "recompile_limit") else "cache_size_limit"
    compiled = torch.compile(plus, backend=counting(ran), dynamic=False)
    watch = depyf.prepare_debug(tmp_path) if watched else contextlib.nullcontext()
    with watch, torch._dynamo.config.patch({limit: 2}):
        for n in range(3):
            compiled(x, n)
    ran.clear()
    for n in range(3):
        compiled(x, n)
    assert len(ran) == 2
    full = depyf.full_code(compiled)
    assert [depyf.which_entry(compiled, x, n).hit for n in range(3)] == [True, True, False]
    assert torch.equal(full(x, 1), x + 1) and len(ran) == 3
    missed = depyf.which_entry(compiled, x, 2)
    assert missed.left_alone and "imit" in missed.reason and len(missed.failures) == 2
    if watched:
        assert full.path == str(tmp_path / "full_code_for_plus_0.py")
