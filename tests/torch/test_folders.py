# SPDX-License-Identifier: MIT
"""Tests which files of a dump folder are replaced or kept by new runs, blocks, processes and ranks."""

from __future__ import annotations

import datetime
import json
import os
import signal
import time

import depyf
import pytest
import torch
from depyf.torch.write import ownership
from depyf.torch.write.schedule import RunningIndex

from tools.judges import torch_says

PROGRAM = """
import os, signal, sys, torch, depyf
def first(x): return x + 1
def second(x): return x * 2
block = depyf.prepare_debug("dump")
block.__enter__()
for name in sys.argv[1:] or os.environ["FUNCTIONS"].split():
    torch.compile(globals()[name], backend="eager")(torch.ones(3))
exec(os.environ.get("END", ""))
"""


def index_of(folder):
    return json.loads((folder / "index.json").read_text("utf-8"))


def names(folder):
    return {p.name for p in folder.iterdir()}


def compile_one(folder, function):
    torch._dynamo.reset()
    with depyf.prepare_debug(folder) as run:
        torch.compile(function, backend="eager")(torch.ones(3))
    return run


def first(x):
    return x + 1


def second(x):
    return x * 2


@pytest.mark.slow
def test_new_run_replaces_the_files_of_the_previous_one(run_script, tmp_path):
    dump = tmp_path / "dump"
    assert run_script(PROGRAM, FUNCTIONS="first second").returncode == 0
    made = names(dump)
    assert {"__transformed_code_0_for_first.py", "__transformed_code_0_for_second.py", "index.md"} <= made
    assert index_of(dump)["digests"].keys() == made - {"index.json"} and index_of(dump)["run"]["complete"]
    edited = dump / "__transformed_code_0_for_first.py"
    edited.write_text(edited.read_text() + "# looked at\n")
    (dump / "notes.py").write_text("mine\n")
    (dump / "__transformed_code_7_for_third.py").write_text("not listed\n")
    (dump / "index.md").write_text("my own remarks\n")
    assert run_script(PROGRAM, FUNCTIONS="first").returncode == 0
    left = names(dump)
    assert "__transformed_code_0_for_second.py" not in left and "full_code_for_second_0.py" not in left
    assert edited.read_text().endswith("# looked at\n") and "__transformed_code_1_for_first.py" in left
    assert {"notes.py", "__transformed_code_7_for_third.py"} <= left
    assert (dump / "index_kept_0.md").read_text() == "my own remarks\n"
    listed = index_of(dump)["digests"].keys()
    assert left - listed == {
        "notes.py", "__transformed_code_7_for_third.py", edited.name, "index_kept_0.md", "index.json"
    }  # fmt: skip


def test_blocks_of_one_process_continue_the_numbers_of_files(tmp_path):
    (tmp_path / "index.json").write_text("{}")  # a file of another program
    compile_one(tmp_path, first)
    before = names(tmp_path)
    compile_one(tmp_path, second)
    compile_one(tmp_path, lambda x: x - 1)
    compile_one(tmp_path, lambda x: x - 2)
    assert before <= names(tmp_path)
    assert {"__transformed_code_0_for__lambda_.py", "full_code_for__lambda__1.py"} <= names(tmp_path)
    index = index_of(tmp_path)
    assert [e["name"] for e in index["entries"]] == ["<lambda>"]
    assert {"__transformed_code_0_for_first.py", "full_code_for_second_0.py"} <= set(index["other_files"])
    assert "- [__transformed_code_0_for_first.py]" in (tmp_path / "index.md").read_text("utf-8")
    assert index["digests"].keys() == names(tmp_path) - {"index.json", "index_kept_0.json", ".depyf.lock"}
    assert (tmp_path / "index_kept_0.json").read_text() == "{}"


def test_folder_by_another_path_is_the_same_folder(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    compile_one(real, first)
    link.symlink_to(real, target_is_directory=True)
    compile_one(link, second)
    assert {"__transformed_code_0_for_first.py", "__transformed_code_0_for_second.py"} <= names(real)
    assert not [p for p in real.iterdir() if p.is_dir()]
    assert "__transformed_code_0_for_first.py" in index_of(real)["digests"]


@pytest.mark.slow
def test_files_of_a_running_process_are_kept(run_script, tmp_path):
    dump = tmp_path / "dump"
    compile_one(dump, first)
    before = {p.name: p.read_bytes() for p in dump.iterdir() if p.is_file()}
    assert run_script(PROGRAM, FUNCTIONS="second").returncode == 0
    assert {p.name: p.read_bytes() for p in dump.iterdir() if p.is_file()} == before
    (below,) = (p for p in dump.iterdir() if p.is_dir())
    assert below.name.startswith("process_") and "__transformed_code_0_for_second.py" in names(below)


@pytest.mark.slow
@pytest.mark.parametrize("end", ["os._exit(3)", "os.kill(os.getpid(), signal.SIGTERM)", "SIGKILL"])
def test_terminated_process_leaves_an_index(run_script, tmp_path, end):
    if end == "SIGKILL":
        if not hasattr(signal, "SIGKILL"):
            pytest.skip("this system has no SIGKILL")
        end = "os.kill(os.getpid(), signal.SIGKILL)"
    dump = tmp_path / "dump"
    done = run_script(PROGRAM, FUNCTIONS="first second", END=end)
    assert done.returncode not in (0, 1), done.stderr
    index = index_of(dump)
    assert [e["name"] for e in index["entries"]] == ["first", "second"] and not index["run"]["complete"]
    assert "Incomplete" in (dump / "index.md").read_text("utf-8")
    files = {p.name for p in dump.glob("*.py")}
    assert files and files <= index["digests"].keys()
    compile_one(dump, first)  # the next run
    assert "__transformed_code_0_for_second.py" not in names(dump)
    assert [e["name"] for e in index_of(dump)["entries"]] == ["first"]


def test_delayed_index_is_written_soon():
    """A long index is not written after each compilation, but is complete when no more compilations follow."""
    written, compiled = [], []

    def write():
        time.sleep(0.1)
        written.append(len(compiled))

    index = RunningIndex(write)
    for i in range(8):
        compiled.append(i)
        index.changed()
    assert written == [1, 2]  # after 0.2 seconds in all, writing is delayed
    deadline = time.monotonic() + 60
    while len(written) < 3 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert written == [1, 2, 8]
    index.changed()
    index.close()
    time.sleep(2.5)
    assert written == [1, 2, 8]


def test_rank_writes_into_its_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    for number in range(2):
        monkeypatch.setenv("RANK", str(number))
        compile_one(tmp_path / f"own_{number}", first)
        assert "__transformed_code_0_for_first.py" in names(tmp_path / f"own_{number}")
        assert not list((tmp_path / f"own_{number}").glob("rank_*"))
    assert names(tmp_path) == {"own_0", "own_1"}


def test_counts_of_ranks_are_those_of_their_indexes(tmp_path, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    for number, folder in ((1, tmp_path / "rank_1"), (0, tmp_path)):
        monkeypatch.setenv("RANK", str(number))
        torch._dynamo.reset()
        with depyf.prepare_debug(folder):
            for size in range(2, 4 + number):
                torch.compile(first, backend="eager", dynamic=False)(torch.ones(size))
        assert len(torch_says.entries_of(first.__code__)) == 2 + number
    lines = [line for line in (tmp_path / "ranks.md").read_text("utf-8").splitlines() if line.startswith("- [rank")]
    for number, (line, folder) in enumerate(zip(lines, (tmp_path, tmp_path / "rank_1"), strict=True)):
        assert f": 1 frame, {2 + number} compiled entries, 0 graph breaks, {1 + number} recompile" in line
        assert f"1 frame · {2 + number} compiled entries" in (folder / "index.md").read_text("utf-8")


@pytest.mark.slow
def test_folder_of_a_rank_that_has_ended_is_kept(run_script, tmp_path):
    """Ranks need not overlap in time; those of the same run have the same parent process."""
    dump = tmp_path / "dump"
    for number in "012":
        assert run_script(PROGRAM, FUNCTIONS="first", RANK=number, WORLD_SIZE="3").returncode == 0
    assert [index_of(dump / f)["run"]["rank"] for f in (".", "rank_1", "rank_2")] == [0, 1, 2]
    assert json.loads((dump / "ranks.json").read_text())["ranks"] == [0, 1, 2]
    assert run_script(PROGRAM, FUNCTIONS="first", RANK="0", WORLD_SIZE="1").returncode == 0  # another run
    assert not [p for p in names(dump) if p.startswith("rank")]


@pytest.mark.parametrize(
    ("launcher", "age", "is_kept"),
    [
        ({}, 0, True),
        ({}, 7200, False),
        ({"TORCHELASTIC_RUN_ID": "none", "LOCAL_WORLD_SIZE": "1"}, 0, True),
        ({"TORCHELASTIC_RUN_ID": "none", "LOCAL_WORLD_SIZE": "2"}, 0, False),
        ({"TORCHELASTIC_RUN_ID": "a_run", "LOCAL_WORLD_SIZE": "1"}, 0, False),
    ],
    ids=["shells", "shells, long ago", "nodes without an id", "one node", "nodes with an id"],
)
def test_folder_that_may_be_of_the_same_run_is_kept(tmp_path, monkeypatch, launcher, age, is_kept):
    """Ranks that are each started by a shell, or run on several nodes, have no common parent process."""
    for name in ("TORCHELASTIC_RUN_ID", "LOCAL_WORLD_SIZE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"RANK": "1", "WORLD_SIZE": "2", **launcher}.items():
        monkeypatch.setenv(name, value)
    written = datetime.datetime.fromtimestamp(time.time() - age, datetime.timezone.utc).isoformat()
    index = json.dumps({"digests": {}, "run": {"rank": 0, "launch": "elsewhere:1", "written": written}})
    for file in ("below/rank_0/index.json", "below/ranks.json", "base/index.json"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(index)
    ownership.remove_ranks_of_earlier_runs(tmp_path / "below")
    assert names(tmp_path / "below") == ({"rank_0", "ranks.json"} if is_kept else set())
    assert ownership.claim(tmp_path / "base") == tmp_path / ("base/rank_1" if is_kept else "base")
    assert (tmp_path / "base/index.json").exists() == is_kept


def test_block_returns_the_run(tmp_path):
    block = depyf.prepare_debug(tmp_path)
    with block as run:
        assert run is block
        torch.compile(first, backend="eager")(torch.ones(3))
    assert [e.name for e in run.record.entries] == ["first"]
    assert os.fspath(run.folder.path) == os.fspath(tmp_path)


def test_log_of_the_program_contains_only_its_own_locks(run_script, tmp_path):
    done = run_script(
        "import logging, sys\nlogging.basicConfig(level=logging.DEBUG, stream=sys.stdout)\n"
        "import depyf, filelock, torch\n"
        "with depyf.prepare_debug('dump'):\n"
        "    torch.compile(lambda x: x + 1, backend='eager')(torch.ones(2))\n"
        "    with filelock.FileLock('own.lock'): pass\n"
    )
    assert done.returncode == 0 and (tmp_path / "dump" / "index.json").exists(), done.stderr
    messages = [line for line in done.stdout.splitlines() if ":filelock:" in line]
    # Two for acquiring and two for releasing the lock.
    assert len(messages) == 4 and all("own.lock" in line for line in messages)
