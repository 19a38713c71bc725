# SPDX-License-Identifier: MIT
"""Tests the command `depyf` where it needs no torch: bytecode, errors in the input, help and completion."""

from __future__ import annotations

import contextlib
import dis
import importlib
import importlib.metadata
import importlib.util
import io
import json
import marshal
import operator
import os
import py_compile
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from types import CodeType

import pytest
from depyf.cli import terminal
from depyf.cli.app import main
from depyf.decompilation.resolve import codes_of

SOURCE = "def f(a, b):\n    if a:\n        return b\n    return [a, b]\n"


@pytest.fixture
def pyc(tmp_path: Path) -> Path:
    source = tmp_path / "m.py"
    source.write_text(SOURCE)
    return Path(py_compile.compile(str(source), cfile=str(tmp_path / "m.pyc"), doraise=True))


def test_decompile_pyc(pyc: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decompile", str(pyc), "--verdict"]) == 0
    out, err = capsys.readouterr()
    assert out == SOURCE
    assert "exact" in err


def test_decompile_standard_input(pyc: Path) -> None:
    command = [sys.executable, "-m", "depyf", "decompile", "-"]
    done = subprocess.run(command, input=pyc.read_bytes(), capture_output=True, check=True)
    assert done.stdout.decode() == SOURCE


def test_decompile_function(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decompile", "textwrap:TextWrapper.fill"]) == 0
    assert capsys.readouterr().out.startswith("def fill(self, text):")


def test_decompile_archive(pyc: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A wheel, an egg or a zipapp, which starts with a shebang line."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        made.writestr("package/m.pyc", pyc.read_bytes())
        made.writestr("../../out_of_it.pyc", pyc.read_bytes())
        made.writestr("package/data.txt", "no code")
    (archive := tmp_path / "in" / "app.pyz").parent.mkdir()
    archive.write_bytes(b"#!/usr/bin/env python3\n" + packed.getvalue())
    assert main(["decompile", str(archive)]) == 2
    assert "wanted -o DIR" in capsys.readouterr().err
    assert main(["decompile", str(archive), "-o", str(tmp_path / "in" / "out")]) == 0
    assert main(["decompile", str(pyc)]) == 0
    wanted = capsys.readouterr().out
    found = {f.relative_to(tmp_path).as_posix(): f.read_text("utf-8") for f in tmp_path.rglob("*.py")}
    assert {k: v for k, v in found.items() if k.startswith("in/")} == {
        "in/out/package/m.py": wanted,
        "in/out/out_of_it.py": wanted,
    }
    with zipfile.ZipFile(tmp_path / "empty.zip", "w"):
        pass
    assert main(["decompile", str(tmp_path / "empty.zip"), "-o", str(tmp_path / "none")]) == 2
    assert (
        "wanted .pyc files in this archive, found none" in capsys.readouterr().err and not (tmp_path / "none").exists()
    )


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_repeated_file_of_an_archive(pyc: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = py_compile.compile(str(Path(__file__)), cfile=str(tmp_path / "first.pyc"), doraise=True)
    with zipfile.ZipFile(archive := tmp_path / "a.zip", "w") as made:
        for file in (Path(str(first)), pyc):
            made.writestr("m.pyc", file.read_bytes())
    assert main(["decompile", str(archive), "-o", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "m.py").read_text() == SOURCE
    assert f"{archive}: 2 files have the name m.pyc; decompiling the last one" in capsys.readouterr().err


def test_damaged_archive_is_one_line_of_error(pyc: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with zipfile.ZipFile(archive := tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("m.pyc", pyc.read_bytes() * 9)
        begin = made.getinfo("m.pyc").header_offset + 30 + len("m.pyc")
    data = bytearray(archive.read_bytes())
    data[begin : begin + 40] = b"\xff" * 40
    archive.write_bytes(data)
    assert main(["decompile", str(archive), "-o", str(tmp_path / "out")]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith(f"depyf decompile: {archive}: ") and err.count("\n") == 1
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("m.pyc", pyc.read_bytes()[:40])
    assert main(["decompile", str(archive), "-o", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err.startswith(f"depyf decompile: {archive}/m.pyc: byte ")


def test_pyc_that_contains_the_end_record_of_a_zip_is_a_pyc(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """zipimport's own .pyc is an example."""
    (source := tmp_path / "m.py").write_text('END = b"PK\\5\\6" + bytes(18)\nDATA = b"PK\\5\\6' + "\\0" * 18 + '"\n')
    made = py_compile.compile(str(source), cfile=str(tmp_path / "m.pyc"), doraise=True)
    assert zipfile.is_zipfile(made)
    assert main(["decompile", made]) == 0
    assert "DATA" in capsys.readouterr().out


def test_decompile_file_of_a_modified_cpython(pyc: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--opcodes is passed to depyfc; it is an error for a function, which has this Python's opcodes."""
    pyc.write_bytes(pyc.read_bytes().replace(bytes([dis.opmap["BUILD_LIST"]]), bytes([dis.opmap["BUILD_SET"]])))
    swapped = {"BUILD_LIST": dis.opmap["BUILD_SET"], "BUILD_SET": dis.opmap["BUILD_LIST"]}
    (numbers := tmp_path / "map.json").write_text(json.dumps(swapped))
    assert main(["decompile", str(pyc)]) == 0
    assert "return {a, b}" in capsys.readouterr().out
    assert main(["decompile", str(pyc), "--opcodes", str(numbers)]) == 0
    assert capsys.readouterr().out == SOURCE
    assert main(["decompile", "textwrap:fill", "--opcodes", str(numbers)]) == 2
    assert "--opcodes requires a .pyc file" in capsys.readouterr().err


def test_decompile_folder(pyc: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "in" / "sub"
    folder.mkdir(parents=True)
    pyc.rename(folder / "m.pyc")
    (folder / "bad.pyc").write_bytes(b"no bytecode at all")
    (folder / "no_file.pyc").mkdir()
    assert main(["decompile", str(tmp_path / "in"), "-o", str(tmp_path / "out")]) == 2
    assert (tmp_path / "out" / "sub" / "m.py").read_text() == SOURCE
    assert not (tmp_path / "out" / "sub" / "bad.py").exists()
    assert "bad.pyc" in capsys.readouterr().err


def test_dis_shows_instructions_below_their_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dis", "textwrap:TextWrapper.fill"]) == 0
    out = capsys.readouterr().out
    assert "return" in out and "RETURN_VALUE" in out
    assert out.index("join") < out.index("RETURN_VALUE")


@pytest.mark.parametrize("target", ["textwrap:dedent", "textwrap:TextWrapper._wrap_chunks", "functools:lru_cache"])
def test_dis_shows_every_instruction_once(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    module, _, qualname = target.partition(":")
    function = operator.attrgetter(qualname)(importlib.import_module(module))
    assert main(["dis", target]) == 0
    shown = re.findall(r"^ {6} *(\d+) ([A-Z_]+)", capsys.readouterr().out, re.MULTILINE)
    wanted = [(str(i.offset), i.opname) for code in codes_of(function.__code__) for i in dis.get_instructions(code)]
    assert sorted(shown) == sorted(wanted)


def test_verify(pyc: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(pyc), str(pyc)]) == 0
    assert "exact" in capsys.readouterr().out
    other = tmp_path / "n.py"
    other.write_text(SOURCE.replace("[a, b]", "[b, a]"))
    changed = py_compile.compile(str(other), cfile=str(tmp_path / "n.pyc"), doraise=True)
    assert main(["verify", str(pyc), str(changed)]) == 1
    line = next(n for n, text in enumerate(SOURCE.splitlines(), start=1) if "[a, b]" in text)
    verdict, *messages = capsys.readouterr().out.splitlines()
    assert verdict == "unproved" and any(f", line {line}, at bytecode offset " in text for text in messages)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["decompile", "nothing.pyc"], "nothing.pyc"),
        (["decompile", "textwrap:Nothing"], "Nothing"),
        (["decompile", "no_such_module_here:f"], "no_such_module_here"),
        (["decompile", "builtins:len"], "builtins:len"),
        (["decompile", "math:pi"], "math:pi"),
        (["decompile", "json.decoder:JSONDecoder"], "class 'JSONDecoder'"),
        (["decompile", "../src/a.py:f"], "../src/a.py:f"),
        (["decompile", ""], "empty name"),
        (["decompile", os.path.dirname(__file__)], "wanted -o DIR"),
        (["decompile", "json:dumps", "-o", "out"], "json:dumps"),
        (["dis", "builtins:len"], "builtins:len"),
        (["verify", "builtins:len", "json:dumps"], "builtins:len"),
        (["rewrite", "no_dump_here", "again"], "no_dump_here: No such file"),
        (["dis", "nothing.pyc"], "nothing.pyc"),
        (["verify", "-", "-"], "standard input can only be read once"),
        (["verify", "textwrap:fill", "nothing.pyc"], "nothing.pyc"),
        (["run", "nothing.py"], "nothing.py"),
        (["run"], "wanted a script"),
    ],
)
def test_bad_input_is_one_line_and_status_2(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and expected in err and "[Errno" not in err
    assert err.startswith(f"depyf {arguments[0]}: ")


def test_damaged_files_end_no_command_with_a_traceback(pyc: Path, tmp_path: Path) -> None:
    """Each byte after the header is changed; dis then shows what the core accepts, and verify compares it."""
    content, statuses = pyc.read_bytes(), set()
    for position in range(16, len(content)):
        damaged = bytearray(content)
        damaged[position] ^= 0x55
        (tmp_path / "damaged.pyc").write_bytes(damaged)
        for arguments in (["dis"], ["verify", str(pyc)]):
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as err:
                statuses.add(status := main([*arguments, str(tmp_path / "damaged.pyc")]))
            assert status != 2 or err.getvalue().count("\n") == 1, err.getvalue()
    assert statuses == {0, 1, 2}


@pytest.mark.parametrize("damaged", ["K.bad", "<module>"])
def test_damaged_file_gives_the_same_error_as_depyfc(
    damaged: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], depyfc: str
) -> None:
    def broken(code: CodeType) -> CodeType:
        inner = tuple(broken(c) if isinstance(c, CodeType) else c for c in code.co_consts)
        is_damaged = damaged.endswith(code.co_name)
        return code.replace(co_consts=inner, co_code=b"\xff\xff" * 4 if is_damaged else code.co_code)

    code = compile("def good(): return 1\nclass K:\n    def bad(self): return 2\n", "m.py", "exec")
    pyc = tmp_path / "m.pyc"
    pyc.write_bytes(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(broken(code)))
    wanted = subprocess.run([depyfc, str(pyc)], capture_output=True, text=True, check=False)
    assert wanted.returncode == 2 and f"{damaged}: " in wanted.stderr
    assert main(["decompile", str(pyc)]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == (wanted.stdout, wanted.stderr.replace("depyfc:", "depyf decompile:"))
    assert "raise SystemError" in out


def test_missing_depyfc_is_one_line_of_error(
    pyc: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, depyfc: str
) -> None:
    monkeypatch.setattr(importlib.metadata, "files", lambda name: None)
    monkeypatch.setenv("PATH", str(Path(depyfc).parent))
    assert main(["decompile", str(pyc)]) == 0 and capsys.readouterr().out == SOURCE
    monkeypatch.setenv("PATH", str(pyc.parent))
    assert main(["decompile", str(pyc)]) == 2
    assert capsys.readouterr().err == "depyf decompile: wanted depyfc, which is installed with depyf, found none\n"


def test_verdicts_name_the_code_objects(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    (tmp_path / "named_codes.py").write_text("def f():\n    def g(): return 1\n    return g\n")
    (tmp_path / "other_codes.py").write_text("def f():\n    def g(): return 2\n    return g\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["decompile", "--verdict", "named_codes:f"]) == 0
    g = "f.<locals>.g" if sys.version_info >= (3, 11) else "g"
    assert capsys.readouterr().err.splitlines() == ["named_codes:f: exact f", f"named_codes:f: exact {g}"]
    assert main(["verify", "--json", "named_codes:f", "other_codes:f"]) == 1
    messages = json.loads(capsys.readouterr().out)["verdicts"]
    assert [(v["code"], v["line"], v["holds"]) for v in messages] == [("f", 1, True), (g, 2, False)]


def test_module_in_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "of_this_folder.py").write_text("def f(x):\n    return x\n")
    program = "import sys; sys.path.remove(''); from depyf.cli.app import main; main(['decompile', 'of_this_folder:f'])"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("def f(x):\n    return x\n", "")


def test_marker_with_an_unknown_limit_fails_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("import pytest\n@pytest.mark.torch_compile(brakes=0)\ndef test_it(): pass\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "depyf.pytest_plugin", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 1 and "wanted some of graphs=N" in done.stdout and "found brakes" in done.stdout
    assert "INTERNALERROR" not in done.stdout and "Traceback" not in done.stdout


def test_unknown_command() -> None:
    with pytest.raises(SystemExit) as raised:
        main(["nonsense"])
    assert raised.value.code == 2


def test_help_of_each_command_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("run", "trace", "report", "rewrite", "why", "where", "diff", "decompile", "dis", "verify"):
        with pytest.raises(SystemExit) as raised:
            main([command, "--help"])
        assert raised.value.code == 0
        assert f"Example:\n  depyf {command} " in capsys.readouterr().out


@pytest.mark.parametrize("status", [0, 3])
def test_run_keeps_the_output_arguments_and_status(tmp_path: Path, status: int) -> None:
    script = tmp_path / "s.py"
    script.write_text(f"import sys\nprint(sys.argv[1:], __name__)\nsys.exit({status})\n")
    command = [sys.executable, "-m", "depyf", "run", "-o", str(tmp_path / "d"), "--", str(script), "-o", "x"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (status, "['-o', 'x'] __main__\n")
    assert "torch.compile was not used" in done.stderr and not (tmp_path / "d").exists()


@pytest.mark.parametrize("option", ["--n", "--no", "--no-report", "--out", "-o", "-m", "--help"])
def test_run_passes_options_to_the_program(tmp_path: Path, option: str) -> None:
    script = tmp_path / "s.py"
    script.write_text("import sys\nprint(sys.argv[1:])\n")
    plain = subprocess.run([sys.executable, str(script), option, "3"], capture_output=True, text=True, check=True)
    done = depyf_command("run", "-o", str(tmp_path / "d"), str(script), option, "3")
    assert (done.returncode, done.stdout) == (0, plain.stdout)


def test_run_returns_the_status_of_a_killed_program(tmp_path: Path) -> None:
    script = tmp_path / "s.py"
    script.write_text("import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n")
    command = [sys.executable, "-m", "depyf", "run", "-o", str(tmp_path / "d"), str(script)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 128 + 15


def test_sitecustomize_of_the_environment_runs(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text("import builtins\nbuiltins.was_customized = __name__\n")
    script = tmp_path / "s.py"
    script.write_text("import sys\nprint(was_customized, [p for p in sys.path if p.endswith('cli/site')])\n")
    command = [sys.executable, "-m", "depyf", "run", "-o", str(tmp_path / "d"), str(script)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "site"), *inherited_python_path()])}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout == "sitecustomize []\n"


def inherited_python_path() -> list[str]:
    return [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p]


def depyf_command(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "depyf", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize(
    ("arguments", "expected_text"),
    [
        ([], "wanted COMMAND"),
        (["nonsense"], "nonsense"),
        (["where"], "depyf where: wanted FILE:LINE"),
        (["diff", "a"], "depyf diff: wanted b"),
        (["run", "--bogus", "x.py"], "--bogus; see depyf run --help"),
        (["completion", "tcsh"], "tcsh"),
    ],
)
def test_wrong_command_line_is_one_line_of_error(arguments, expected_text):
    done = depyf_command(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert expected_text in done.stderr and done.stderr.count("\n") == 1


def test_output_folder_that_cannot_be_created_is_an_error_before_the_program_runs(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "p.py").write_text("print('ran')")
    done = depyf_command("run", "-o", str(tmp_path / "file" / "dump"), str(tmp_path / "p.py"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot be the dump folder" in done.stderr
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
    template = 'COMP_WORDS=(depyf {words}); COMP_CWORD={at}; _depyf; echo "${{COMPREPLY[*]}}"\n'
    script_and_calls = script + template.format(words="wh", at=1) + template.format(words="why --t", at=2)
    done = subprocess.run(["bash"], input=script_and_calls, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["why where", "--try --timeout"]
    script_and_calls = (
        script + template.format(words='completion ""', at=2) + template.format(words="completion z", at=2)
    )
    done = subprocess.run(["bash"], input=script_and_calls, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["bash zsh fish", "zsh"]


@pytest.mark.parametrize(
    ("typed", "expected_arguments"),
    [
        ("depyf report a\t", ["report", "a b"]),
        ("depyf why 'a\t", ["why", "a b"]),
        ("depyf completion f\t", ["completion", "fish"]),
    ],
)
def test_bash_completes_at_a_terminal(tmp_path, typed, expected_arguments):
    pty = pytest.importorskip("pty")
    (tmp_path / "a b").mkdir()
    (tmp_path / "fifty.txt").touch()
    ready = "PS1=; bind 'set bell-style none'; depyf() { printf '%s\\n' \"$@\" > arguments; exit; }; touch ready\n"
    (tmp_path / "rc").write_text(depyf_command("completion", "bash").stdout + ready)
    master, terminal_fd = pty.openpty()
    command = ["bash", "--noprofile", "--rcfile", "rc", "-i"]
    shell = subprocess.Popen(
        command, stdin=terminal_fd, stdout=terminal_fd, stderr=terminal_fd, cwd=tmp_path, start_new_session=True
    )
    os.close(terminal_fd)
    deadline = time.monotonic() + 30
    while not (tmp_path / "ready").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.write(master, typed.encode())
    time.sleep(0.5)
    os.write(master, b"\n")
    shell.wait(timeout=30)
    os.close(master)
    assert [word.rstrip("/ ") for word in (tmp_path / "arguments").read_text().splitlines()] == expected_arguments


def test_zsh_and_fish_complete_choices_of_an_argument():
    assert "'1:choice:(bash zsh fish)'" in depyf_command("completion", "zsh").stdout
    assert "seen_subcommand_from completion' -f -a 'bash zsh fish'" in depyf_command("completion", "fish").stdout


def test_dis_and_verify_read_standard_input(pyc):
    for command, others in (("dis", []), ("verify", [str(pyc)])):
        expected_text = depyf_command(command, "--help").stdout
        assert "- for standard input" in " ".join(expected_text.split())
        done = subprocess.run([sys.executable, "-m", "depyf", command, "-", *others], input=pyc.read_bytes(),
                              capture_output=True, check=True)  # fmt: skip
        assert done.stdout


# -- without torch

WITHOUT_TORCH = """
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Finder())
"""


def without_torch(program, *arguments, **options):
    command = [sys.executable, "-c", WITHOUT_TORCH + program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, **options)


def test_names_that_need_torch_are_absent():
    done = without_torch(
        "try:\n    from depyf import prepare_debug\nexcept ImportError as error:\n    print(error)\n"
        "import depyf\ntry:\n    depyf.prepare_debug\nexcept AttributeError as error:\n    print(error)\n"
        "print(hasattr(depyf, 'prepare_debug'), getattr(depyf, 'values', 3), 'torch' in sys.modules)\n"
    )
    expected_text = "depyf.prepare_debug needs PyTorch: No module named 'torch'"
    assert done.stdout.splitlines() == [expected_text, expected_text, "False 3 False"], done.stderr


def test_star_import_imports_the_available_names():
    done = without_torch("from depyf import *\nprint(decompile(WITHOUT), Run, 'prepare_debug' in globals())".replace(
        "WITHOUT", "compile('x = 1', '', 'exec')"))  # fmt: skip
    assert done.stdout == "x = 1\n <class 'depyf.torch.model.facts.Run'> False\n", done.stderr
    blocked = "import sys; sys.modules['torch'] = None; from depyf import *; print('prepare_debug' in globals())"
    assert subprocess.run([sys.executable, "-c", blocked], capture_output=True, text=True).stdout == "False\n"
    code = "import sys; from depyf import *; print(prepare_debug.__name__)"
    if importlib.util.find_spec("torch") is not None:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout == "prepare_debug\n"


def test_importing_depyf_does_not_import_torch():
    subprocess.run([sys.executable, "-c", "import depyf, sys; assert 'torch' not in sys.modules"], check=True)


@pytest.mark.parametrize(
    "words", [["trace", "logs", "dump"], ["report", "logs"], ["rewrite", "dump", "again"], ["doctor"]]
)
def test_command_that_needs_torch_is_one_line_of_error(tmp_path, words):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.log").write_text("")
    done = without_torch("from depyf.cli.app import main\nsys.exit(main(sys.argv[1:]))", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"depyf {words[0]}: needs PyTorch: No module named 'torch'\n"


def test_colours_are_written_only_to_terminals(tmp_path, monkeypatch, capsys):
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
