# SPDX-License-Identifier: MIT
"""Tests the measurements of the zoo."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import depyf
import torch
from depyf.torch.write import graph_file

from tools.zoo import measure


class Small(torch.nn.Module):
    """A module with two layers."""

    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(4, 3), torch.nn.Linear(3, 2)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


def test_different_results_are_reported():
    one = [torch.ones(2), 1]
    assert measure.different(one, [torch.ones(2), 1]) is None
    assert "1 values, not 2" in measure.different(one[:1], one)
    assert "value 0 differs" in measure.different([torch.zeros(2), 1], one)
    assert "value 0: torch.float32 (2,), not torch.float64 (2,)" in measure.different(one, [torch.ones(2).double(), 1])
    assert "value 1: 1, not 2" in measure.different(one, [torch.ones(2), 2])
    assert "differs" in measure.different([torch.tensor([1.0j])], [torch.tensor([2.0j])])


def test_graph_file_with_other_outputs_is_a_problem(tmp_path):
    with depyf.prepare_debug(tmp_path):
        torch.compile(Small(), backend="eager")(torch.randn(5, 4))
    (file,) = tmp_path.glob("*Captured_Graph*.py")
    outcome = measure.Outcome("m", "s", "", False, "eager", False, "")
    measure.check_scripts(tmp_path, outcome)
    assert (outcome.scripts, outcome.problems) == (1, [])
    file.write_text(file.read_text().replace("((5, 2), (2, 1)", "((5, 3), (3, 1)"))
    measure.check_scripts(tmp_path, outcome)
    assert len(outcome.problems) == 1
    file.write_text(file.read_text().replace("(main())", "('not in this file, so it cannot run')"))
    measure.check_scripts(tmp_path, outcome)
    assert "cannot run" in outcome.problems[1]
    assert outcome.scripts == 2


def test_operators_of_inductor_are_imported_if_a_graph_calls_them():
    calls = ["torch.ops.prims.fma", "math_ceil"]
    if importlib.util.find_spec("torch._inductor.fx_passes.control_dependencies") is not None:
        calls.append("torch.ops.higher_order.control_deps")
    text = "\n".join(f"def f{i}():\n    return {call}(1)" for i, call in enumerate(calls))
    content = graph_file.graph_file([], text) + "\n" + "\n".join(calls) + "\n"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", content], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "_inductor" not in graph_file.graph_file([], "torch.ops.prims.convert_element_type.default(x, torch.int8)")
