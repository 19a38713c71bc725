# SPDX-License-Identifier: MIT
"""Tests that the examples in docstrings run and print what they show, and that results have a short repr()."""

from __future__ import annotations

import doctest
import html
import io
import subprocess
import sys

import depyf
import pytest
import rich.console
import torch

QUESTIONS = {
    "decompile",
    "entries",
    "full_code",
    "prepare_debug",
    "verify",
    "which_entry",
    "Run.load",
}  # tested by whole sessions
EXAMPLES = [*(name for name in depyf.__all__ if name != "__version__"), "Run.load"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_of_each_public_name_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    torch.compiler.reset()
    found = depyf
    for part in name.split("."):
        found = getattr(found, part)
    assert found.__doc__ != getattr(type(found).__mro__[0], "__doc__", None), f"{name} has no docstring of its own"
    examples = doctest.DocTestParser().get_doctest(found.__doc__, {}, name, None, 0)
    assert not any(doctest.SKIP in example.options for example in examples.examples), (
        f"the example of {name} is skipped"
    )
    least = 3 if name in QUESTIONS else 2
    assert len(examples.examples) >= least and any(example.want for example in examples.examples), f"{name}: no example"
    output: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(examples, out=output.append, clear_globs=False)
    assert runner.summarize(verbose=False).failed == 0, "".join(output)


def test_public_names_can_be_imported():
    for name in depyf.__all__:
        assert getattr(depyf, name) is not None and name in dir(depyf)


def scale(x, k):
    return x * k


def test_repr_of_results_is_short(tmp_path):
    compiled = torch.compile(scale, backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        assert repr(session) == f"<depyf.Session of {tmp_path}, open>"
        compiled(torch.ones(2), 2)
    (entry,) = depyf.entries(compiled)
    assert repr(entry).startswith("<entry [0/0] of scale (test_examples.py:") and len(repr(entry)) < 200
    assert isinstance(entry, depyf.Entry) and isinstance(session, depyf.Session)
    assert isinstance(depyf.which_entry(compiled, torch.ones(2), 2), depyf.Decision)
    assert isinstance(depyf.full_code(compiled), depyf.BoundFullCode)


def test_results_are_displayed_as_tables(tmp_path):
    """Notebooks display the rows as HTML, and rich displays them with borders."""
    compiled = torch.compile(scale, backend="eager", dynamic=False)
    with depyf.prepare_debug(tmp_path) as session:
        compiled(torch.ones(2), 2)
    (entry,) = depyf.entries(compiled)
    decision = depyf.which_entry(compiled, torch.ones(3), 2)
    expected = [
        (session.run, ["frame", "scale", "compiled", "0 graph breaks, 0 recompiles, 0 failures"]),
        (decision, ["x: size", "(2,)", "(3,)", "no entry: would compile [0/1]"]),
        (entry, ["TENSOR_MATCH", "L['x']", "test_examples.py:", "[0/0] of scale"]),
        (depyf.decompile(lambda x: x < 1), ["x < 1"]),
    ]
    for result, words in expected:
        shown = html.unescape(result._repr_html_())
        assert all(word in shown for word in words), shown
        console = rich.console.Console(file=io.StringIO(), width=200)
        console.print(result)
        assert all(word in console.file.getvalue() for word in words), console.file.getvalue()
    assert "x &lt; 1" in depyf.decompile(lambda x: x < 1)._repr_html_()
    assert "exact" in depyf.decompile(lambda x: x < 1)._repr_html_()


def test_graphs_are_counted_as_torch_counts_them(tmp_path):
    """Each graph that Dynamo captured counts once, whatever the later stages do; a break is not a failure."""

    def broken(x):
        y = (x * 2).relu()
        torch._dynamo.graph_break()
        for _ in range(2):
            y = y + 1
            torch._dynamo.graph_break()
        return y

    torch._dynamo.utils.counters.clear()
    with depyf.prepare_debug(tmp_path, report=False) as session:
        torch.compile(broken, backend="aot_eager")(torch.ones(3, requires_grad=True)).sum().backward()
    rows = [line.split() for line in str(session.run).splitlines()[1:-1]]
    assert sum(int(row[-1]) for row in rows) == torch._dynamo.utils.counters["stats"]["unique_graphs"] > 0
    failures = [f.compile_id for f in session.run.failures]
    assert failures and str(session.run).endswith(" 0 failures")  # a break in a loop is not counted as a failure


def test_rich_is_imported_only_when_it_is_used(tmp_path):
    script = "import depyf, sys, torch; depyf.decompile(lambda x: x); depyf.Run; depyf.Entry; depyf.Decision;"
    done = subprocess.run([sys.executable, "-c", script + "sys.exit('rich.table' in sys.modules)"], check=False)
    assert done.returncode == 0
