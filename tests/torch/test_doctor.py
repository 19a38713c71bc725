# SPDX-License-Identifier: MIT
"""Tests `depyf.doctor()`, which lists what works with this torch and what does not."""

from __future__ import annotations

import depyf
import pytest
import torch
from depyf.cli import app
from depyf.torch.internals import capabilities, names


@pytest.fixture(autouse=True)
def nothing_noted():
    names._missing.clear()
    names._looked_up.clear()
    yield
    names._missing.clear()
    names._looked_up.clear()


@pytest.mark.slow
def test_everything_works_with_a_complete_torch():
    compiled = torch.compile(lambda x: x + 1, backend="eager")
    compiled(torch.ones(2))
    report = depyf.doctor()
    assert report.ok, report
    assert {row.name for row in report.rows} == {c.name for c in capabilities.CAPABILITIES}
    for capability in capabilities.CAPABILITIES:
        assert capability.name in str(report)
    assert depyf.which_entry(compiled, torch.ones(2)).hit  # the program's entry still exists


def test_missing_features_are_listed(monkeypatch, capsys):
    monkeypatch.delattr(torch._dynamo.convert_frame, "get_compiled_code_side_effects")
    assert app.main(["doctor"]) == 1
    table = capsys.readouterr().out
    assert "LOST: no torch._dynamo.convert_frame.get_compiled_code_side_effects" in table
    assert names.capability("side effects that frames replay").lost in table
    assert table.count("LOST") == 1


def test_hook_that_is_not_called_is_reported(monkeypatch):
    monkeypatch.setattr("depyf.torch.internals.dynamo.register_bytecode_hook", lambda hook, first=False: None)
    report = depyf.doctor()
    assert not report.ok
    assert any("transformed code of the test program was not recorded" in problem for problem in report.problems)


@pytest.mark.parametrize(
    "arguments, program, named",
    [(["doctor", "more"], "depyf doctor", "more"), (["doctors"], "depyf", "'doctors'"), ([], "depyf", "COMMAND")],
)
def test_wrong_arguments(arguments, program, named, capsys):
    with pytest.raises(SystemExit) as raised:
        app.main(arguments)
    assert raised.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith(f"{program}: ") and error.endswith(f"; see {program} --help\n")
    assert named in error and error.count("\n") == 1
