# SPDX-License-Identifier: MIT
"""Small files with shared parts that their text would have to repeat are read within limits, or refused."""

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
SECONDS = 10  # CPU time; the tool's own limits are far below


@pytest.fixture(scope="module")
def growth_folder(tmp_path_factory):
    """A function that returns the folder of a version's files."""
    folders: dict[str, Path] = {}

    def folder(version: str, command: list[str]) -> Path:
        if version not in folders:
            folders[version] = tmp_path_factory.mktemp(f"growth-{version}")
            subprocess.run([*command, str(MAKER), str(folders[version])], check=True)
        return folders[version]

    return folder


def run_limited(command: list[str], stack: int = resource.RLIM_INFINITY) -> tuple[int, str, str, int]:
    """Runs a command within the limits; returns status, output, messages and bytes of memory."""

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
        if stack != resource.RLIM_INFINITY:
            resource.setrlimit(resource.RLIMIT_STACK, (stack, resource.getrlimit(resource.RLIMIT_STACK)[1]))
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
def test_text_of_values_used_twice_is_short(
    version: str, command_for: Callable, depyfc: str, growth_folder, name: str, mode: str
) -> None:
    """A value that is copied sixty times over is stored, so the text is about as long as the code."""
    command = command_for(version)
    path = growth_folder(version, command) / f"{name}.pyc"
    status, text, messages, memory = run_limited([depyfc, *(["--skip", mode] if mode else []), str(path)])
    assert (status, messages) == (0, "")
    assert memory < BYTES
    assert len(text) < 40_000
    check = "import ast, sys; ast.parse(sys.stdin.read())"
    subprocess.run([*command, "-c", check], input=text.encode(), check=True)


def test_too_many_copies_of_a_function_are_refused(
    version: str, command_for: Callable, depyfc: str, growth_folder
) -> None:
    """A function with a million copies has no text; the message names the code object with too many."""
    path = growth_folder(version, command_for(version)) / "functions.pyc"
    status, text, messages, memory = run_limited([depyfc, str(path)])
    assert status == 1
    assert "used several times" in messages
    assert memory < BYTES
    assert len(text) < 16_000_000


def test_endless_contexts_of_finally_bodies(command_for: Callable, depyfc: str, growth_folder) -> None:
    """3.8: ten instructions with an endless number of contexts."""
    path = growth_folder("3.8", command_for("3.8")) / "contexts.pyc"
    status, _, _, memory = run_limited([depyfc, str(path)])
    assert status in (0, 1, 2)
    assert memory < BYTES


@pytest.mark.parametrize("skip", ["name-temporaries", "structure"])
@pytest.mark.parametrize("name", ["functions", "lambdas", "scopes", "annotations"])
def test_code_objects_in_several_constants(
    version: str, command_for: Callable, depyfc: str, growth_folder, name: str, skip: str
) -> None:
    """Forty code objects, each twice in the next one, are visited once each, not 2**40 times."""
    path = growth_folder(version, command_for(version)) / f"shared-{name}.pyc"
    status, text, messages, memory = run_limited([depyfc, "--skip", skip, str(path)])
    assert (status, messages) == (0, "")
    assert "def f(a):" in text
    assert memory < BYTES


@pytest.mark.parametrize(
    ("version", "name", "skip"),
    [
        ("3.11", "tests", "name-temporaries"),
        ("3.11", "dicts", "name-temporaries"),
        ("3.11", "lists", "structure"),
        ("3.13", "dicts", "structure"),
    ],
)
def test_deep_values(version: str, command_for: Callable, depyfc: str, growth_folder, name: str, skip: str) -> None:
    """Values that nest thousands of levels deep need neither a deep stack nor time that grows with its square."""
    path = growth_folder(version, command_for(version)) / f"deep-{name}.pyc"
    status, text, messages, _ = run_limited([depyfc, "--skip", skip, str(path)], stack=1 << 20)
    assert (status, messages) == (0, "")
    assert "def f(a, b):" in text


LONG = """
import importlib.util, marshal, sys
code = compile("x = 1", "case", "exec").replace(co_consts=(tuple(range(1000, 1_201_000)), None))
with open(sys.argv[1], "wb") as stream:
    stream.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
"""


@pytest.mark.parametrize("version", ["3.8", "3.13"])
def test_memory_is_proportional_to_a_long_tuple(
    command_for: Callable, version: str, depyfc: str, tmp_path: Path
) -> None:
    """The constant has a million items, each of which needs memory only for itself and its text."""
    path = tmp_path / "long.pyc"
    subprocess.run([*command_for(version), "-c", LONG, str(path)], check=True)
    status, text, messages, memory = run_limited([depyfc, str(path)])
    assert (status, messages) == (0, "")
    assert text.startswith("x = (\n    1000, 1001, 1002, ") and text.endswith(" 1200999\n)\n")
    assert memory < 38 * path.stat().st_size


@pytest.mark.parametrize("version", ["3.13"])
def test_tuple_over_the_limit_is_refused(command_for: Callable, version: str, depyfc: str, tmp_path: Path) -> None:
    """Five million items are refused at the first one over the limit."""
    path = tmp_path / "longer.pyc"
    longer = LONG.replace("1_201_000", "5_001_000")
    subprocess.run([*command_for(version), "-c", longer, str(path)], check=True)
    status, text, messages, memory = run_limited([depyfc, str(path)])
    assert (status, text) == (1, "")
    assert "wanted at most 4194304 objects in one file" in messages
    assert memory < 1 << 30
