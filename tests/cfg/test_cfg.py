# SPDX-License-Identifier: MIT
"""Graphs against CPython itself: every real run is a path, every code object builds, and 3.8 looks like 3.9."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from . import programs
from .graphs import Follower, read_graphs

HERE = Path(__file__).parent
SEEDS = range(60)


def traced(python: list[str], texts: list[str], folder: Path) -> list:
    """What run_traced.py says of the texts; their .pyc files lie in `folder` by number."""
    run = subprocess.run(
        [*python, str(HERE / "run_traced.py"), str(folder)],
        input=json.dumps(texts), capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def graphs_of(dump_graphs: str, pyc: Path) -> dict:
    run = subprocess.run([dump_graphs, str(pyc)], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stdout
    return read_graphs(run.stdout)


def test_runs_are_paths(python: list[str], dump_graphs: str, tmp_path: Path) -> None:
    texts = [programs.generate(seed) for seed in SEEDS]
    wrong = []
    count = 0
    for number, codes in enumerate(traced(python, texts, tmp_path)):
        if codes is None:
            continue
        graphs = graphs_of(dump_graphs, tmp_path / f"{number}.pyc")
        for name, line, names, traces in codes:
            (graph,) = graphs[name, line]
            follower = Follower(graph, names)
            for trace in traces:
                count += 1
                if message := follower.follow(trace):
                    wrong.append(f"seed {SEEDS[number]}, {name} line {line}: {message}")
                    break
    assert not wrong, "\n".join(wrong[:20])
    assert count > 2000


@pytest.fixture
def dump_graphs() -> str:
    return "/tmp/build-cfg/dump_graphs"
