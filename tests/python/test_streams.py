# SPDX-License-Identifier: MIT
"""The command `depyf` and its standard streams: closed ones, a full disk, other encodings, terminals, Ctrl-C."""

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
WORKS = ["decompile", "textwrap:dedent"]
FAILS = ["decompile", "textwrap:nothing"]


def shell(redirection: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", f'"$@" {redirection}', "sh", *DEPYF, *words],
        capture_output=True, text=True, check=False, timeout=60, env={**os.environ, **environment},
    )  # fmt: skip


@pytest.mark.parametrize("redirection", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(("words", "status"), [(WORKS, 0), (FAILS, 2), (["--help"], 0), (["nonsense"], 2)])
def test_closed_streams_change_nothing_else(redirection: str, words: list[str], status: int) -> None:
    done, plain = shell(redirection, *words), shell("", *words)
    assert (done.returncode, plain.returncode) == (status, status)
    assert done.stdout == ("" if " >&-" in f" {redirection}" else plain.stdout)
    assert done.stderr == ("" if "2>&-" in redirection else plain.stderr)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [WORKS, ["--help"], ["why", "--help"], ["completion", "bash"]])
def test_a_full_disk_is_told_in_a_line(words: list[str], unbuffered: str) -> None:
    done = shell(">/dev/full", *words, PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 1
    name = "depyf" if "--help" in words else f"depyf {words[0]}"
    assert done.stderr == f"{name}: {os.strerror(28)}\n"


def test_a_reader_that_has_seen_enough_is_no_failure() -> None:
    done = shell("| head -n 1", *WORKS, PYTHONUNBUFFERED="")
    assert (done.returncode, done.stdout.count("\n"), done.stderr) == (0, 1, "")


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [("ascii", rb"\xe9tape \u03b1"), ("latin-1", b"\xe9tape \\u03b1"), ("utf-8", "étape α".encode())],
)
def test_what_the_encoding_lacks_is_escaped(tmp_path: Path, encoding: str, shown: bytes) -> None:
    frame = {"name": "étape α", "status": "skipped", "reason": "no operations"}
    (tmp_path / "index.json").write_text(json.dumps(index_of(frames=[frame])))
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run([*DEPYF, "why", str(tmp_path)], capture_output=True, check=True, env=environment)
    assert done.stdout.splitlines() == [shown + b": runs eagerly", b"    no operations"]
    subprocess.run([*DEPYF, "run", "--help"], capture_output=True, check=True, env=environment)
    failed = subprocess.run([*DEPYF, "run", "étape α"], capture_output=True, check=False, env=environment)
    assert failed.returncode == 2 and failed.stderr.startswith(b"depyf run: " + shown)


# -- terminals


def noted(monkeypatch: pytest.MonkeyPatch, term: str, *texts: str) -> str:
    ours, theirs = pty.openpty()
    with open(theirs, "w") as stream, open(ours, "rb", buffering=0) as screen:
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setenv("TERM", term)
        for text in texts:
            terminal.note(text)
        print("end", file=stream, flush=True)
        shown = b""
        while not shown.endswith(b"end\r\n"):  # a terminal may hand over what was written in pieces
            shown += screen.read(1000)
        return shown.decode()


@pytest.mark.parametrize("texts", [("",), ("reading", ""), ("reading", "writing", "", "")])
def test_a_terminal_without_escapes_gets_none(monkeypatch: pytest.MonkeyPatch, texts: tuple[str, ...]) -> None:
    assert noted(monkeypatch, "dumb", *texts) == "end\r\n"


def test_what_was_not_shown_is_not_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    assert noted(monkeypatch, "xterm", "") == "end\r\n"
    assert noted(monkeypatch, "xterm", "", "ab", "", "").replace("\x1b[K", "|") == "\r|ab\r|end\r\n"


# -- Ctrl-C


def interrupted(*words: str, ready: Path) -> subprocess.CompletedProcess[str]:
    """A command that makes the file `ready` and waits then, ended as a terminal does it."""

    def listen() -> None:
        # where the tests are a job in the background, they ignore the signal, and so does what they start
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    process = subprocess.Popen(
        [*DEPYF, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True, preexec_fn=listen,
    )  # fmt: skip
    until = time.monotonic() + 60
    while not ready.exists():
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return subprocess.CompletedProcess(words, process.returncode, out, err)


SLEEPER = "import pathlib, sys, time\npathlib.Path(sys.argv[1]).touch()\ntime.sleep(60)\n"


@pytest.fixture
def sleeper(tmp_path: Path) -> Path:
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    return tmp_path / "sleeper.py"


def test_an_interrupted_command_says_so_in_a_line_and_ends_by_the_signal(tmp_path: Path, sleeper: Path) -> None:
    ready = tmp_path / "ready"
    done = interrupted("why", "--try", "--", str(sleeper), str(ready), ready=ready)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "depyf why: interrupted\n")


def test_so_does_one_that_imports_what_is_interrupted(tmp_path: Path, sleeper: Path, monkeypatch) -> None:
    ready = tmp_path / "ready"
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    sleeper.with_name("slow.py").write_text(SLEEPER.replace("sys.argv[1]", repr(str(ready))))
    done = interrupted("decompile", "slow:f", ready=ready)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "depyf decompile: interrupted\n")


def test_a_program_that_is_interrupted_says_so_itself(tmp_path: Path, sleeper: Path) -> None:
    ready = tmp_path / "ready"
    done = interrupted("run", "-o", str(tmp_path / "dump"), str(sleeper), str(ready), ready=ready)
    assert done.returncode == 128 + signal.SIGINT
    assert done.stderr.count("Traceback") == 1 and "\nKeyboardInterrupt\n" in done.stderr
    assert ": interrupted" not in done.stderr
