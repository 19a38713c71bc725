# SPDX-License-Identifier: MIT
"""Tests that questions about compiled functions are cheap: no memory for stand-ins, and no work is repeated."""

from __future__ import annotations

import builtins
import gc
import sys
import weakref

import depyf
import pytest
import torch
import torch._dynamo.testing
from depyf.torch.guards import evaluate, parse, render
from depyf.torch.replay import v1

MEMORY = """
import gc, torch, torch._dynamo
W = torch.ones(50_000_000)  # 200 MB

def f(x):
    return x + W[:3].sum()

compiled = torch.compile(f, backend="eager")
compiled(torch.ones(3))

def mebibytes(what):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(what)) / 1024

gc.collect()
with open("/proc/self/clear_refs", "w") as refs:
    refs.write("5")  # the peak begins anew
before = mebibytes("VmRSS")
import depyf
assert QUESTION
print(mebibytes("VmHWM") - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    "question",
    [
        "depyf.which_entry(compiled, torch.ones(3)).hit",
        "len(depyf.entries(compiled)) == 1",
        "depyf.entries(compiled)[0].explain(torch.ones(3)).hit",
    ],
)
def test_question_allocates_no_stand_ins(run_script, question):
    run = run_script(MEMORY.replace("QUESTION", question))
    assert run.returncode == 0, run.stderr
    assert float(run.stdout) < 20, f"{run.stdout} MiB"


SCALE = 2


def scaled(x, flag=True):
    return x * SCALE if flag else x - SCALE


@pytest.fixture
def compiled():
    function = torch.compile(scaled, backend="eager", dynamic=False)
    for argument in (torch.ones(3), torch.ones(4), torch.ones(5)):
        function(argument)
    return function


class Work:
    """Counts how often blocks are compiled, guards rendered, code decompiled and guards' values read."""

    def __init__(self, monkeypatch):
        self.counts = dict.fromkeys(("compile", "exec", "open", "render", "decompile", "tree", "stand-in"), 0)
        for owner, name, key in (
            (builtins, "compile", "compile"),
            (builtins, "exec", "exec"),
            (builtins, "open", "open"),
            (render, "render", "render"),
            (parse, "parse_tree", "tree"),
            (v1, "tensor", "stand-in"),
            (depyf, "decompile", "decompile"),
        ):
            monkeypatch.setattr(owner, name, self._counting(getattr(owner, name), key))

    def _counting(self, original, key):
        def counting(*args, **kwargs):
            self.counts[key] += 1
            return original(*args, **kwargs)

        return counting


def ask_all(function, given):
    decision = depyf.which_entry(function, given)
    entries = depyf.entries(function)
    explanations = [entry.explain(given) for entry in entries]
    return decision, explanations


@pytest.mark.parametrize("watched", [False, True])
def test_repeated_questions_do_no_work_twice(tmp_path, monkeypatch, watched, compiled):
    if watched:
        torch._dynamo.reset()
        with depyf.prepare_debug(tmp_path):
            for argument in (torch.ones(3), torch.ones(4), torch.ones(5)):
                compiled(argument)
    first, _ = ask_all(compiled, torch.ones(3))
    missed, _ = ask_all(compiled, torch.ones(6))
    assert first.hit and not missed.hit and len(missed.failures) == 3
    with monkeypatch.context() as patch:
        patch.setattr(sys.modules[__name__], "SCALE", 3)  # the text about a guard is created when it first fails
        ask_all(compiled, torch.ones(3))
    with monkeypatch.context() as patch:
        work = Work(patch)
        again, explanations = ask_all(compiled, torch.ones(4))  # new arguments
        assert again.hit and again.compile_id != first.compile_id and sum(map(bool, explanations)) == 1
        assert not ask_all(compiled, torch.ones(7))[0].hit
        patch.setattr(sys.modules[__name__], "SCALE", 4)  # another value of a guard
        changed, _ = ask_all(compiled, torch.ones(3))
        assert not changed.hit and {f.source for f in changed.failures} >= {"SCALE"}
        assert {key: count for key, count in work.counts.items() if count} == {}
    assert depyf.which_entry(compiled, torch.ones(3)) and not depyf.which_entry(compiled, torch.ones(6))


def test_new_entries_are_found_and_dropped_ones_are_not(compiled):
    assert not depyf.which_entry(compiled, torch.ones(6)).hit
    compiled(torch.ones(6))
    assert depyf.which_entry(compiled, torch.ones(6)).hit
    torch._dynamo.reset()
    assert not depyf.which_entry(compiled, torch.ones(6)).hit


def test_arguments_of_questions_are_not_kept_alive():
    entries = len(evaluate._evaluators)
    function = torch.compile(lambda x: x + 1, backend="eager")
    function(torch.ones(3))
    value = torch.ones(3)
    alive = weakref.ref(value)
    assert depyf.which_entry(function, value).hit
    code = weakref.ref(
        torch._dynamo.eval_frame._debug_get_cache_entry_list(function._torchdynamo_orig_callable)[0].code
    )
    del value
    assert alive() is None
    torch._dynamo.reset()
    del function
    gc.collect()
    assert code() is None
    assert len(evaluate._evaluators) <= entries


def test_recompiles_do_not_compile_the_guards_of_known_entries_again(tmp_path, monkeypatch):
    made = []
    original = evaluate.Evaluator.__init__

    def counted(self, listed, **others):
        made.append(len(listed))
        original(self, listed, **others)

    monkeypatch.setattr(evaluate.Evaluator, "__init__", counted)
    with depyf.prepare_debug(tmp_path):
        function = torch.compile(scaled, backend="eager", dynamic=False)
        for size in range(2, 8):
            function(torch.ones(size))
    assert len(made) == 5  # there are six entries, and no question was asked about the last one


def test_answer_counts_guards_that_were_not_evaluated(monkeypatch):
    original = parse.parse_tree
    unknown = parse.Guard("NEW_MATCH", "L['x'] == 3", source="L['x']")
    monkeypatch.setattr(parse, "parse_tree", lambda text: [unknown, *original(text)])
    # A torch whose guard manager cannot be called.
    monkeypatch.setattr("depyf.torch.internals.guard_state.failing_part", lambda manager, local: None)
    function = torch.compile(lambda x: x + 1, backend="eager")
    function(torch.ones(3))
    decision = depyf.which_entry(function, torch.ones(3))
    assert decision.hit and decision.not_evaluated == 1
    assert "1 guard not evaluated" in str(decision)
    explanation = depyf.entries(function)[0].explain(torch.ones(3))
    assert explanation.hit and explanation.not_evaluated == 1 and "1 guard not evaluated" in str(explanation)


@pytest.mark.parametrize("values", [(2, 3), (2.5, 3.5)], ids=str)
def test_unknown_guard_is_named_if_torch_says_that_it_fails(monkeypatch, values):
    """All guards on `k`, and no others, are unknown here."""
    original = parse.parse_tree

    def renamed(text):
        return [
            parse.Guard("NEW_MATCH", g.text, source=g.source) if g.source == "L['k']" else g for g in original(text)
        ]

    monkeypatch.setattr(parse, "parse_tree", renamed)
    function = torch.compile(lambda x, k: x * k, backend="eager", dynamic=False)
    before, now = values
    function(torch.ones(3), before)
    assert depyf.which_entry(function, torch.ones(3), before).hit
    (failure,) = depyf.which_entry(function, torch.ones(3), now).failures
    assert failure.what == "torch's own check" and "L['k']" in failure.found and "  #" not in failure.found
    assert failure.guard is not None and failure.guard.source == "L['k']"
    assert failure.advice == ""
    bound = depyf.full_code(function)
    assert [f.what for f in bound.failures(failure.entry, torch.ones(3), now)] == [failure.what]


class Mode(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        return function(*args, **(kwargs or {}))


@pytest.mark.parametrize("mode", [Mode(), torch.device("meta")], ids=["mode", "device"])
def test_torch_is_asked_about_guards_that_depyf_does_not_evaluate(mode):
    """torch's text of the guard on function modes does not name the modes, so no session can have recorded them."""
    counter = torch._dynamo.testing.CompileCounter()
    function = torch.compile(lambda x: x * 2, backend=counter)

    def compiles():
        before = counter.frame_count
        function(torch.ones(3, device="cpu"))
        return counter.frame_count > before

    assert compiles()
    with mode:
        decision = depyf.which_entry(function, torch.ones(3, device="cpu"))
        assert not depyf.entries(function)[0].explain(torch.ones(3, device="cpu"))
        assert compiles() and not decision.hit
    (failure,) = decision.failures
    assert failure.what == "torch function modes" and not decision.not_evaluated
    with mode:
        assert depyf.which_entry(function, torch.ones(3, device="cpu")).hit and not compiles()
    decision = depyf.which_entry(function, torch.ones(3))
    assert decision.hit and not decision.not_evaluated and not compiles()


def test_bound_call_creates_no_stand_ins(monkeypatch):
    def no_stand_in(*args, **kwargs):
        raise AssertionError("a stand-in was made")

    function = torch.compile(reads_global, backend="eager")
    function(torch.ones(3))
    monkeypatch.setattr(torch, "empty_strided", no_stand_in)
    assert torch.equal(depyf.full_code(function)(torch.ones(3)), torch.full((3,), 3.0))


WEIGHT = torch.full((3,), 2.0)


def test_answer_mentions_entries_of_another_backend():
    def added(x):
        return x + 1

    first, second = (torch.compile(added, backend=backend) for backend in ("eager", "aot_eager"))
    first(torch.ones(2))
    answer = depyf.which_entry(second, torch.ones(2))
    if answer.hit:
        pytest.skip("entries of this torch do not tell their backend")
    assert str(answer).startswith(f"no entry: would compile [{answer.would_compile}]: 1 entry of other backends")
    second(torch.ones(2))
    assert depyf.which_entry(second, torch.ones(2)).compile_id == answer.would_compile == "0/1"
    assert depyf.which_entry(first, torch.ones(2)).compile_id == "0/0"


def reads_global(x):
    return x + WEIGHT


def test_reason_names_the_part_of_the_autocast_state_that_differs(tmp_path):
    compiled = torch.compile(lambda x: x @ x, backend="eager")
    with depyf.prepare_debug(tmp_path, report=False), torch.autocast("cpu", dtype=torch.bfloat16):
        compiled(torch.ones(2, 2))
        assert torch.is_autocast_enabled("cpu")
    assert not torch.is_autocast_enabled("cpu")
    answer = str(depyf.which_entry(compiled, torch.ones(2, 2)))
    assert "autocast_state.enabled[cpu] expected True, found False" in answer
    with torch.autocast("cpu", dtype=torch.float16):
        answer = str(depyf.which_entry(compiled, torch.ones(2, 2)))
    assert "expected torch.bfloat16, found torch.float16" in answer


def texts_of_guards_tell_state(compiled):
    """Returns whether torch's text of the guard of global state contains the state that it compares with."""
    (entry,) = depyf.entries(compiled)
    return any("default_dtype" in guard.text for guard in entry.guards if guard.kind == "GLOBAL_STATE")


def test_reasons_name_all_global_state_that_differs():
    compiled = torch.compile(lambda x: x + 1, backend="eager")
    compiled(torch.ones(2))
    torch.set_default_dtype(torch.float64)
    try:
        with torch.no_grad():
            (failure,) = depyf.which_entry(compiled, torch.ones(2, dtype=torch.float32)).failures
    finally:
        torch.set_default_dtype(torch.float32)
    expected, found = (dict(each.split("=") for each in t.split(" and ")) for t in (failure.expected, failure.found))
    dtype = "torch.float32" if texts_of_guards_tell_state(compiled) else "another"
    assert expected == {"grad_mode": "True", "default_dtype": dtype}
    assert found == {"grad_mode": "False", "default_dtype": "torch.float64"} and failure.what == "global state"
    (first, second) = sorted(failure.advice.split("; "))
    assert first.startswith("call under one grad mode") and second.startswith("set the default dtype")


def test_reason_names_the_default_dtype():
    compiled = torch.compile(lambda x: x + 1, backend="eager")
    x = torch.ones(2)
    compiled(x)
    torch.set_default_dtype(torch.float64)
    try:
        answer = str(depyf.which_entry(compiled, x))
    finally:
        torch.set_default_dtype(torch.float32)
    expected = "torch.float32" if texts_of_guards_tell_state(compiled) else "another"
    assert f"default_dtype expected {expected}, found torch.float64" in answer
    assert "set the default dtype before the first call" in answer


class Remembers:
    def __init__(self):
        self.met = {}

    def __call__(self, x):
        if "first" not in self.met:
            self.met["first"] = 1
        return x + len(self.met)


def remembers(x, memory):
    return memory(x)


def chooses(x, names):
    return x + 1 if "one" in names else x - 1


def test_advice_to_fill_a_dictionary_before_the_call():
    counter, memory = torch._dynamo.testing.CompileCounter(), Remembers()
    compiled = torch.compile(remembers, backend=counter)
    compiled(torch.ones(2), memory)
    (reason,) = depyf.which_entry(compiled, torch.ones(2), memory).failures
    assert (reason.what, reason.expected, reason.found) == ("key 'first'", "absent", "present")
    if hasattr(torch._dynamo.convert_frame, "get_compiled_code_side_effects"):
        assert "itself adds or removes some" in reason.advice and "before the first call" in reason.advice
    else:
        assert reason.advice == "keep the dictionary's keys fixed"
    compiled(torch.ones(2), memory)
    assert counter.frame_count == 2
    torch.compiler.reset()
    compiled = torch.compile(remembers, backend=counter)
    for _ in range(2):
        compiled(torch.ones(2), memory)  # now it has its keys
    assert counter.frame_count == 3


def test_reason_names_an_item_missing_in_a_set():
    compiled = torch.compile(chooses, backend="eager")
    compiled(torch.ones(2), {"one"})
    answer = str(depyf.which_entry(compiled, torch.ones(2), {"two"}))
    assert "names: item 'one' expected present, found absent" in answer and "membership is compiled in" in answer
