# SPDX-License-Identifier: MIT
"""Small .pyc files, and runs of depyfc that must print one clear line."""

from __future__ import annotations

import importlib.util
import marshal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

SOURCE = "import os\n\ndef f(a, *, b=1.5):\n    return [a, b'x', 10**20, (a, 'é')]\n"


@pytest.fixture(scope="session")
def header() -> bytes:
    """A .pyc header of this interpreter."""
    return importlib.util.MAGIC_NUMBER + bytes(12)


@pytest.fixture(scope="session")
def small_pyc(header: bytes) -> bytes:
    """A small file that contains each common type."""
    return header + marshal.dumps(compile(SOURCE, "<source>", "exec", dont_inherit=True))


Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(depyfc: str) -> Run:
    """A function that runs depyfc; a signal or a timeout fails the test."""

    def call(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
        command = [depyfc, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, **options)  # type: ignore[call-overload]
        assert done.returncode in (0, 1, 2), (command, done.returncode, done.stderr)
        return done

    return call


@pytest.fixture
def refused(run: Run) -> Callable[..., str]:
    """A function that runs depyfc, checks that it refuses its input with one line, and returns that line.

    The exit status is 2 for bad input, and 1 for input that exceeds a limit, which may be valid.
    """

    def call(*arguments: object, status: int = 2, **options: object) -> str:
        done = run(*arguments, **options)
        assert done.returncode == status, done
        assert done.stdout == ""
        lines = done.stderr.splitlines()
        assert len(lines) == 1 and lines[0].startswith("depyfc: "), done.stderr
        return lines[0]

    return call


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, bytes], Path]:
    """A function that writes bytes under a name."""

    def call(name: str, data: bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    return call
