# SPDX-License-Identifier: MIT
"""A dump made from a TORCH_TRACE folder holds the graphs that a live session dumps."""

from __future__ import annotations

import json

import depyf
import pytest
from depyf.torch import trace

PROGRAM = """
import os, depyf
from toy import run
with depyf.prepare_debug(os.environ["DUMP"]):
    run("inductor", True)
"""


def texts(folder, data):
    """(compile id, kind, text below the header) of each graph."""
    found = []
    for graph in data["graphs"]:
        lines = (folder / graph["file"]).read_text("utf-8").splitlines()
        found.append((graph["compile_id"], graph["kind"], [line for line in lines if not line.startswith("#")]))
    return sorted(found)


def test_same_graphs_as_the_live_dump(run_script, tmp_path):
    logs = tmp_path / "logs"
    cache = str(tmp_path / "cache")
    done = run_script(PROGRAM, DUMP="live", TORCH_TRACE=str(logs), TORCHINDUCTOR_CACHE_DIR=cache)
    assert done.returncode == 0, done.stderr
    folder = depyf.from_trace(logs, tmp_path / "dump")
    live, read = (json.loads((f / "index.json").read_text("utf-8")) for f in (tmp_path / "live", folder))
    assert texts(folder, read) == texts(tmp_path / "live", live)
    assert [(e["compile_id"], e["name"]) for e in read["entries"]] == [
        (e["compile_id"], e["name"]) for e in live["entries"]
    ]
    assert [e["guards"] for e in read["entries"]] == [e["guards"] for e in live["entries"]]
    assert read["graph_breaks"] == live["graph_breaks"] and not read["problems"]
    for file in folder.glob("*.py"):
        compile(file.read_text("utf-8"), str(file), "exec")


def test_damaged_lines_are_counted(tmp_path):
    log = tmp_path / "a.log"
    log.write_text(
        'V1121 15:26:34.858000 1 x.py:1] {"str": ["f.py", 0]}\nnonsense\nV1121 15:26:34.8 1 x.py:1] {"a": \n'
    )
    folder = depyf.from_trace(log, tmp_path / "dump")
    (problem,) = json.loads((folder / "index.json").read_text())["problems"]
    assert "2 lines" in problem["error"]


def test_payloads_keep_their_lines():
    lines = ['V1121 15:26:34.858000 1 x.py:1] {"a": {}, "has_payload": "0"}\n', "\tone\n", "\t\ttwo\n", "\tthree\n"]
    assert list(trace.records(lines)) == [({"a": {}, "has_payload": "0"}, "one\n\ttwo\nthree")]


def test_a_folder_without_logs(tmp_path):
    with pytest.raises(FileNotFoundError, match="TORCH_TRACE"):
        depyf.from_trace(tmp_path, tmp_path / "dump")
    assert not (tmp_path / "dump").exists()
