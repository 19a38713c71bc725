# SPDX-License-Identifier: MIT
"""Budgets for torch.compile: what passes, what fails and what the failure says; the judge is torch's own counters."""

from __future__ import annotations

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
import torch
from depyf.torch.expect import approve
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


def test_a_budget_that_is_kept():
    counters.clear()
    with depyf.expect(graphs=1, breaks=0, recompiles=0, eager_frames=0, guards_below=100) as seen:
        torch.compile(plain, backend="eager")(torch.ones(3))
        assert counters["stats"]["unique_graphs"] == 1
    assert (seen.graphs, seen.breaks, seen.recompiles, seen.eager_frames) == (1, [], 0, [])
    assert 0 < seen.most_guards < 100


def test_a_break_is_named_with_its_line_and_cure():
    line = breaking.__code__.co_firstlineno + 1
    with pytest.raises(AssertionError) as raised, depyf.expect(breaks=0):
        torch.compile(breaking, backend="eager")(torch.ones(3))
    torch.compiler.reset()
    with pytest.raises(torch._dynamo.exc.Unsupported):  # torch's own word that it breaks there
        torch.compile(breaking, backend="eager", fullgraph=True)(torch.ones(3))
    said = str(raised.value)
    assert "expected at most 0 graph breaks, found 1" in said
    assert f"{__file__}:{line} in breaking: Data-dependent branching" in said
    assert "what to do: " in said and "torch.cond" in said


def test_a_recompile_is_named_with_both_values():
    compiled = torch.compile(plain, backend="eager", dynamic=False)
    with pytest.raises(AssertionError) as raised, depyf.expect(recompiles=0):
        compiled(torch.ones(3))
        compiled(torch.ones(4))
    said = str(raised.value)
    assert "expected at most 0 recompiles, found 1" in said and "(3,)" in said and "(4,)" in said


def test_a_recompile_is_named_with_its_line_and_cure_whenever_the_entry_was_compiled():
    compiled = torch.compile(plain, backend="eager", dynamic=False)
    compiled(torch.ones(3))  # nobody watches
    with pytest.raises(AssertionError) as raised, depyf.expect(recompiles=0):
        compiled(torch.ones(3, dtype=torch.float64))
    line = plain.__code__.co_firstlineno
    (said, cure) = str(raised.value).splitlines()[1:]
    assert said.startswith("  [0/1] plain: [0/0] x: dtype was torch.float32, now torch.float64, ")
    assert re.search(rf"{re.escape(__file__)}:({line}|{line + 1})( in plain)?$", said)
    assert cure == "    what to do: pass tensors of one dtype"


@pytest.mark.parametrize(
    ("limits", "said"),
    [({"graphs": 2}, "expected 2 graphs, found 1"), ({"guards_below": 1}, "expected fewer than 1 guards")],
)
def test_other_offences(limits, said):
    with pytest.raises(AssertionError, match=said), depyf.expect(**limits):
        torch.compile(plain, backend="eager")(torch.ones(3))


def test_a_generator_function_that_torch_refuses_runs_eagerly():
    counters.clear()

    @torch.compile(backend="eager")
    def generated(x):
        yield x + 1

    with (
        pytest.raises(AssertionError, match="at most 0 eager frames, found 1\n  generated"),
        depyf.expect(eager_frames=0),
    ):
        list(generated(torch.ones(2)))
    assert "ok" not in counters["frames"]


def test_an_exception_of_the_block_passes():
    with pytest.raises(ZeroDivisionError), depyf.expect(graphs=5):
        torch.compile(plain, backend="eager")(torch.ones(3))
        raise ZeroDivisionError


def test_approved_breaks(tmp_path):
    approved = tmp_path / "approved.json"
    with depyf.expect(breaks=0, approved=approved, update=True):
        torch.compile(breaking, backend="eager")(torch.ones(3))
    (known,) = json.loads(approved.read_text())["breaks"]
    assert known["function"] == "breaking" and known["file"] == Path(__file__).name
    torch.compiler.reset()
    with depyf.expect(breaks=0, approved=approved) as seen:
        torch.compile(breaking, backend="eager")(torch.ones(3))
    assert len(seen.breaks) == 1
    approved.write_text('{"breaks": []}')
    torch.compiler.reset()
    with pytest.raises(AssertionError, match="found 1"), depyf.expect(breaks=0, approved=approved):
        torch.compile(breaking, backend="eager")(torch.ones(3))


def test_a_file_that_cannot_be_read_is_approved_anew(tmp_path, caplog):
    approved = tmp_path / "approved.json"
    approved.write_text('<<<<<<< ours\n{"breaks": []}\n=======\n{"breaks": []}\n>>>>>>> theirs\n')
    approve(approved, {"test_it.py::test_one": [("it.py", "f", "a reason")]}, {"test_it.py::test_one"})
    (known,) = json.loads(approved.read_text())["breaks"]
    assert known == {"file": "it.py", "function": "f", "reason": "a reason", "tests": ["test_it.py::test_one"]}
    assert str(approved) in caplog.text


def test_bad_arguments(tmp_path):
    with pytest.raises(ValueError, match="approved=FILE"), depyf.expect(update=True):
        pass
    bad = tmp_path / "bad.json"
    bad.write_text("[]")
    with pytest.raises(ValueError, match=r"bad\.json"), depyf.expect(breaks=0, approved=bad):
        pass


@pytest.mark.parametrize("silenced", ["before", "within"])
def test_a_disabled_log_hides_no_break(silenced):
    log, threshold = logging.getLogger("torch.__trace"), logging.root.manager.disable
    try:
        if silenced == "before":
            log.disabled = True
        with pytest.raises(AssertionError, match="found 1"), depyf.expect(breaks=0):
            log.disabled = True  # as logging.config.dictConfig does by default
            logging.disable(logging.CRITICAL)
            torch.compile(breaking, backend="eager")(torch.ones(3))
        assert log.disabled is (silenced == "before")
    finally:
        log.disabled = False
        logging.disable(threshold)


def test_a_budget_of_what_was_not_seen_is_not_kept(monkeypatch):
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
def test_the_plugin(tmp_path, workers):
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

    if not workers:  # the same session else
        found, said = outcomes()
        failed = {name for name, outcome in found.items() if outcome == ["FAILED"]}
        assert failed == {"test_marked", "test_fixture"}, said
        assert all(found[name] == ["PASSED"] for name in found.keys() - failed) and "what to do: " in said
    found, said = outcomes("--approve-graph-breaks", *workers)
    assert {x for each in found.values() for x in each} == {"PASSED"}, said
    approved = tmp_path / "approved_graph_breaks.json"
    known = json.loads(approved.read_text())["breaks"]
    assert [each["function"] for each in known] == ["f", "g"]  # each once, whichever tests it is of
    assert [each["tests"] for each in known] == [[f"{IT}marked", f"{IT}within"], [f"{IT}fixture"]]
    found, said = outcomes()
    assert {x for each in found.values() for x in each} == {"PASSED"}, said
    outcomes("--approve-graph-breaks", *workers, "-k", "within")
    assert json.loads(approved.read_text())["breaks"] == known
    (tmp_path / "test_it.py").write_text(MODULE.replace("run(g)", "run(h)") + OTHER)
    outcomes("--approve-graph-breaks", *workers, "-k", "fixture")
    assert [(b["function"], b["tests"]) for b in json.loads(approved.read_text())["breaks"]] == [
        ("f", known[0]["tests"]), ("h", known[1]["tests"]),
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


def test_a_marked_test_does_not_depend_on_those_before_it(tmp_path):
    """torch breaks `step` whenever it compiles it: each test that holds it to no break fails, whatever ran before."""
    said = run_pytest(tmp_path, WARM)
    failed = re.findall(r"^FAILED test_it.py::(\S+) - AssertionError: expected at most", said, re.MULTILINE)
    assert failed == ["test_marked[1]", "test_marked[2]", "test_fixture", "test_of_a_warm_fixture"], said
    assert "PASSED test_it.py::test_warm" in said


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


def test_a_failure_shows_no_line_of_depyfs(tmp_path):
    said = run_pytest(tmp_path, FAILS)
    assert said.count("E   ") >= 3 and "3 failed" in said
    assert said.count(">       with ") == 2  # the program's own lines
    for path in re.findall(r"^(\S+\.py):\d+: ", said, re.MULTILINE):
        assert path == "test_it.py", said
    assert "def __exit__" not in said and "raise AssertionError" not in said


BAD = """
import pytest

@pytest.mark.torch_compile(**{limits})
def test_it():
    pass
"""


def test_a_limit_that_numpy_counted():
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
def test_a_limit_that_is_none(tmp_path, limits, wrong):
    with pytest.raises(ValueError, match=f"^{re.escape(wrong)}$"), depyf.expect(**limits):
        pass
    said = run_pytest(tmp_path, BAD.format(limits=limits))
    assert f"\ntorch_compile: {wrong}\n" in said and "ERROR test_it.py::test_it" in said and "Traceback" not in said


def test_a_marker_that_names_no_budget(tmp_path):
    said = run_pytest(tmp_path, BAD.format(limits={}))
    assert "guards_below=N; found none" in said and "ERROR test_it.py::test_it" in said


def test_entries_from_before_are_named_where_less_is_compiled():
    compiled = torch.compile(plain, backend="eager", dynamic=False)
    compiled(torch.ones(3))
    compiled(torch.ones(4))
    held = torch._dynamo.eval_frame._debug_get_cache_entry_list(plain.__code__)
    ids = ", ".join(sorted(f"[{entry.compile_id}]" for entry in held))
    with pytest.raises(AssertionError) as raised, depyf.expect(graphs=1):
        compiled(torch.ones(3))
    line = f"plain, {__file__}:{plain.__code__.co_firstlineno}: {ids}"
    assert "nothing was compiled in the block" in str(raised.value) and line in str(raised.value)
    with pytest.raises(AssertionError) as raised, depyf.expect(graphs=1):  # of a block that compiles more, nothing is
        torch.compile(breaking, backend="eager")(torch.ones(3))
    assert "before" not in str(raised.value)


@pytest.mark.parametrize("limits", [{"breaks": 0}, {"eager_frames": 0}, {"guards_below": 100}])
def test_a_budget_that_holds_of_nothing_is_not_kept(limits):
    compiled = torch.compile(plain, backend="eager", dynamic=False)
    compiled(torch.ones(3))
    counters.clear()
    with pytest.raises(AssertionError, match="nothing was compiled in the block") as raised, depyf.expect(**limits):
        compiled(torch.ones(3))
    assert not counters["frames"]  # torch's word that it began nothing
    assert f"plain, {__file__}:{plain.__code__.co_firstlineno}: [0/0]" in str(raised.value)
    with depyf.expect(**limits, recompiles=0):  # which says something of a call that an entry from before takes
        compiled(torch.ones(3))
    with depyf.expect(**limits):
        compiled(torch.ones(4))
    assert counters["frames"]["total"] == 1
    with pytest.raises(ValueError, match="the block's own"), depyf.expect(**limits):
        raise ValueError("the block's own")


def test_a_loop_is_held_from_its_first_turn_on():
    """Later turns take what the first one compiled, under the same eyes; what nobody saw compiled is told still."""
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


def test_a_budget_as_a_decorator():
    @depyf.expect(breaks=0)
    def held(function):
        torch.compile(function, backend="eager")(torch.ones(3))

    held(plain)
    with pytest.raises(AssertionError, match="found 1"):
        held(breaking)
