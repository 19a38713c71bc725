# SPDX-License-Identifier: MIT
"""``depyfc --python CMD``: verdicts from a compiler that is started once, and that may fail."""

from __future__ import annotations

import marshal
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

FAKE = Path(__file__).resolve().parent / "fake_compiler.py"
SOURCE = "x = 1\ny = x\n"
HERE = "%d.%d" % sys.version_info[:2]
REAL = shlex.join([sys.executable])
Write = Callable[[str, bytes], Path]


@pytest.fixture
def pyc(write: Write, header: bytes) -> Path:
    return write("a.pyc", header + marshal.dumps(compile(SOURCE, "<source>", "exec", dont_inherit=True)))


@pytest.fixture
def fake(tmp_path: Path) -> Callable[[str], str]:
    """A function that returns the command of a compiler with a behaviour; the name of the log's folder has a space."""
    folder = tmp_path / "a log"
    folder.mkdir()
    return lambda behaviour: shlex.join([sys.executable, str(FAKE), behaviour, str(folder / "log")])


def started(tmp_path: Path) -> list[int]:
    return [int(line) for line in (tmp_path / "a log/log").read_text().split()]


def is_gone(pid: int) -> bool:
    for _ in range(100):
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (ProcessLookupError, FileNotFoundError):
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


def test_without_a_compiler_nothing_is_checked(run, pyc: Path) -> None:
    done = run("--verdict", pyc)
    assert done.returncode == 0
    assert done.stderr == f"{pyc}: unchecked <module>: no compiler at hand\n"


def test_exact_verdict(run, pyc: Path) -> None:
    done = run("--python", REAL, "--verdict", pyc)
    assert (done.returncode, done.stderr) == (0, f"{pyc}: exact <module>\n")
    assert done.stdout == SOURCE


def test_verdicts_as_comments_leave_a_program(run, pyc: Path) -> None:
    text = run("--python", REAL, "--verdict=comments", pyc).stdout
    assert text == SOURCE + "# depyf: exact <module>\n"


def test_identifiers_that_are_not_ascii(run, python: list[str], write: Write, tmp_path: Path) -> None:
    """The parser normalises them with a module of the standard library, which must be found; nothing else is needed."""
    source = "gr\u00f6\u00dfe = 1\ndef f(\ufb01): return \ufb01 + gr\u00f6\u00dfe\n"
    path = tmp_path / "a.py"
    path.write_text(source, encoding="utf-8")
    compiled_file = tmp_path / "a.pyc"
    compiled = "import py_compile, sys; py_compile.compile(*sys.argv[1:], doraise=True)"
    subprocess.run([*python, "-c", compiled, str(path), str(compiled_file)], check=True)
    done = run("--python", shlex.join(python), "--verdict", compiled_file)
    assert done.stderr == f"{compiled_file}: exact <module>\n{compiled_file}: exact f\n"


def test_each_version_checks_its_own_files(run, python: list[str], version: str, tmp_path: Path) -> None:
    """The worker script runs under each interpreter."""
    make = "import py_compile, sys; py_compile.compile(sys.argv[1], cfile=sys.argv[2], doraise=True)"
    (tmp_path / "a.py").write_text(SOURCE)
    command = shlex.join(python)
    assert os.system(f"{command} -c {shlex.quote(make)} {tmp_path}/a.py {tmp_path}/a.pyc") == 0
    done = run("--python", command, "--verdict", tmp_path / "a.pyc")
    assert (done.returncode, done.stderr) == (0, f"{tmp_path}/a.pyc: exact <module>\n"), version


@pytest.mark.parametrize("command", ["/nowhere/python", "cat", "true", "yes", "sh -c 'exit 3'", str(FAKE.parent)])
def test_command_that_is_not_python(run, pyc: Path, command: str) -> None:
    """The text is written anyway; the exit status tells that something could not be done."""
    done = run("--python", command, "--verdict", pyc)
    assert done.returncode == 1
    assert done.stdout == SOURCE
    first, second = done.stderr.splitlines()
    assert first.startswith("depyfc: wanted a CPython as --python ")
    assert second.startswith(f"{pyc}: unchecked <module>: ")


@pytest.mark.parametrize("wrong", [["--nonsense"], ["-c", "import nowhere"]])
def test_message_of_a_python_that_does_not_start_is_shown(run, pyc: Path, wrong: list[str]) -> None:
    alone = subprocess.run([sys.executable, *wrong], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    done = run("--python", shlex.join([sys.executable, *wrong]), "--verdict", pyc)
    assert (done.returncode, done.stdout) == (1, SOURCE)
    message = done.stderr.splitlines()[0]
    assert f"it ended with status {alone.returncode}: " in message
    assert alone.returncode and all(line in message for line in alone.stderr.splitlines() if not line.startswith(" "))


def test_python_with_much_error_output_is_not_blocked(run, pyc: Path) -> None:
    """It writes more than a pipe's buffer, and each write must succeed."""
    noise = "i=0; while [ $i -lt 3000 ]; do echo a message of forty characters or so $i >&2 || exit 9; i=$((i+1)); done"
    done = run("--python", shlex.join(["sh", "-c", f'{noise}; exec "$0" "$@"', sys.executable]), "--verdict", pyc)
    assert (done.returncode, done.stderr) == (0, f"{pyc}: exact <module>\n")


@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [
        ("crash", "killed by signal 6"),
        ("exit", "ended with status 7"),
        ("liar", "ended with status 0"),
        ("garbage", "wanted "),
        ("refuse", "SyntaxError: no\\x0alines \\x1b[31m"),
    ],
)
def test_failing_compiler_gives_no_proof(
    run, fake, write: Write, pyc: Path, tmp_path, behaviour: str, expected
) -> None:
    other = write("b.pyc", pyc.read_bytes())
    done = run("--python", fake(behaviour), "--verdict", "-o", tmp_path / "out", pyc, other)
    assert done.returncode == 0
    lines = done.stderr.splitlines()
    assert [line.split(": ")[:2] for line in lines] == [[str(p), "unproved <module>"] for p in (pyc, other)]
    assert all(expected in line for line in lines), lines
    assert (tmp_path / "out/a.py").read_text() == (tmp_path / "out/b.py").read_text() == SOURCE
    assert all(map(is_gone, started(tmp_path)))


def test_hanging_compiler_is_stopped(run, fake, pyc: Path, tmp_path: Path) -> None:
    """There is one timeout per file, and no process is left running, not even one that the compiler started."""
    begin = time.monotonic()
    done = run("--python", fake("hang"), "--python-timeout", 1, "--verdict", pyc)
    assert done.returncode == 0 and done.stdout == SOURCE
    assert "it did not answer in time" in done.stderr
    assert time.monotonic() - begin < 10
    processes = started(tmp_path)
    assert len(processes) == 2 and all(map(is_gone, processes))


def test_the_compiler_is_started_once(run, fake, write: Write, pyc: Path, tmp_path: Path) -> None:
    for i in range(20):
        write(f"in/{i}.pyc", pyc.read_bytes())
    done = run("--python", fake("refuse"), "-o", tmp_path / "out", tmp_path / "in")
    assert done.returncode == 0
    assert len(started(tmp_path)) == 1


@pytest.mark.parametrize(("behaviour", "expected"), [("old", "the compiler is CPython"), ("pypy", "it is pypy")])
def test_unsuitable_python(run, fake, pyc: Path, behaviour: str, expected: str) -> None:
    done = run("--python", fake(behaviour), "--verdict", pyc)
    assert done.stdout == SOURCE
    assert expected in done.stderr and "unchecked <module>" in done.stderr


def test_nothing_is_imported_from_the_working_folder(run, write: Write, pyc: Path, tmp_path: Path) -> None:
    for name in ("marshal", "struct", "site", "sitecustomize", "warnings", "codecs"):
        write(f"here/{name}.py", b"import os; os._exit(9)")
    done = run("--python", REAL, "--verdict", pyc, cwd=tmp_path / "here")
    assert (done.returncode, done.stderr) == (0, f"{pyc}: exact <module>\n")


def test_verify(run, write: Write, header: bytes, pyc: Path) -> None:
    other = write("b.pyc", header + marshal.dumps(compile("x = 2\ny = x\n", "<other>", "exec", dont_inherit=True)))
    same = run("--verify", pyc, pyc)
    assert (same.returncode, same.stdout, same.stderr) == (0, "exact <module>\n", "")
    differs = run("--verify", pyc, other)
    assert differs.returncode == 0
    assert differs.stdout.startswith("unproved <module>")


def test_verify_requires_one_version(run, write: Write, pyc: Path, tmp_path: Path) -> None:
    magic = 3531 if HERE != "3.12" else 3495
    other = write("b.pyc", magic.to_bytes(2, "little") + pyc.read_bytes()[2:])
    done = run("--verify", pyc, other)
    assert done.returncode == 2
    assert done.stderr.startswith(f"depyfc: {other}: wanted a file of CPython {HERE} like the first, found ")
