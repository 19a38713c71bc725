# SPDX-License-Identifier: MIT
"""Tests the reasons why frames run eagerly, compared with torch's counters, and the names of resume functions."""

from __future__ import annotations

import contextlib
import functools
import inspect
import re
from pathlib import Path

import depyf
import pytest
import torch
from catalogue import processes
from depyf.cli import app
from torch._dynamo.testing import CompileCounter
from torch._dynamo.utils import counters


def generates(x):
    for i in range(3):
        yield x * i


def raises(x, k):
    x = x + 1
    if k == 5:
        raise KeyError("five")
    return x * 2


def ends_in_a_number(x):
    y = x + 1
    print(end="")
    n = int(y.sum())
    return n // 2


def line_of(function, text):
    with open(function.__code__.co_filename, encoding="utf-8") as file:
        lines = file.read().splitlines()
    first = function.__code__.co_firstlineno
    return next(n for n, line in enumerate(lines[first - 1 :], start=first) if text in line)


def why(folder, capsys):
    capsys.readouterr()
    assert app.main(["why", str(folder)]) == 0
    return capsys.readouterr().out


@contextlib.contextmanager
def section():
    """A context manager of the program, which Dynamo cannot leave at a graph break and enter again."""
    yield


def breaks_in_a_block(x):
    y = (x + 1).cos()
    with section():
        torch._dynamo.graph_break()
        y = y * 2
    z = y.sin()
    return z


def breaks_in_its_last_call(x):
    y = x + 1
    return print(y, end="")


def breaks_in_a_block_of_torch(x):
    with torch.no_grad():
        y = x + 1
        torch._dynamo.graph_break()
        return y * 2


def operations_of(function, *args):
    """Returns the operations in the graphs that Dynamo captures in a call, and the result of the call."""
    captured = []

    def backend(graph, inputs):
        captured.extend(node.target for node in graph.graph.nodes if node.op.startswith("call_"))
        return graph.forward

    torch._dynamo.reset()
    result = torch.compile(function, backend=backend)(*args)
    return captured, result


def test_rest_of_a_frame_without_resume_function_runs_eagerly(tmp_path, capsys):
    captured, expected = operations_of(breaks_in_a_block, torch.ones(3))
    assert len(captured) == 2  # torch's own answer: neither `* 2` nor `sin` is in a graph
    torch._dynamo.reset()
    compiled = torch.compile(breaks_in_a_block, backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        assert torch.equal(compiled(torch.ones(3)), expected)
    first, broken = line_of(breaks_in_a_block, "with section"), line_of(breaks_in_a_block, "graph_break()")
    (entry,) = session.run.entries
    assert (entry.eager_from.path, entry.eager_from.line, entry.resume_functions) == (__file__, first, ())
    here = Path(__file__).name
    text = (tmp_path / "index.md").read_text("utf-8")
    assert f"- **Runs eagerly** from {here}:{first} on: `breaks_in_a_block`" in text
    assert f"→ runs eagerly from {here}:{first} on\n" in text
    transformed = (tmp_path / entry.transformed_code).read_text("utf-8")
    assert f"# From {here}:{first} on, this is the program's own code, which runs eagerly.\n" in transformed
    assert f"{__file__}:{first}: breaks_in_a_block: runs eagerly from {here}:{first} on\n" in why(tmp_path, capsys)
    assert app.main(["where", f"{here}:{broken + 1}", str(tmp_path)]) == 1  # nothing else is known of the line
    assert f"runs eagerly from {here}:{first} on" in capsys.readouterr().out
    assert app.main(["rewrite", str(tmp_path), str(tmp_path / "again")]) == 0
    assert (tmp_path / "again" / "index.md").read_text("utf-8") == text
    assert depyf.full_code(compiled)(torch.ones(3)).equal(expected)
    (live,) = depyf.entries(compiled)
    assert live.eager_from.line == first


@pytest.mark.parametrize("function", [breaks_in_its_last_call, breaks_in_a_block_of_torch])
def test_frames_whose_rest_is_compiled_or_empty(function, tmp_path):
    torch._dynamo.reset()
    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(function, backend="eager")(torch.ones(3))
    assert session.run.graph_breaks and not any(entry.eager_from for entry in session.run.entries)
    assert "Runs eagerly** from" not in (tmp_path / "index.md").read_text("utf-8")


def test_skipped_frame_does_not_use_its_entries(tmp_path, capsys):
    counter = CompileCounter()

    def checked(x, n):
        assert x.shape[0] == n, "wrong length"
        return x + 1

    torch._dynamo.reset()
    compiled = torch.compile(checked, backend=counter)
    with depyf.prepare_debug(tmp_path) as session:
        compiled(torch.ones(3), 3)
        with pytest.raises(AssertionError):
            compiled(torch.ones(3), 4)
    frame = next(frame for frame in session.run.frames if frame.name == "checked")
    if frame.status is not depyf.FrameStatus.SKIPPED:
        assert ", also in calls" not in (tmp_path / "index.md").read_text("utf-8")
        return
    assert frame.entries == ("0/0",)
    assert "**runs eagerly**, also in calls that its entries would accept: " in (tmp_path / "index.md").read_text(
        "utf-8"
    )
    assert "checked: runs eagerly, also in calls that its entries would accept\n" in why(tmp_path, capsys)


def test_generator_is_listed_if_torch_counts_it(tmp_path, capsys):
    counters.clear()
    compiled = torch.compile(generates, backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        list(compiled(torch.ones(3)))
    (counted,) = counters["unimplemented"]
    first_line = counted.splitlines()[0]
    (frame,) = session.run.frames
    assert frame.reason.startswith(first_line)
    assert first_line in depyf.which_entry(compiled, torch.ones(3)).reason
    assert first_line in why(tmp_path, capsys) and first_line in (tmp_path / "index.md").read_text("utf-8")
    torch.compiler.reset()
    with pytest.raises(AssertionError, match=first_line), depyf.expect(eager_frames=0):
        list(torch.compile(generates, backend="eager")(torch.ones(3)))


def consumes(x, count):
    names = [name for name in ("a", "b")]  # noqa: C416
    for y in generates(x):
        x = x + y
        torch._dynamo.graph_break()  # in a loop: the frame is skipped, but not the functions that it calls
    return x * sum(len(name) for name in names) * count


def test_generator_called_by_a_skipped_frame_is_listed(tmp_path, capsys):
    """Only generators with tensors are listed, like other frames: Dynamo does not look at others."""
    counters.clear()
    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(consumes, backend="eager")(torch.ones(3), 2)
    (counted,) = (text for text in counters["unimplemented"] if "generator" in text)
    found = {frame.name: frame for frame in session.run.frames}
    assert found.keys() == {"consumes", "generates"}
    assert found["generates"].status is depyf.FrameStatus.SKIPPED
    assert found["generates"].reason.startswith(counted.splitlines()[0])
    assert counted.splitlines()[0] in why(tmp_path, capsys)


def test_generator_is_listed_after_a_compilation_that_failed(tmp_path):
    def branches(x):
        return x.sin() if x.sum() > 0 else x

    counters.clear()
    with depyf.prepare_debug(tmp_path) as session:
        with pytest.raises(torch._dynamo.exc.Unsupported):
            torch.compile(branches, backend="eager", fullgraph=True)(torch.ones(3))
        before = set(counters["unimplemented"])
        list(torch.compile(generates, backend="eager")(torch.ones(3)))
    (counted,) = counters["unimplemented"].keys() - before
    (frame,) = (frame for frame in session.run.frames if frame.name == "generates")
    assert frame.reason.startswith(counted.splitlines()[0])


def test_skipped_frame_names_its_graph_break(tmp_path, capsys):
    def run(function):
        function(torch.ones(3), 1)
        with pytest.raises(KeyError):
            function(torch.ones(3), 5)

    line = line_of(raises, "raise KeyError")
    counters.clear()
    with depyf.prepare_debug(tmp_path) as session:
        run(torch.compile(raises, backend="eager"))
    (counted,) = counters["graph_break"] or counters["unimplemented"]
    reason = f"graph break at {__file__.rpartition('/')[2]}:{line} ({counted.splitlines()[0]})"
    (frame,) = session.run.frames
    assert frame.status is depyf.FrameStatus.SKIPPED and frame.reason.startswith(reason)
    assert f"    {reason}" in why(tmp_path, capsys)
    torch.compiler.reset()
    with pytest.raises(AssertionError) as failed, depyf.expect(eager_frames=0):
        run(torch.compile(raises, backend="eager"))
    assert reason in str(failed.value)


def picks(x, index):
    return x[index]


def test_break_with_a_warning_is_counted_once(tmp_path, capsys):
    """If a backend cannot trace a data-dependent operation, torch logs the exception first and then the break."""
    counters.clear()
    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(picks, backend="aot_eager")(torch.ones(2), torch.tensor(1))
    (counted,) = counters["graph_break"] or counters["unimplemented"]
    (met,) = session.run.graph_breaks
    assert met.reason == counted.splitlines()[0] and met.location.path == __file__
    assert "WON'T CONVERT" not in why(tmp_path, capsys)


class Lazily:
    @functools.cached_property
    def ready(self):
        return 1


def uses_a_property(x, lazily):
    return x + lazily.ready


def test_break_in_a_library_also_names_the_programs_line(tmp_path, capsys):
    """The library here is `functools`, whose path alone does not tell the reader which line of the program it was."""
    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(uses_a_property, backend="eager")(torch.ones(2), Lazily())
    line = line_of(uses_a_property, "lazily.ready")
    (met,) = session.run.graph_breaks
    assert met.location.path == functools.__file__
    assert f"graph break: {met.reason}\n    called from {__file__}:{line}\n" in why(tmp_path, capsys)
    assert f"called from {__file__.rpartition('/')[2]}:{line}: {met.reason}" in (tmp_path / "index.md").read_text(
        "utf-8"
    )
    torch.compiler.reset()
    with pytest.raises(AssertionError, match=f"called from {__file__}:{line} "), depyf.expect(breaks=0):
        torch.compile(uses_a_property, backend="eager")(torch.ones(2), Lazily())


def test_break_in_pythons_library_called_by_pytorch(tmp_path, capsys):
    """PyTorch enters one of its context managers in each call of a module wrapped for parallel training."""
    line = inspect.currentframe().f_lineno + 4
    for (wrapped,) in processes.alone(lambda: torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(3, 2))):
        with depyf.prepare_debug(tmp_path) as session:
            for _ in range(2):
                torch.compile(wrapped, backend="eager")(torch.ones(2, 3))
    source_file = inspect.getsourcefile(torch.nn.parallel.DistributedDataParallel)
    assert session.run.graph_breaks and counters["graph_break"]
    for met in session.run.graph_breaks:
        assert (met.location.path, met.location.line, met.inner.path) == (__file__, line, source_file)
    output = why(tmp_path, capsys)
    assert "PyTorch's hint for its own code: " in output and "what to do: " not in output


def breaks_in_a_loop(x):
    for _ in range(2):
        torch._dynamo.graph_break()
        x = x + 1
    return x


def test_answer_about_a_call_says_why_torch_cannot_resume_after_a_break(tmp_path):
    compiled = torch.compile(breaks_in_a_loop, backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        compiled(torch.ones(2))
    answer = depyf.which_entry(compiled, torch.ones(2))
    place = f"{__file__.rpartition('/')[2]}:{line_of(breaks_in_a_loop, 'graph_break')}"
    (frame,) = session.run.frames
    assert answer.runs_eagerly and frame.reason
    if session.run.graph_breaks[0].skips:  # earlier releases do not log that they skip the frame
        why, _, then = answer.reason.partition(f" at {place}. ")
        assert why.endswith("Call to `torch._dynamo.graph_break()`") and "loop" in then and then in frame.reason


library = None


def multiplies(x, steps):
    return library(x, steps)


LIBRARY = """
def library(x, factor):
    return x * factor
"""


def library_of(place, text):
    place.write_text(text, "utf-8")
    scope = {"breaks": torch._dynamo.graph_break}
    exec(compile(text, place, "exec"), scope)
    return scope["library"]


def test_each_recompile_reason_in_a_library_also_names_the_programs_line(tmp_path, monkeypatch):
    """torch logs one failing guard; the lines of the others are known from the stacks at which Dynamo made them."""
    place = tmp_path / "site-packages" / "library.py"
    place.parent.mkdir()
    monkeypatch.setitem(globals(), "library", library_of(place, LIBRARY))
    compiled = torch.compile(multiplies, backend="eager", dynamic=False)
    with depyf.prepare_debug(tmp_path / "dump") as session:
        for size, factor in ((2, 2), (3, 3)):
            compiled(torch.ones(size), factor)
    line = line_of(multiplies, "library(")
    reasons = session.run.recompiles[0].reasons
    assert sorted(reason.source for reason in reasons) == ["steps", "x"]
    for reason in reasons:
        assert [(p.path, p.line) for p in reason.stack][-2:] == [(__file__, line), (str(place), 3)]


@pytest.mark.skipif(not hasattr(torch._dynamo.guards, "format_user_stack_trace"), reason="torch tells no such stack")
def test_recompile_with_a_guard_of_a_library_also_names_the_programs_line(tmp_path, capsys, monkeypatch):
    place = tmp_path / "site-packages" / "library.py"
    place.parent.mkdir()
    monkeypatch.setitem(globals(), "library", library_of(place, LIBRARY))
    compiled = torch.compile(multiplies, backend="eager", dynamic=False)
    dump = tmp_path / "dump"
    with depyf.prepare_debug(dump) as session:
        for factor in (2, 3):
            compiled(torch.ones(2), factor)
    line = line_of(multiplies, "library(")
    ((reason,),) = (recompile.reasons for recompile in session.run.recompiles)
    assert reason.location.path == str(place)
    assert [(p.path, p.line) for p in reason.stack] == [(__file__, line), (str(place), 3)]
    caller = f"called from {__file__}:{line}"
    assert f"recompiled as [0/1]: steps: value was 2, now 3\n    {caller}\n" in why(dump, capsys)
    short = f"(library.py:3, called from {__file__.rpartition('/')[2]}:{line})"
    assert (dump / "index.md").read_text("utf-8").count(short) == 2  # in the summary and in the section
    assert app.main(["where", f"{__file__}:{line}", str(dump)]) == 0
    assert (
        f"recompiled as [0/1], guard added in a function called here, {place}:3: steps: value"
        in capsys.readouterr().out
    )
    torch.compiler.reset()
    broken = LIBRARY.replace("    return", "    breaks()\n    return")
    monkeypatch.setitem(globals(), "library", library_of(place, broken))
    with depyf.prepare_debug(dump) as session:
        for factor in (2, 3):
            compiled(torch.ones(2), factor)
    resumed = [x for found in session.run.recompiles for x in found.reasons if x.source == "factor"]
    assert resumed and all((reason.location.path, reason.location.line) == (str(place), 4) for reason in resumed)
    assert f"recompiled as [2/1]: factor: value was 2, now 3\n    {caller}\n" in why(dump, capsys)
    (guard,) = (g for e in session.run.entries if e.compile_id == "2/0" for g in e.checks if g.source == "L['factor']")
    assert [(p.path, p.line) for p in guard.stack][-2:] == [(__file__, line), (str(place), 4)]
    monkeypatch.setitem(globals(), "library", library_of(place, LIBRARY))
    torch.compiler.reset()
    with pytest.raises(AssertionError, match=re.escape(f"{place}:3 in library, {caller}")), depyf.expect(recompiles=0):
        for factor in (2, 3):
            compiled(torch.ones(2), factor)


@pytest.mark.skipif(
    not hasattr(torch._dynamo.convert_frame.CatchErrorsWrapper, "_handle_skip"),
    reason="this torch tells of no such skip",
)
@pytest.mark.parametrize("in_place", [False, True], ids=["torch.compile(module)", "module.compile()"])
def test_module_of_torch_that_is_compiled_in_place_runs_eagerly(tmp_path, capsys, in_place):
    counted = CompileCounter()
    module = torch.nn.Sequential(torch.nn.ReLU())
    if in_place:
        module.compile(backend=counted)
    with depyf.prepare_debug(tmp_path) as session:
        (module if in_place else torch.compile(module, backend=counted))(torch.ones(2))
    advice = "module.compile() compiles no forward of PyTorch's own, torch.compile(module) does"
    assert (counted.frame_count == 0) == in_place == (advice in why(tmp_path, capsys))
    assert any(frame.reason.endswith(advice) for frame in session.run.frames) == in_place
    assert not in_place or advice in depyf.which_entry(module, torch.ones(2)).reason


def test_resume_function_without_an_entry_is_named_like_others(tmp_path, capsys):
    compiled = torch.compile(ends_in_a_number, backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        compiled(torch.ones(2))
    lines = [line_of(ends_in_a_number, text) for text in ("print", "n = int")]
    file = __file__.rpartition("/")[2]
    names = [f"resume in ends_in_a_number at {file}:{line}" for line in lines]
    assert [frame.name for frame in session.run.frames] == ["ends_in_a_number", *names]
    assert session.run.frames[-1].status is depyf.FrameStatus.SKIPPED
    assert "torch_dynamo_resume" not in why(tmp_path, capsys)
    torch.compiler.reset()
    table = repr(depyf.stages(compiled, torch.ones(2)))
    assert names[0] in table and "torch_dynamo_resume" not in table


class Scales(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 2)
        self.steps = 2

    def forward(self, x):
        y = self.linear(x)
        return library(y, self.steps)


@pytest.mark.parametrize("guarded", ["L['self'].steps", "L['self']._modules['linear']._parameters['weight']"])
def test_guard_of_a_library_or_of_pytorch_names_the_programs_line(tmp_path, capsys, monkeypatch, guarded):
    place = tmp_path / "site-packages" / "library.py"
    place.parent.mkdir()
    monkeypatch.setitem(globals(), "library", library_of(place, LIBRARY))
    dump = tmp_path / "dump"
    with depyf.prepare_debug(dump) as session:
        torch.compile(Scales(), backend="eager")(torch.ones(2))
    is_library = guarded.endswith("steps")
    line = line_of(Scales.forward, "library(" if is_library else "self.linear(")
    guards = [g for entry in session.run.entries for g in entry.checks if g.source == guarded]
    inner = [(str(place), 3)] if is_library else []
    assert guards and all([(p.path, p.line) for p in g.stack] == [(__file__, line), *inner] for g in guards)
    assert all(g.location == g.stack[-1] for g in guards)
    capsys.readouterr()
    assert app.main(["where", f"{__file__}:{line}", str(dump)]) == 0
    listed = [text for text in capsys.readouterr().out.splitlines() if guarded in text]
    origin = f" added in a function called here, {place}:3" if is_library else ""
    assert listed and all(text.strip().startswith(f"[0/0] guard{origin}: ") for text in listed)


def test_frames_that_run_eagerly_for_the_same_reason_are_one_line(tmp_path):
    with depyf.prepare_debug(tmp_path) as session:
        for function in (lambda x: x, lambda y: y):
            torch.compile(function, backend="eager")(torch.ones(3))
        list(torch.compile(generates, backend="eager")(torch.ones(3)))
    lines = [line for line in session.run.summary if line.startswith("**Runs eagerly:**")]
    places = [
        f"`<lambda>` ({Path(__file__).name}:{f.location.line})" for f in session.run.frames if f.name == "<lambda>"
    ]
    assert len(places) == 2 and len(lines) == 2
    assert lines[-1] == f"**Runs eagerly:** {', '.join(places)}: Dynamo traced no operations"
