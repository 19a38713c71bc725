# SPDX-License-Identifier: MIT
"""Tests depyf.expect(), the pytest marker and their messages, compared with torch's counters."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path

import depyf
import numpy
import pytest
import releases
import torch
from depyf import pytest_plugin
from depyf.torch.expect import BUDGETS, approve
from torch._dynamo.utils import counters


def breaking(x):
    if x.sum() > 0:
        return x + 1
    return x - 1


def plain(x):
    return torch.sin(x) + 1


@pytest.fixture(autouse=True)
def fresh():
    torch.compiler.reset()
    yield
    torch.compiler.reset()


def test_limits_that_are_met():
    counters.clear()
    with depyf.expect(graphs=1, breaks=0, recompiles=0, eager_frames=0, guards_below=100) as seen:
        torch.compile(plain, backend="eager")(torch.ones(3))
        assert counters["stats"]["unique_graphs"] == 1
    assert (seen.graphs, seen.breaks, seen.recompiles, seen.eager_frames) == (1, [], 0, [])
    assert 0 < seen.most_guards < 100


def test_break_is_reported_with_its_line_and_advice():
    line = breaking.__code__.co_firstlineno + 1
    with pytest.raises(AssertionError) as raised, depyf.expect(breaks=0):
        torch.compile(breaking, backend="eager")(torch.ones(3))
    torch.compiler.reset()
    with pytest.raises(torch._dynamo.exc.Unsupported):  # torch agrees that the graph breaks
        torch.compile(breaking, backend="eager", fullgraph=True)(torch.ones(3))
    message = str(raised.value)
    assert "expected at most 0 graph breaks, found 1" in message
    assert f"{__file__}:{line} in breaking: Data-dependent branching" in message
    assert "what to do: " in message and "torch.cond" in message


def test_recompile_is_reported_with_both_values():
    compiled = torch.compile(plain, backend="eager", dynamic=False)
    with pytest.raises(AssertionError) as raised, depyf.expect(recompiles=0):
        compiled(torch.ones(3))
        compiled(torch.ones(4))
    message = str(raised.value)
    assert "expected at most 0 recompiles, found 1" in message and "(3,)" in message and "(4,)" in message


def scaled_after_a_break(x, factor):
    torch._dynamo.graph_break()
    return x * factor


def test_a_recompile_after_a_break_names_the_function_of_the_program():
    compiled = torch.compile(scaled_after_a_break, backend="eager")
    with pytest.raises(AssertionError) as raised, depyf.expect(recompiles=0):
        compiled(torch.ones(3), 2)
        compiled(torch.ones(3), 3)
    line = scaled_after_a_break.__code__.co_firstlineno + 2
    (shown,) = [text for text in str(raised.value).splitlines() if "factor: value was 2, now 3" in text]
    assert shown.endswith(f"{__file__}:{line} in scaled_after_a_break")


def test_recompile_of_an_earlier_entry_is_reported_with_its_line_and_advice():
    compiled = torch.compile(plain, backend="eager", dynamic=False)
    compiled(torch.ones(3))  # outside any session
    with pytest.raises(AssertionError) as raised, depyf.expect(recompiles=0):
        compiled(torch.ones(3, dtype=torch.float64))
    line = plain.__code__.co_firstlineno
    (message, cure) = str(raised.value).splitlines()[1:]
    assert message.startswith("  [0/1] plain: [0/0] x: dtype was torch.float32, now torch.float64, ")
    assert re.search(rf"{re.escape(__file__)}:({line}|{line + 1})( in plain)?$", message)
    assert cure == "    what to do: pass tensors of one dtype"


@pytest.mark.parametrize(
    ("limits", "message"),
    [({"graphs": 2}, "expected 2 graphs, found 1"), ({"guards_below": 1}, "expected fewer than 1 guards")],
)
def test_other_exceeded_limits(limits, message):
    with pytest.raises(AssertionError, match=message), depyf.expect(**limits):
        torch.compile(plain, backend="eager")(torch.ones(3))


def test_generator_function_runs_eagerly():
    counters.clear()

    @torch.compile(backend="eager")
    def generated(x):
        yield x + 1

    exceeds = pytest.raises(AssertionError, match="at most 0 eager frames, found 1\n  generated")
    with exceeds if releases.TELLS_WHAT_IT_SKIPS else contextlib.nullcontext(), depyf.expect(eager_frames=0):
        list(generated(torch.ones(2)))
    assert "ok" not in counters["frames"]


def test_exception_of_the_block_is_propagated():
    with pytest.raises(ZeroDivisionError), depyf.expect(graphs=5):
        torch.compile(plain, backend="eager")(torch.ones(3))
        raise ZeroDivisionError


def test_approved_breaks(tmp_path):
    approved = tmp_path / "approved.json"
    with depyf.expect(breaks=0, approved=approved, update=True):
        torch.compile(breaking, backend="eager")(torch.ones(3))
    (approved_break,) = json.loads(approved.read_text())["breaks"]
    assert approved_break["function"] == "breaking" and approved_break["file"] == Path(__file__).name
    torch.compiler.reset()
    with depyf.expect(breaks=0, approved=approved) as seen:
        torch.compile(breaking, backend="eager")(torch.ones(3))
    assert len(seen.breaks) == 1
    approved.write_text('{"breaks": []}')
    torch.compiler.reset()
    with pytest.raises(AssertionError, match="found 1"), depyf.expect(breaks=0, approved=approved):
        torch.compile(breaking, backend="eager")(torch.ones(3))


def test_unreadable_file_of_approved_breaks_is_written_again(tmp_path, caplog):
    approved = tmp_path / "approved.json"
    approved.write_text('<<<<<<< ours\n{"breaks": []}\n=======\n{"breaks": []}\n>>>>>>> theirs\n')
    approve(approved, {"test_it.py::test_one": [("it.py", "f", "a reason")]}, {"test_it.py::test_one"})
    (approved_break,) = json.loads(approved.read_text())["breaks"]
    assert approved_break == {"file": "it.py", "function": "f", "reason": "a reason", "tests": ["test_it.py::test_one"]}
    assert str(approved) in caplog.text


def test_bad_arguments(tmp_path):
    with pytest.raises(ValueError, match="approved=FILE"), depyf.expect(update=True):
        pass
    bad = tmp_path / "bad.json"
    bad.write_text("[]")
    with pytest.raises(ValueError, match=r"bad\.json"), depyf.expect(breaks=0, approved=bad):
        pass


@pytest.mark.parametrize("silenced", ["before", "within"])
def test_breaks_are_found_if_the_log_is_disabled(silenced):
    log, threshold = logging.getLogger("torch.__trace"), logging.root.manager.disable
    try:
        if silenced == "before":
            log.disabled = True
        with pytest.raises(AssertionError, match="found 1"), depyf.expect(breaks=0):
            log.disabled = True  # logging.config.dictConfig does so by default
            logging.disable(logging.CRITICAL)
            torch.compile(breaking, backend="eager")(torch.ones(3))
        assert log.disabled is (silenced == "before")
    finally:
        log.disabled = False
        logging.disable(threshold)


def test_limits_fail_if_events_cannot_be_observed(monkeypatch):
    counters.clear()
    monkeypatch.setattr("depyf.torch.internals.trace_log.trace_logger", lambda: logging.getLogger("torch.__elsewhere"))
    with pytest.raises(AssertionError, match="cannot tell: 1 frame compiled"), depyf.expect(breaks=0):
        torch.compile(plain, backend="eager")(torch.ones(3))
    assert counters["stats"]["unique_graphs"] == 1


MODULE = """
import pytest, sys

def test_no_torch():
    assert "torch" not in sys.modules

def f(x):
    if x.sum() > 0:
        return x + 1
    return x - 1

def g(x):
    if x.sum() > 0:
        return x + 2
    return x - 2

def run(what=f):
    import torch
    torch.compiler.reset()
    torch.compile(what, backend="eager")(torch.ones(3))

@pytest.mark.torch_compile(breaks=0)
def test_marked():
    run()

@pytest.mark.torch_compile(breaks=1)
def test_within():
    run()

def test_fixture(torch_compile_budget):
    with torch_compile_budget(breaks=0):
        run(g)
"""


OTHER = """
def h(x):
    if x.sum() > 0:
        return x + 3
    return x - 3
"""
IT = "test_it.py::test_"


@pytest.mark.slow
@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "2")], ids=["alone", "in workers"])
def test_pytest_plugin(tmp_path, workers):
    (tmp_path / "test_it.py").write_text(MODULE)

    def outcomes(*options):
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "depyf.pytest_plugin",
            "-p",
            "no:cacheprovider",
            "-rA",
            *options,
            "test_it.py",
        ]
        done = subprocess.run(
            command,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        )
        return {
            name: [
                line.split()[0]
                for line in done.stdout.splitlines()
                if f"::{name}" in line and line.split()[0].isupper()
            ]
            for name in ("test_no_torch", "test_marked", "test_within", "test_fixture")
        }, done.stdout

    if not workers:  # the tests share a process
        found, message = outcomes()
        failed = {name for name, outcome in found.items() if outcome == ["FAILED"]}
        assert failed == {"test_marked", "test_fixture"}, message
        assert all(found[name] == ["PASSED"] for name in found.keys() - failed) and "what to do: " in message
    found, message = outcomes("--approve-graph-breaks", *workers)
    assert {x for each in found.values() for x in each} == {"PASSED"}, message
    approved = tmp_path / "approved_graph_breaks.json"
    approved_breaks = json.loads(approved.read_text())["breaks"]
    assert [each["function"] for each in approved_breaks] == ["f", "g"]  # once each, whichever test compiled them
    assert [each["tests"] for each in approved_breaks] == [[f"{IT}marked", f"{IT}within"], [f"{IT}fixture"]]
    found, message = outcomes()
    assert {x for each in found.values() for x in each} == {"PASSED"}, message
    outcomes("--approve-graph-breaks", *workers, "-k", "within")
    assert json.loads(approved.read_text())["breaks"] == approved_breaks
    (tmp_path / "test_it.py").write_text(MODULE.replace("run(g)", "run(h)") + OTHER)
    outcomes("--approve-graph-breaks", *workers, "-k", "fixture")
    assert [(b["function"], b["tests"]) for b in json.loads(approved.read_text())["breaks"]] == [
        ("f", approved_breaks[0]["tests"]), ("h", approved_breaks[1]["tests"]),
    ]  # fmt: skip


WARM = """
import depyf, pytest, torch

@torch.compile(backend="eager")
def step(x):
    if x.sum() > 0:
        x = x * 2
    return x

def test_warm():
    step(torch.ones(3))

@pytest.mark.torch_compile(breaks=0)
@pytest.mark.parametrize("n", [1, 2])
def test_marked(n):
    step(torch.ones(3))

def test_fixture(torch_compile_budget):
    with torch_compile_budget(breaks=0):
        step(torch.ones(3))

@pytest.fixture(scope="module")
def warmed():
    step(torch.ones(3))

@pytest.mark.torch_compile(breaks=0)
def test_of_a_warm_fixture(warmed):
    step(torch.ones(3))
"""


def run_pytest(folder, text, *options):
    (folder / "test_it.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "--show-capture=no", *options]
    done = subprocess.run(
        [*command, "-p", "depyf.pytest_plugin", "-p", "no:cacheprovider", "test_it.py"], cwd=folder,
        capture_output=True, text=True, check=False, env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )  # fmt: skip
    return done.stdout


def test_marked_test_does_not_depend_on_earlier_tests(tmp_path):
    """torch breaks `step` whenever it compiles it, so each test that allows no break must fail."""
    message = run_pytest(tmp_path, WARM)
    failed = re.findall(r"^FAILED test_it.py::(\S+) - AssertionError: expected at most", message, re.MULTILINE)
    assert failed == ["test_marked[1]", "test_marked[2]", "test_fixture", "test_of_a_warm_fixture"], message
    assert "PASSED test_it.py::test_warm" in message


FAILS = """
import depyf, pytest, torch

def f(x):
    if x.sum() > 0:
        return x + 1
    return x - 1

@pytest.mark.torch_compile(breaks=0)
def test_marked():
    torch.compile(f, backend="eager")(torch.ones(3))

def test_fixture(torch_compile_budget):
    with torch_compile_budget(breaks=0):
        torch.compile(f, backend="eager")(torch.ones(3))

def test_expect():
    torch.compiler.reset()
    with depyf.expect(breaks=0):
        torch.compile(f, backend="eager")(torch.ones(3))
"""


def test_failure_shows_only_lines_of_the_program(tmp_path):
    message = run_pytest(tmp_path, FAILS)
    assert message.count("E   ") >= 3 and "3 failed" in message
    assert message.count(">       with ") == 2  # lines of the program
    for path in re.findall(r"^(\S+\.py):\d+: ", message, re.MULTILINE):
        assert path == "test_it.py", message
    assert "def __exit__" not in message and "raise AssertionError" not in message


BAD = """
import pytest

@pytest.mark.torch_compile(**{limits})
def test_it():
    pass
"""


def test_limit_that_is_a_numpy_integer():
    with depyf.expect(graphs=numpy.int64(0)) as seen:
        pass
    assert seen.graphs == 0


@pytest.mark.parametrize(
    ("limits", "wrong"),
    [
        ({"breaks": "x"}, "breaks: wanted a whole number of at least 0, found 'x'"),
        ({"breaks": -1}, "breaks: wanted a whole number of at least 0, found -1"),
        ({"recompiles": 1.5}, "recompiles: wanted a whole number of at least 0, found 1.5"),
        ({"graphs": True}, "graphs: wanted a whole number of at least 0, found True"),
        ({"guards_below": 0}, "guards_below: wanted a whole number of at least 1, found 0"),
    ],
)
def test_invalid_limits(tmp_path, limits, wrong):
    with pytest.raises(ValueError, match=f"^{re.escape(wrong)}$"), depyf.expect(**limits):
        pass
    message = run_pytest(tmp_path, BAD.format(limits=limits))
    assert (
        f"\ntorch_compile: {wrong}\n" in message
        and "ERROR test_it.py::test_it" in message
        and "Traceback" not in message
    )


def test_marker_without_limits_is_an_error(tmp_path):
    message = run_pytest(tmp_path, BAD.format(limits={}))
    assert "guards_below=N; found none" in message and "ERROR test_it.py::test_it" in message


def test_failure_names_earlier_entries_if_too_little_is_compiled():
    compiled = torch.compile(plain, backend="eager", dynamic=False)
    compiled(torch.ones(3))
    compiled(torch.ones(4))
    torchs_entries = torch._dynamo.eval_frame._debug_get_cache_entry_list(plain.__code__)
    ids = ", ".join(sorted(f"[{entry.compile_id}]" for entry in torchs_entries))
    with pytest.raises(AssertionError) as raised, depyf.expect(graphs=1):
        compiled(torch.ones(3))
    line = f"plain, {__file__}:{plain.__code__.co_firstlineno}: {ids}"
    assert "nothing was compiled in the block" in str(raised.value) and line in str(raised.value)
    with (
        pytest.raises(AssertionError) as raised,
        depyf.expect(graphs=1),
    ):  # more is compiled: no entry is named
        torch.compile(breaking, backend="eager")(torch.ones(3))
    assert "before" not in str(raised.value)


@pytest.mark.parametrize("limits", [{"breaks": 0}, {"eager_frames": 0}, {"guards_below": 100}])
def test_limits_fail_if_nothing_is_compiled(limits):
    compiled = torch.compile(plain, backend="eager", dynamic=False)
    compiled(torch.ones(3))
    counters.clear()
    with pytest.raises(AssertionError, match="nothing was compiled in the block") as raised, depyf.expect(**limits):
        compiled(torch.ones(3))
    assert not counters["frames"]  # torch compiled nothing
    assert f"plain, {__file__}:{plain.__code__.co_firstlineno}: [0/0]" in str(raised.value)
    with depyf.expect(**limits, recompiles=0):  # meaningful for a call that uses an earlier entry
        compiled(torch.ones(3))
    with depyf.expect(**limits):
        compiled(torch.ones(4))
    assert counters["frames"]["total"] == 1
    with pytest.raises(ValueError, match="the block's own"), depyf.expect(**limits):
        raise ValueError("the block's own")


@pytest.mark.parametrize("limits", [{"breaks": 0}, {"recompiles": 0}, {"breaks": 0, "recompiles": 0}])
def test_limits_fail_if_torch_has_compiled_nothing(limits):
    with pytest.raises(AssertionError, match=r"nothing was compiled in the block$"), depyf.expect(**limits):
        plain(torch.ones(3))
    with depyf.expect(graphs=0):
        plain(torch.ones(3))
    with depyf.expect():
        plain(torch.ones(3))


@pytest.mark.parametrize("limits", [{"breaks": 0}, {"recompiles": 0}, {"graphs": 1}])
@pytest.mark.parametrize("off", ["stance", "config", "environment"])
def test_limits_fail_if_torch_compile_is_off(limits, off, monkeypatch):
    compiled = torch.compile(breaking, backend="eager")
    with contextlib.ExitStack() as stack:
        if off == "stance":
            compiled(torch.ones(3))  # entries cannot be used either
            stack.enter_context(torch.compiler.set_stance("force_eager"))
            reason = "the stance is force_eager"
        elif off == "config":
            stack.enter_context(torch._dynamo.config.patch(disable=True))
            reason = "torch._dynamo.config.disable is True"
        else:
            monkeypatch.setenv("TORCHDYNAMO_DISABLE", "1")
            compiled = torch.compile(breaking, backend="eager")
            reason = "TORCHDYNAMO_DISABLE=1"
        with (
            pytest.raises(AssertionError, match=f"nothing was compiled in the block: {reason}"),
            depyf.expect(**limits),
        ):
            compiled(torch.ones(3))
        with depyf.expect(graphs=0):
            compiled(torch.ones(3))


def test_expect_in_a_loop_counts_from_the_first_iteration():
    """Later iterations use the entries that the first one compiled; entries compiled outside any block are reported."""
    compiled = torch.compile(plain, backend="eager", dynamic=False)
    counters.clear()

    @depyf.expect(breaks=0)
    def step(size):
        return compiled(torch.ones(size))

    for size in (3, 3, 4, 4, 3):
        step(size)
    assert counters["frames"]["total"] == 2
    compiled(torch.ones(5))
    with pytest.raises(AssertionError, match="nothing was compiled in the block"):
        step(5)


def test_plugin_knows_all_limits():
    """It names them itself, because it must not import torch before a test uses a budget."""
    assert pytest_plugin._BUDGETS == BUDGETS


def test_expect_as_a_decorator():
    @depyf.expect(breaks=0)
    def held(function):
        torch.compile(function, backend="eager")(torch.ones(3))

    held(plain)
    with pytest.raises(AssertionError, match="found 1"):
        held(breaking)
