# SPDX-License-Identifier: MIT
"""Tests `./dev matrix`: its saved results, its table, and the stand-ins for CUDA's libraries."""

from __future__ import annotations

import argparse
import ctypes
import os
import subprocess

import pytest

from tools import matrix, slim_torch
from tools.matrix import FileResults, Row, RowResults

OLD, NEW = matrix.ROWS[-1], matrix.ROWS[0]
FILES = [part.path for part in matrix.SLICE]


@pytest.fixture
def measured(monkeypatch, tmp_path):
    """Saves the results of two rows, one of them with a failure, in a temporary file and returns them."""
    monkeypatch.setattr(matrix, "DATA", tmp_path / "data.json")
    monkeypatch.setattr(matrix, "PAGE", tmp_path / "page.md")
    sources = matrix.fingerprint((*matrix._PACKAGE, *matrix._TESTS))
    rows = {
        OLD: RowResults(
            "2.6.0+cpu", "3.10.13", files={FILES[0]: FileResults(3, 60.0, ["test_a::b: no"], ["why"], "0" * 16)}
        ),
        NEW: RowResults(
            "2.15.0", "3.14.0", lost=["x"], files={p: FileResults(2, 6.0, [], ["a", "a"], sources) for p in FILES}
        ),
    }
    for row, found in rows.items():
        matrix.save(row, found)
    return rows


def test_saved_results_are_loaded_in_the_order_of_the_rows(measured):
    assert matrix.load() == measured
    assert list(matrix.load()) == [NEW, OLD]


def test_the_table_and_its_notes(measured):
    text = matrix.page(measured)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| ")]
    by_release = {(row[0], row[1]): row[2:] for row in rows}
    n = len(FILES)
    assert by_release["2.15.0", "3.14.0"] == [str(2 * n), "0", str(2 * n), f"{n / 10:.1f}", "these sources"]
    assert by_release["2.6.0+cpu", "3.10.13"] == ["3", "1", "1", "1.0", f"1 of {n} files; sources 0000000"]
    assert by_release["2.9", "3.13"] == ["", "", "", "", "not run"]
    assert len(rows) == 2 + len(matrix.ROWS) + len(matrix.TOO_OLD)
    assert "- Failed: `test_a::b: no`" in text and f"- Skipped, {2 * n} times: a" in text


@pytest.mark.parametrize("option", ["resume", "measured", ""])
def test_which_rows_run_again(measured, monkeypatch, option):
    requested = []

    def no_environment(row, package, options):
        requested.append(row)
        raise matrix.NoEnvironment("none")

    monkeypatch.setattr(matrix, "environment", no_environment)
    options = argparse.Namespace(resume=option == "resume", measured=option == "measured", files=FILES[0], vllm=False)
    for row in (NEW, OLD):
        matrix.run_row(row, dict(measured), options)
    assert requested == {"resume": [OLD], "measured": [], "": [NEW, OLD]}[option]


def test_every_minor_release_has_a_row():
    assert {row.torch for row in matrix.ROWS} == {f"2.{minor}" for minor in range(6, 16)}
    assert all((matrix.ROOT / part.path).is_file() for part in matrix.SLICE)
    assert Row("2.5", "3.11") in matrix.TOO_OLD


def test_bad_input(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["matrix", "--only", "9.9"])
    assert matrix.main() == 2
    assert "nothing matches '9.9'" in capsys.readouterr().err


def test_stand_ins_for_cuda_libraries(tmp_path):
    def compile_library(name, source, *more):
        (tmp_path / "x.c").write_text(source)
        command = ["gcc", "-shared", "-fPIC", f"-Wl,-soname,{name}", "-o", str(tmp_path / name), str(tmp_path / "x.c")]
        subprocess.run([*command, *more], check=True)

    (tmp_path / "versions").write_text("libcuone.so.9 { cuOne; };\n")
    compile_library("libcuone.so.9", "int cuOne(void) { return 7; }", f"-Wl,--version-script={tmp_path / 'versions'}")
    compile_library("libnvtwo.so.2", "int nvTwo(void) { return 7; }")
    needs = [str(tmp_path / "libcuone.so.9"), str(tmp_path / "libnvtwo.so.2"), "-Wl,-rpath,$ORIGIN"]
    source = "int cuOne(void); int nvTwo(void); int torch(void) { return 10 * cuOne() + nvTwo(); }"
    compile_library("libtorch.so", source, *needs)
    for name in ("libcuone.so.9", "libnvtwo.so.2"):
        (tmp_path / name).unlink()
    with pytest.raises(OSError, match=r"libcuone\.so\.9"):
        ctypes.CDLL(str(tmp_path / "libtorch.so"), os.RTLD_NOW)
    assert slim_torch.stand_ins(tmp_path) == ["libcuone.so.9", "libnvtwo.so.2"]
    assert ctypes.CDLL(str(tmp_path / "libtorch.so"), os.RTLD_NOW).torch() == 1100
