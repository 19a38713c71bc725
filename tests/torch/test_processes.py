# SPDX-License-Identifier: MIT
"""Tests dumps of several processes: forked and spawned children, ranks, activation by an environment variable."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from depyf.cli import activate

from tests.page_data import page_data


def dumps(folder):
    """Returns the relative paths of all transformed code below a folder."""
    return sorted(str(p.relative_to(folder)) for p in Path(folder).rglob("__transformed_code*.py"))


@pytest.mark.slow
def test_forked_child_writes_into_a_folder_of_its_own(run_script, tmp_path):
    source = """
import multiprocessing, os, torch, depyf
def double(x): return x * 2
def triple(x): return x * 3
def child():
    assert torch.compile(triple, backend="eager")(torch.ones(2)).sum() == 6
with depyf.prepare_debug(os.environ["DUMP"]):
    torch.compile(double, backend="eager")(torch.ones(2))
    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    process.join()
    assert process.exitcode == 0
    print(process.pid)
"""
    done = run_script(source, DUMP="dump")
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "dump"
    child = f"process_{done.stdout.strip()}"
    assert dumps(folder) == sorted(
        ["__transformed_code_0_for_double.py", f"{child}/__transformed_code_0_for_triple.py"]
    )
    names = [
        [e["name"] for e in json.loads((f / "index.json").read_text())["entries"]] for f in (folder, folder / child)
    ]
    assert names == [["double"], ["triple"]]


ACTIVATED = """
import multiprocessing, sys, torch
def double(x): return x * 2
def work():
    assert torch.compile(double, backend="eager")(torch.ones(2)).sum() == 4
if __name__ == "__main__":
    assert "torch._dynamo" not in sys.modules or "depyf.torch.session" in sys.modules
    work()
    process = multiprocessing.get_context("spawn").Process(target=work)
    process.start()
    process.join()
    sys.exit(process.exitcode)
"""


@pytest.fixture
def run_activated(tmp_path):
    """Returns a function that runs a program with DEPYF_DUMP and gives the dump folder."""

    def run(source: str, *before: str) -> Path:
        script, folder = tmp_path / "program.py", tmp_path / "dump"
        script.write_text(source)
        paths = os.pathsep.join([*before, *filter(None, sys.path)])
        environment = dict(os.environ, DEPYF_DUMP=str(folder), PYTHONPATH=paths)
        command = [sys.executable, str(script)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return folder

    return run


SITE = str(activate.SITE)


def run_and_imported(source):
    """Parametrizes a test: the program under `depyf run`, and with an import of depyf in a plain interpreter."""
    return pytest.mark.parametrize("program", [(source, SITE), ("import depyf\n" + source,)], ids=["run", "imported"])


@pytest.mark.slow
@run_and_imported(ACTIVATED)
def test_activation_by_environment_reaches_spawned_workers(run_activated, program):
    folder = run_activated(*program)
    found = dumps(folder)
    assert len(found) == 2 and found[0] == "__transformed_code_0_for_double.py" and found[1].startswith("process_")
    assert all((folder / f).parent.joinpath("index.md").exists() for f in found)


@pytest.mark.slow
def test_depyf_imported_after_dynamo_sees_later_compilations(run_activated):
    source = """
import torch
def before(x): return x * 2
def after(x): return x * 3
torch.compile(before, backend="eager")(torch.ones(2))
import depyf
torch.compile(after, backend="eager")(torch.ones(2))
"""
    assert dumps(run_activated(source)) == ["__transformed_code_0_for_after.py"]


def test_depyf_does_not_run_in_a_program_that_does_not_import_it(run_activated):
    source = "import sys\nassert not [name for name in sys.modules if name.startswith('depyf')]\n"
    assert not run_activated(source).exists()


EXPORTED = """
import torch
class Model(torch.nn.Module):
    def forward(self, x): return x.sin() + 1
torch.export.export(Model(), (torch.ones(3),))
"""


@run_and_imported(EXPORTED)
def test_activation_by_environment_records_exported_programs(run_activated, program):
    """Here torch.export imports Dynamo, which is only complete later."""
    folder = run_activated(*program)
    (file,) = folder.glob("*.Exported_program.*.py")
    assert "aten.sin" in file.read_text("utf-8")
    assert json.loads((folder / "index.json").read_text("utf-8"))["missing_capabilities"] == {}


# One child after the other, one of which is forked; each finds that no process uses the folder.
LAUNCHER = """
import os, subprocess, sys
CHILD = "import torch; torch.compile(lambda x: x + 1, backend='eager')(torch.ones(2))"
for _ in range(2):
    subprocess.run([sys.executable, "-c", CHILD], check=True)
child = os.fork()
if not child:
    exec(CHILD)
    sys.exit()
assert os.waitpid(child, 0)[1] == 0
assert "torch" not in sys.modules
"""


@pytest.mark.slow
@run_and_imported(LAUNCHER)
def test_children_of_a_launcher_that_does_not_import_torch(run_activated, program):
    found = [Path(f).parts for f in dumps(run_activated(*program))]
    assert len(found) == len({folder for folder, _ in found}) == 3
    assert all(folder.startswith("process_") for folder, _ in found)


@pytest.mark.slow
def test_run_lists_dumps_of_children_and_does_not_say_that_torch_was_unused(tmp_path):
    """`depyf run` enables provenance of kernels when Dynamo is first imported, also if torch imports it."""
    program, folder = tmp_path / "program.py", tmp_path / "dump"
    program.write_text(LAUNCHER)
    command = [sys.executable, "-m", "depyf", "run", "-o", str(folder), str(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    indexes = sorted(folder.glob("process_*/index.md"))
    assert len(indexes) == 3 and done.stderr.splitlines() == [f"depyf: {path}" for path in indexes]
    assert all("Missing in this torch" not in path.read_text("utf-8") for path in indexes)


RANKS = """
import os, sys, torch, depyf
import torch.distributed as dist
def work(x): return x * 2 + 1
def broken(x):
    y = x + 1
    torch._dynamo.graph_break()
    return y * 2
dist.init_process_group("gloo")
with depyf.prepare_debug(os.environ["DUMP"]):
    torch.compile(work, backend="eager")(torch.ones(2))
    if dist.get_rank() == 1:
        torch.compile(broken, backend="eager")(torch.ones(2))
dist.barrier()
dist.destroy_process_group()
"""


@pytest.mark.slow
def test_each_rank_has_a_folder_and_the_index_shows_where_they_differ(tmp_path):
    script = tmp_path / "ranks.py"
    script.write_text(RANKS)
    folder = tmp_path / "dump"
    environment = dict(os.environ, DUMP=str(folder), PYTHONPATH=os.pathsep.join(filter(None, sys.path)))
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2", str(script)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    merged = json.loads((folder / "ranks.json").read_text())
    assert merged["ranks"] == [0, 1]
    assert any(line.startswith("frame 2: rank 0 has none, rank 1 has broken") for line in merged["divergences"])
    assert any(line.startswith("graph break 1: rank 0 has none") for line in merged["divergences"])
    (below,) = folder.glob("rank_*")  # of the rank that found the folder in use
    first = json.loads((folder / "index.json").read_text())["run"]["rank"]
    second = json.loads((below / "index.json").read_text())["run"]["rank"]
    assert {first, second} == {0, 1} and below.name == f"rank_{second}"
    page = (folder / "report.html").read_text()  # exists although no rank knows that it is the last one
    report = page_data(page)
    assert [one["rank"] for one in report["ranks"]] == [0, 1] and report["divergences"] == merged["divergences"]
    report_command = [sys.executable, "-m", "depyf", "report", "-o", str(tmp_path / "again.html"), str(folder)]
    subprocess.run(report_command, capture_output=True, check=True)
    assert (tmp_path / "again.html").read_text() == page
    text = (folder / "ranks.md").read_text()
    assert f"[rank {first}](index.md)" in text and f"[rank {second}](rank_{second}/index.md)" in text
    why = [sys.executable, "-m", "depyf", "why", "--json", str(folder)]
    answer = subprocess.run(why, capture_output=True, check=True)
    assert [b["dump"] for b in json.loads(answer.stdout)["breaks"]] == [below.name if second == 1 else "."]
    of_each = {0: ["work"], 1: ["broken", "work"]}
    assert [f for f in dumps(folder) if "/" not in f and "resume" not in f] == [
        f"__transformed_code_0_for_{name}.py" for name in of_each[first]
    ]


SPAWNED = """
import sys, torch
import torch.distributed as dist
def work(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    def f(x):
        if dist.get_rank() == 1:
            torch._dynamo.graph_break()
        return x + 1
    torch.compile(f, backend="eager")(torch.ones(2))
    dist.destroy_process_group()
if __name__ == "__main__":
    torch.multiprocessing.spawn(work, args=(sys.argv[1],), nprocs=2)
"""


@pytest.mark.slow
def test_ranks_that_a_program_spawns_are_known_by_their_process_group(tmp_path):
    program, folder = tmp_path / "program.py", tmp_path / "dump"
    program.write_text(SPAWNED)
    command = [sys.executable, "-m", "depyf", "run", "-o", str(folder), str(program), str(tmp_path / "store")]
    environment = {name: value for name, value in os.environ.items() if name not in ("RANK", "WORLD_SIZE")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=True)
    merged = json.loads((folder / "ranks.json").read_text())
    assert merged["ranks"] == [0, 1]
    assert any(line.startswith("graph break 1: rank 0 has none, rank 1 has") for line in merged["divergences"])
    runs = {path: json.loads(path.with_suffix(".json").read_text())["run"] for path in folder.glob("*/index.md")}
    assert sorted(run["rank"] for run in runs.values()) == [0, 1]
    messages = [line for line in done.stderr.splitlines() if line.startswith("depyf: ")]
    assert messages == [f"depyf: {path}" for path in (folder / "ranks.md", *sorted(runs))]
    why = subprocess.run(
        [sys.executable, "-m", "depyf", "why", str(folder)], capture_output=True, text=True, check=True
    )
    (pid,) = (run["pid"] for run in runs.values() if run["rank"] == 1)
    assert f"process {pid} of rank 1:" in why.stdout


LAST = {
    "compile_id": "0/0", "frame": "f", "cache": "fx_graph_cache", "outcome": "miss", "key": "k", "parts": {},
    "changed": [], "reason": "",
}  # fmt: skip
TAKES = """
import sys
from pathlib import Path
from depyf.torch.write import ownership
if sys.argv[2:]:
    ownership.claim(sys.argv[1])
    print([event.key for event in ownership.last_answers(Path(sys.argv[1]))])
"""


@pytest.mark.parametrize("takes", [True, False])
def test_run_compares_cache_keys_with_the_previous_run(tmp_path, takes):
    """The rest of the previous dump is removed at the end, if the program did not use the folder."""
    script, folder = tmp_path / "takes.py", tmp_path / "dump"
    script.write_text(TAKES)
    digest = hashlib.blake2b(b"text", digest_size=16).hexdigest()
    for below, file in ((".", "graph.py"), ("process_1", "graph.py")):
        (folder / below).mkdir(parents=True)
        (folder / below / file).write_bytes(b"text")
        (folder / below / "index.json").write_text(
            json.dumps({"digests": {file: digest}, "run": {}, "cache_events": [LAST]})
        )
    command = [sys.executable, "-m", "depyf", "run", "-o", str(folder), str(script), str(folder), *["take"] * takes]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == ("['k']\n" if takes else "")
    assert "torch.compile was not used" in done.stderr
    assert list(folder.iterdir()) == []


ONE_RANK = """
import os, torch
if os.environ["RANK"] == "0" or os.environ["FIRST"]:
    torch.compile(lambda x: x + int(os.environ["RANK"]), backend="eager")(torch.ones(2))
"""


@pytest.mark.slow
@pytest.mark.parametrize("way", ["run", "environment"])
def test_new_run_replaces_dumps_of_ranks_that_it_does_not_have(tmp_path, way):
    script, folder = tmp_path / "ranks.py", tmp_path / "dump"
    script.write_text(ONE_RANK)
    run = ["-m", "depyf", "run", "-o", str(folder)] if way == "run" else []
    command = [sys.executable, *run, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2", str(script)]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([str(activate.SITE), *filter(None, sys.path)]))
    if way == "environment":
        environment["DEPYF_DUMP"] = str(folder)
    for first, left in (("1", {"rank_0", "rank_1", "ranks.md", "ranks.json"}), ("", {"rank_0"})):
        done = subprocess.run(command, env={**environment, "FIRST": first}, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        assert {p.name for p in folder.iterdir()} - {".ranks.lock", "report.html"} == left
        assert all(name in left for name in re.findall(r"dump/(rank_\d+)", done.stderr))
