# SPDX-License-Identifier: MIT
"""Tests that a dump made from a TORCH_TRACE folder has the graphs that a live session dumps."""

from __future__ import annotations

import hashlib
import json
import logging
import re

import depyf
import pytest
import torch
from depyf.cli.app import main
from depyf.torch import trace_folder

from tests.page_data import page_data

PROGRAM = """
import os, depyf
from toy import run
with depyf.prepare_debug(os.environ["DUMP"]):
    run("inductor", True)
"""


def texts(folder, data):
    """Returns (compile id, kind, text below the header) for each graph."""
    found = []
    for graph in data["graphs"]:
        lines = (folder / graph["file"]).read_text("utf-8").splitlines()
        found.append((graph["compile_id"], graph["kind"], [line for line in lines if not line.startswith("#")]))
    return sorted(found)


@pytest.mark.slow
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
    assert read["phases"] == live["phases"]
    assert {p["name"] for p in live["phases"]} >= {"entire_frame_compile", "backend_compile", "inductor_compile"}
    ours, torchs = spans(live["phases"]), torchs_spans(logs, {p["name"] for p in live["phases"]})
    assert [name for name, *_ in ours] == [name for name, *_ in torchs]
    assert live["compile_seconds"] == read["compile_seconds"] == pytest.approx(torchs_seconds(logs), abs=1e-4)
    assert [times for _, *times in ours] == [pytest.approx(times, abs=2) for _, *times in torchs]  # rounded


def spans(phases):
    return sorted((p["name"], 1e6 * p["start"], 1e6 * p["seconds"]) for p in phases)


def torchs_seconds(logs):
    """Returns the compile times of frames and of backward graphs in torch's log."""
    (log,) = logs.glob("*.log")
    durations = re.findall(r'"(?:bwd_)?compilation_metrics": .*?"duration_us": (\d+)', log.read_text("utf-8"))
    assert len(durations) == 6  # three frames in training
    return sum(map(int, durations)) / 1e6


def torchs_spans(logs, names):
    """Returns (name, microseconds since the first began, microseconds it took) of torch's spans with these NAMES."""
    begun, found = {}, []
    (log,) = logs.glob("*.log")
    for record in re.split(r"\n(?=[VIW]\d{4} )", log.read_text("utf-8")):
        if '{"chromium_event"' in record.partition("\n")[0]:
            spans = json.loads(record.partition("\n")[2])
            if spans["name"] in names and spans["ph"] == "B":
                begun[spans["name"], spans["args"].get("compile_id")] = spans["ts"]
            elif spans["name"] in names and spans["ph"] == "E":
                found.append((spans["name"], begun.pop((spans["name"], spans["args"].get("compile_id"))), spans["ts"]))
    zero = min(start for _, start, _ in found)
    return sorted((name, start - zero, end - start) for name, start, end in found)


@pytest.fixture
def log(run_script, tmp_path):
    """Returns the TORCH_TRACE folder of a run with a graph break."""
    done = run_script("from toy import run; run('eager')", TORCH_TRACE=str(tmp_path / "logs"))
    assert done.returncode == 0, done.stderr
    (log,) = (tmp_path / "logs").glob("*.log")
    return log


def report_data(page):
    """Returns the data of a report."""
    return page_data(page.read_text("utf-8"))


@pytest.mark.slow
def test_report_of_a_trace(log, capsys):
    pages = []
    for path in (log.parent, log):
        assert main(["report", str(path)]) == 0
        pages.append(log.parent / "report.html")
        assert capsys.readouterr().out == f"{pages[-1]}\n"
        data = report_data(pages[-1])
        assert [f["id"] for f in data["frames"]] == ["0/0", "1/0", "2/0"] and len(data["breaks"]) == 1
        assert any(source["path"].endswith("toy.py") for source in data["sources"]) and data["phases"]
        pages[-1].unlink()


def test_index_of_a_trace_omits_what_the_trace_lacks(log, tmp_path):
    """It lacks the names of graphs among the globals, and the line of each call, as its stacks end above that."""
    folder = depyf.from_trace(log, tmp_path / "dump")
    entries = (folder / "index.md").read_text("utf-8").partition("## Graph breaks")[0]
    flows = re.findall(r"\]\*\* (.*)", entries)
    assert len(flows) == len(list(folder.glob("*Captured_Graph*"))) == 3 and flows.count("graph") == 2
    assert flows[0].startswith("graph → break at ")  # the trace does not name the resume functions
    assert "`" not in "".join(flows)
    assert "no graph" not in entries and "for the call at" not in entries
    assert all(e["call"] is None for e in json.loads((folder / "index.json").read_text("utf-8"))["entries"])


@pytest.mark.slow
def test_report_of_several_logs(log, tmp_path, capsys):
    """Of ranks it shows the first beside the others; unrelated processes are listed separately."""
    text, folder = log.read_text("utf-8"), tmp_path / "ranks"
    folder.mkdir()
    (end,) = {m.start() for m in re.finditer(r'\n[^\t].*"dynamo_start".*"frame_id": 2,', text)}
    for rank, told in enumerate((text, text[: end + 1])):
        (folder / f"dedicated_log_torch_trace_rank_{rank}_x.log").write_text(told, "utf-8")
    assert main(["report", str(folder), "-o", str(tmp_path / "page.html")]) == 0
    data = report_data(tmp_path / "page.html")
    assert [r["rank"] for r in data["ranks"]] == [0, 1] and data["divergences"]
    assert len(data["frames"]) == data["ranks"][0]["entries"] == 3 > data["ranks"][1]["entries"]
    (folder / "other.log").write_text(text, "utf-8")
    capsys.readouterr()
    assert main(["report", str(folder)]) == 2 and "other.log" in capsys.readouterr().err
    assert not (folder / "report.html").exists()


class Reader(logging.Handler):
    def __init__(self):
        super().__init__(logging.DEBUG)
        self.events = set()

    def emit(self, record):
        self.events.update(record.metadata)


def test_index_does_not_depend_on_other_readers_of_the_trace(tmp_path, monkeypatch):
    """torch only builds records that have a reader; the index is the same, and other readers get all records."""

    def run(x):
        x = torch.sin(x)
        torch._dynamo.graph_break()
        return x + 1

    def watched(*others):
        torch._dynamo.reset()
        built = []
        monkeypatch.setattr(logger, "handlers", list(others))  # without those of pytest
        monkeypatch.setattr(logger, "filters", [lambda record: built.append(next(iter(record.metadata))) or True])
        session = depyf.prepare_debug(tmp_path / f"dump{len(others)}")
        with session:
            torch.compile(run, backend="inductor")(torch.ones(3))
        return session.record, built

    torch.compile(run, backend="inductor")(torch.ones(3))  # fills the caches
    logger, reader = logging.getLogger("torch.__trace"), Reader()
    alone, few = watched()
    beside, many = watched(reader)
    assert alone.caches == beside.caches and alone.caches
    assert alone.cache_events == beside.cache_events
    assert sorted((p.compile_id, p.name) for p in alone.phases) == sorted((p.compile_id, p.name) for p in beside.phases)
    assert alone.metrics.keys() == beside.metrics.keys()
    assert [(g.kind, g.compile_id) for g in alone.graphs] == [(g.kind, g.compile_id) for g in beside.graphs]
    assert {"chromium_event", "describe_tensor"} <= reader.events and "chromium_event" not in few
    assert len(few) < len(many) / 2


def test_damaged_lines_are_counted(tmp_path):
    log = tmp_path / "a.log"
    log.write_text(
        'V1121 15:26:34.858000 1 x.py:1] {"str": ["f.py", 0]}\nnonsense\nV1121 15:26:34.8 1 x.py:1] {"a": \n'
    )
    folder = depyf.from_trace(log, tmp_path / "dump")
    (problem,) = json.loads((folder / "index.json").read_text())["problems"]
    assert "2 records or lines" in problem["error"]


@pytest.mark.parametrize(("kind", "named"), [("cpp", "cpp"), ("%d", ""), ("x%", ""), ("a/../../evil", ""), (7, "")])
def test_unknown_type_of_payload_is_not_used_as_a_file_name(kind, named, tmp_path):
    source = "int main(){}"
    digest = hashlib.md5(source.encode()).hexdigest()  # as in torch
    metadata = {"graph_dump": {"name": "inductor_aot_kernel_code", "type": kind}, "rank": 0, "has_payload": digest}
    log = tmp_path / "trace.log"
    log.write_text(f"V0101 00:00:00.000000 1 torch/_logging/structured.py:28] {json.dumps(metadata)}\n\t{source}\n")
    out = depyf.from_trace(log, tmp_path / "dump")
    kernels = [file for file in tmp_path.rglob("*") if file.is_file() and file.read_text("utf-8") == source]
    assert [(file.parent, file.suffix) for file in kernels] == ([(out, f".{named}")] if named else [])
    assert len(depyf.Run.load(out).problems) == (not named)


def test_payloads_keep_their_line_breaks():
    lines = ['V1121 15:26:34.858000 1 x.py:1] {"a": {}, "has_payload": "0"}\n', "\tone\n", "\t\ttwo\n", "\tthree\n"]
    assert list(trace_folder.records(lines)) == [({"a": {}, "has_payload": "0"}, "one\n\ttwo\nthree")]


def test_folder_without_logs(tmp_path):
    with pytest.raises(FileNotFoundError, match="TORCH_TRACE"):
        depyf.from_trace(tmp_path, tmp_path / "dump")
    assert not (tmp_path / "dump").exists()


RECORD = 'V1127 21:00:00.000000 1 torch/_logging/structured.py:28] {"str": ["a.py", 0]}\n'


@pytest.mark.parametrize(
    "text", ["import torch\n", "root:x:0:0\n\n", RECORD[:60], '\t{"a": 1}\n{"s": 1}\n', "\0\xff\n"]
)
def test_file_that_is_not_a_structured_log_is_an_error(tmp_path, text, capsys):
    """torch starts each record with the prefix of its log, and a payload follows a record."""
    file, dump = tmp_path / "a.log", tmp_path / "dump"
    file.write_text(text)
    for path in (file, tmp_path):
        for arguments in (["trace", str(path), str(dump)], ["report", str(path)]):
            assert main(arguments) == 2
            out, err = capsys.readouterr()
            assert out == "" and err.startswith(f"depyf {arguments[0]}: {path}: wanted a structured log")
    assert sorted(tmp_path.iterdir()) == [file]
    (tmp_path / "b.log").write_text(RECORD)
    assert main(["trace", str(tmp_path), str(dump)]) == 0  # a process may have ended early
    capsys.readouterr()
    assert main(["why", str(dump)]) == 0
    assert "problem in depyf: a.log: " in capsys.readouterr().out


def test_log_without_compilations_is_an_empty_run(tmp_path):
    (tmp_path / "a.log").touch()
    assert main(["trace", str(tmp_path), str(tmp_path / "dump")]) == 0
