# SPDX-License-Identifier: MIT
"""Why: graph breaks, recompiles, symbols, time and caches, as a model and in the index."""

from __future__ import annotations

import importlib.util
import inspect
import json

import depyf
import pytest
import torch
from depyf.torch import events

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
# What some releases do not tell: why a break happens and what to do about it, and how long tracing took.
BREAKS_EXPLAINED = importlib.util.find_spec("torch._dynamo.graph_break_hints") is not None
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


def test_a_graph_break_is_read_whole():
    found = events.graph_break("0/0", PAYLOAD)
    assert found.where == "model.py:20" and found.reason == "Failed to trace builtin operator"
    assert found.explanation == "Dynamo does not know how to trace `print`. It has side effects."
    assert found.hints == ("Avoid calling `print`.", "Use a logging function that can be reordered.")
    assert found.stack == ("main.py:24 in <module>: model(x)", 'model.py:20 in f: print("x")')
    assert found.context == "builtin print []" and found.page.endswith("gb0059.html")


def test_a_graph_break_in_the_words_of_earlier_releases():
    found = events.graph_break("0/0", EARLIER)
    assert found.where == "model.py:20" and found.stack == ('model.py:20 in f: print("x")',)
    assert found.reason == "Unsupported: builtin: print [<class 'SizeVariable'>] False"
    assert not found.explanation and not found.hints


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


def test_recompiles_say_then_and_now(watched):
    record, _ = watched
    first, second, third = (r for r in record.recompiles if r.compile_id.startswith("0/"))
    (reason,) = first.reasons
    assert (reason.entry, reason.source, reason.what) == ("0/0", "x", "size")
    assert (reason.then, reason.now) == ("(4,)", "(5,)")
    assert "mark_dynamic(x, 0)" in reason.advice and "expected 4, actual 5" in reason.torch_text
    assert reason.where.startswith("test_reasons.py:") == ("test_reasons.py:" in record.entries[0].guard_tree)
    assert {r.entry: (r.source, r.then, r.now) for r in second.reasons}["0/1"] == ("settings.factor", "2", "3")
    assert {(r.what, r.then, r.now) for r in third.reasons} == {("grad_mode", "True", "False")}
    assert "in watched: compiled(torch.ones(5), settings)" in record.call_of("0/1")


def test_graph_breaks_are_told_once(watched):
    record, _ = watched
    (found,) = record.graph_breaks
    assert found.reason == ("Data-dependent branching" if BREAKS_EXPLAINED else "Data-dependent jump")
    assert bool(found.explanation) == bool(found.hints) == BREAKS_EXPLAINED
    assert found.times == 4 and found.compile_ids == ["0/0", "0/1", "0/2", "0/3"]
    assert "in branches: if y.sum() > 100:" in found.stack[-1]


def test_symbols_time_and_functions(watched):
    record, _ = watched
    symbol = next(s for s in record.open_symbols if s.compile_id == "0/1")
    assert symbol.source == "L['x'].size()[0]" and symbol.value == "5"
    spent = record.phases["0/0"]
    assert spent["entire_frame_compile"] >= spent["backend_compile"] > 0
    assert ("bytecode_tracing" in spent) == TRACING_TIMED
    root, resume, *_ = record.functions
    assert root.name == "branches" and not root.is_resume and resume.is_resume
    assert [e.compile_id for e in root.entries] == ["0/0", "0/1", "0/2", "0/3"]
    assert resume.key in root.resumes
    assert {g.kind for g in record.graphs_of(root.entries[0])} >= {"Captured_Graph", "Forward_graph"}


def test_the_index_tells_it(watched):
    _, folder = watched
    text = (folder / "index.md").read_text("utf-8")
    data = json.loads((folder / "index.json").read_text("utf-8"))
    assert "x: size was (4,), now (5,)" in text and "settings.factor: value was 2, now 3" in text
    assert "Data-dependent " in text and ("what to do: Use `torch.cond`" in text) == BREAKS_EXPLAINED
    assert "`x.size()[0]`" in text and "| backend |" in text and ("tracing (Dynamo)" in text) == TRACING_TIMED
    assert data["recompiles"][0]["reasons"] and data["phases"]["0/0"] and data["functions"][0]["name"] == "branches"
    assert data["graph_breaks"][0]["stack"] and len(data["graph_breaks"]) == 1
    guard = data["entries"][0]["checks"][-1]
    assert guard["python"] and guard["text"] and guard["kind"]


def test_a_call_from_two_places_is_one_break(tmp_path):
    session = depyf.prepare_debug(tmp_path)
    with session:
        torch.compile(twice, backend="eager")(torch.ones(3), Settings())
    wheres = [(b.where, b.reason) for b in session.record.graph_breaks]
    assert len(wheres) == len(set(wheres))


def test_a_trace_from_elsewhere_gives_torchs_words():
    from depyf.torch.model import Record

    record = Record()
    heard = events.Events(record, str)
    payload = json.dumps(["0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5"])
    heard.on_trace("0/1", {"artifact": {"name": "recompile_reasons"}}, payload)
    heard.on_trace("0/1", {"artifact": {"name": "fx_graph_cache_miss"}}, "{}")
    (reason,) = record.recompiles[0].reasons
    assert reason.entry == "0/0" and "expected 4, actual 5" in str(reason)
    assert record.cache_events[0].outcome == "miss" and record.cache_events[0].cache == "fx_graph_cache"
