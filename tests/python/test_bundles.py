# SPDX-License-Identifier: MIT
"""Tests `depyf decompile` on executables made by PyInstaller, whose own writers write the archives here."""

from __future__ import annotations

import marshal
import py_compile
import random
from pathlib import Path
from typing import Any

import pytest
from depyf.cli import bundles
from depyf.cli.app import main
from depyf.cli.errors import BadInput
from PyInstaller.archive.writers import CArchiveWriter, ZlibArchiveWriter

SCRIPT = "import package.m\nif package.m.f(1, 2):\n    print('done')\n"
MODULE = "def f(a, b):\n    if a:\n        return b\n    return [a, b]\n"
PACKAGE = "from . import m\n"


def pkg(folder: Path, scripts: tuple[str, ...] = ("app",)) -> bytes:
    """Returns the archive of an executable: scripts, a package, a namespace package, a library and a data file."""
    sources = {"package": ("package/__init__.py", PACKAGE), "package.m": ("package/m.py", MODULE)}
    codes = {name: compile(text, path, "exec", dont_inherit=True) for name, (path, text) in sources.items()}
    entries = [(name, path, "PYMODULE") for name, (path, _) in sources.items()] + [("space", "-", "PYMODULE")]
    ZlibArchiveWriter(str(folder / "PYZ-00.pyz"), entries, codes)
    (folder / "app.py").write_text(SCRIPT)
    (folder / "data.bin").write_bytes(bytes(range(256)))
    listed = [("opt", "", False, "o"), ("PYZ-00.pyz", str(folder / "PYZ-00.pyz"), False, "z")]
    listed += [(name, str(folder / "app.py"), True, "s") for name in scripts]
    listed += [("libx.so", str(folder / "data.bin"), True, "b"), ("data.bin", str(folder / "data.bin"), True, "x")]
    CArchiveWriter(str(folder / "app.pkg"), listed, "libpython3.so")
    return (folder / "app.pkg").read_bytes()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (created := tmp_path / "made").mkdir()
    return created


def texts(folder: Path) -> dict[str, str]:
    return {f.relative_to(folder).as_posix(): f.read_text("utf-8") for f in folder.rglob("*.py")}


@pytest.mark.parametrize("after", [b"", b"section headers or a signature" * 40], ids=["end", "before the end"])
def test_executable(after: bytes, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The archive follows a program that also contains the end record of a zip archive."""
    (program := tmp_path / "app").write_bytes(b"\x7fELF" + bytes(99) + b"PK\5\6" + bytes(18) + pkg(folder) + after)
    assert main(["decompile", str(program)]) == 2
    assert "wanted -o DIR" in capsys.readouterr().err
    assert main(["decompile", str(program), "-o", str(out := tmp_path / "out"), "--verdict"]) == 0
    verdicts = capsys.readouterr().err.splitlines()
    assert len(verdicts) == 4 and all(" exact " in line for line in verdicts)
    assert texts(out) == {
        "app.py": SCRIPT,
        "PYZ-00.pyz/package/__init__.py": PACKAGE,
        "PYZ-00.pyz/package/m.py": MODULE,
    }


def test_archive_of_modules_without_an_executable(folder: Path, tmp_path: Path) -> None:
    pkg(folder)
    assert main(["decompile", str(folder / "PYZ-00.pyz"), "-o", str(out := tmp_path / "out")]) == 0
    assert texts(out) == {"package/__init__.py": PACKAGE, "package/m.py": MODULE}


def test_output_files_stay_below_the_output_folder(folder: Path, tmp_path: Path) -> None:
    (program := tmp_path / "in" / "app").parent.mkdir()
    program.write_bytes(pkg(folder, ("../../up", "/rooted/of", "c:\\\\x\\\\y")))
    assert main(["decompile", str(program), "-o", str(out := tmp_path / "in" / "out")]) == 0
    assert {k for k in texts(out) if "PYZ" not in k} == {"up.py", "rooted/of.py", "c_/x/y.py"}
    assert not list(tmp_path.glob("*.py"))


def test_pyc_that_contains_the_magic_of_pyinstaller_is_a_pyc(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (source := tmp_path / "m.py").write_text('MAGIC = b"MEI\\014\\013\\012\\013\\016"\n')
    created = py_compile.compile(str(source), cfile=str(tmp_path / "m.pyc"), doraise=True)
    assert main(["decompile", created]) == 0
    assert "MAGIC" in capsys.readouterr().out


def test_damaged_executable_is_one_line_of_error(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A damaged archive is unpacked or raises BadInput, and nothing is written outside the output folder."""
    intact, rng, rejected = pkg(folder), random.Random(5), 0
    for k in range(300):
        data = bytearray(intact)
        for _ in range(rng.randint(1, 3)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        if k % 3 == 0:
            at = rng.randrange(len(data))
            del data[at : at + rng.randint(1, 40)]
        (program := tmp_path / "app").write_bytes(data)
        (unpacked := tmp_path / "unpacked" / str(k)).mkdir(parents=True)
        if bundles.is_bundle(program):
            try:
                bundles.unpack(str(program), str(unpacked))
            except BadInput as error:
                rejected += 1
                assert str(error).startswith(f"{program}: ")
    assert rejected > 100
    assert {p.name for p in tmp_path.iterdir()} == {"app", "made", "unpacked"}
    (program := tmp_path / "app").write_bytes(intact.replace(b"PYZ\0", b"QYZ\0"))
    assert main(["decompile", str(program), "-o", str(tmp_path / "out")]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith(f"depyf decompile: {program}: ") and err.count("\n") == 1


def with_lists(value: Any) -> Any:
    """Returns VALUE with lists in place of tuples."""
    if isinstance(value, dict):
        return {k: with_lists(v) for k, v in value.items()}
    return [with_lists(v) for v in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize(
    "value", [[("a", (0, 17, 300))], {"a.b": (1, 5, 2**30)}, [], ["é" * 300, ("x", (3, -1, 0), "long" * 99), ("x",)]]
)
@pytest.mark.parametrize("version", range(5))
def test_tables_are_read_as_by_marshal(value: object, version: int) -> None:
    assert bundles._Table(b"before" + marshal.dumps(value, version), 6).value() == with_lists(value)
