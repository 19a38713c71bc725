# SPDX-License-Identifier: MIT
"""Tests the reasons of graph breaks and recompiles, symbols, times and caches, as a model and in the index."""

from __future__ import annotations

import dataclasses
import importlib.util
import inspect
import json
import linecache
import logging
import re
import runpy
import sys
import time
from pathlib import Path

import depyf
import pytest
import torch
from depyf.cli.app import main
from depyf.torch.capture import events, torch_prose, trace_decode
from depyf.torch.model.enums import CacheOutcome
from depyf.torch.model.location import Location, Paths
from depyf.torch.model.record import RecompileReason, Record
from releases import LIMIT
from torch._inductor.compile_fx import compile_fx
from torch.utils._traceback import shorten_filename

from tools.judges import torch_says

PAYLOAD = """Graph break in user code at /home/me/model.py:20
Graph Break Reason: Encountered graph break when attempting to trace CALL: a function call, e.g. f(x, y):

Failed to trace builtin operator
  Explanation: Dynamo does not know how to trace `print`.
      It has side effects.

  Hint: Avoid calling `print`.
  Hint: Use a logging function
that can be reordered.

  Developer debug context: builtin print []

 For more details about this graph break, please visit: https://example.org/gb0059.html

User code traceback:
  File "/home/me/main.py", line 24, in <module>
    model(x)
  File "/home/me/model.py", line 20, in f
    print("x")

Traceback (most recent call last):
  File "/lib/torch/_dynamo/symbolic_convert.py", line 1076, in wrapper
    return inner_fn(self, inst)
  Hint: Avoid calling `print`.
"""


EARLIER = """Graph break in user code at /home/me/model.py:20
Reason: Unsupported: builtin: print [<class 'SizeVariable'>] False
User code traceback:
  File "/home/me/model.py", line 20, in f
    print("x")

Traceback (most recent call last):
  File "/lib/torch/_dynamo/symbolic_convert.py", line 659, in wrapper
    return inner_fn(self, inst)
"""
# What some releases do not log: why a break happens and what to do about it, and how long tracing took.
BREAKS_EXPLAINED = importlib.util.find_spec("torch._dynamo.graph_break_hints") is not None
HAS_STEPS = hasattr(torch._dynamo.symbolic_convert, "format_tensor_computation_trace")  # how a condition was computed
TRACING_TIMED = any(
    '"bytecode_tracing"' in inspect.getsource(module)
    for module in (torch._dynamo.convert_frame, torch._dynamo.output_graph)
)


class Settings:
    def __init__(self):
        self.factor = 2


def branches(x, settings, k=2):
    y = x.sin() * settings.factor
    if y.sum() > 100:
        y = y + 1
    return y * k


def twice(x, settings):
    return branches(x, settings) + branches(x + 1, settings)


def test_all_parts_of_a_graph_break_are_parsed():
    found = torch_prose.graph_break("0/0", PAYLOAD)
    assert found.where == Location("/home/me/model.py", 20, "f") and found.reason == "Failed to trace builtin operator"
    assert found.explanation == "Dynamo does not know how to trace `print`.\nIt has side effects."
    assert found.hints == ("Avoid calling `print`.", "Use a logging function that can be reordered.")
    assert found.stack == (Location("/home/me/main.py", 24, "<module>"), Location("/home/me/model.py", 20, "f"))
    assert [place.code for place in found.stack] == ["model(x)", 'print("x")']
    assert found.context == "builtin print []" and found.page.endswith("gb0059.html")


def test_explanation_keeps_torchs_line_breaks(tmp_path, capsys):
    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(branches, backend="eager")(torch.ones(3), Settings())
    payloads = json.loads((tmp_path / "index.json").read_text("utf-8"))["graph_breaks"]
    (found,) = session.run.graph_breaks
    assert payloads[0]["explanation"] == found.explanation
    first, *rest = found.explanation.splitlines()
    assert first.endswith(".") and all(line == line.strip() for line in rest)
    assert [line for line in rest if line.startswith("gt = ")] == ["gt = gt(sum_1, 100)"] * HAS_STEPS
    index = (tmp_path / "index.md").read_text("utf-8")
    assert f"  - why: {first}\n" in index and all(f"    {line}\n" in index for line in rest)


def test_graph_break_in_the_format_of_earlier_releases():
    found = torch_prose.graph_break("0/0", EARLIER)
    assert found.where == Location("/home/me/model.py", 20, "f") and found.stack == (found.where,)
    assert found.reason == "Unsupported: builtin: print [<class 'SizeVariable'>] False"
    assert not found.explanation and not found.hints


@pytest.mark.skipif(not BREAKS_EXPLAINED, reason="this torch gives no hints")
def test_general_hints_are_omitted():
    from torch._dynamo import graph_break_hints as torchs

    general = (torchs.USER_ERROR, torchs.DYNAMO_BUG, torchs.DIFFICULT, torchs.FUNDAMENTAL, torchs.SUPPORTABLE)
    general += (["Please report an issue to PyTorch."],)  # a literal in several places of torch
    specific = "Hint: Avoid calling `print`."
    assert specific in PAYLOAD
    more = "\n".join(f"  Hint: {text}" for hints in general for text in hints)
    found = torch_prose.graph_break("0/0", PAYLOAD.replace(f"  {specific}", f"{more}\n  {specific}"))
    assert found.hints == ("Avoid calling `print`.", "Use a logging function that can be reordered.")


def test_settings_in_hints_exist_in_torch():
    """torch's hint says torch._dynamo.trace_autograd_ops=True but means torch._dynamo.config.trace_autograd_ops."""
    registry = Path(torch._dynamo.__file__).with_name("graph_break_registry.json")
    if not registry.exists():
        pytest.skip("this torch has no list of its graph breaks")
    hints = [hint for gb, *_ in json.loads(registry.read_text("utf-8")).values() for hint in gb.get("Hints", ())]
    specific = "Hint: Avoid calling `print`."
    named = []
    for hint in filter(None, map(str, hints)):
        for text in torch_prose.graph_break("0/0", PAYLOAD.replace(specific, f"Hint: {hint}")).hints:
            named += re.findall(r"torch\._dynamo\.([\w.]+) ?= ?(?:True|False)\b", text)
    assert named
    for path in named:
        module, _, name = path.rpartition(".")
        assert module == "config" and hasattr(torch._dynamo.config, name)


@pytest.fixture
def watched(tmp_path):
    settings = Settings()
    compiled = torch.compile(branches, backend="aot_eager")
    session = depyf.prepare_debug(tmp_path)
    with session:
        compiled(torch.ones(4), settings)
        compiled(torch.ones(5), settings)
        compiled(torch.ones(6), settings)
        settings.factor = 3
        compiled(torch.ones(6), settings)
        with torch.no_grad():
            compiled(torch.ones(6), settings)
    assert not session.record.problems
    return session.record, tmp_path


def test_recompiles_have_the_earlier_and_the_current_value(watched):
    record, _ = watched
    first, second, third = (r for r in record.recompiles if r.compile_id.startswith("0/"))
    (reason,) = first.reasons
    assert (reason.entry, reason.source, reason.what) == ("0/0", "x", "size")
    assert (reason.then, reason.now) == ("(4,)", "(5,)")
    assert "mark_dynamic(x, 0)" in reason.advice and "expected 4, actual 5" in reason.torch_text
    assert (reason.where.path == __file__) == any("test_reasons.py:" in g.comment for g in record.entries[0].guards)
    assert {r.entry: (r.source, r.then, r.now) for r in second.reasons}["0/1"] == ("settings.factor", "2", "3")
    of_each = {r.entry: (r.what, r.then, r.now) for r in reversed(third.reasons)}  # the first reason, as torch logs
    assert of_each == dict.fromkeys(("0/0", "0/1", "0/2"), ("grad_mode", "True", "False"))
    others = [(r.entry, r.source) for r in third.reasons if r.what != "grad_mode"]
    assert sorted(others) == [("0/0", "settings.factor"), ("0/0", "x"), ("0/1", "settings.factor")]
    assert all(r.torch_text for r in third.reasons if r.what == "grad_mode")
    call = record.call_of("0/1")
    assert (call.path, call.function, call.code) == (__file__, "watched", "compiled(torch.ones(5), settings)")


def test_guards_of_an_invalidated_entry_are_not_evaluated(tmp_path):
    """This holds even if the code that the entry ran is still alive."""

    def scaled(x, k):
        return x * k

    compiled = torch.compile(scaled, backend="eager", dynamic=False)
    x = torch.ones(2)
    with depyf.prepare_debug(tmp_path) as session:
        compiled(x, 2)
        compiled(x, 3)
        invalidated = torch_says.entries_of(scaled.__code__)[-1]
        assert str(invalidated.compile_id) == "0/0"
        code = invalidated.code  # keeps it alive
        deleted_manager = torch._dynamo.guards.DeletedGuardManagerWrapper(
            why := "as CheckFunctionManager.invalidate does"
        )
        invalidated.guard_manager.extra_state.invalidate(invalidated.guard_manager.cache_entry, deleted_manager)
        compiled(x, 4)
        assert code is not None and [str(e.compile_id) for e in torch_says.entries_of(scaled.__code__)] == [
            "0/2",
            "0/1",
        ]
    first, second = session.record.recompiles
    assert [(r.entry, r.source, r.then, r.now) for r in first.reasons] == [("0/0", "k", "2", "3")]
    asked, torchs = second.reasons
    assert (asked.entry, asked.source, asked.then, asked.now) == ("0/1", "k", "3", "4")
    assert (torchs.entry, torchs.source, torchs.torch_text) == ("0/0", "", why)  # no guard was evaluated


@pytest.mark.skipif(not torch_says.HAS_REGIONS, reason="this torch has no isolated regions")
def test_reasons_are_of_entries_that_the_call_could_use(tmp_path):
    def scaled(x, k):
        return x * k

    shared = torch.compile(scaled, backend="eager", dynamic=False)
    apart, other = (torch.compile(scaled, backend="eager", dynamic=False, isolate_recompiles=True) for _ in range(2))
    with depyf.prepare_debug(tmp_path) as session:
        for number, compiled in enumerate((other, apart, apart, shared, shared)):
            compiled(torch.ones(2), number)
    reasons = [
        (made.compile_id, [(r.entry, r.then, r.now) for r in made.reasons]) for made in session.record.recompiles
    ]
    assert reasons == [("0/2", [("0/1", "1", "2")]), ("0/4", [("0/3", "3", "4")])]


def test_summary_gives_advice_beside_its_reason(tmp_path):
    def scaled(x, k):
        return x * k

    compiled = torch.compile(scaled, backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        compiled(torch.ones(2), 2)
        compiled(torch.ones(3), 3)
    (made,) = session.record.recompiles
    assert [(r.source, bool(r.advice)) for r in made.reasons] == [("k", False), ("x", True)]
    (line,) = [line for line in (tmp_path / "index.md").read_text("utf-8").splitlines() if "**Recompiled:**" in line]
    assert "once [0/1]: x: size was (2,), now (3,), and 1 more → " in line and "maybe_mark_dynamic(x, 0)" in line


def test_graph_breaks_are_listed_once(watched):
    record, _ = watched
    (found,) = record.graph_breaks
    assert found.reason == ("Data-dependent branching" if BREAKS_EXPLAINED else "Data-dependent jump")
    assert bool(found.explanation) == bool(found.hints) == BREAKS_EXPLAINED
    assert found.times == 4 and found.compile_ids == ["0/0", "0/1", "0/2", "0/3"]
    assert (found.stack[-1].function, found.stack[-1].code) == ("branches", "if y.sum() > 100:")


def test_symbols_time_and_functions(watched):
    record, _ = watched
    symbol = next(s for s in record.symbolic_sizes if s.compile_id == "0/1")
    assert symbol.source == "L['x'].size()[0]" and symbol.value == "5"
    spent = {p.name: p.seconds for p in record.phases if p.compile_id == "0/0"}
    assert spent["entire_frame_compile"] >= spent["backend_compile"] > 0
    assert ("bytecode_tracing" in spent) == TRACING_TIMED
    root, resume, *_ = record.functions
    assert root.name == "branches" and not root.is_resume and resume.is_resume
    assert [e.compile_id for e in root.entries] == ["0/0", "0/1", "0/2", "0/3"]
    assert resume.key in root.resumes
    assert {g.kind for g in record.graphs_in("0/0")} >= {"Captured_Graph", "Forward_graph"}


def slowly(graph, inputs, **_):
    time.sleep(0.5)
    return graph


class CompilesWhenCalled:
    """A backend's result that compiles at its first call, outside any frame, as backends that compile pieces return."""

    def __init__(self, graph: torch.fx.GraphModule) -> None:
        self.graph, self.compiled = graph, None

    def __call__(self, *args):
        if self.compiled is None:
            self.compiled = compile_fx(self.graph, list(args), inner_compile=slowly)
        return self.compiled(*args)


def test_time_outside_any_frame_is_counted(tmp_path):
    times = torch._dynamo.utils.compilation_time_metrics
    torch.compiler.reset()
    with depyf.prepare_debug(tmp_path) as session, torch.no_grad():
        before = sum(times.get("create_aot_dispatcher_function", ()))
        torch.compile(lambda x: x.sin() + 1, backend=lambda graph, _: CompilesWhenCalled(graph))(torch.ones(3))
    outside = sum(times["create_aot_dispatcher_function"]) - before
    frame = sum(p.seconds for p in session.run.phases if p.name == "entire_frame_compile")
    assert outside >= 0.5  # far more than the difference between two clocks
    assert session.run.compile_seconds == pytest.approx(frame + outside, abs=0.4)


def test_index_lists_breaks_recompiles_and_symbols(watched):
    _, folder = watched
    text = (folder / "index.md").read_text("utf-8")
    data = json.loads((folder / "index.json").read_text("utf-8"))
    assert "x: size was (4,), now (5,)" in text and "settings.factor: value was 2, now 3" in text
    assert "Data-dependent " in text and ("what to do: Use `torch.cond`" in text) == BREAKS_EXPLAINED
    assert "`x.size()[0]`" in text and "| backend |" in text and ("tracing (Dynamo)" in text) == TRACING_TIMED
    assert data["recompiles"][0]["reasons"] and data["functions"][0]["name"] == "branches"
    assert data["phases"][0]["compile_id"] == "0/0"
    assert data["graph_breaks"][0]["stack"] and len(data["graph_breaks"]) == 1
    guard = data["entries"][0]["checks"][-1]
    assert guard["python"] and guard["text"] and guard["kind"]


def returns_from_a_break(x):
    return torch._dynamo.graph_break() or x.nonzero()


def ends_in_a_break(x):
    y = x + 1
    return y.nonzero()


@pytest.mark.parametrize("function", [returns_from_a_break, ends_in_a_break])
def test_entry_that_ends_in_a_break_names_it(function, tmp_path):
    """There is no resume function in this case; the break is at the last call in the code."""
    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(function, backend="eager")(torch.ones(3))
    text = (tmp_path / "index.md").read_text("utf-8")
    for found in session.run.graph_breaks:
        place = f"{__file__.rpartition('/')[2]}:{found.location.line}"
        for compile_id in found.compile_ids:
            (flow,) = re.findall(rf"- \*\*\[{compile_id}\]\*\* (.*)", text)
            assert f" → break at {place} ({found.reason})" in flow


def test_table_of_times_explains_its_columns(tmp_path):
    """Inductor's time may exceed the time of its frame, and a row may belong to no frame."""
    x = torch.ones(3, requires_grad=True)
    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(lambda x: (x.sin() + 1).sum())(x).backward()
    text = (tmp_path / "index.md").read_text("utf-8").partition("## Time\n")[2].partition("\n| ")[0]
    assert "Inductor's phases include backward graphs" in text
    names = {phase.compile_id for phase in session.run.phases}
    assert ("For `-` torch names no compilation" in text) == ("-" in names)


def test_common_file_names_are_shown_with_their_folder():
    places = [Location(path, 3) for path in ("/a/b/__init__.py", "/a/c/model.py", "/d/b/__init__.py")]
    assert [str(place) for place in places] == ["b/__init__.py:3", "model.py:3", "b/__init__.py:3"]
    paths = Paths(place.path for place in places)
    assert [paths.show(place) for place in places] == ["a/b/__init__.py:3", "model.py:3", "d/b/__init__.py:3"]
    assert Paths(["/a/b/__init__.py"]).show(places[0]) == "b/__init__.py:3"


def test_paths_are_shortened_as_far_as_they_stay_distinct():
    paths = Paths(["/x/a/m.py", "/x/b/m.py", "/x/b/n.py", "m.py", "C:\\x\\k.py"])
    displayed = [
        paths.show(Location(path, 4)) for path in ("/x/a/m.py", "/x/b/m.py", "/x/b/n.py", "m.py", "C:\\x\\k.py")
    ]
    assert displayed == ["a/m.py:4", "b/m.py:4", "n.py:4", "m.py:4", "k.py:4"]


def test_breaks_in_files_with_the_same_name_are_distinguished(tmp_path):
    found = []
    session = depyf.prepare_debug(tmp_path / "dump")
    with session:
        for folder in ("a", "b"):
            path = tmp_path / folder / "m.py"
            path.parent.mkdir()
            path.write_text(
                "import torch\ndef f(x):\n    y = x + 1\n    torch._dynamo.graph_break()\n    return y * 2\n"
            )
            module = runpy.run_path(str(path))
            torch.compile(module["f"], backend="eager")(torch.ones(2))
            found.append((str(path), 4))
    assert [(b.where.path, b.where.line) for b in session.record.graph_breaks] == found
    data = json.loads((tmp_path / "dump" / "index.json").read_text("utf-8"))
    assert [(b["location"]["path"], b["location"]["line"]) for b in data["graph_breaks"]] == found
    assert [b["where"] for b in data["graph_breaks"]] == ["a/m.py:4", "b/m.py:4"]
    text = (tmp_path / "dump" / "index.md").read_text("utf-8")
    assert "- a/m.py:4 [0/0]: " in text and "- b/m.py:4 [2/0]: " in text and "- m.py:4" not in text


class Normalized(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(4)

    def forward(self, x):
        return self.norm(x).sin()


@pytest.mark.parametrize("sizes", [(2, 3), (2, 3, 3)], ids=["one reason", "two entries"])
def test_recompile_names_the_programs_line_for_one_or_more_reasons(tmp_path, sizes):
    """torch logs a single reason as text and several as JSON; a guard in torch.nn names a file of PyTorch."""
    told = []

    class Watch(logging.Handler):
        def emit(self, record):
            if record.metadata.get("artifact", {}).get("name") == "recompile_reasons":
                told.append(record.payload)

    watch, logger = Watch(), logging.getLogger("torch.__trace")
    options = {"use_recursive_dict_tags_for_guards": False} if torch_says.trusts_unchanged_dictionaries() else {}
    model = Normalized()
    compiled = torch.compile(model, backend="eager")
    session = depyf.prepare_debug(tmp_path)
    with session, torch._dynamo.config.patch(options):
        logger.addHandler(watch)
        try:
            for number, size in enumerate(sizes):
                if number == 2:
                    model.norm.eval()
                compiled(torch.randn(size, 4))
        finally:
            logger.removeHandler(watch)
    assert len(told) == len(session.record.recompiles) == len(sizes) - 1
    for recompile in session.record.recompiles:
        assert all(reason.entry for reason in recompile.reasons)
        assert not any(str(reason).count("File ") for reason in recompile.reasons)
        places = [reason.where for reason in recompile.reasons if reason.where]
        assert all(place.path == __file__ for place in places)
    training = [r for found in session.record.recompiles for r in found.reasons if "training" in r.source]
    assert bool(training) == (len(sizes) == 3)
    if any("User stack trace" in text for text in told):
        assert all(r.where.function == "forward" for r in training if r.torch_text)


def test_torchs_reasons_are_split_into_checks():
    one = "0/1: s == 'a; b'    # return x + len(s)  # mp/l.py:12 in lims; x.k == 2   # x.k; 3  # mp/l.py:13 in lims"
    stack = '\nUser stack trace:\n  File "/tmp/l.py", line 12, in lims\n    return x + len(s)'
    found = torch_prose.torch_reasons(one + stack)
    assert [(r.entry, r.torch_text) for r in found] == [("0/1", "s == 'a; b'"), ("0/1", "x.k == 2")]
    assert found[0].where == Location("/tmp/l.py", 12, "lims")
    found = torch_prose.torch_reasons(json.dumps([one + stack, "0/0: tensor 'x' size mismatch"]))
    assert [r.entry for r in found] == ["0/1", "0/1", "0/0"]


def test_break_in_a_function_called_from_two_places_is_one_break(tmp_path):
    session = depyf.prepare_debug(tmp_path)
    with session:
        torch.compile(twice, backend="eager")(torch.ones(3), Settings())
    wheres = [(b.where, b.reason) for b in session.record.graph_breaks]
    assert len(wheres) == len(set(wheres))


def test_trace_without_the_process_has_torchs_text_of_reasons():
    from depyf.torch.model.record import Record

    record = Record()
    received = events.Events(record)
    payload = json.dumps(["0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5"])
    received.on_event("0/1", trace_decode.decode({"artifact": {"name": "recompile_reasons"}}, payload))
    received.on_event("0/1", trace_decode.decode({"artifact": {"name": "fx_graph_cache_miss"}}, "{}"))
    (reason,) = record.recompiles[0].reasons
    assert reason.entry == "0/0" and "expected 4, actual 5" in str(reason)
    assert record.cache_events[0].outcome is CacheOutcome.MISS and record.cache_events[0].cache == "fx_graph_cache"


def breaks_in_a_call(x, seen):
    seen.append(x.mean().item())
    return x * 2


def breaks_before_a_call(x, seen):
    value = x.mean().item()
    seen.append(value)
    return x * 2


def test_advice_if_a_bound_method_is_on_the_stack_at_a_break(tmp_path):
    """`seen.append` is on the stack at the graph break, and a new bound method is created in each call."""
    advised = {}
    for function in (breaks_in_a_call, breaks_before_a_call):
        torch._dynamo.reset()
        compiled = torch.compile(function, backend="eager")
        with depyf.prepare_debug(tmp_path / function.__name__) as session:
            for _ in range(3):
                compiled(torch.ones(3), [])
        reasons = [reason for recompile in session.run.recompiles for reason in recompile.reasons]
        advised[function] = [reason.advice for reason in reasons if "got deallocated" in reason.torch_text]
        assert len(advised[function]) == len(reasons)
    assert {advice.split(":")[0] for advice in advised[breaks_in_a_call]} == {
        "put the value that breaks the graph into a variable in a statement before"
    }
    assert advised[breaks_before_a_call] == []  # torch does not recompile


def test_recompile_of_a_resume_function_names_the_programs_call_and_torchs_guard(tmp_path):
    """A resume function's caller is Dynamo's code, in a dumped file; of two guards that fail, torch names one."""

    def broken(x, n):
        x = x + 1
        torch._dynamo.graph_break()
        return x * n

    compiled = torch.compile(broken, backend="eager")
    for execution in ("line-mapped", "original"):
        torch._dynamo.reset()
        with depyf.prepare_debug(tmp_path / execution, execution=execution):
            compiled(torch.ones(2), 2)
            compiled(torch.ones(3), 2)
            compiled(torch.ones(3), 3)
        index = json.loads((tmp_path / execution / "index.json").read_text("utf-8"))
        calls = {e["compile_id"]: e["call"] for e in index["entries"] if "resume" in e["name"]}
        assert set(calls) == {"1/0", "1/1", "1/2"}
        assert all(c["path"] == __file__ and c["code"].startswith("compiled(torch.ones(") for c in calls.values())
        assert calls["1/1"]["line"] + 1 == calls["1/2"]["line"]
        (last,) = (r for r in index["recompiles"] if r["compile_id"] == "1/2")
        texts = {(r["entry"], r["source"]): r["torch_text"] for r in last["reasons"]}
        assert "n" in {source for _, source in texts} and len(texts) >= 3
        assert [source for (entry, source), text in texts.items() if entry == "1/0" and text] == ["x"], texts
        assert all(source in text for (_, source), text in texts.items() if text)


STACKS: list[list[tuple[str, int]]] = []


@torch._dynamo.disable
def keep_stack():
    """Stores Python's stack at this call, innermost last, from the compiled part of this file."""
    frame, found = sys._getframe(1), []
    while frame.f_code.co_name != "test_stack_of_a_nested_call_is_that_of_the_program":
        if frame.f_code.co_filename == __file__:
            found.append((frame.f_code.co_name, frame.f_lineno))
        frame = frame.f_back
    STACKS.append([*reversed(found)])


FACTOR = 3


def innermost(x):
    x = x * FACTOR
    keep_stack()
    return x + 1


def between(x):
    torch._dynamo.graph_break()
    y = x.sin()
    return innermost(
        y + 1,
    )


def outermost(x):
    torch._dynamo.graph_break()
    x = x + 1
    torch._dynamo.graph_break()
    for _ in range(2):
        x = between(x)
    return x


@pytest.mark.parametrize("execution", ["line-mapped", "recompiled", "original"])
def test_stack_of_a_nested_call_is_that_of_the_program(tmp_path, monkeypatch, execution):
    """The calling frames run Dynamo's code, whose lines are in files of any session, and code of torch."""
    STACKS.clear()
    outermost(torch.ones(3))
    assert [name for name, _ in STACKS[0]] == ["outermost", "between", "innermost"] and STACKS[0] == STACKS[1]
    compiled = torch.compile(outermost, backend="eager")
    with (
        depyf.prepare_debug(tmp_path / "around", execution=execution) as around_it,
        depyf.prepare_debug(tmp_path / "own", execution=execution) as first,
    ):
        compiled(torch.ones(3))
    monkeypatch.setitem(globals(), "FACTOR", 4)  # recompiles `innermost`, which code of the first session calls
    with depyf.prepare_debug(tmp_path / "own", execution=execution) as later:
        compiled(torch.ones(3))
    for run in (around_it.run, first.run, later.run):
        inner = next(c for c in run.compilations if c.start.function == "innermost")
        broken = next(b for b in run.graph_breaks if b.location.function == "innermost")
        for stack in (inner.stack, broken.stack):
            *_, test, over, around, own = stack
            assert test.function == "test_stack_of_a_nested_call_is_that_of_the_program"
            assert [(_called(place), place.line) for place in (over, around)] == STACKS[0][:-1]
            assert over.code == "x = between(x)" and around.code == "return innermost("
            assert own.function == "innermost"
        assert inner.caller == inner.stack[-2] and broken.location == broken.stack[-1]
        assert (broken.location.path, broken.location.line) == (__file__, STACKS[0][-1][1])
        places = [
            *(p for b in run.graph_breaks for p in (b.location, *b.stack)),
            *(p for r in run.recompiles for p in r.call),
        ]
        assert len(places) > 3 and {place.path for place in places if "torch_dynamo" in place.function} <= {__file__}
        assert not [place for place in places if "__transformed_code" in place.path]


def _called(place: Location) -> str:
    return place.function.removeprefix("torch_dynamo_resume_in_").split("_at_")[0]


class Inner(torch.nn.Module):
    def forward(self, x):
        x = x + 1
        torch._dynamo.graph_break()
        return x.sin()


class Outer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.ModuleList([Inner()])

    def forward(self, x):
        for layer in self.inner:
            x = layer(x)
        return x


@pytest.mark.parametrize("execution", ["line-mapped", "original", "recompiled"])
def test_caller_of_a_resume_function_with_the_name_of_the_original_function(tmp_path, execution):
    """A frame that runs eagerly stays in the stack, even if a resume function that it calls has its name."""
    torch._dynamo.reset()
    with depyf.prepare_debug(tmp_path, execution=execution) as session:
        torch.compile(Outer(), backend="eager")(torch.ones(3))
    resumed = next(c for c in session.run.compilations if "resume" in c.start.function)
    assert (resumed.caller.path, resumed.caller.code) == (__file__, "x = layer(x)")


@pytest.mark.parametrize(
    ("text", "source", "is_of"),
    [
        ("tensor 'y' size mismatch at index 0. expected 3, actual 5", "y", True),
        ("tensor 'y' size mismatch at index 0. expected 3, actual 5", "n", False),
        ("self.scale == 2", "scale", False),
        ("self.scale == 2", "self.scale", True),
        ("n == 2", "", False),
        ("G['G']['k'] == 1", "G['k']", True),
        ("G['G']['k'] == 1", "k", False),
        ("L['k'] == 1", "k", True),
    ],
)
def test_source_of_the_guard_in_torchs_text(text, source, is_of):
    assert events.mentions(text, source) is is_of


SETTINGS = {"factor": 1}


def settled(x, options=None):
    y = x * SETTINGS["factor"]
    if options:
        y = -y
    return y


def test_torchs_text_is_attached_to_the_guard_that_it_is_about(tmp_path, monkeypatch):
    """Of several guards of an entry that fail, torch names one and the line that it comes from."""
    compiled, x = torch.compile(settled, backend="eager"), torch.ones(4)
    with depyf.prepare_debug(tmp_path, report=False) as session:
        compiled(x)
        monkeypatch.setitem(SETTINGS, "factor", 3)
        compiled(x)
        compiled(x, options={"negative"})
    first = inspect.getsourcelines(settled)[1]
    lines = {"SETTINGS['factor']": first + 1, "options": first + 2}
    reasons = [reason for found in session.run.recompiles for reason in found.reasons]
    assert {reason.source for reason in reasons} == set(lines)
    for reason in reasons:
        assert reason.location.line == lines[reason.source]
        assert ("factor" in reason.torch_text) <= (reason.source == "SETTINGS['factor']")
        assert ("options" in reason.torch_text) <= (reason.source == "options")
    last = session.run.recompiles[-1].reasons
    assert {r.entry for r in last if r.torch_text} == {r.entry for r in last}  # each entry keeps torch's text


def test_location_whose_shortened_path_is_the_end_of_several_paths():
    path = str(Path(torch.__path__[0]).with_name("utils.py"))
    short = shorten_filename(path)
    assert torch._dynamo.utils.__file__.endswith(short)
    record = Record(starts={"0/0": Location(path, 1, "f")})
    reason = RecompileReason("0/0", "x", "size", "(2,)", "(3,)", Location(short, 2, "f", "return x"))
    received = events.Events(record, ask=lambda: [reason])
    received.on_event("0/1", trace_decode.NoEntryFits("0/1", json.dumps(["0/0: x.size()[0] == 2"])))
    assert record.recompiles[0].reasons[0].where == Location(path, 2, "f", "return x")


def test_entry_that_another_thread_created_meanwhile_is_not_reported_as_a_bug():
    """torch logs the same text, with a request to report it, if it finds no failing guard in an entry."""
    record = Record()
    source = inspect.getsource(torch._dynamo.guards)
    message = "Unexpected recompilation: runtime guards failed even though they passed"
    if message not in source:
        pytest.skip("this torch does not say it")
    texts = json.dumps([f"0/0: {message} during recompilation-reason analysis."])
    events.Events(record).on_event("0/1", trace_decode.NoEntryFits("0/1", texts))
    (reason,) = record.recompiles[0].reasons
    assert reason.torch_text.startswith(message) and "threads" in reason.advice


def test_break_in_pytorchs_code_names_its_line(tmp_path, capsys):
    weights = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.SGD([weights], lr=0.1)

    def update():
        optimizer.step()

    weights.sum().backward()
    line = inspect.getsourcelines(update)[1] + 1
    with depyf.prepare_debug(tmp_path, report=False) as session:
        torch.compile(update, backend="eager")()
    (found,) = (b for b in session.run.graph_breaks if "graph_break()" in b.reason)
    assert (found.location.path, found.location.line) == (__file__, line)
    assert found.inner.path == inspect.getsourcefile(torch.optim.Optimizer)
    assert "graph_break()" in linecache.getline(found.inner.path, found.inner.line)
    text = (tmp_path / "index.md").read_text("utf-8")
    place = f"in PyTorch's optimizer.py:{found.inner.line}"
    assert f"**Graph break** at test_reasons.py:{line} in `update`, {place}" in text
    assert "what to do: Remove" not in text and "PyTorch's hint for its own code: Remove" in text
    assert main(["where", f"{__file__}:{line}", str(tmp_path)]) == 0
    place = capsys.readouterr().out
    assert "what to do: Remove" not in place and "PyTorch's hint for its own code: Remove" in place
    assert main(["why", "--json", str(tmp_path)]) == 0
    told = json.loads(capsys.readouterr().out)["breaks"]  # the report shows the same
    (shown,) = (b["told_hints"] for b in told if b["reason"] == found.reason)
    assert any(hint.startswith("PyTorch's hint for its own code: Remove") for hint in shown)
    torch.compiler.reset()
    with pytest.raises(AssertionError) as told, depyf.expect(breaks=0):
        torch.compile(update, backend="eager")()
    assert "what to do: Remove" not in str(told.value) and "PyTorch's hint for its own code: Remove" in str(told.value)
    resumes = [frame.name for frame in session.run.frames if frame.name.startswith("resume in PyTorch's wrapper")]
    assert resumes and all(" around SGD.step at optimizer.py:" in name for name in resumes)
    assert "called by PyTorch's torch_dynamo_resume" not in text


def test_break_on_recurrent_modules_names_a_setting_and_is_listed_once(tmp_path, capsys):
    """Dynamo rejects recurrent modules in a function of PyTorch, logs that in both of its attempts, and skips it."""
    torch._dynamo.utils.counters.clear()
    with depyf.prepare_debug(tmp_path, report=False) as session:
        torch.compile(torch.nn.LSTM(2, 2), backend="eager")(torch.ones(1, 1, 2))
    counted = {text: times for text, times in torch._dynamo.utils.counters["graph_break"].items() if "LSTM" in text}
    found = [each for each in session.run.graph_breaks if "LSTM" in f"{each.reason} {each.explanation}"]
    if not counted or found[0].inner is None:
        pytest.skip("this torch skips the module by a rule, or breaks elsewhere")
    assert [each.times for each in found] == list(counted.values()) == [1]
    setting = "Set torch._dynamo.config.allow_rnn=True"
    assert hasattr(torch._dynamo.config, "allow_rnn")
    if setting not in next(iter(counted)):
        pytest.skip("this torch does not name the setting")
    assert f": {found[0].reason} → {setting}" in (tmp_path / "index.md").read_text("utf-8")
    assert main(["why", str(tmp_path)]) == 0
    assert f"what to do: {setting}" in capsys.readouterr().out


MADE_BY_EXEC = """
def made(x):
    x = x.sin()
    torch._dynamo.graph_break()
    return after(x + 1)
def after(x):
    torch._dynamo.graph_break()
    return Pair(x, torch.cos(x)).first
@dataclasses.dataclass
class Pair:
    first: torch.Tensor
    second: torch.Tensor
    third: object = dataclasses.field(default_factory=torch._dynamo.graph_break)
"""


def test_break_in_code_from_exec_has_torchs_location(tmp_path, caplog):
    space = {"torch": torch, "dataclasses": dataclasses, "__name__": __name__}
    exec(MADE_BY_EXEC, space)
    torch.compiler.reset()
    with depyf.prepare_debug(tmp_path, report=False) as session, caplog.at_level("DEBUG", "torch.__trace"):
        torch.compile(space["made"], backend="eager")(torch.ones(2))
    payloads = [getattr(record, "payload", None) or "" for record in caplog.records]
    locations = dict.fromkeys(re.findall(r"Graph break in user code at (.+):(\d+)", "\n".join(payloads)))  # each once
    found = session.run.graph_breaks
    assert [(b.location.path, str(b.location.line)) for b in found] == [*locations] and len(locations) > 2
    assert all(b.inner is None and b.hints for b in found)
    assert "PyTorch's <string>" not in (tmp_path / "index.md").read_text("utf-8")


class Two(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Linear(3, 3))

    def forward(self, x):
        return self.layers(x)


def test_same_reason_of_several_values_is_one_reason(tmp_path, capsys):
    compiled = torch.compile(Two(), backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        compiled(torch.ones(2, 3))
        with torch.autocast("cpu", torch.bfloat16):
            compiled(torch.ones(2, 3))
    sources = [r.source for r in session.run.recompiles[0].reasons]
    assert {"x", "self.layers[0].weight", "self.layers[1].bias"} <= set(sources), sources
    capsys.readouterr()
    assert main(["why", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert output.count("dispatch keys (on cpu) were none of its own, now AutocastCPU, and so of 4 more") == 1, output
    assert "[0/1]: autocast_state" in output, output
    text = (tmp_path / "index.md").read_text("utf-8")
    assert text.count("dispatch keys (on cpu) were none of its own, now AutocastCPU, and so of 4 more (") == 1, text
    assert "more, see index.json" not in text


def test_same_reason_of_several_values_is_one_reason_if_torch_names_one_value(tmp_path, capsys):
    compiled = torch.compile(lambda x, y: x.sin() + y, backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        compiled(torch.ones(3, 3), torch.ones(3, 3))
        compiled(torch.ones(3, 3).t(), torch.ones(3, 3).t())
    reasons = session.run.recompiles[0].reasons
    assert [(r.source, r.what) for r in reasons] == [("x", "stride"), ("y", "stride")]
    assert [bool(r.torch_text) for r in reasons] == [True, False]
    capsys.readouterr()
    assert main(["why", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert output.count("stride was") == 1 and ", and so of 1 more" in output
    text = (tmp_path / "index.md").read_text("utf-8")
    assert "x: stride was (3, 1), now (1, 3), and so of 1 more (" in text and "y: stride was" not in text


def added(table):
    return sum(table.values())


def test_changed_key_is_reported_as_the_key_at_its_position(tmp_path):
    """Keys are guarded in order; a value that is read by the missing key fails for the same reason."""
    compiled = torch.compile(added, backend="eager")
    one = torch.ones(1)
    with depyf.prepare_debug(tmp_path) as session:
        compiled({"a": one, "b": one})
        answer = depyf.which_entry(compiled, {"a": one, "c": one})
        compiled({"a": one, "c": one})
    ((reason,),) = (recompile.reasons for recompile in session.run.recompiles)
    assert (reason.source, reason.what, reason.then, reason.now) == ("list(table)[1]", "value", "'b'", "'c'")
    assert reason.advice == "keep the dictionary's keys and their order fixed"
    (failure,) = answer.failures
    assert (failure.source, failure.advice) == (reason.source, reason.advice)


def marked(mark, *where):
    x = torch.ones(3, 4)
    mark(x, *where)
    return x


@pytest.mark.parametrize(
    "mark, first, second",
    [
        (torch._dynamo.mark_static, None, ()),
        (torch._dynamo.mark_dynamic, None, (0,)),
        (torch._dynamo.maybe_mark_dynamic, None, (0,)),
        (torch._dynamo.mark_dynamic, (0,), (1,)),
    ],
)
def test_torchs_text_about_marks_is_attached_to_the_guard_on_marks(tmp_path, caplog, mark, first, second):
    compiled = torch.compile(lambda x, y: x + y.sum(), backend="eager")
    with depyf.prepare_debug(tmp_path) as session, caplog.at_level("DEBUG", "torch.__trace"):
        compiled(torch.ones(3, 4) if first is None else marked(mark, *first), torch.ones(4))
        compiled(marked(mark, *second), torch.ones(5))  # makes two guards fail
    logged = (getattr(r, "metadata", {}).get("artifact", {}).get("name") == "recompile_reasons" for r in caplog.records)
    (torchs,) = (record.payload for record, is_told in zip(caplog.records, logged, strict=True) if is_told)
    (reasons,) = (recompile.reasons for recompile in session.run.recompiles)
    are_marks_guarded = "_dynamo" in torchs or len(reasons) > 1  # up to 2.9 not those of each kind
    assert [reason.source for reason in reasons] == (["x", "y"] if are_marks_guarded else ["y"])
    *_, of_torch = sorted(reasons, key=lambda reason: (reason.source == "x") == ("_dynamo" in torchs))
    assert of_torch.torch_text and of_torch.torch_text in " ".join(torchs.split())
    assert not any(reason.torch_text for reason in reasons if reason is not of_torch)


def test_recompile_that_the_program_forbids_has_reasons_and_advice(tmp_path, capsys):
    compiled = torch.compile(lambda x: x.sin(), backend="eager")
    with depyf.prepare_debug(tmp_path) as session, torch._dynamo.config.patch(error_on_recompile=True):
        compiled(torch.ones(3))
        with pytest.raises(torch._dynamo.exc.RecompileError) as raised:
            compiled(torch.ones(4))
    (recompile,), (failure,) = session.run.recompiles, session.run.failures
    (reason,) = recompile.reasons
    assert recompile.compile_id == failure.compile_id == "0/1" and failure.kind == "RecompileError"
    assert str(raised.value).endswith(f"- {reason.entry}: {reason.torch_text}")
    assert (reason.source, reason.then, reason.now) == ("x", "(3,)", "(4,)")
    assert main(["why", str(tmp_path)]) == 0
    assert "what to do: torch._dynamo.maybe_mark_dynamic(x, 0)" in capsys.readouterr().out


def test_hint_on_builtins_is_omitted_for_functions_of_pythons_library(tmp_path):
    """Reporting an issue would not help with `time.time`; torch's next hint says what to do."""

    def timed(x):
        return x + (time.time() > 0)

    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(timed, backend="eager")(torch.ones(2))
    (met,) = session.run.graph_breaks
    index = (tmp_path / "index.md").read_text("utf-8")
    first = next(hint for hint in met.hints if "issue" not in hint)
    assert "file an issue" not in index and (not first or first[:40] in index)


class Scope:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


def prints_in_a_scope(x):
    with Scope():
        print("here")
        return x + 1


def causal(x):
    return torch.nn.functional.scaled_dot_product_attention(x, x, x, is_causal=x.shape[-2] > 2)


def test_break_in_a_context_manager_has_the_hint_of_the_skipped_frame(tmp_path, capsys):
    """The hint is in torch's second message, on the break where it cannot resume; compared with torch's counter."""
    torch._dynamo.utils.counters.clear()
    with depyf.prepare_debug(tmp_path, report=False):
        torch.compile(prints_in_a_scope, backend="eager")(torch.ones(2))
    counted = [text for of in ("unimplemented", "graph_break") for text in torch._dynamo.utils.counters[of]]
    hint = "Move the offending context manager(s) to outside the compiled region."
    if not any(hint in text for text in counted):
        pytest.skip("this torch resumes there, or has no hint")
    assert main(["why", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert f"what to do: {hint}" in output and "caused by an earlier graph break" not in output
    assert f"  - what to do: {hint}" in (tmp_path / "index.md").read_text("utf-8")


def test_break_without_an_explanation_has_the_text_of_the_exception(tmp_path, capsys):
    """torch's explanation of a TypeError is empty and its only hint is general, so the text of the error is shown."""
    torch._dynamo.utils.counters.clear()
    compiled = torch.compile(causal, backend="eager", dynamic=True)
    with depyf.prepare_debug(tmp_path, report=False) as session:
        compiled(torch.ones(1, 2, 4, 8))
    wrong = "argument 'is_causal' must be bool, not SymBool"
    if not any(wrong in text for text in torch._dynamo.utils.counters["graph_break"]):
        pytest.skip("this torch compiles it")
    assert [found.explanation.endswith(wrong) for found in session.run.graph_breaks] == [True]
    line = inspect.getsourcelines(causal)[1] + 1
    assert main(["why", str(tmp_path)]) == 0
    assert wrong in capsys.readouterr().out
    assert main(["where", f"{__file__}:{line}", str(tmp_path)]) == 0
    assert wrong in capsys.readouterr().out
    text = (tmp_path / "index.md").read_text("utf-8")
    assert text.count(wrong) == 2  # in the summary and at the break
    torch.compiler.reset()
    with pytest.raises(AssertionError, match=wrong), depyf.expect(breaks=0):
        torch.compile(causal, backend="eager", dynamic=True)(torch.ones(1, 2, 4, 8))


def penalises(x):
    x = x.detach().requires_grad_()  # returned, so Dynamo ends the graph here after it restarted
    (gradient,) = torch.autograd.grad((x * x).sum(), x)
    return gradient.sum()


def test_break_of_an_entry_is_where_it_resumes(tmp_path):
    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(penalises, backend="eager")(torch.ones(2))
    met = [each for each in session.run.graph_breaks if "0/0" in each.compile_ids]
    index = (tmp_path / "index.md").read_text("utf-8")
    (line,) = re.findall(r"^- \*\*\[0/0\]\*\* (.+)$", index, re.MULTILINE)
    places = [f"break at {Path(__file__).name}:{each.location.line} (" for each in met]
    assert sum(place in line for place in places) == 1
    goes_on = re.search(r"`__resume_at_\w+` at (\S+) ", line)
    assert len(met) == 1 or f"break at {goes_on[1]} (" in line


def test_number_of_evaluated_entries_is_limited(tmp_path):
    """The time of a recompile must not grow with the number of entries; torch tells its reasons for all of them."""
    compiled = torch.compile(lambda x, k: x * k, backend="eager", dynamic=False)
    with torch._dynamo.config.patch({LIMIT: 100}), depyf.prepare_debug(tmp_path, report=False) as session:
        for k in range(22):
            compiled(torch.ones(2), torch.ones(k + 1, 1))
    *_, last = session.run.recompiles
    assert len(session.run.recompiles) == 21 and len({reason.entry for reason in last.reasons}) == 21
    evaluated = {reason.entry for reason in last.reasons if reason.then}
    assert len(evaluated) == 16 and "0/20" in evaluated
    assert all(reason.torch_text for reason in last.reasons if reason.entry not in evaluated)
