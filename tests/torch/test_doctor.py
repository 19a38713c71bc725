# SPDX-License-Identifier: MIT
"""Tests `depyf.doctor()`, which lists what works with this torch and what does not."""

from __future__ import annotations

import itertools
import pkgutil

import depyf
import pytest
import torch
from depyf.cli import app
from depyf.torch import doctor
from depyf.torch.internals import capabilities, names

from tools.judges import torch_says


@pytest.fixture(autouse=True)
def nothing_noted():
    names._missing.clear()
    names._looked_up.clear()
    yield
    names._missing.clear()
    names._looked_up.clear()


def is_missing(name):
    """Returns whether torch has no such function, or no cache entry such an attribute, by asking torch alone."""
    if name.startswith("CacheEntry."):
        compiled = torch.compile(lambda x: x + 2, backend="eager")
        compiled(torch.ones(2))
        (entry,) = torch_says.entries_of(compiled._torchdynamo_orig_callable.__code__)
        return not hasattr(entry, name.partition(".")[2])
    owner, _, attribute = name.rpartition(".")
    return name.startswith("torch.") and not hasattr(pkgutil.resolve_name(owner), attribute)


def test_modules_whose_changes_torch_does_not_see_are_reported(monkeypatch):
    assert (doctor._after_eval() is not None) == torch_says.trusts_unchanged_dictionaries()
    monkeypatch.setattr(torch, "compile", lambda module, **options: module.train().forward)
    monkeypatch.setattr(doctor._Doubling, "eval", lambda module: None)
    assert doctor._after_eval() is None
    monkeypatch.setattr(torch, "compile", lambda module, **options: lambda x: x * 3)
    assert "may call an entry whose guard fails" in doctor._after_eval()


@pytest.mark.slow
def test_everything_works_with_a_complete_torch():
    compiled = torch.compile(lambda x: x + 1, backend="eager")
    compiled(torch.ones(2))
    report = depyf.doctor()
    lacking = [name for row in report.rows if row.state == "LOST" for name in row.missing]
    assert all(is_missing(name) for name in lacking), report
    assert len(report.problems) == torch_says.trusts_unchanged_dictionaries()
    assert report.ok == (not lacking and not report.problems)
    assert {row.name for row in report.rows} == {c.name for c in capabilities.CAPABILITIES}
    for capability in capabilities.CAPABILITIES:
        assert capability.name in str(report)
    assert depyf.which_entry(compiled, torch.ones(2)).hit  # the program's entry still exists


def test_missing_features_are_listed(monkeypatch, capsys):
    monkeypatch.delattr(torch._dynamo.convert_frame, "get_compiled_code_side_effects", raising=False)
    assert app.main(["doctor"]) == 1
    table = capsys.readouterr().out
    assert "LOST: no torch._dynamo.convert_frame.get_compiled_code_side_effects" in table
    assert names.capability("side effects that frames replay").lost in table
    lacking = [row.missing for row in depyf.doctor().rows if row.state == "LOST"]
    assert table.count("LOST") == len(lacking) and all(map(is_missing, itertools.chain(*lacking)))


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
