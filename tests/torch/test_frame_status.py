# SPDX-License-Identifier: MIT
"""Tests the status of frames: compiled, skipped, recompile limit, error or unknown.

It is compared with what torch then runs: the number of its graphs, and which of its entries.
"""

from __future__ import annotations

import contextlib
import re
import sys
import types

import depyf
import pytest
import releases
import torch
from depyf import FrameStatus
from depyf.torch.capture import frame_status
from depyf.torch.capture.frame_status import status_of
from depyf.torch.capture.trace_decode import Measured
from depyf.torch.internals import conversions
from depyf.torch.model import status
from releases import LIMIT

from tools.judges import torch_says
from tools.judges.torch_says import CountingBackend

# Whether Dynamo's frame callback names the frames that it skips; earlier releases only report those they compile.
NO_GRAPH = "Dynamo captured no graph for this frame"  # earlier releases do not record the reason


@pytest.fixture(params=[False, True], ids=["unwatched", "watched"])
def watch(request, tmp_path):
    """A block with a session, or without one."""
    return lambda: depyf.prepare_debug(tmp_path) if request.param else contextlib.nullcontext()


def torchs_id(entry):
    """Returns a compile id as torch numbers it: after a reset it starts again."""
    return entry.compile_id.partition(" after reset")[0]


def check_against_torch(compiled, *args):
    """Checks that depyf lists torch's entries and chooses the one that torch's guards accept; returns its id."""
    frame = torch_says.called(compiled, args)
    assert [torchs_id(e) for e in depyf.entries(compiled)] == frame.ids
    answer = depyf.which_entry(compiled, *args)
    assert (torchs_id(answer) if answer.hit else None) == frame.choice()
    return frame.choice()


@pytest.fixture(autouse=True)
def no_earlier_records():
    """Clears torch's metrics, which a reset keeps; tests compile the same functions."""
    torch._dynamo.utils.clear_compilation_metrics()


def failure_of(code):
    """Returns why the latest compilation of a code object failed according to torch's metrics, or ""."""
    made = torch._dynamo.utils.get_compilation_metrics()
    matching = [m for m in made if (m.co_name, m.co_firstlineno) == (code.co_name, code.co_firstlineno)]
    return (
        f"{matching[-1].fail_type}: {matching[-1].fail_reason.strip().splitlines()[0]}"
        if matching and matching[-1].fail_type
        else ""
    )


def has_no_record(code, run):
    """Returns whether neither a session nor an entry of torch leads to the record of the frame."""
    return run is None and not torch_says.entries_of(code)


# ---- compiled


def trained(x, weight):
    y = (x @ weight).sin()
    torch._dynamo.graph_break()
    return (y * weight).sum()


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["eager", "aot_eager", "inductor"])
def test_backward_graph_does_not_remove_an_entry(backend, watch):
    x, weight = torch.ones(3, 3), torch.full((3, 3), 0.5, requires_grad=True)
    with watch():
        compiled = torch.compile(trained, backend=backend)
        for _ in range(2):
            weight.grad = None
            compiled(x, weight).backward()
            assert check_against_torch(compiled, x, weight) == "0/0"
            assert status_of(trained.__code__, compiled).status is FrameStatus.COMPILED
    expected = weight.grad
    with torch.compiler.set_stance("fail_on_recompile"):  # torch need not compile
        weight.grad = None
        compiled(x, weight).backward()
    assert torch.equal(weight.grad, expected)
    full = depyf.full_code(compiled)
    weight.grad = None
    full(x, weight).backward()
    assert torch.equal(weight.grad, expected) and full.calls_handed_to_torch == 0
    assert full.text.count("def guards_") == 2 and "Dynamo" not in full.text  # of the function and its resume function


def test_full_code_of_a_session_with_training_has_its_entries(tmp_path):
    x, weight = torch.ones(3, 3), torch.full((3, 3), 0.5, requires_grad=True)
    with depyf.prepare_debug(tmp_path):
        torch.compile(trained, backend="aot_eager")(x, weight).backward()
    text = (tmp_path / "full_code_for_trained_0.py").read_text("utf-8")
    assert text.count("def guards_") == 2 and text.count("def transformed_") == 2


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_after_a_reset_no_entry_exists_until_the_next_call(backend, watch):
    x, weight = torch.ones(3, 3), torch.full((3, 3), 0.5, requires_grad=True)
    with watch():
        compiled = torch.compile(trained, backend=backend)
        compiled(x, weight).backward()
        torch._dynamo.reset()
        assert status_of(trained.__code__, compiled).status is FrameStatus.NOT_MET
        with pytest.raises(depyf.NotCompiled):
            depyf.entries(compiled)
        compiled(x, weight).backward()
    assert check_against_torch(compiled, x, weight) == "0/0"


def test_invalidated_entry_is_not_listed(watch):
    """When an object of a guard is gone, Dynamo keeps the entry's place, but not its code."""

    def double(x):
        return x * 2

    with watch():
        compiled = torch.compile(double, backend="eager")
        compiled(torch.ones(2))
    manager = torch._dynamo.eval_frame._debug_get_cache_entry_list(double.__code__)[0].guard_manager
    deleted_manager = torch._dynamo.guards.DeletedGuardManagerWrapper("as CheckFunctionManager.invalidate does")
    manager.extra_state.invalidate(manager.cache_entry, deleted_manager)
    assert status_of(double.__code__, compiled).status is FrameStatus.UNKNOWN
    assert depyf.entries(compiled) == []


# ---- skipped


def breaks_in_a_loop(x, n):
    y = x + 1
    if n > 5:
        for i in range(2):
            torch._dynamo.graph_break()
            y = y + i
    return y * 2


@pytest.mark.parametrize("fullgraph", [False, True])
def test_skipped_frame_does_not_use_its_entries(fullgraph, watch):
    backend, x = CountingBackend(), torch.ones(2)
    with watch() as run:
        compiled = torch.compile(breaks_in_a_loop, backend=backend, fullgraph=fullgraph, dynamic=False)
        compiled(x, 1)
        before = depyf.full_code(compiled)
        with contextlib.suppress(torch._dynamo.exc.Unsupported):
            compiled(x, 9)
    runs = backend.graphs_in(lambda: compiled(x, 1))
    assert runs == int(fullgraph)  # with fullgraph, the failure was raised and the frame is not skipped
    report, full = status_of(breaks_in_a_loop.__code__, compiled), depyf.full_code(compiled)
    decision = depyf.which_entry(compiled, x, 1)
    assert decision.hit is fullgraph
    if has_no_record(breaks_in_a_loop.__code__, run):
        assert report.status is full.status.status is FrameStatus.UNKNOWN
        assert torch.equal(full(x, 1), breaks_in_a_loop(x, 1)) and "has no record which" in repr(decision)
        return
    assert report.status is (FrameStatus.COMPILED if fullgraph else FrameStatus.SKIPPED)
    reason = failure_of(breaks_in_a_loop.__code__) or NO_GRAPH
    assert report.reason.startswith(reason)
    for bound in (before, full):
        assert backend.graphs_in(lambda bound=bound: bound(x, 1)) == runs
        assert torch.equal(bound(x, 1), breaks_in_a_loop(x, 1)) and bound.calls_handed_to_torch == 0
        assert bound.status == report
        if not fullgraph:
            assert torch.equal(bound(x, 9), breaks_in_a_loop(x, 9)) and "skipped" in repr(bound)
            assert f"Status: runs eagerly. Reason: {reason.split()[0]}" in bound.text
    assert decision.runs_eagerly is not fullgraph
    assert fullgraph or repr(decision).startswith(f"no entry: runs eagerly, skipped ({reason[:25]}")


def test_skipped_frame_is_reported_after_torch_cleared_its_metrics(tmp_path):
    backend, x = CountingBackend(), torch.ones(2)
    with depyf.prepare_debug(tmp_path):
        compiled = torch.compile(breaks_in_a_loop, backend=backend)
        compiled(x, 1)
        compiled(x, 9)
    torch._dynamo.utils.clear_compilation_metrics()  # torch keeps only the latest ones
    assert backend.graphs_in(lambda: compiled(x, 1)) == 0
    full = depyf.full_code(compiled)
    assert full.path == str(tmp_path / "full_code_for_breaks_in_a_loop_0.py")  # the dumped file says the same
    assert full.status.status is FrameStatus.SKIPPED


def test_functions_that_a_skipped_frame_calls_are_compiled(watch):
    backend = CountingBackend()

    def helper(x):
        return x.sin() * 2

    def looping(x):
        for _ in range(2):
            x = helper(x)
            torch._dynamo.graph_break()
        return x

    with watch():
        compiled = torch.compile(looping, backend=backend)
        expected = compiled(torch.ones(2))
    assert torch_says.called(compiled, (torch.ones(2),)).ids == []
    runs = backend.graphs_in(lambda: compiled(torch.ones(2)))
    assert runs == 2
    full = depyf.full_code(compiled)
    assert torch.equal(full(torch.ones(2)), expected)
    assert backend.graphs_in(lambda: full(torch.ones(2))) == runs
    assert depyf.entries(compiled) == []


def without_operations(x):
    return x


def generated(x):
    yield x


@pytest.mark.parametrize(
    "function, reason",
    [
        (without_operations, "no operations|No ops traced" + ("" if torch_says.HAS_REGIONS else f"|{NO_GRAPH}")),
        (generated, "suppressed|generator"),
    ],
)
def test_frame_can_be_skipped_without_a_failed_compilation(function, reason, tmp_path):
    with depyf.prepare_debug(tmp_path) as _:
        compiled = torch.compile(function, backend="eager")
        compiled(torch.ones(2))
    report = status_of(function.__code__, compiled)
    if function is generated and not releases.TELLS_WHAT_IT_SKIPS:
        assert report.status is FrameStatus.UNKNOWN
        return
    assert report.status is FrameStatus.SKIPPED
    assert depyf.entries(compiled) == []
    assert re.search(reason, report.reason)


def test_what_torch_skips_by_rule(watch):
    with watch():
        compiled = torch.compile(torch.nn.LSTM(2, 2), backend="eager")
        compiled(torch.ones(1, 1, 2))
    report = status_of(torch.nn.LSTM.forward.__code__)
    assert report.status is FrameStatus.SKIPPED and "skipfiles" in report.reason


@torch.compiler.disable(recursive=False)
def aside(module, x):
    return module(x)


class Containing(torch.nn.Sequential):
    """A module whose children are compiled; its own forward is torch's and has no operations of its own."""


class Own(torch.nn.Module):
    def forward(self, x):
        return x.sin()


@pytest.mark.skipif(not releases.TELLS_WHAT_IT_SKIPS, reason="this torch does not tell what it skips")
@pytest.mark.parametrize(
    "function, args, modules",
    [
        (generated, (), 0),
        (aside, (torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU()),), 3),
        (aside, (Containing(Own()),), 0),
    ],
)
def test_frame_that_torch_skips_at_once_is_listed(function, args, modules, tmp_path, caplog):
    """A function that the program compiled, and forwards of modules, unless torch compiles what they call."""
    torch.compiler.reset()
    torch._dynamo.utils.counters.clear()
    with caplog.at_level("DEBUG", "torch._dynamo.convert_frame"), depyf.prepare_debug(tmp_path) as session:
        if args:
            torch.compile(lambda *given: function(*given), backend="eager")(*args, torch.ones(1, 2))
        else:
            list(torch.compile(function, backend="eager")(torch.ones(2)))
    logged = [re.match(r"skipping: (\w+) \(reason: (.*), file: ", message) for message in caplog.messages]
    torchs = {found.groups() for found in logged if found is not None and found[1] in ("forward", "generated")}
    counted = [*torch._dynamo.utils.counters["unimplemented"]]  # also counts suppressed breaks, unlike the log
    if ("generated", "an error was suppressed during compilation") in torchs and counted:
        (named,) = (re.match(r"(.+)\n\s+Explanation: (.+)", text) for text in counted)
        torchs = {("generated", f"{named[1]}: {named[2]}")}
    skipped = [frame for frame in session.run.frames if frame.status is FrameStatus.SKIPPED]
    listed = [(frame.name.rpartition(".")[2], frame.reason) for frame in skipped]  # torch's log contains `co_name`
    assert len(listed) == (modules or not args)
    if sys.version_info >= (3, 11):
        modules_met = [type(m) for m in args[0].modules()] if listed and args else []
        assert {f.name for f in skipped} == {m.forward.__qualname__ for m in modules_met} or not args
    assert set(listed) == (torchs if listed else set()) and torchs
    assert not any("Every frame" in line for line in session.run.summary if listed)


# ---- recompile limit


def plus(x, n):
    return x + n


def test_entries_are_used_and_other_calls_run_eagerly_beyond_the_recompile_limit(watch):
    backend, x = CountingBackend(), torch.ones(2)
    compiled = torch.compile(plus, backend=backend, dynamic=False)
    with watch(), torch._dynamo.config.patch({LIMIT: 2}):
        for n in range(3):
            compiled(x, n)
    assert [backend.graphs_in(lambda n=n: compiled(x, n)) for n in range(3)] == [1, 1, 0]
    assert check_against_torch(compiled, x, 1) == "0/1"
    report = status_of(plus.__code__, compiled)
    assert report.status is FrameStatus.RECOMPILE_LIMIT and re.search("limit (exceeded|reached)", report.reason)
    full = depyf.full_code(compiled)
    missed = depyf.which_entry(compiled, x, 2)
    assert not missed.hit and missed.runs_eagerly and len(missed.failures) == 2
    assert repr(missed).startswith("no entry: runs eagerly, recompile limit (")
    assert "would compile" not in repr(missed) and "would compile" not in full.text
    assert "recompile limit" in repr(full)
    assert [backend.graphs_in(lambda n=n: full(x, n)) for n in range(3)] == [1, 1, 0]
    assert torch.equal(full(x, 2), plus(x, 2)) and full.calls_handed_to_torch == 0


def test_call_that_would_exceed_the_limit_is_reported(watch):
    x = torch.ones(2)
    compiled = torch.compile(plus, backend="eager", dynamic=False)
    with watch(), torch._dynamo.config.patch({LIMIT: 2}):
        compiled(x, 0)
        assert not depyf.which_entry(compiled, x, 1).runs_eagerly
        compiled(x, 1)
        listed = depyf.which_entry(compiled, x, 2)
        assert listed.runs_eagerly and listed.reason == f"{LIMIT} = 2"
        compiled(x, 2)  # as torch decides
        assert len(torch_says.called(compiled, (x, 2)).ids) == 2


@pytest.mark.parametrize("closure", [False, True])
def test_full_code_runs_a_call_beyond_the_limit_eagerly(closure, tmp_path):
    shift = torch.ones(2)

    def shifted(x, n):
        return x + n + shift

    function = shifted if closure else plus
    with depyf.prepare_debug(tmp_path), torch._dynamo.config.patch({LIMIT: 1}):
        compiled = torch.compile(function, backend="eager", dynamic=False)
        for n in range(2):
            compiled(torch.ones(2), n)
    (path,) = tmp_path.glob("full_code_for_*.py")
    text = path.read_text("utf-8")
    assert f"def eager_{function.__name__}(" in text and "torch runs this call eagerly" in text
    full = depyf.full_code(compiled)
    assert full.text == text
    assert torch.equal(full(torch.ones(2), 5), function(torch.ones(2), 5))
    run = depyf.Run.load(tmp_path)
    (frame,), (failure,) = run.frames, run.failures
    assert frame.status is FrameStatus.RECOMPILE_LIMIT and failure.effect.name == "HITS_LIMIT"
    assert "- **Recompile limit reached:**" in (tmp_path / "index.md").read_text("utf-8")


# ---- isolated regions


@pytest.mark.skipif(not torch_says.HAS_REGIONS, reason="this torch has no isolated regions")
def test_isolated_regions_have_their_own_status(tmp_path):
    backend, x = CountingBackend(), torch.ones(2)

    def make(function, **options):
        return torch.compile(function, backend=backend, dynamic=False, **options)

    with depyf.prepare_debug(tmp_path), torch._dynamo.config.patch({LIMIT: 2}):
        one, two = (make(breaks_in_a_loop, isolate_recompiles=True) for _ in range(2))
        shared = make(breaks_in_a_loop)
        for compiled in (one, two, shared):
            compiled(x, 1)
        one(x, 9)
        limited, fresh = (make(plus, isolate_recompiles=True) for _ in range(2))
        for n in range(3):
            limited(x, n)
        fresh(x, 0)
    for compiled, runs in ((one, 0), (two, 1), (shared, 1)):
        assert backend.graphs_in(lambda compiled=compiled: compiled(x, 1)) == runs
        status = status_of(breaks_in_a_loop.__code__, compiled).status
        assert status is (FrameStatus.COMPILED if runs else FrameStatus.SKIPPED)
        assert depyf.which_entry(compiled, x, 1).hit is bool(runs)
    assert status_of(breaks_in_a_loop.__code__).status is FrameStatus.COMPILED
    assert [status_of(plus.__code__, f).status.name for f in (limited, fresh)] == ["RECOMPILE_LIMIT", "COMPILED"]
    assert not depyf.which_entry(fresh, x, 7).runs_eagerly
    with depyf.prepare_debug(tmp_path):
        shared(x, 9)
    late = make(breaks_in_a_loop, isolate_recompiles=True)
    # A frame that is skipped outside regions is skipped in new ones, and from torch 2.15 on in all.
    ran = [backend.graphs_in(lambda compiled=compiled: compiled(x, 1)) for compiled in (two, shared, late)]
    assert ran[1:] == [0, 0]
    for compiled, runs in zip((two, shared, late), ran, strict=True):
        status = status_of(breaks_in_a_loop.__code__, compiled).status
        assert status is (FrameStatus.COMPILED if runs else FrameStatus.SKIPPED)
        assert depyf.which_entry(compiled, x, 1).hit is bool(runs)
    assert status_of(breaks_in_a_loop.__code__).status is (FrameStatus.COMPILED if ran[0] else FrameStatus.SKIPPED)
    two(x, 9)  # without a session, and torch's record does not name the region
    status = status_of(breaks_in_a_loop.__code__, two).status
    assert status is (FrameStatus.UNKNOWN if ran[0] else FrameStatus.SKIPPED)


# ---- error


def test_function_that_torch_rejects_raises_torchs_exception():
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
        assert full.calls_handed_to_torch == (0 if function is resumed else 1)
        in_place = any(  # code that creates its resume function itself, which then has no frame here
            isinstance(value, types.CodeType) and value.co_name.startswith("torch_dynamo_resume_in_")
            for entry in torch_says.called(compiled, (torch.ones(2),)).entries
            for value in entry.code.co_consts
        )
        assert (type(refused.value).__name__ in full.text) != in_place
    assert not depyf.which_entry(torch.compile(mismatched, backend="eager"), torch.ones(2)).hit


@pytest.mark.parametrize("suppressed", [False, True])
def test_failing_backend_skips_the_frame_only_if_errors_are_suppressed(suppressed, watch):
    backend = CountingBackend(fails=lambda inputs: inputs[0].numel() > 2)
    compiled = torch.compile(plus, backend=backend, dynamic=False)
    with watch() as run, torch._dynamo.config.patch(suppress_errors=suppressed):
        compiled(torch.ones(2), 1)
        with contextlib.suppress(Exception):
            compiled(torch.ones(3), 1)
        assert bool(backend.graphs_in(lambda: compiled(torch.ones(2), 1))) is not suppressed
    assert depyf.which_entry(compiled, torch.ones(2), 1).hit is not suppressed
    report = status_of(plus.__code__, compiled)
    if has_no_record(plus.__code__, run):
        assert report.status is FrameStatus.UNKNOWN
    else:
        assert report.status is (FrameStatus.SKIPPED if suppressed else FrameStatus.COMPILED)
        assert report.reason.startswith("BackendCompilerFailed: ")
    assert "fails on purpose" in report.reason


def test_frame_whose_only_compilation_failed_has_an_error(tmp_path):
    backend = CountingBackend(fails=lambda inputs: True)
    with depyf.prepare_debug(tmp_path):
        compiled = torch.compile(plus, backend=backend)
        with pytest.raises(torch._dynamo.exc.BackendCompilerFailed):
            compiled(torch.ones(3), 1)
    report = status_of(plus.__code__, compiled)
    assert report.status is FrameStatus.ERROR and report.reason.startswith("BackendCompilerFailed")
    assert repr(depyf.which_entry(compiled, torch.ones(3), 1)).startswith(
        "no entry: would compile again; the latest compilation failed (BackendCompilerFailed"
    )


# ---- unknown


def test_status_is_unknown_if_torch_has_no_record():
    def looping(x):
        for i in range(2):
            x = x + i
            torch._dynamo.graph_break()
        return x

    def namesake(x):
        return x

    compiled = torch.compile(looping, backend="eager")
    expected = compiled(torch.ones(2))  # without a session, and torch's record has no code object
    report = status_of(looping.__code__, compiled)
    reason = failure_of(looping.__code__)
    assert report.status is FrameStatus.UNKNOWN and report.reason.endswith(reason or "has no entry for it")
    assert "has no record which" in repr(depyf.which_entry(compiled, torch.ones(2)))
    full = depyf.full_code(compiled)
    assert torch.equal(full(torch.ones(2)), expected) and full.calls_handed_to_torch == 1
    same = namesake.__code__.replace(
        co_name="looping", co_filename=looping.__code__.co_filename, co_firstlineno=looping.__code__.co_firstlineno
    )
    assert status_of(same).status is FrameStatus.NOT_MET  # name and line alone are not enough


def test_status_of_a_function_that_was_not_compiled():
    def never(x):
        return x

    assert status_of(never.__code__).status is FrameStatus.NOT_MET
    with pytest.raises(depyf.NotCompiled, match="no compiled entry"):
        depyf.entries(never)
    with pytest.raises(depyf.NotCompiled):
        depyf.full_code(never)
    assert repr(depyf.which_entry(never, 1)) == "no entry: not compiled yet"


def test_records_of_code_objects_that_are_not_hashable(monkeypatch):
    code = plus.__code__.replace(co_consts=(None, {}))
    monkeypatch.setattr(conversions, "converted_code", lambda: (code, False, -1))
    measured = {"compile_id": "7/0", "is_forward": True, "fail_type": "Unsupported", "fail_reason": "no"}
    assert frame_status.note_compilation(Measured("7/0", measured)) is code
    assert status_of(code) == status.StatusReport(FrameStatus.SKIPPED, "Unsupported: no")
    assert status_of(types.CodeType.replace(code)).status is FrameStatus.NOT_MET
    backward = Measured("7/0", {**measured, "is_forward": False, "fail_type": None})
    frame_status.note_compilation(backward)  # has no effect on the frame
    assert status_of(code).status is FrameStatus.SKIPPED


def computes_nothing(x):
    print(end="")
    return x


def computes(x):
    print(end="")
    return x + 1


@pytest.mark.parametrize("function", [computes_nothing, computes])
def test_index_has_the_number_of_graphs_of_each_entry(tmp_path, function):
    """An entry without a graph means that no operation was compiled."""
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    with depyf.prepare_debug(tmp_path):
        torch.compile(function, backend="eager")(torch.ones(2))
    graphs = torch._dynamo.utils.counters["stats"]["unique_graphs"]
    assert graphs == (function is computes)
    text = (tmp_path / "index.md").read_text("utf-8")
    assert f"· {graphs} graph{'' if graphs == 1 else 's'} ·" in text
    assert ("No graph was captured" in text) == (graphs == 0)
