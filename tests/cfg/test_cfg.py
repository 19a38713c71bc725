# SPDX-License-Identifier: MIT
"""Compares graphs with CPython: every real run is a path, every code object has a graph, and 3.8's are like 3.9's."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.native_tools import find_or_build

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import cfg_programs as programs  # noqa: E402
from cfg_graphs import Follower, Graph, difference, read_graphs  # noqa: E402

RUN_SEEDS = range(60)
FORM_SEEDS = range(300)
SAMPLE = 150  # number of files of each standard library

# Compiles [source, .pyc] pairs from standard input; prints the .pyc files of those that compile.
COMPILE = """
import json, py_compile, sys
for source, target in json.load(sys.stdin):
    try:
        py_compile.compile(source, cfile=target, doraise=True)
        print(target)
    except Exception:
        pass
"""
LIBRARY = "import sysconfig; print(sysconfig.get_path('stdlib'))"


def output_of(command: list[str], text_in: str = "") -> str:
    run = subprocess.run(command, input=text_in, capture_output=True, text=True, timeout=900, check=False)
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]
    return run.stdout


def compile_all(python: list[str], pairs: list[tuple[str, str]]) -> list[str]:
    return output_of([*python, "-W", "ignore", "-c", COMPILE], json.dumps(pairs)).split()


@pytest.fixture(scope="session")
def dump_graphs() -> str:
    """The path of depyf_dump_graphs, the native program that prints graphs."""
    return find_or_build("cfg", "dump_graphs")


@pytest.mark.slow
def test_real_runs_are_paths(version: str, python: list[str], dump_graphs: str, tmp_path: Path) -> None:
    """Consecutive instructions of real runs of random programs are also consecutive in the graph."""
    texts = [programs.generate(seed, int(version.partition(".")[2])) for seed in RUN_SEEDS]
    command = [*python, "-W", "ignore", str(HERE / "run_traced.py"), str(tmp_path)]
    wrong = []
    count = 0
    for number, codes in enumerate(json.loads(output_of(command, json.dumps(texts)))):
        if codes is None:
            continue
        graphs = read_graphs(output_of([dump_graphs, str(tmp_path / f"{number}.pyc")]))
        for name, line, names, traces in codes:
            (graph,) = graphs[name, line]
            follower = Follower(graph, names)
            count += len(traces)
            messages = filter(None, map(follower.follow, traces))
            wrong += [f"seed {RUN_SEEDS[number]}, {name} line {line}: {message}" for message in messages]
    assert not wrong, "\n".join(wrong[:20])
    assert count > 3000


def test_every_code_object_has_a_valid_graph(python: list[str], dump_graphs: str, tmp_path: Path) -> None:
    """Graphs of a sample of the standard library are valid, fit co_stacksize, and have no operations of one version."""
    library = Path(output_of([*python, "-c", LIBRARY]).strip())
    sources = sorted(str(path) for path in library.rglob("*.py") if "site-packages" not in path.parts)
    chosen = random.Random(7).sample(sources, min(SAMPLE, len(sources)))
    pairs = [(source, str(tmp_path / f"{number}.pyc")) for number, source in enumerate(chosen)]
    made = compile_all(python, pairs)
    assert len(made) > SAMPLE // 2
    output_of([dump_graphs, "--check", *made])


def graphs_of_programs(
    python: list[str], dump_graphs: str, folder: Path
) -> dict[str, dict[tuple[str, int], list[Graph]]]:
    """Returns the graphs of random programs by file name."""
    folder.mkdir()
    pairs = []
    for seed in FORM_SEEDS:
        source = folder / f"{seed}.py"
        source.write_text(programs.generate(seed, 8))
        pairs.append((str(source), str(folder / f"{seed}.pyc")))
    return {Path(made).name: read_graphs(output_of([dump_graphs, made])) for made in compile_all(python, pairs)}


def test_graphs_of_3_8_have_the_form_of_3_9(dump_graphs: str, tmp_path: Path, tool_module) -> None:
    """3.8's single finally body, its placeholders and its with statements become what 3.9's compiler generates."""
    commands = [tool_module("interpreters").find(version) for version in ("3.8", "3.9")]
    if None in commands:
        pytest.skip("needs CPython 3.8 and 3.9: ./dev interpreters --install")
    old, new = (graphs_of_programs(command, dump_graphs, tmp_path / str(n)) for n, command in enumerate(commands))
    wrong = []
    count = 0
    for name in sorted(old.keys() & new.keys()):
        for key in old[name].keys() & new[name].keys():
            for one, other in zip(old[name][key], new[name][key]):
                count += 1
                if message := difference(one, other):
                    wrong.append(f"{name} {key}: {message}")
    assert not wrong, "\n".join(wrong[:20])
    assert count > 2000
