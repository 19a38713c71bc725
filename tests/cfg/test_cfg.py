# SPDX-License-Identifier: MIT
"""Graphs against CPython itself: every real run is a path, every code object builds, and 3.8 looks like 3.9."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import cfg_programs as programs  # noqa: E402
from cfg_graphs import Follower, Graph, difference, read_graphs  # noqa: E402

NATIVE = "depyf_dump_graphs"
RUN_SEEDS = range(60)
SHAPE_SEEDS = range(300)
SAMPLE = 150  # files of each standard library

# Compiles what standard input names ([source, .pyc] pairs) as far as it compiles; prints the .pyc files made.
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


def ask(command: list[str], given: str = "") -> str:
    run = subprocess.run(command, input=given, capture_output=True, text=True, timeout=900, check=False)
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]
    return run.stdout


def compile_all(python: list[str], pairs: list[tuple[str, str]]) -> list[str]:
    return ask([*python, "-W", "ignore", "-c", COMPILE], json.dumps(pairs)).split()


@pytest.fixture(scope="session")
def dump_graphs(root: Path) -> str:
    """The native tool that prints graphs: DEPYF_DUMP_GRAPHS, the newest one built, or one built now."""
    if given := os.environ.get("DEPYF_DUMP_GRAPHS"):
        return given
    if built := sorted((root / "build").glob(f"*/tests/cfg/{NATIVE}"), key=lambda path: path.stat().st_mtime):
        return str(built[-1])
    cmake = shutil.which("cmake", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    assert cmake is not None, f"no {NATIVE} and no cmake to build it"
    for command in ([cmake, "--preset", "dev"], [cmake, "--build", "--preset", "dev", "--target", NATIVE]):
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    return str(root / "build" / "dev" / "tests" / "cfg" / NATIVE)


@pytest.mark.slow
def test_runs_are_paths(version: str, python: list[str], dump_graphs: str, tmp_path: Path) -> None:
    """Each instruction that a random program really ran follows, in the graph, the one it ran before."""
    texts = [programs.generate(seed, int(version.partition(".")[2])) for seed in RUN_SEEDS]
    command = [*python, "-W", "ignore", str(HERE / "run_traced.py"), str(tmp_path)]
    wrong = []
    count = 0
    for number, codes in enumerate(json.loads(ask(command, json.dumps(texts)))):
        if codes is None:
            continue
        graphs = read_graphs(ask([dump_graphs, str(tmp_path / f"{number}.pyc")]))
        for name, line, names, traces in codes:
            (graph,) = graphs[name, line]
            follower = Follower(graph, names)
            count += len(traces)
            messages = filter(None, map(follower.follow, traces))
            wrong += [f"seed {RUN_SEEDS[number]}, {name} line {line}: {message}" for message in messages]
    assert not wrong, "\n".join(wrong[:20])
    assert count > 3000


def test_every_code_object_builds(python: list[str], dump_graphs: str, tmp_path: Path) -> None:
    """A sample of the standard library: graphs build, validate, fit co_stacksize; nothing of one version is left."""
    library = Path(ask([*python, "-c", LIBRARY]).strip())
    sources = sorted(str(path) for path in library.rglob("*.py") if "site-packages" not in path.parts)
    chosen = random.Random(7).sample(sources, min(SAMPLE, len(sources)))
    pairs = [(source, str(tmp_path / f"{number}.pyc")) for number, source in enumerate(chosen)]
    made = compile_all(python, pairs)
    assert len(made) > SAMPLE // 2
    ask([dump_graphs, "--check", *made])


def shapes(python: list[str], dump_graphs: str, folder: Path) -> dict[str, dict[tuple[str, int], list[Graph]]]:
    """The graphs of random programs by file name."""
    folder.mkdir()
    pairs = []
    for seed in SHAPE_SEEDS:
        source = folder / f"{seed}.py"
        source.write_text(programs.generate(seed, 8))
        pairs.append((str(source), str(folder / f"{seed}.pyc")))
    return {Path(made).name: read_graphs(ask([dump_graphs, made])) for made in compile_all(python, pairs)}


def test_3_8_has_the_shapes_of_3_9(dump_graphs: str, tmp_path: Path, tool_module) -> None:
    """3.8's one finally body, its placeholders and its with statements come out as 3.9's compiler writes them."""
    commands = [tool_module("interpreters").find(version) for version in ("3.8", "3.9")]
    if None in commands:
        pytest.skip("needs CPython 3.8 and 3.9: ./dev interpreters --install")
    old, new = (shapes(command, dump_graphs, tmp_path / str(n)) for n, command in enumerate(commands))
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
