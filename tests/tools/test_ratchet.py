# SPDX-License-Identifier: MIT
"""Tests `./dev ratchet`, which finds changed texts and lower verdicts of a new build."""

from __future__ import annotations

import py_compile
import sys
from pathlib import Path

import pytest

from tools import ratchet

SOURCE = """\
def closes(f):
    try:
        return f.read()
    finally:
        f.close()
"""


@pytest.fixture
def pyc(tmp_path):
    (tmp_path / "closes.py").write_text(SOURCE)
    return Path(py_compile.compile(str(tmp_path / "closes.py"), str(tmp_path / "closes.pyc"), doraise=True))


@pytest.fixture
def worse(depyfc, tmp_path):
    """Returns a depyfc that does not run the pass finally-bodies."""
    script = tmp_path / "depyfc-worse"
    script.write_text(f'#!/bin/sh\nexec "{depyfc}" --skip finally-bodies "$@"\n')
    script.chmod(0o755)
    return str(script)


def test_lower_verdict_is_found(depyfc, worse, pyc):
    [(rise, first, second)] = ratchet.changes(depyfc, worse, pyc, [sys.executable])
    assert (rise < 0, first, second.split()[:2]) == (True, "exact closes", ["proved", "closes"])
    [(rise, *_)] = ratchet.changes(worse, depyfc, pyc, [sys.executable])
    assert rise > 0
    assert not list(ratchet.changes(depyfc, depyfc, pyc, [sys.executable]))


def test_different_text_is_found(depyfc, worse, pyc, tmp_path):
    [before] = ratchet.texts(depyfc, [pyc], tmp_path / "old", 1)
    [after] = ratchet.texts(worse, [pyc], tmp_path / "new", 1)
    assert ratchet.content(before) == SOURCE.encode()
    assert ratchet.content(after) not in (None, SOURCE.encode())


def test_tool_that_writes_nothing_is_an_error(pyc, tmp_path):
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\nexit 0\n")
    silent.chmod(0o755)
    with pytest.raises(SystemExit):
        ratchet.texts(str(silent), [pyc], tmp_path / "out", 1)
