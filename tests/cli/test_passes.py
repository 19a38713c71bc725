# SPDX-License-Identifier: MIT
"""The table of passes: what --passes prints, and the names that --skip accepts."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import depyf
import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Write = Callable[[str, bytes], Path]


def names(run: Run) -> list[str]:
    return [line.split()[0] for line in run("--passes").stdout.splitlines()]


def test_passes_prints_one_line_per_pass(run: Run) -> None:
    lines = run("--passes").stdout.splitlines()
    assert len(lines) >= 10
    for line in lines:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*  +[A-Z][^\n]{20,}", line), line
    assert len(set(names(run))) == len(lines)


def test_each_pass_can_be_skipped(run: Run, write: Write, small_pyc: bytes) -> None:
    path = write("a.pyc", small_pyc)
    for name in names(run):
        done = run("--skip", name, path)
        assert done.returncode == 0, (name, done.stderr)
        compile(done.stdout, name, "exec")


def test_skipping_structure_gives_a_dispatch_loop(run: Run, write: Write, header: bytes) -> None:
    import marshal

    path = write("a.pyc", header + marshal.dumps(compile("if a:\n    f()\nelse:\n    g()\n", "<s>", "exec")))
    assert "tmp_pc" in run("--skip=structure", path).stdout
    assert "tmp_pc" not in run(path).stdout


def test_unknown_pass_is_refused(refused: Callable[..., str], write: Write, small_pyc: bytes) -> None:
    line = refused("--skip", "structure,nonsense", write("a.pyc", small_pyc))
    assert "no pass is named 'nonsense'" in line
    assert "finally-bodies" in line


def test_unknown_pass_is_refused_by_the_package() -> None:
    with pytest.raises(ValueError, match="no pass is named 'nonsense'"):
        depyf.decompile(test_unknown_pass_is_refused_by_the_package, skip=["nonsense"])


def test_graph_is_valid_after_each_pass(run: Run, tmp_path: Path) -> None:
    import py_compile

    for path in (depyf.decompile.__code__.co_filename, subprocess.__file__, re.__file__, pytest.__file__):
        pyc = tmp_path / "x.pyc"
        py_compile.compile(path, cfile=str(pyc), doraise=True)
        done = run("--validate", pyc)
        assert done.returncode == 0, done.stderr
