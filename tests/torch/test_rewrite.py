# SPDX-License-Identifier: MIT
"""Tests that a dump is written again, byte for byte, from index.json and payloads.json by another process."""

from __future__ import annotations

import json
import os
import runpy
import shutil
import subprocess
import sys

import depyf
import pytest
import torch
from depyf.cli.app import main
from depyf.torch.write.report import sources_shown
from depyf.torch.write.rewrite import rewrite

TOY = """
import depyf
from toy import run
with depyf.prepare_debug("dump", provenance={train}):
    run("{backend}", train={train})
"""
BREAKS = """
import depyf, torch
class Scaled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear, self.scales = torch.nn.Linear(4, 4), {{"long": 3.0, "short": 0.5}}
    def forward(self, x, kind, mask=None):
        y = self.linear(x) * self.scales[kind]
        torch._dynamo.graph_break()
        return y.relu() + x if mask is None else y * mask
def many_lengths(x, name, *, by=(1, 2)):
    def inner():
        nonlocal x
        x = x + len(name)
    inner()
    return x * by[0]
def skipped(x):
    try:
        torch._dynamo.graph_break()
    finally:
        print(end="")
    return x + 1
def refuse(graph, inputs):
    raise ValueError("this backend refuses")
torch.manual_seed(0)
model = Scaled()
optimizer = torch.optim.Adam(model.parameters(), foreach=True)
@torch.compile(backend="{backend}")
def step():
    optimizer.step()
with depyf.prepare_debug("dump"):
    compiled = torch.compile(model, backend="{backend}")
    for rows, kind, mask in ((2, "long", None), (3, "long", None), (5, "short", torch.ones(4))):
        compiled(torch.ones(rows, 4), kind, mask).sum().backward()
        step()
    limited = torch.compile(many_lengths, backend="{backend}")
    for n in range(torch._dynamo.config.recompile_limit + 2):
        limited(torch.ones(3), "s" * n)
    torch.compile(skipped, backend="{backend}")(torch.ones(3))
    torch.compiler.reset()
    compiled(torch.ones(2, 4), "long")
    with torch._dynamo.config.patch(suppress_errors=True):
        torch.compile(lambda x: x + 3, backend=refuse)(torch.ones(3))
"""
AGAIN = "import sys; from depyf.torch.write.rewrite import rewrite; print(len(rewrite(*sys.argv[1:])))"


def texts_of(folder):
    return {f.name: f.read_text("utf-8") for f in folder.iterdir() if f.name != ".depyf.lock"}


def assert_equal(dump, again, at_least):
    first, second = texts_of(dump), texts_of(again)
    assert first.keys() == second.keys() and len(first) >= at_least
    assert [name for name in first if first[name] != second[name]] == []
    assert {name.rpartition(".")[2] for name in first} >= {"py", "md", "json", "html"}


OPERATORS = """
import depyf, torch
@torch.library.custom_op("of_the_program::scaled", mutates_args=())
def scaled(x: torch.Tensor, k: float) -> torch.Tensor:
    return x * k
@scaled.register_fake
def _(x, k):
    return torch.empty_like(x)
library = torch.library.Library("of_the_program_too", "FRAGMENT")
library.define("shifted(Tensor x) -> Tensor")
library.impl("shifted", lambda x: x + 1, "CompositeExplicitAutograd")
torch.library.register_fake("of_the_program_too::shifted", torch.empty_like, lib=library)
with depyf.prepare_debug("dump"):
    torch.compile(lambda x: torch.ops.of_the_program_too.shifted(scaled(x, 2.0)), backend="{backend}")(torch.ones(3))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "backend", "train", "at_least"),
    [
        (OPERATORS, "aot_eager", False, 9),
        (TOY, "eager", False, 10),
        (TOY, "inductor", True, 30),
        (BREAKS, "aot_eager", True, 60),
        (BREAKS, "inductor", True, 80),
    ],
    ids=[
        "operators-aot_eager",
        "toy-eager",
        "toy-inductor-training",
        "breaks-aot_eager-training",
        "breaks-inductor-training",
    ],
)
def test_dump_is_rewritten_byte_for_byte(run_script, tmp_path, program, backend, train, at_least):
    done = run_script(
        program.format(backend=backend, train=train),
        TORCHINDUCTOR_CACHE_DIR=str(tmp_path / "cache"),
        PYTHONHASHSEED="0",
    )
    assert done.returncode == 0, done.stderr
    dump, again = tmp_path / "dump", tmp_path / "again"
    count = len(texts_of(dump))
    kept = {"index.json", "payloads.json"}
    moved = tmp_path / "moved"  # no other file of the dump can be read
    moved.mkdir()
    for name in kept:
        (moved / name).write_bytes((dump / name).read_bytes())
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    made = subprocess.run(
        [sys.executable, "-c", AGAIN, str(moved), str(again)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    assert int(made.stdout) == count
    assert_equal(dump, again, at_least)


@pytest.mark.slow
def test_dump_of_a_trace_is_rewritten(run_script, tmp_path):
    program = BREAKS.format(backend="inductor").replace('depyf.prepare_debug("dump")', "torch.no_grad()")
    program = program.replace(".sum().backward()", "").replace("        step()\n", "")
    done = run_script(program, TORCH_TRACE=str(tmp_path / "logs"), TORCHINDUCTOR_CACHE_DIR=str(tmp_path / "cache"))
    assert done.returncode == 0, done.stderr
    dump = depyf.from_trace(tmp_path / "logs", tmp_path / "dump")
    rewrite(dump, tmp_path / "again")
    first, second = texts_of(dump), texts_of(tmp_path / "again")
    assert first.keys() == second.keys() and len(first) >= 20
    assert [name for name in first if first[name] != second[name]] == []


def test_rewritten_report_shows_the_sources_of_the_run(tmp_path):
    """This includes generated code, which only the process of the run has, and files that were changed or deleted."""
    program = tmp_path / "program.py"
    program.write_text("def scale(x):\n    return x * 2\n", "utf-8")
    function = runpy.run_path(str(program))["scale"]
    with depyf.prepare_debug(tmp_path / "dump"):
        torch.compile(torch.fx.symbolic_trace(torch.nn.Sequential(torch.nn.ReLU())), backend="eager")(torch.ones(2))
        torch.compile(function, backend="eager")(torch.ones(2))
    sources = sources_shown(tmp_path / "dump")
    assert sources[str(program)].endswith("x * 2\n") and any("torch.nn" in text for text in sources.values()), sources
    program.write_text("", "utf-8")
    command = [sys.executable, "-m", "depyf"]
    subprocess.run([*command, "rewrite", tmp_path / "dump", tmp_path / "again"], check=True, capture_output=True)
    subprocess.run([*command, "report", tmp_path / "dump"], check=True, capture_output=True)
    assert sources_shown(tmp_path / "again") == sources_shown(tmp_path / "dump") == sources


@pytest.mark.parametrize("guards", [{}, {"guard_filter_fn": torch.compiler.skip_all_guards_unsafe}])
def test_entry_without_guards_has_none_when_rewritten(tmp_path, guards):
    with depyf.prepare_debug(tmp_path / "dump", report=False) as session:
        torch._dynamo.optimize("eager", **guards)(scale)(torch.ones(2))
    assert session.run.entries[0].guards_known and bool(session.run.entries[0].guards) != bool(guards)
    rewrite(tmp_path / "dump", tmp_path / "again")
    (name,) = (f.name for f in (tmp_path / "dump").glob("full_code_*.py"))
    assert (tmp_path / "again" / name).read_text("utf-8") == (tmp_path / "dump" / name).read_text("utf-8")


def scale(x):
    return x * 2


@pytest.fixture
def dump(tmp_path):
    folder = tmp_path / "small"
    with depyf.prepare_debug(folder):
        torch.compile(scale, backend="eager")(torch.ones(2))
    return folder


def test_command_rewrites_a_dump(dump, tmp_path, capsys):
    assert main(["rewrite", str(dump), str(tmp_path / "again")]) == 0
    assert f"{len(texts_of(dump))} files" in capsys.readouterr().out
    assert texts_of(dump) == texts_of(tmp_path / "again")


def test_dump_without_compilations_is_only_an_index(tmp_path):
    with depyf.prepare_debug(tmp_path / "empty"):
        pass
    rewrite(tmp_path / "empty", tmp_path / "again")
    assert texts_of(tmp_path / "empty") == texts_of(tmp_path / "again")
    assert texts_of(tmp_path / "again").keys() == {"index.json", "index.md", "report.html"}


def test_written_files_depend_on_the_recorded_facts(dump, tmp_path):
    """A changed fact changes the files: they are not copied."""
    index, payloads = dump / "index.json", dump / "payloads.json"
    (name,) = (f.name for f in dump.iterdir() if f.name.startswith("__transformed_code_"))
    before = (dump / name).read_text("utf-8")
    index.write_text(index.read_text("utf-8").replace('"verdict": "', '"verdict": "judged: '), "utf-8")
    data = json.loads(payloads.read_text("utf-8"))
    data["code"][name] += "# the end\n"
    payloads.write_text(json.dumps(data), "utf-8")
    rewrite(dump, tmp_path / "again")
    after = (tmp_path / "again" / name).read_text("utf-8")
    assert after.endswith("# the end\n") and " · judged: " in after.split("\n")[0]
    assert after.replace("judged: ", "").removesuffix("# the end\n") == before


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda dump: (dump / "payloads.json").unlink(), "payloads.json"),
        (lambda dump: (dump / "payloads.json").write_text('{"graphs": []}'), "graphs|lacks"),
        (lambda dump: (dump / "index.json").write_text("{}"), "schema_version"),
        (lambda dump: (dump / "index.json").write_text("import this"), "index.json: no index of a dump"),
        (shutil.rmtree, "No such file"),
    ],
    ids=["no-payloads", "odd-payloads", "odd-index", "no-index", "no-dump"],
)
def test_incomplete_dump_is_an_error(dump, tmp_path, capsys, damage, says):
    damage(dump)
    assert main(["rewrite", str(dump), str(tmp_path / "again")]) == 2
    error = capsys.readouterr().err
    assert str(dump) in error and any(word in error for word in says.split("|")), error
    assert not (tmp_path / "again" / "index.json").exists()


def tree_of(folder):
    files = (f for f in folder.rglob("*") if f.is_file() and f.suffix != ".lock")
    return {f.relative_to(folder).as_posix(): f.read_text("utf-8") for f in files}


@pytest.fixture
def several(tmp_path, monkeypatch):
    """Returns a dump of two ranks, one of which started another process."""
    dump = tmp_path / "several"
    monkeypatch.setenv("WORLD_SIZE", "2")
    for rank, folders in (("1", ("rank_1", "rank_1/process_7")), ("0", (".",))):
        monkeypatch.setenv("RANK", rank)
        for folder in folders:
            torch._dynamo.reset()
            with depyf.prepare_debug(dump / folder):
                torch.compile(scale, backend="eager")(torch.ones(len(folder)))
    return dump


def test_every_rank_and_process_is_rewritten(several, tmp_path, capsys):
    assert main(["rewrite", str(several), str(tmp_path / "again")]) == 0
    wanted, found = tree_of(several), tree_of(tmp_path / "again")
    assert f"{len(wanted)} files; start with index.md" in capsys.readouterr().out
    assert {"index.json", "ranks.md", "ranks.json", "rank_1/index.json"} <= wanted.keys() == found.keys()
    assert wanted["rank_1/process_7/report.html"] and [name for name in wanted if wanted[name] != found[name]] == []


def test_ranks_without_a_dump_in_the_parent_folder_are_rewritten(several, tmp_path, capsys):
    ranks = tmp_path / "ranks"
    for rank in ("rank_0", "rank_1"):
        shutil.copytree(several / (rank if rank == "rank_1" else "."), ranks / rank, ignore=lambda *_: ["rank_1"])
    for name in ("ranks.json", "ranks.md"):
        shutil.move(ranks / "rank_0" / name, ranks / name)
    assert main(["rewrite", str(ranks), str(tmp_path / "again")]) == 0
    assert "; start with ranks.md" in capsys.readouterr().out
    wanted, found = tree_of(ranks), tree_of(tmp_path / "again")
    assert wanted.keys() == found.keys() and "](rank_0/index.md)" in found["ranks.md"]
    assert json.loads(found["ranks.json"])["run"] == json.loads(wanted["ranks.json"])["run"]
    assert main(["diff", str(ranks), str(tmp_path / "again")]) == 0


def test_incomplete_dump_of_one_process_is_named(several, tmp_path, capsys):
    (several / "rank_1" / "process_7" / "payloads.json").unlink()
    assert main(["rewrite", str(several), str(tmp_path / "again")]) == 2
    assert "rank_1/process_7/payloads.json: No such file" in capsys.readouterr().err
    assert not tree_of(tmp_path / "again")
