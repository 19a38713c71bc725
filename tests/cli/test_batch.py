# SPDX-License-Identifier: MIT
"""Batches of files: paths of outputs, threads, memory."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[[str, bytes], Path]
STAGE = "--stop-after=code"


def test_output_mirrors_the_folder(run, write: Write, small_pyc: bytes, tmp_path: Path) -> None:
    for name in ("in/a.pyc", "in/pkg/b.pyc", "in/pkg/deep/c.d.pyc", "in/pkg/notes.txt", "in/.hidden.pyc"):
        write(name, small_pyc)
    (tmp_path / "in/pkg/circle").symlink_to(tmp_path / "in")
    (tmp_path / "in/folder.pyc").mkdir()
    done = run(STAGE, "-o", tmp_path / "out", tmp_path / "in", write("x.bin", small_pyc))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    outputs = sorted(str(p.relative_to(tmp_path / "out")) for p in (tmp_path / "out").rglob("*") if p.is_file())
    assert outputs == [".hidden.py", "a.py", "pkg/b.py", "pkg/deep/c.d.py", "x.bin.py"]


def test_two_inputs_for_one_output_are_refused(run, write: Write, small_pyc: bytes, tmp_path: Path) -> None:
    """The second one would silently replace the first."""
    first, second = write("one/a.pyc", small_pyc), write("two/a.pyc", small_pyc)
    done = run(STAGE, "-o", tmp_path / "out", first, second)
    assert done.returncode == 2
    assert done.stderr.startswith(f"depyfc: {second}: wanted an output of its own")
    assert (tmp_path / "out/a.py").exists()


def test_unwritable_output_is_not_bad_input(run, write: Write, small_pyc: bytes, tmp_path: Path) -> None:
    pyc = write("a.pyc", small_pyc)
    write("taken", b"")
    done = run(STAGE, "-o", tmp_path / "taken", pyc)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and "taken/a.py: cannot" in done.stderr
    (tmp_path / "out/a.py").mkdir(parents=True)
    done = run(STAGE, "-o", tmp_path / "out", pyc)
    assert done.returncode == 1
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["a.py"]


@pytest.mark.parametrize("arguments", [[STAGE, "a.pyc"], ["--help"], ["--version"], ["--passes"]])
def test_full_standard_output_is_an_error(depyfc: str, write: Write, small_pyc: bytes, arguments: list[str]) -> None:
    here = write("a.pyc", small_pyc).parent
    with open("/dev/full", "wb") as full:
        done = subprocess.run([depyfc, *arguments], stdout=full, stderr=subprocess.PIPE, cwd=here)
    assert done.returncode == 1
    assert b"standard output: cannot write: no space left" in done.stderr and done.stderr.count(b"\n") == 1


def test_list_from_standard_input(run, write: Write, small_pyc: bytes, tmp_path: Path) -> None:
    pyc = write("a.pyc", small_pyc)
    done = run(STAGE, "--list", "-", input=f"{pyc}\t{tmp_path}/new/b.txt\n")
    assert done.returncode == 0
    assert (tmp_path / "new/b.txt").read_text() == run(STAGE, pyc).stdout


def test_threads_give_the_same_files(run, write: Write, small_pyc: bytes, tmp_path: Path) -> None:
    for i in range(200):
        write(f"in/{i % 7}/{i}.pyc", small_pyc)
    for jobs in (1, 8):
        assert run(STAGE, "-j", jobs, "-o", tmp_path / f"out{jobs}", tmp_path / "in").returncode == 0
    one = {p.relative_to(tmp_path / "out1"): p.read_bytes() for p in (tmp_path / "out1").rglob("*.py")}
    eight = {p.relative_to(tmp_path / "out8"): p.read_bytes() for p in (tmp_path / "out8").rglob("*.py")}
    assert one == eight and len(one) == 200


@pytest.mark.slow
def test_memory_of_a_large_batch_is_bounded(depyfc: str, write: Write, small_pyc: bytes, tmp_path: Path) -> None:
    """Uses 10,000 files, each padded to 100 kB (bytes after the code object are ignored), and 64 MB of memory."""
    padded = small_pyc + bytes(100_000)
    original = write("original", padded)
    (tmp_path / "in").mkdir()
    for i in range(10_000):
        (tmp_path / f"in/{i}.pyc").hardlink_to(original)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20))

    command = [depyfc, STAGE, "-j2", "-o", tmp_path / "out", tmp_path / "in"]
    subprocess.run(command, check=True, preexec_fn=limit, timeout=300)
    assert sum(1 for _ in (tmp_path / "out").iterdir()) == 10_000
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert used <= max(before, 64 << 10)


def test_environment_and_locale_have_no_effect(run, write: Write, small_pyc: bytes, tmp_path: Path) -> None:
    pyc = write("a.pyc", small_pyc)
    plain = run(STAGE, pyc, env={})
    other = run(STAGE, pyc, env={"LC_ALL": "tr_TR.UTF-8", "LANG": "de_DE", "PYTHONHASHSEED": "1", "HOME": "/nowhere"})
    assert plain.stdout == other.stdout != ""


def test_help_and_version(run) -> None:
    assert run("--help").stdout.startswith("Usage: depyfc FILE.pyc")
    assert run("--version").stdout.startswith("depyfc ")
    assert run("--help", "--list", "none").returncode == 0


def test_outputs_to_links_and_pipes(run, write: Write, small_pyc: bytes, tmp_path: Path) -> None:
    """The target of a link is written and a pipe gets the text; neither is replaced by a file."""
    pyc = write("a.pyc", small_pyc)
    text = run(STAGE, pyc).stdout
    target, link, pipe = tmp_path / "target.py", tmp_path / "link.py", tmp_path / "pipe"
    target.write_text("old")
    link.symlink_to(target)
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    done = run(STAGE, "--list", "-", input=f"{pyc}\t{link}\n{pyc}\t{pipe}\n")
    got = os.read(reader, 1 << 20)
    os.close(reader)
    assert (done.returncode, done.stderr) == (0, "")
    assert link.is_symlink() and target.read_text() == text
    assert pipe.is_fifo() and got.decode() == text


def test_outputs_to_dangling_links(run, write: Write, small_pyc: bytes, tmp_path: Path) -> None:
    """The final target is created; links that lead to each other are an error."""
    pyc = write("a.pyc", small_pyc)
    (tmp_path / "below").mkdir()
    (tmp_path / "first.py").symlink_to("below/second.py")
    (tmp_path / "below" / "second.py").symlink_to("../new.py")
    done = run(STAGE, "--list", "-", input=f"{pyc}\t{tmp_path / 'first.py'}\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "first.py").is_symlink() and (tmp_path / "below" / "second.py").is_symlink()
    assert (tmp_path / "new.py").read_text() == run(STAGE, pyc).stdout
    (tmp_path / "round.py").symlink_to("round.py")
    done = run(STAGE, "--list", "-", input=f"{pyc}\t{tmp_path / 'round.py'}\n")
    assert done.returncode == 1 and "its links lead to one another" in done.stderr
