# SPDX-License-Identifier: MIT
"""Tests the command `depyf` with closed streams, a full disk, other encodings, terminals and Ctrl-C."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from depyf.cli import terminal

from tests.indexes import index_of

DEPYF = [sys.executable, "-m", "depyf"]
SUCCEEDS = ["decompile", "textwrap:dedent"]
FAILS = ["decompile", "textwrap:nothing"]


def shell(redirection: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", f'"$@" {redirection}', "sh", *DEPYF, *arguments],
        capture_output=True, text=True, check=False, timeout=60, env={**os.environ, **environment},
    )  # fmt: skip


@pytest.mark.parametrize("redirection", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(("arguments", "status"), [(SUCCEEDS, 0), (FAILS, 2), (["--help"], 0), (["nonsense"], 2)])
def test_closed_streams_change_only_their_output(redirection: str, arguments: list[str], status: int) -> None:
    done, plain = shell(redirection, *arguments), shell("", *arguments)
    assert (done.returncode, plain.returncode) == (status, status)
    assert done.stdout == ("" if " >&-" in f" {redirection}" else plain.stdout)
    assert done.stderr == ("" if "2>&-" in redirection else plain.stderr)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [SUCCEEDS, ["--help"], ["why", "--help"], ["completion", "bash"]])
def test_full_disk_is_one_line_of_error(arguments: list[str], unbuffered: str) -> None:
    done = shell(">/dev/full", *arguments, PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 1
    name = "depyf" if "--help" in arguments else f"depyf {arguments[0]}"
    assert done.stderr == f"{name}: {os.strerror(28)}\n"


def test_closed_pipe_is_not_an_error() -> None:
    done = shell("| head -n 1", *SUCCEEDS, PYTHONUNBUFFERED="")
    assert (done.returncode, done.stdout.count("\n"), done.stderr) == (0, 1, "")


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [("ascii", rb"\xe9tape \u03b1"), ("latin-1", b"\xe9tape \\u03b1"), ("utf-8", "étape α".encode())],
)
def test_characters_that_cannot_be_encoded_are_escaped(tmp_path: Path, encoding: str, expected: bytes) -> None:
    frame = {"name": "étape α", "status": "skipped", "reason": "no operations"}
    (tmp_path / "index.json").write_text(json.dumps(index_of(frames=[frame])))
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run([*DEPYF, "why", str(tmp_path)], capture_output=True, check=True, env=environment)
    assert done.stdout.splitlines() == [expected + b": runs eagerly", b"    no operations"]
    subprocess.run([*DEPYF, "run", "--help"], capture_output=True, check=True, env=environment)
    failed = subprocess.run([*DEPYF, "run", "étape α"], capture_output=True, check=False, env=environment)
    assert failed.returncode == 2 and failed.stderr.startswith(b"depyf run: " + expected)


# -- terminals


def output_of_notes(monkeypatch: pytest.MonkeyPatch, term: str, *texts: str) -> str:
    master, terminal_fd = pty.openpty()
    with open(terminal_fd, "w") as stream, open(master, "rb", buffering=0) as screen:
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setenv("TERM", term)
        for text in texts:
            terminal.note(text)
        print("end", file=stream, flush=True)
        expected = b""
        while not expected.endswith(b"end\r\n"):  # one read may return a part of the output
            expected += screen.read(1000)
        return expected.decode()


@pytest.mark.parametrize("texts", [("",), ("reading", ""), ("reading", "writing", "", "")])
def test_terminal_without_escape_sequences_gets_none(monkeypatch: pytest.MonkeyPatch, texts: tuple[str, ...]) -> None:
    assert output_of_notes(monkeypatch, "dumb", *texts) == "end\r\n"


def test_note_is_cleared_only_if_it_is_displayed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert output_of_notes(monkeypatch, "xterm", "") == "end\r\n"
    assert output_of_notes(monkeypatch, "xterm", "", "ab", "", "").replace("\x1b[K", "|") == "\r|ab\r|end\r\n"


# -- Ctrl-C


def run_and_interrupt(*arguments: str, ready: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command that creates the file READY and then waits, and interrupts it as a terminal does."""

    def restore_signal() -> None:
        # SIGINT is ignored in background jobs of a shell, and the setting is inherited
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    process = subprocess.Popen(
        [*DEPYF, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True, preexec_fn=restore_signal,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not ready.exists():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


SLEEPER = "import pathlib, sys, time\npathlib.Path(sys.argv[1]).touch()\ntime.sleep(60)\n"


@pytest.fixture
def sleeper(tmp_path: Path) -> Path:
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    return tmp_path / "sleeper.py"


def test_interrupted_command_prints_one_line_and_is_killed_by_the_signal(tmp_path: Path, sleeper: Path) -> None:
    ready = tmp_path / "ready"
    done = run_and_interrupt("why", "--try", "--", str(sleeper), str(ready), ready=ready)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "depyf why: interrupted\n")


def test_interrupt_while_importing_a_module(tmp_path: Path, sleeper: Path, monkeypatch) -> None:
    ready = tmp_path / "ready"
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    sleeper.with_name("slow.py").write_text(SLEEPER.replace("sys.argv[1]", repr(str(ready))))
    done = run_and_interrupt("decompile", "slow:f", ready=ready)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "depyf decompile: interrupted\n")


def test_interrupted_program_prints_its_own_traceback(tmp_path: Path, sleeper: Path) -> None:
    ready = tmp_path / "ready"
    done = run_and_interrupt("run", "-o", str(tmp_path / "dump"), str(sleeper), str(ready), ready=ready)
    assert done.returncode == 128 + signal.SIGINT
    assert done.stderr.count("Traceback") == 1 and "\nKeyboardInterrupt\n" in done.stderr
    assert ": interrupted" not in done.stderr
