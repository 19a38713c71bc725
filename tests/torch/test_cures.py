# SPDX-License-Identifier: MIT
"""Tests `depyf why --try`: what it reports as removed by a change is compared with torch's own log."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

import depyf
import pytest
import torch
from depyf.cli import cures
from depyf.torch import trial
from depyf.torch.internals import changes

PROGRAM = """import sys, torch


@torch.compile(backend="eager")
def scaled(x):
    y = x.sin()
    return y * y.sum().item()


@torch.compile(backend="eager")
def chosen(x):
    return x + 1 if x.sum() > 0 else x - 1


print(scaled(torch.ones(3)).tolist(), chosen(torch.ones(3)).tolist())
sys.exit(3)
"""


def run_why_try(folder, program, *options):
    file = folder / "program.py"
    file.write_text(program, "utf-8")
    return subprocess.run(
        [sys.executable, "-m", "depyf", "why", "--try", *options, "--", str(file)],
        capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip


HINTED = """import logging, torch

logger = logging.getLogger("x")


@torch.compile(backend="eager")
def logged(x):
    logger.warning("three")
    return x + 3


@torch.compile(backend="eager")
def made(x):
    return torch.nn.Parameter(x * 2) + 1


@torch.compile(backend="eager")
def stopped(x):
    y = x * 3
    torch._dynamo.step_unsupported()
    return y + 1


print([f(torch.ones(3)).tolist() for f in (logged, made, stopped)])
"""


JUDGE = """import json, os, runpy, sys, logging, torch
import torch._dynamo.convert_frame

file, answer, *changes = sys.argv[1:]
lines, entries = set(), []


class Breaks(logging.Handler):
    def emit(self, record):
        said = record.getMessage().split("Graph break in user code at ")
        lines.update(text.split()[0] for text in said[1:])


def count(change):
    torch._logging.set_logs(graph_breaks=True)
    logging.getLogger("torch._dynamo.symbolic_convert.__graph_breaks").addHandler(Breaks())
    torch._dynamo.convert_frame.register_bytecode_hook(lambda code, new: entries.append(code))
    exec(change)
    try:
        runpy.run_path(file, run_name="__main__")
    except SystemExit:
        pass
    with open(answer, "a") as out:
        print(json.dumps([len(lines), len(entries)]), file=out)


for change in changes:  # each in a process of its own, in which torch is imported, and nothing was compiled
    child = os.fork()
    if not child:
        try:
            count(change)
        finally:
            sys.stdout.flush()
            os._exit(0)
    os.waitpid(child, 0)
"""


def count_with_torch(folder, program, changes):
    """Returns the lines with graph breaks in torch's log and torch's entries, for each change and without depyf."""
    (folder / "judged.py").write_text(program, "utf-8")
    answer = folder / "counted.txt"
    command = [sys.executable, "-c", JUDGE, str(folder / "judged.py"), str(answer), *changes]
    subprocess.run(command, capture_output=True, timeout=900, check=True)
    answers = [json.loads(line) for line in answer.read_text("utf-8").splitlines()]
    assert len(answers) == len(changes)
    return answers


RECOMPILED = """import torch


class Scaled(torch.nn.Module):
    k = 2

    def forward(self, x):
        return x * self.k


model = Scaled()
scaled = torch.compile(model, backend="eager")
for k in (2, 3, 4):
    model.k = k
    print(scaled(torch.ones(3)).tolist())
"""


def check_against_torchs_log(report, folder, program):
    """Checks that what a change is reported to remove is absent from torch's log."""
    judged = [
        t for t in report["tried"] if t["confirmed"] and not t["change"].startswith("no ")
    ]  # otherwise its text changes
    (breaks, entries), *with_each = count_with_torch(folder, program, ["", *(t["change"] for t in judged)])
    assert report["breaks"] == breaks
    assert all(not t["entries"] or t["entries"][0] == entries for t in report["tried"])
    assert judged
    for each, (fewer, left) in zip(judged, with_each, strict=True):
        assert len(each["breaks_removed"]) - len(each["breaks_added"]) == breaks - fewer
        assert (each["breaks"], each["entries"][1]) == (fewer, left)
        assert fewer < breaks or left < entries


@pytest.mark.slow
def test_report_of_what_a_change_removes_and_what_remains(tmp_path):
    done = run_why_try(tmp_path, PROGRAM, "--json", "-o", str(tmp_path / "dump"))
    report = json.loads(done.stdout)
    assert done.returncode == 1  # no change removes the branch on data
    assert (report["status"], report["breaks"]) == (3, 2)
    (cure,) = [t for t in report["tried"] if t["confirmed"]]
    assert cure["change"] == "torch._dynamo.config.capture_scalar_outputs = True"
    assert [reason for _, line, reason in cure["breaks_removed"] if line == 7] and len(cure["breaks_removed"]) == 1
    assert (cure["status"], cure["output"], cure["results"], cure["compared"]) == (3, "the same", "the same", 2)
    assert cure["summary"] == "removes 1 of 2 graph breaks, same results"
    assert len(report["without"]) == 1 and "program.py:12: graph break" in report["without"][0]
    assert json.loads((tmp_path / "dump" / "tried.json").read_text("utf-8")) == report
    assert (tmp_path / "dump" / "report.html").exists()
    check_against_torchs_log(report, tmp_path, PROGRAM)


@pytest.mark.slow
def test_changes_that_torchs_hints_name(tmp_path):
    report = json.loads(run_why_try(tmp_path, HINTED, "--json").stdout)
    assert {t["change"] for t in report["tried"] if t["confirmed"]} == {
        "torch._dynamo.config.ignore_logging_functions.add(logging.Logger.warning)",
        "torch._dynamo.config.graph_break_on_nn_param_ctor = False",
        "no torch._dynamo.step_unsupported()",
    }
    assert report["without"] == []
    check_against_torchs_log(report, tmp_path, HINTED)


@pytest.mark.slow
def test_change_that_avoids_recompiles(tmp_path):
    check_against_torchs_log(json.loads(run_why_try(tmp_path, RECOMPILED, "--json").stdout), tmp_path, RECOMPILED)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--try"], "wanted -- followed by a program"),
        (["--try", "--", "absent.py"], "absent.py: wanted a script"),
        (["--", "absent.py"], "absent.py: a program requires --try"),
    ],
)
def test_bad_input_is_one_line_of_error(arguments, said):
    command = [sys.executable, "-m", "depyf", "why", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and done.stderr.count("\n") == 1


DRAWN = """import random, numpy, torch

weight = torch.randn(3) + random.random() + numpy.random.rand()  # before torch.compile imports Dynamo


@torch.compile(backend="eager")
def scaled(x):
    return x * weight * x.sum().item()


print(scaled(torch.ones(3)).tolist())
"""


@pytest.mark.slow
def test_all_runs_use_the_same_random_numbers(tmp_path):
    report = json.loads(run_why_try(tmp_path, DRAWN, "--json").stdout)
    (cure,) = [t for t in report["tried"] if t["confirmed"]]
    assert (cure["output"], cure["results"], cure["compared"]) == ("the same", "the same", 1)


def test_different_results_are_reported(tmp_path):
    def saved(name, *calls, left_out=0, failure=""):
        torch.save({"calls": list(calls), "left_out": left_out, "failure": failure}, tmp_path / name)
        return tmp_path / name

    one = saved("one", ("f", [torch.ones(3), 2, "a"]), ("g", 1.5))
    assert trial.compare(one, one) == ("the same", 2, 0)
    near = saved("near", ("f", [torch.ones(3) + 1e-7, 2, "a"]), ("g", 1.5))
    assert trial.compare(one, near) == ("the same to rounding", 2, 0)
    assert trial.compare(one, saved("cut", ("f", [torch.ones(3), 2, "a"]), ("g", 1.5), left_out=4)) == (
        "the same",
        2,
        4,
    )
    for other in (
        (("f", [torch.zeros(3), 2, "a"]), ("g", 1.5)),
        (("f", [torch.ones(3), 3, "a"]), ("g", 1.5)),
        (("f", [torch.ones(3).double(), 2, "a"]), ("g", 1.5)),
        (("f", [torch.ones(3), 2, "a"]),),
    ):
        assert trial.compare(one, saved("other", *other))[0].startswith("differ: ")
    assert trial.compare(one, saved("failed", failure="LookupError: x"))[0].startswith("not compared: the change")
    assert trial.compare(one, tmp_path / "absent")[0].startswith("not compared")


def test_values_that_are_not_saved_are_counted(tmp_path):
    """Only the shape of a large tensor, and only the type of an object that is not a container, is compared."""
    results = trial.Results([], tmp_path / "saved.pt")
    results.keep("f", {"x": torch.ones(2), "y": [object(), 1.5, None]})
    results.keep("f", torch.empty(2_000_001))
    results.keep("f", 1)  # exceeds the limit
    results.write()
    assert trial.compare(tmp_path / "saved.pt", tmp_path / "saved.pt") == ("the same", 2, 3)
    run = cures.Outcome({}, 0, b"", 1.0, tmp_path / "saved.pt")
    assert (
        cures._summary(run, run, [], "the same", "the same", 3)
        == "removes nothing, same results, 3 values not compared"
    )


BACKGROUND = """import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
time.sleep({seconds})
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sessions and signals of Unix")
@pytest.mark.parametrize(("seconds", "status"), [(0, 0), (600, None)])
def test_child_that_keeps_the_output_open(seconds, status):
    """It does not delay the end of the program, and ends with the program if that exceeds the time limit."""
    command = [sys.executable, "-c", BACKGROUND.format(seconds=seconds)]
    began = time.monotonic()
    ended, output, errors = cures._run_program(command, dict(os.environ), 20.0)
    child = int(output)
    try:
        assert (ended, errors) == (status, b"") and time.monotonic() - began < 60
        if status is None:
            while is_running(child) and time.monotonic() - began < 60:
                time.sleep(0.05)
        assert is_running(child) is (status is not None)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


def is_running(pid):
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(state) and not state.startswith("Z")


def test_time_limit_is_reported_with_the_program(tmp_path):
    (tmp_path / "program.py").write_text("import time; time.sleep(600)\n")
    command = [sys.executable, "-m", "depyf", "why", "--try", "--timeout", "3", "--", str(tmp_path / "program.py"), "x"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 2 and done.stderr.endswith("program.py x: did not end within 3 s (--timeout)\n")


def test_change_is_serialized_for_the_other_process():
    reason = {
        "advice": "torch._dynamo.maybe_mark_dynamic(x, [0, 2]) before the first call with it",
        "what": "size",
        "then": "(3,)",
    }
    frame = {"location": {"path": "/a.py", "line": 3, "function": "f"}}
    found = list(changes.for_reason(reason, frame))
    assert [c.kind for c in found] == ["mark_dynamic", "setting"]
    assert found[0].arguments["dims"] == [0, 2]
    assert [changes.load(c.dump()).arguments for c in found] == [c.arguments for c in found]


@pytest.mark.parametrize(
    ("reason", "context", "text"),
    [
        ("Failed to trace builtin operator", "builtin print [<class>]", "reorderable_logging_functions.add(print)"),
        ("Attempted to call function marked as skipped", "module: time, qualname: time, skip reason: x",
         "nonstrict_trace(time.time)"),
        ("Call to `torch._dynamo.graph_break()`", "", "no torch._dynamo.graph_break()"),
        ("Dynamic shape operator", "aten.nonzero", "capture_dynamic_output_shape_ops = True"),
    ],
)  # fmt: skip
def test_change_is_derived_from_the_text_of_a_break(reason, context, text):
    assert any(text in c.text for c in changes.for_break({"reason": reason, "context": context}))


def test_last_error_line_of_a_failing_program_is_reported(tmp_path):
    done = run_why_try(tmp_path, "print('begins')\nraise ValueError('no such data')\n")
    assert done.returncode == 2
    assert "did not use torch.compile; it ended with exit status 1: ValueError: no such data" in done.stderr


def test_change_is_proposed_for_the_reason_that_it_avoids(tmp_path):
    """A recompile has several reasons, of which torch gives the first for each entry."""

    class Counting(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.steps = 0

        def forward(self, x):
            self.steps += 1
            return x + 1

    compiled = torch.compile(Counting(), backend="eager", dynamic=False)
    with depyf.prepare_debug(tmp_path, report=False):
        for size in (2, 3, 4):
            compiled(torch.ones(size))
    proposed = dict(cures.proposals(json.loads((tmp_path / "index.json").read_text("utf-8"))))
    for change, wanted in proposed.items():
        if change.kind == "mark_dynamic":
            assert len(wanted) == 2 and all("x: size was" in each for each in wanted)
        if "allow_unspec_int_on_nn_module" in change.text:
            assert len(wanted) == 2 and all("steps: value was" in each for each in wanted)
    assert any(change.kind == "mark_dynamic" for change in proposed)
    assert any("allow_unspec_int_on_nn_module" in change.text for change in proposed)


@pytest.mark.parametrize(
    ("source", "what", "is_tried"),
    [("self.steps", "value", True), ("step", "value", False), ("self.log", "length", False), ("self.x", "size", False)],
)
def test_integers_of_modules_become_inputs_only_for_attribute_values(source, what, is_tried):
    reason = {"source": source, "what": what, "then": "1", "now": "2", "advice": ""}
    changed = [change.text for change in changes.for_reason(reason, None)]
    assert any("allow_unspec_int_on_nn_module" in text for text in changed) == is_tried
