# SPDX-License-Identifier: MIT
"""Small files that share what their text would have to repeat: read within bounds, or refused, never blown up."""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

MAKER = Path(__file__).with_name("make_growth.py")
BYTES = 200 << 20
SECONDS = 10  # of processor time: the tool's own bounds are far below


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A function that gives the folder of a version's files."""
    folders: dict[str, Path] = {}

    def folder(version: str, command: list[str]) -> Path:
        if version not in folders:
            folders[version] = tmp_path_factory.mktemp(f"growth-{version}")
            subprocess.run([*command, str(MAKER), str(folders[version])], check=True)
        return folders[version]

    return folder


def bounded(command: list[str]) -> tuple[int, str, str, int]:
    """Runs a command within the bounds; its status, output, messages and the memory it took."""

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(command, stdout=out, stderr=err, preexec_fn=limits)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return child.returncode, out.read().decode(), err.read().decode(), used.ru_maxrss * 1024


@pytest.mark.parametrize("mode", ["", "structure"])
@pytest.mark.parametrize("name", ["tuples", "lists", "grown", "sums", "tests"])
def test_values_used_twice(version: str, command_for: Callable, depyfc: str, made, name: str, mode: str) -> None:
    """A value that is copied sixty times over is stored, and the text is as long as the code."""
    command = command_for(version)
    path = made(version, command) / f"{name}.pyc"
    status, text, messages, memory = bounded([depyfc, *(["--skip", mode] if mode else []), str(path)])
    assert (status, messages) == (0, "")
    assert memory < BYTES
    assert len(text) < 40_000
    check = "import ast, sys; ast.parse(sys.stdin.read())"
    subprocess.run([*command, "-c", check], input=text.encode(), check=True)


def test_functions_made_twice(version: str, command_for: Callable, depyfc: str, made) -> None:
    """A million copies of one function are no text: the code object is named that would hold too many."""
    path = made(version, command_for(version)) / "functions.pyc"
    status, text, messages, memory = bounded([depyfc, str(path)])
    assert status == 1
    assert "used several times" in messages
    assert memory < BYTES
    assert len(text) < 16_000_000


def test_contexts_of_finally_bodies(command_for: Callable, depyfc: str, made) -> None:
    """3.8: ten instructions that never come to an end of their contexts."""
    path = made("3.8", command_for("3.8")) / "contexts.pyc"
    status, _, _, memory = bounded([depyfc, str(path)])
    assert status in (0, 1, 2)
    assert memory < BYTES


LONG = """
import importlib.util, marshal, sys
code = compile("x = 1", "case", "exec").replace(co_consts=(tuple(range(1000, 1_201_000)), None))
with open(sys.argv[1], "wb") as stream:
    stream.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
"""


@pytest.mark.parametrize("version", ["3.8", "3.13"])
def test_long_tuple(command_for: Callable, version: str, depyfc: str, tmp_path: Path) -> None:
    """Memory in proportion to a constant of a million items, none of which takes more than itself and its text."""
    path = tmp_path / "long.pyc"
    subprocess.run([*command_for(version), "-c", LONG, str(path)], check=True)
    status, text, messages, memory = bounded([depyfc, str(path)])
    assert (status, messages) == (0, "")
    assert text.startswith("x = (\n    1000, 1001, 1002, ") and text.endswith(" 1200999\n)\n")
    assert memory < 38 * path.stat().st_size


@pytest.mark.parametrize("version", ["3.13"])
def test_tuple_that_is_too_long(command_for: Callable, version: str, depyfc: str, tmp_path: Path) -> None:
    """Five million items are refused at the first that is too many."""
    path = tmp_path / "longer.pyc"
    longer = LONG.replace("1_201_000", "5_001_000")
    subprocess.run([*command_for(version), "-c", longer, str(path)], check=True)
    status, text, messages, memory = bounded([depyfc, str(path)])
    assert (status, text) == (1, "")
    assert "wanted at most 4194304 objects in one file" in messages
    assert memory < 1 << 30
