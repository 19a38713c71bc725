# SPDX-License-Identifier: MIT
"""The command `depyf`, where it needs no torch: bytecode, bad input, help."""

from __future__ import annotations

import os
import py_compile
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from depyf.cli import terminal
from depyf.cli.app import main

SOURCE = "def f(a, b):\n    if a:\n        return b\n    return [a, b]\n"


@pytest.fixture
def pyc(tmp_path: Path) -> Path:
    source = tmp_path / "m.py"
    source.write_text(SOURCE)
    return Path(py_compile.compile(str(source), cfile=str(tmp_path / "m.pyc"), doraise=True))


def test_decompile_a_pyc(pyc: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decompile", str(pyc), "--verdict"]) == 0
    out, err = capsys.readouterr()
    assert out == SOURCE
    assert "exact" in err


def test_decompile_standard_input(pyc: Path) -> None:
    command = [sys.executable, "-m", "depyf", "decompile", "-"]
    done = subprocess.run(command, input=pyc.read_bytes(), capture_output=True, check=True)
    assert done.stdout.decode() == SOURCE


def test_decompile_a_function(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decompile", "textwrap:TextWrapper.fill"]) == 0
    assert capsys.readouterr().out.startswith("def fill(self, text):")


def test_decompile_a_folder(pyc: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "in" / "sub"
    folder.mkdir(parents=True)
    pyc.rename(folder / "m.pyc")
    (folder / "bad.pyc").write_bytes(b"no bytecode at all")
    assert main(["decompile", str(tmp_path / "in"), "-o", str(tmp_path / "out")]) == 1
    assert (tmp_path / "out" / "sub" / "m.py").read_text() == SOURCE
    assert not (tmp_path / "out" / "sub" / "bad.py").exists()
    assert "bad.pyc" in capsys.readouterr().err


def test_dis_shows_instructions_below_their_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dis", "textwrap:TextWrapper.fill"]) == 0
    out = capsys.readouterr().out
    assert "return" in out and "RETURN_VALUE" in out
    assert out.index("join") < out.index("RETURN_VALUE")


def test_verify(pyc: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(pyc), str(pyc)]) == 0
    assert "exact" in capsys.readouterr().out
    other = tmp_path / "n.py"
    other.write_text(SOURCE.replace("[a, b]", "[b, a]"))
    changed = py_compile.compile(str(other), cfile=str(tmp_path / "n.pyc"), doraise=True)
    assert main(["verify", str(pyc), str(changed)]) == 1
    assert "unproved" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["decompile", "nothing.pyc"], "nothing.pyc"),
        (["decompile", "textwrap:Nothing"], "Nothing"),
        (["decompile", "no_such_module_here:f"], "no_such_module_here"),
        (["dis", "nothing.pyc"], "nothing.pyc"),
        (["verify", "textwrap:fill", "nothing.pyc"], "nothing.pyc"),
        (["run", "nothing.py"], "nothing.py"),
        (["run"], "wanted a script"),
    ],
)
def test_bad_input_is_one_line_and_status_2(
    arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and named in err
    assert err.startswith(f"depyf {arguments[0]}: ")


def test_a_command_that_there_is_not() -> None:
    with pytest.raises(SystemExit) as raised:
        main(["nonsense"])
    assert raised.value.code == 2


def test_help_teaches_each_command(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("run", "trace", "report", "rewrite", "why", "where", "diff", "decompile", "dis", "verify"):
        with pytest.raises(SystemExit) as raised:
            main([command, "--help"])
        assert raised.value.code == 0
        assert f"Example:\n  depyf {command} " in capsys.readouterr().out


@pytest.mark.parametrize("status", [0, 3])
def test_run_keeps_output_arguments_and_status(tmp_path: Path, status: int) -> None:
    script = tmp_path / "s.py"
    script.write_text(f"import sys\nprint(sys.argv[1:], __name__)\nsys.exit({status})\n")
    command = [sys.executable, "-m", "depyf", "run", "-o", str(tmp_path / "d"), "--", str(script), "-o", "x"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (status, "['-o', 'x'] __main__\n")
    assert "torch.compile was not used" in done.stderr and not (tmp_path / "d").exists()


def test_run_ends_as_the_program_does(tmp_path: Path) -> None:
    script = tmp_path / "s.py"
    script.write_text("import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n")
    command = [sys.executable, "-m", "depyf", "run", "-o", str(tmp_path / "d"), str(script)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 128 + 15


def test_the_environments_own_sitecustomize_runs(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text("import builtins\nbuiltins.was_customized = __name__\n")
    script = tmp_path / "s.py"
    script.write_text("import sys\nprint(was_customized, [p for p in sys.path if p.endswith('cli/site')])\n")
    command = [sys.executable, "-m", "depyf", "run", "-o", str(tmp_path / "d"), str(script)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "site"), *_inherited()])}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout == "sitecustomize []\n"


def _inherited() -> list[str]:
    return [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p]


def depyf_command(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "depyf", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "wanted COMMAND"),
        (["nonsense"], "nonsense"),
        (["where"], "depyf where: wanted FILE:LINE"),
        (["diff", "a"], "depyf diff: wanted b"),
        (["run", "--bogus", "x.py"], "--bogus"),
        (["completion", "tcsh"], "tcsh"),
    ],
)
def test_a_wrong_command_line_is_one_line(arguments, said):
    done = depyf_command(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_a_folder_that_cannot_be_made_is_told_before_the_program_runs(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "p.py").write_text("print('ran')")
    done = depyf_command("run", "-o", str(tmp_path / "file" / "dump"), str(tmp_path / "p.py"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "no folder to dump into" in done.stderr
    done = depyf_command("run", "-o", str(tmp_path / "dump"), str(tmp_path / "p.py"))
    assert (done.returncode, done.stdout) == (0, "ran\n")
    assert not (tmp_path / "dump").exists()  # nothing was compiled


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_names_every_command_and_option(shell):
    script = depyf_command("completion", shell).stdout
    commands = "run report rewrite why where diff decompile dis verify trace doctor"
    for command in commands.split():
        assert re.search(rf"\b{command}\b", script)
    assert "no-provenance" in script and "json" in script
    if shutil.which(shell):
        checked = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True, check=False)
        assert (checked.returncode, checked.stderr) == (0, "")


def test_bash_completes():
    script = depyf_command("completion", "bash").stdout
    ask = 'COMP_WORDS=(depyf {words}); COMP_CWORD={at}; _depyf; echo "${{COMPREPLY[*]}}"\n'
    asked = script + ask.format(words="wh", at=1) + ask.format(words="why --t", at=2)
    done = subprocess.run(["bash"], input=asked, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["why where", "--try --timeout"]


def test_colours_are_for_terminals_alone(tmp_path, monkeypatch, capsys):
    line = "/a/b.py:3: graph break: reason"
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    terminal.say(line)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    terminal.say(line)
    monkeypatch.setenv("NO_COLOR", "1")
    terminal.say(line)
    plain, coloured, again = capsys.readouterr().out.splitlines()
    assert plain == again == line
    assert coloured != line and re.sub(r"\x1b\[\d*m", "", coloured) == line
