# SPDX-License-Identifier: MIT
"""Tests the basic guarantees on any release of torch: the program is unchanged, and depyf lists torch's entries.

The entries are read from torch; this file imports nothing of `depyf.torch`. It also runs on releases before the first
supported one, where depyf says in one sentence what it requires.
"""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import depyf
import pytest
import torch
from torch._C._dynamo import eval_frame

TOY = str(Path(__file__).resolve().parents[2] / "examples" / "toy.py")
SUPPORTED = tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 6)
supported = pytest.mark.skipif(not SUPPORTED, reason="depyf needs torch 2.6 or later")
BACKENDS = ("eager", "aot_eager", "inductor")


def toy_frames(toy) -> dict[str, object]:
    """Returns the code objects that may have entries: those of the toy example and of its resume functions."""
    resumed = {name: made for name, made in vars(toy).items() if name.startswith("__resume_at_")}
    return {name: made.__code__ for name, made in {"toy_example": toy.toy_example, **resumed}.items()}


def torchs_choice(code, local: dict[str, object]) -> int | None:
    """Returns the index of the first entry of CODE whose guards accept these locals."""
    entries = eval_frame._debug_get_cache_entry_list(code)
    return next((i for i, entry in enumerate(entries) if entry.guard_manager.check(local)), None)


@supported
@pytest.mark.parametrize("train", [False, True], ids=["inference", "training"])
@pytest.mark.parametrize("backend", BACKENDS)
def test_toy_example(toy, tmp_path, backend, train):
    without = toy.run(backend, train)
    torch._dynamo.reset()
    with depyf.prepare_debug(tmp_path):
        within = toy.run(backend, train)
    assert [r.tolist() for r in within] == [r.tolist() for r in without]  # equal bit by bit

    frames = toy_frames(toy)
    entry_counts = {name: len(eval_frame._debug_get_cache_entry_list(code)) for name, code in frames.items()}
    assert entry_counts["toy_example"] and len([n for n in entry_counts.values() if n]) == 3, entry_counts
    compiled = torch.compile(toy.toy_example, backend=backend)
    listed = depyf.entries(compiled)
    assert len(listed) == entry_counts["toy_example"]

    questions = 0
    for arguments in (
        (torch.randn(10, requires_grad=train), torch.rand(10)),
        (torch.randn(10, requires_grad=not train), torch.rand(10)),
        (torch.randn(3), torch.rand(3)),
        (torch.randn(10, dtype=torch.float64), torch.rand(10)),
        (torch.randn(10), 1.0),
    ):
        expected = torchs_choice(frames["toy_example"], dict(zip(("a", "b"), arguments, strict=True)))
        decision = depyf.which_entry(compiled, *arguments)
        assert decision.hit == (expected is not None), arguments
        if expected is not None:
            assert decision.compile_id == listed[expected].compile_id
            questions += 1
    assert questions, "no call hits: the comparison compared nothing"

    text = depyf.full_code(compiled).text
    assert "compiled nothing" not in text and text.count("def guards_") >= sum(1 for n in entry_counts.values() if n)
    assert "compiled nothing" not in "".join(p.read_text("utf-8") for p in tmp_path.glob("full_code_for_*.py"))
    names = {path.name for path in tmp_path.iterdir()}
    assert {"index.md", "index.json", "__transformed_code_0_for_toy_example.py"} <= names
    graphs = [name for name in names if name.startswith("__compiled_fn_")]
    expected_graphs = {"eager": "Captured_Graph", "aot_eager": "Forward_graph", "inductor": "kernel"}
    assert any(expected_graphs[backend] in name for name in graphs), graphs
    assert not train or backend == "eager" or any("Backward_graph" in name for name in graphs), graphs


@pytest.mark.slow
def test_program_is_unchanged(tmp_path):
    """Output and status are the same with and without depyf, except for one sentence on unsupported releases."""
    outputs = []
    for dump in ([], ["--dump", str(tmp_path / "dump")]):
        done = subprocess.run(
            [sys.executable, "-W", "default::UserWarning:depyf", TOY, "--backend", "eager", "--train", *dump],
            cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        outputs.append(done)
    assert outputs[0].stdout == outputs[1].stdout and "results, sum" in outputs[0].stdout
    messages = [line for line in outputs[1].stderr.splitlines() if "depyf" in line]
    assert (len(messages) == 0) if SUPPORTED else (len(messages) == 1 and "2.6" in messages[0]), outputs[1].stderr


@supported
def test_guards_have_the_programs_lines(tmp_path):
    def added(x, n):
        return x + n

    with depyf.prepare_debug(tmp_path) as session:
        for n in (2, 3):
            torch.compile(added, backend="eager", dynamic=False)(torch.ones(3), n)
    line = added.__code__.co_firstlineno + 1
    places = {c.source: (c.location.path, c.location.line) for c in session.run.entries[0].checks if c.source}
    assert places == {"L['x']": (__file__, line), "L['n']": (__file__, line)}
    (recompile,) = session.run.recompiles
    assert [(r.location.path, r.location.line) for r in recompile.reasons] == [(__file__, line)]


def test_block_of_debug_calls_compiled_code(toy, monkeypatch, capsys):
    """If torch has no stance that prevents recompiles, one sentence says so."""
    paused = []
    monkeypatch.setattr("sys.breakpointhook", lambda: paused.append(True))
    compiled = torch.compile(toy.toy_example, backend="eager")
    a, b = torch.randn(10), torch.rand(10)
    expected = compiled(a, b)
    with depyf.debug():
        assert torch.equal(compiled(a, b), expected)
    assert paused
    missing = "has no torch.compiler.set_stance"
    assert (missing in capsys.readouterr().out) == (not hasattr(torch.compiler, "set_stance"))
    if hasattr(torch.compiler, "set_stance"):
        monkeypatch.delattr(torch.compiler, "set_stance")
        with depyf.debug():
            assert torch.equal(compiled(a, b), expected)
        assert capsys.readouterr().out.count(missing) == 1


def test_decompiling_works_with_any_release():
    assert "torch.abs" in str(depyf.decompile(lambda a: torch.abs(a)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert str(depyf.decompile(test_decompiling_works_with_any_release)).startswith("def test_decompiling")
