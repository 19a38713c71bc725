# SPDX-License-Identifier: MIT
"""Tests `depyf.debug()` in scripted pdb sessions through transformed code, graphs and resume functions."""

from __future__ import annotations

import re
import sys
import threading

import depyf
import pytest
import torch
from depyf.torch.debug import stepping
from releases import LATER_STANCES, needs_running_aot_graphs

PROGRAM = """
import torch, depyf
from toy import toy_example
compiled = torch.compile(toy_example, backend={backend!r})
a = torch.linspace(-1, 1, 10)
with depyf.prepare_debug("dump"):
    for sign in (1, -1):
        compiled(a, sign * torch.ones(10))
with depyf.debug():
    result = compiled(a, torch.ones(10))
    other = compiled(torch.ones(7), torch.ones(7))
print("stance", torch._dynamo.eval_frame._stance.stance)
print("same", torch.equal(result, toy_example(a, torch.ones(10))), tuple(other.shape))
print("entries", len(torch._dynamo.eval_frame._debug_get_cache_entry_list(toy_example.__code__)))
"""


# The same without depyf: its messages on standard error are caused by the environment.
UNWATCHED = PROGRAM.format(backend="eager").replace("torch, depyf", "torch, contextlib")
UNWATCHED = UNWATCHED.replace('depyf.prepare_debug("dump")', "contextlib.nullcontext()")
UNWATCHED = UNWATCHED.replace("depyf.debug()", "contextlib.nullcontext()")


def error_text(done) -> str:
    """Returns standard error without the time and process at the start of the lines of torch's log."""
    return re.sub(r"^([VIWEC])\d{4} [\d:.]+ +\d+ ", r"\1 ", done.stderr, flags=re.MULTILINE)


def line_of(run_script, tmp_path, backend: str, needle: str, glob: str) -> tuple[str, int]:
    """Returns the file and line of a text in a dump that is made by a first run without a terminal."""
    done = run_script(PROGRAM.format(backend=backend))
    assert done.returncode == 0, done.stderr
    for file in sorted((tmp_path / "dump").glob(glob)):
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
            if needle in line and not line.startswith(("#", "def ")):
                return file.name, number
    raise AssertionError(f"{needle!r} stands in no {glob}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("backend", "graph"),
    [
        ("eager", "__compiled_fn_1.Captured_Graph."),
        pytest.param("aot_eager", "__compiled_fn_1.Forward_graph.", marks=needs_running_aot_graphs),
    ],
)
def test_stepping_from_transformed_code_into_graph_and_resume_function(run_script, tmp_path, backend, graph):
    glob = "__transformed_code_0_for_toy_example.py"
    file, call = line_of(run_script, tmp_path, backend, "(a, b)", glob)
    feed = f"b dump/{file}:{call}\nc\np a.shape\n" + "s\n" * 120 + "c\n"
    (tmp_path / "dump").rename(tmp_path / "first")
    done = run_script(PROGRAM.format(backend=backend), feed=feed)
    assert done.returncode == 0, done.stderr
    stops = [s for s in done.stdout.splitlines() if s.lstrip("(Pdb) ").startswith("> ")]
    files = [s.split("> ", 1)[1].split("(", 1)[0].rsplit("/", 1)[-1] for s in stops]
    assert files[0] == "program.py"
    assert files[1] == file and f"{file}({call})" in stops[1]
    assert "torch.Size([10])" in done.stdout
    steps_to_graph = next(i for i, name in enumerate(files) if name.startswith(graph))
    assert steps_to_graph <= 1 + 3, files
    resume = [i for i, name in enumerate(files) if name.startswith("__transformed_code_") and "resume_in" in name]
    assert resume, files
    within = files[1 : files.index("program.py", 1)]  # the first call; the debugger does not stop in torch's files
    assert set(within) <= {p.name for p in (tmp_path / "dump").iterdir()}, within
    assert "same True (7,)" in done.stdout


TRAINING = """
import torch, depyf
from toy import toy_example
torch.set_num_threads(1)
compiled = torch.compile(toy_example, backend={backend!r})
def call():
    a = torch.linspace(-1, 1, 10, requires_grad=True)
    compiled(a, torch.ones(10)).sum().backward()
    return a.grad
with depyf.prepare_debug("dump"):
    expected = call()
with depyf.debug():
    found = call()
print("same", torch.equal(found, expected))
"""
# The file, a line of it, and a local variable that is read there.
TRANSFORMED = ("__transformed_code_0_for_toy_example.py", "(a, b)", "a")
RESUMED = ("__transformed_code_0_for_torch_dynamo_resume_in_*.py", "x, b)", "b")
FORWARD = ("__compiled_fn_1.Forward_graph.0.py", "aten.abs", "primals_1")
BACKWARD = ("__compiled_fn_*.Backward_graph.0.py", "aten.mul", "tangents_1")
KERNEL = ("__compiled_fn_1.kernel_0.py", "assert_size_stride(", "primals_1")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("backend", "wanted"),
    [
        pytest.param("aot_eager", [TRANSFORMED, FORWARD, RESUMED, BACKWARD], marks=needs_running_aot_graphs),
        ("inductor", [TRANSFORMED, KERNEL, RESUMED]),
    ],
)
def test_breakpoints_in_training(run_script, tmp_path, backend, wanted):
    done = run_script(TRAINING.format(backend=backend))  # without a terminal; it makes the files
    assert done.returncode == 0 and "same True" in done.stdout, done.stderr
    places = []
    for glob, needle, local in wanted:
        file = sorted((tmp_path / "dump").glob(glob))[0]
        lines = enumerate(file.read_text("utf-8").splitlines(), start=1)
        line = next(n for n, text in lines if needle in text and not text.lstrip().startswith(("#", "def ")))
        places.append((file.name, line, local))
    (tmp_path / "dump").rename(tmp_path / "first")
    feed = "".join(f"b dump/{file}:{line}\n" for file, line, _ in places)
    feed += "".join(f"c\np ('read', {local!r}, {local}.dtype)\n" for _, _, local in places) + "c\n" * 8
    done = run_script(TRAINING.format(backend=backend), feed=feed)
    assert done.returncode == 0 and "same True" in done.stdout, (done.stdout, done.stderr)
    stops = [line.rpartition("> ")[2] for line in done.stdout.splitlines() if "> " in line and ".py(" in line]
    found = [stop.rpartition("/")[2].partition(")")[0] + ")" for stop in stops]
    assert found[1 : 1 + len(places)] == [f"{file}({line})" for file, line, _ in places], done.stdout
    assert done.stdout.count("('read', ") == len(places)


@pytest.mark.slow
def test_message_if_no_entry_accepts_the_call(run_script, tmp_path):
    """It runs eagerly, without breakpoints. Calls of the function itself do not go through torch.compile."""
    file, line = line_of(run_script, tmp_path, "eager", "__compiled_fn_1", "__transformed_code_0_for_toy_example.py")
    (tmp_path / "dump").rename(tmp_path / "first")
    program = PROGRAM.replace("    result =", "    toy_example(torch.ones(7), torch.ones(7))\n    result =")
    done = run_script(program.format(backend="eager"), feed=f"b dump/{file}:{line}\n" + "c\n" * 8)
    assert done.returncode == 0 and "same True (7,)" in done.stdout, (done.stdout, done.stderr)
    (error_text,) = [text for text in done.stdout.splitlines() if "runs eagerly" in text]
    assert (
        "toy_example runs eagerly" in error_text and "no entry matches, [0/0] a: size was (10,), now (7,)" in error_text
    )


@pytest.mark.slow
def test_program_continues_without_a_terminal(run_script):
    done = run_script(PROGRAM.format(backend="eager"))
    assert done.returncode == 0, done.stderr
    assert "stance default" in done.stdout and "same True (7,)" in done.stdout
    assert "entries 1" in done.stdout  # the call with another size ran eagerly: debug() prevents recompilation
    assert error_text(done) == error_text(run_script(UNWATCHED)), done.stderr


@pytest.mark.parametrize("error", [OSError, ValueError, RuntimeError])  # captured by pytest; closed; missing
def test_program_continues_if_input_cannot_be_read(monkeypatch, capsys, error):
    def cannot_be_read(prompt):
        raise error("no input here")

    monkeypatch.delenv("PYTHONBREAKPOINT", raising=False)
    monkeypatch.setattr("sys.breakpointhook", sys.__breakpointhook__)
    monkeypatch.setattr("builtins.input", cannot_be_read)
    done = []
    before = sys.gettrace()
    try:
        with depyf.debug():
            done.append(1)
            done.append(2)
    finally:
        sys.settrace(before)
    assert done == [1, 2] and capsys.readouterr().out.count("no input here") == 1


@pytest.mark.slow
def test_pythonbreakpoint_0_does_not_pause(run_script):
    done = run_script(PROGRAM.format(backend="eager"), feed="", PYTHONBREAKPOINT="0")
    assert done.returncode == 0 and "(Pdb)" not in done.stdout


@pytest.mark.parametrize("backend", ["eager", "aot_eager", "inductor"])
def test_header_of_a_file_says_whether_its_breakpoints_are_hit(backend, tmp_path, toy):
    """Compares with the lines that Python's tracing reports."""

    def call():
        a = torch.linspace(-1, 1, 10, requires_grad=True)
        compiled(a, torch.ones(10)).sum().backward()

    executed = set()

    def trace(frame, event, arg):
        executed.add(frame.f_code.co_filename)

    compiled = torch.compile(toy.toy_example, backend=backend)
    with depyf.prepare_debug(tmp_path):
        call()
    before = sys.gettrace()
    sys.settrace(trace)
    threading.settrace(trace)  # the backward pass may run in another thread
    try:
        call()
    finally:
        sys.settrace(before)
        threading.settrace(None)
    hit, missed = set(), set()
    for file in tmp_path.glob("__*.py"):
        first = file.read_text("utf-8").split("\n", 1)[0]
        (missed if "no breakpoint in this file is hit" in first else hit).add(str(file))
        if ".Captured_Graph." in file.name:
            assert ("this file is executed as is" in first) == (backend == "eager")
            assert f"with the backend {backend}" in first or backend == "eager"
    assert not missed & executed
    assert hit <= executed and len(hit) >= 2


def test_header_says_that_transformed_code_does_not_run(tmp_path):
    with depyf.prepare_debug(tmp_path, execution="original"):
        torch.compile(lambda x: x + 1, backend="eager")(torch.ones(3))
    (file,) = tmp_path.glob("__transformed_code_*.py")
    text = file.read_text("utf-8")
    assert "no breakpoint in this file is hit" in text.split("\n", 1)[0] and "breakpoints set here are hit" not in text


def test_tracing_is_stopped_once_at_exit(monkeypatch):
    """This does not depend on how often debug() was called."""
    monkeypatch.delenv("PYTHONBREAKPOINT", raising=False)
    monkeypatch.setattr("sys.breakpointhook", sys.__breakpointhook__)
    monkeypatch.setattr(stepping.SteppingDebugger, "set_trace", lambda self, frame: None)
    registered = []
    monkeypatch.setattr("atexit.register", registered.append)
    monkeypatch.setattr("atexit.unregister", lambda f: registered.remove(f) if f in registered else None)
    for _ in range(3):
        with depyf.debug():
            pass
    assert registered.count(stepping._stop_tracing) == 1  # modules imported meanwhile may register functions, too


TRACED = """
import sys, depyf
def work():
    return 1
for turn in range(2):
    with depyf.debug():
        work()
    print("traced", sys.gettrace() is not None)
    work()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("feed", "hits", "traced"),
    [
        ("b program.py:4\nc\nc\nc\nc\n", 2, [False, False]),  # the breakpoint is hit in the second block, too
        ("c\nc\n", 0, [False, False]),
        ("b program.py:4\nc\nr\n" + "n\n" * 4 + "c\nc\nc\nc\nc\nc\n", 3, [True, False]),  # steps out of the first block
    ],
)
def test_program_is_traced_after_the_block_only_if_the_user_steps_out(run_script, feed, hits, traced):
    done = run_script(TRACED, feed=feed)
    assert done.returncode == 0, done.stderr
    assert re.findall(r"traced (\w+)$", done.stdout, re.MULTILINE) == [str(is_traced) for is_traced in traced]
    assert done.stdout.count("program.py(4)work()\n-> return 1") == hits
    assert done.stdout.count("has ended: its breakpoints are not hit") == (traced.count(False) if hits else 0)


def test_breakpointhook_of_the_program_is_called(tmp_path, monkeypatch, capsys):
    calls = []
    monkeypatch.setattr("sys.breakpointhook", lambda: calls.append(torch._dynamo.eval_frame._stance.stance))
    with depyf.prepare_debug(tmp_path, report=False):
        pass
    with depyf.debug():
        pass
    assert calls == ["eager_on_recompile"]
    assert "depyf.which_entry(function, ...) tells why" in capsys.readouterr().out
    assert torch._dynamo.eval_frame._stance.stance == "default"


def test_stance_of_the_program_is_kept(monkeypatch):
    monkeypatch.setenv("PYTHONBREAKPOINT", "0")
    with torch.compiler.set_stance("fail_on_recompile"):
        with depyf.debug():
            assert torch._dynamo.eval_frame._stance.stance == "fail_on_recompile"
        assert torch._dynamo.eval_frame._stance.stance == "fail_on_recompile"


@pytest.mark.parametrize("stance", LATER_STANCES)
def test_block_does_not_compile_under_a_stance_that_compiles_later(monkeypatch, stance):
    monkeypatch.setenv("PYTHONBREAKPOINT", "0")
    with torch.compiler.set_stance(stance):
        function = torch.compile(lambda x: x + 1, backend="eager", dynamic=False)
        function(torch.ones(2))
        function(torch.ones(2))
        graphs = torch._dynamo.utils.counters["stats"]["unique_graphs"]
        with depyf.debug():
            function(torch.ones(3))
            function(torch.ones(4))
        assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == graphs
        assert torch._dynamo.eval_frame._stance.stance == stance


def test_stance_is_restored_after_an_exception(monkeypatch):
    monkeypatch.setenv("PYTHONBREAKPOINT", "0")
    with pytest.raises(ZeroDivisionError), depyf.debug():
        assert torch._dynamo.eval_frame._stance.stance == "eager_on_recompile"
        raise ZeroDivisionError
    assert torch._dynamo.eval_frame._stance.stance == "default"


@pytest.mark.slow
def test_breakpoint_on_a_compiled_function_is_set_in_its_entries(run_script):
    """pdb would set it in torch's wrapper. Other expressions are passed to pdb, and so evaluated only once."""
    feed = "calls = []\nb calls.append(1)\np 'times', len(calls)\n"
    feed += "b compiled\ntbreak compiled, a is not None\nc\nc\nc\nc\n"
    done = run_script(PROGRAM.format(backend="eager"), feed=feed)
    assert done.returncode == 0, done.stderr
    assert "('times', 1)" in done.stdout, done.stdout
    set_at = re.findall(r"reakpoint \d+ at (?:.*/)?(\S+):(\d+)", done.stdout)
    files = [file for file, _ in set_at]
    expected = {"__transformed_code_0_for_toy_example.py", "toy.py"}
    assert set(files) == expected and len(files) == 2 * len(expected), done.stdout
    stops = re.findall(r"> (?:.*/)?(\S+)\(\d+\)", done.stdout)
    assert "__transformed_code_0_for_toy_example.py" in stops and "eval_frame.py" not in stops, done.stdout
