# SPDX-License-Identifier: MIT
"""Tests tools.agreement: depyf and torch give the same answers, and the comparison detects wrong ones."""

from __future__ import annotations

import pytest
import torch
from catalogue import Case
from depyf.torch.explain import dispatch
from depyf.torch.guards import checks, functions
from depyf.torch.guards.evaluate import Evaluator

from tools.agreement import programs, report
from tools.judges import torch_says

BY_NAME = {case.name: case for case in programs.catalogue()}
CHOSEN = [
    "branches-toy",  # the program of PyTorch's tutorial, with two resume functions
    "branches-three_ways",
    "calls-deep",
    "breaks_library-set_of_tensors",  # torch skips the frame
    "breaks_objects-nonstrict_constant",  # a guard on an object with an __eq__ of its own
    "objects-containers_of_the_library",  # torch drops entries while their frames are alive
]


@pytest.mark.parametrize("mode", programs.MODES)
@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@pytest.mark.parametrize("name", CHOSEN)
def test_answers_agree_with_torch(name, backend, mode):
    if name not in BY_NAME:
        pytest.skip("this torch has no such part")
    row = programs.run(BY_NAME[name], backend, mode)
    assert row["problems"] == []
    assert row["verdicts"] or row["without_entry"]
    assert row["choices"] and row["calls"] > row["choices"]
    assert mode == "late" or row["recorded"] == row["entries"]
    if name == "branches-toy":
        assert row["frames"] and row["verdicts"] >= 3 and bool(row["backwards"]) == (mode == "training")


def give_wrong_answers(monkeypatch, wrong_answer):
    """Makes depyf give a wrong answer."""
    if wrong_answer == "no guard fails":
        monkeypatch.setattr(Evaluator, "first_failure", lambda self, frame, entry="": (None, 0))
    elif wrong_answer == "every size is another":
        mismatch = checks.Mismatch("size", "(1,)", "(2,)")
        monkeypatch.setitem(functions.helpers(), "tensor_matches", lambda *args, **kwargs: mismatch)
        monkeypatch.setattr("depyf.torch.guards.evaluate._evaluators", {})
    else:
        monkeypatch.setattr(dispatch.Dispatch, "entries", lambda self: [])


@pytest.mark.parametrize("wrong_answer", ["no guard fails", "every size is another", "no entries"])
def test_wrong_answer_is_found(monkeypatch, wrong_answer):
    give_wrong_answers(monkeypatch, wrong_answer)
    assert programs.run(BY_NAME["transforms-tests_of_numbers"], "eager", "late")["problems"]


def test_program_without_comparisons_is_an_error():
    nothing = Case("nothing", lambda: None, list, lambda: None, ())
    problems = programs.run(nothing, "eager", "inference")["problems"]
    assert problems == ["nothing was compared, and torch gave no reason"]


def test_expected_reasons_are_torchs():
    def looping(x):
        for _ in range(2):
            torch._dynamo.graph_break()
        return x

    lstm, x = torch.compile(torch.nn.LSTM(2, 2), backend="eager"), torch.ones(1, 1, 2)
    with torch_says.EagerReasons() as reasons:
        torch.compile(looping, backend="eager")(x)
        lstm(x)
    assert reasons.of(looping.__code__).startswith("Unsupported: Call to `torch._dynamo.graph_break()`")
    assert torch_says.called(lstm).ids or "skipfiles" in reasons.of(torch.nn.LSTM.forward.__code__)
    assert reasons.of(test_counts_in_the_table.__code__) is None


def test_expected_entry_is_the_one_that_runs():
    compiled = torch.compile(lambda x: x + 1, backend="eager", dynamic=False)
    for n in (2, 3):
        compiled(torch.ones(n))
    ids = torch_says.called(compiled).ids
    ran = [torch_says.frames_run(lambda n=n: compiled(torch.ones(n))) for n in (2, 3, 4)]
    assert [[run.compile_id for run in runs] for runs in ran] == [[ids[-1]], [ids[0]], []]
    assert ran[0][0].arguments()[0][0].shape == (2,)


def test_counts_in_the_table():
    row = {"backend": "eager", "mode": "late", "problems": ["differs"], **dict.fromkeys(report._COUNTS, 2)}
    row["without_entry"] = ["f: Unsupported: no"]
    assert "| eager | late | 1 | 2 | 2 | no session | 2 | 2 | 2 | 2 | 1 |" in report.table([row])
    assert report.problems({"eager late p": row}) == ["- eager late p: differs"]
    assert report.without_entry([row, row]) == ["- Unsupported: no (2): `f`"]
