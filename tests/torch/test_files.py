# SPDX-License-Identifier: MIT
"""Tests that files are complete or absent: full disk, read-only folder, Ctrl-C, kill -9, and a process that hangs."""

from __future__ import annotations

import ast
import json
import os
import sys
from pathlib import Path

import pytest

# The toy example in two dump folders: the first without and the second with something going wrong.
HEAD = """
import logging, os, signal, sys, warnings
import torch, depyf
from toy import run
torch.set_num_threads(1)
expected = [r.tolist() for r in run("eager")]
def again():
    torch._dynamo.reset()
    return [r.tolist() for r in run("eager")] == expected
"""


def check_complete(folder: Path) -> list[str]:
    """Checks that every file is complete and has its final name; returns the names."""
    names = sorted(p.name for p in folder.iterdir() if p.name != ".depyf.lock")  # left by a process that was killed
    for name in names:
        text = (folder / name).read_text("utf-8")
        assert text.endswith("\n") or name == "index.json", name
        if name.endswith(".py"):
            ast.parse(text)
        elif name.endswith(".json"):
            json.loads(text)
        elif name == "report.html":
            assert text.startswith("<!doctype html>") and text.rstrip().endswith("</html>")
        else:
            assert name == "index.md", name
    return names


def done_well(run_script, program: str, **env: str):
    done = run_script(HEAD + program, **env)
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits on file sizes are POSIX")
def test_full_disk(run_script, tmp_path):
    done = done_well(
        run_script,
        """
import resource
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
def room(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
block = depyf.prepare_debug("dump")
block.__enter__()
room(100)  # a write beyond that fails half-way, as on a full disk
print("same", again())
block.__exit__(None, None, None)
print("files", sorted(os.listdir("dump")))  # the lock is empty: that it exists takes no room
with depyf.prepare_debug("dump"):
    print("same", again())
    room(hard)
""",
    )
    assert done.stdout.count("same True") == 2
    assert "files ['.depyf.lock']" in done.stdout
    assert "the program goes on" in done.stderr and "File too large" in done.stderr
    assert done.stderr.count("structured trace failed") == 2  # once per block
    names = check_complete(tmp_path / "dump")  # the second block ended when there was space again
    assert {"index.md", "index.json", "full_code_for_toy_example_0.py"} <= set(names)


@pytest.mark.skipif(sys.platform == "win32", reason="limits on file sizes are POSIX")
def test_kernel_that_cannot_be_dumped_is_loaded_from_inductors_cache(run_script, tmp_path):
    done = done_well(
        run_script,
        """
import resource
from torch._inductor.codecache import PyCodeCache
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
with depyf.prepare_debug("dump"):
    key, path = PyCodeCache.write("value = 5\\n")
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_FSIZE, (3, hard))
    module = PyCodeCache.load_by_key_path(key, path)
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
print(module.value, module.__file__ == path)
""",
    )
    assert done.stdout.split() == ["5", "True"]
    assert "Inductor's file failed (the program goes on): OSError" in done.stderr
    assert "Inductor's file: OSError" in (tmp_path / "dump" / "index.md").read_text("utf-8")
    assert not list((tmp_path / "dump").glob("*.kernel_*"))


@pytest.mark.slow
@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="a folder that not even root may write to")
def test_read_only_folder(run_script):
    done = done_well(
        run_script,
        """
with depyf.prepare_debug("/proc/self/task"):
    print("same", again())
with depyf.prepare_debug("/proc/self/task/new"):
    print("same", again())
""",
    )
    assert done.stdout.count("same True") == 2
    assert done.stderr.count("the program goes on") >= 2
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="timers are POSIX")
def test_interrupts_at_any_time(run_script, tmp_path):
    done = done_well(
        run_script,
        """
import os, time, traceback
start = time.perf_counter()
with depyf.prepare_debug("whole"):
    again()
whole = time.perf_counter() - start
interrupted = 0
for i in range(16):
    torch._dynamo.reset()
    try:
        with depyf.prepare_debug(f"dump{i}"):
            signal.signal(signal.SIGALRM, signal.default_int_handler)
            signal.setitimer(signal.ITIMER_REAL, whole * (i + 1) / 20)
            run("eager")
    except KeyboardInterrupt:
        interrupted += 1
    except Exception as error:  # what an earlier interrupt has left of torch's own state
        files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
        if any(file.startswith(os.path.dirname(depyf.__file__)) for file in files):
            raise
        if not files[-1].startswith(os.path.dirname(torch.__file__)):
            raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    assert not logging.getLogger("torch.__trace").handlers
print("interrupted", interrupted)
""",
    )
    assert int(done.stdout.split()[1]) > 0
    for i in range(16):
        check_complete(tmp_path / f"dump{i}")
    assert "index.md" in check_complete(tmp_path / "whole")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills its own children")
def test_killed_process_leaves_complete_files(run_script, tmp_path):
    done_well(
        run_script,
        """
import time
start = time.perf_counter()
with depyf.prepare_debug("whole"):
    again()
whole = time.perf_counter() - start
for i in range(12):
    child = os.fork()
    if child == 0:
        torch._dynamo.reset()
        with depyf.prepare_debug(f"dump{i}"):
            run("eager")
        os._exit(0)
    time.sleep(whole * (i + 1) / 12)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
""",
    )
    complete = 0
    for i in range(12):
        folder = tmp_path / f"dump{i}"
        if folder.is_dir():
            for unfinished in folder.glob(".*.tmp"):  # a temporary file, not under its final name
                unfinished.unlink()
            complete += len(check_complete(folder))
    assert complete > 0


@pytest.mark.slow
def test_uncaught_exception(run_script, tmp_path):
    done = run_script(HEAD + "with depyf.prepare_debug('dump'):\n    again()\n    1 / 0\n")
    assert done.returncode == 1 and "ZeroDivisionError" in done.stderr
    names = check_complete(tmp_path / "dump")
    assert {"index.md", "index.json", "full_code_for_toy_example_0.py"} <= set(names)


@pytest.mark.slow
@pytest.mark.parametrize("end", ["", "sys.exit(3)", "1 / 0"])
def test_block_that_is_never_exited(run_script, tmp_path, end):
    done = run_script(HEAD + f"block = depyf.prepare_debug('dump')\nblock.__enter__()\nagain()\n{end}\n")
    assert done.returncode == {"": 0, "sys.exit(3)": 3, "1 / 0": 1}[end], done.stderr
    names = check_complete(tmp_path / "dump")
    assert {"index.md", "index.json", "full_code_for_toy_example_0.py"} <= set(names)
