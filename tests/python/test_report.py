# SPDX-License-Identifier: MIT
"""Tests the report and the commands that read dumps, on a dump written by hand; torch must not be imported."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from depyf.cli.app import main
from depyf.torch.model.facts import SCHEMA_VERSION, Run
from depyf.torch.write.report import ReportError, collect, report_html

from tests.indexes import index_of
from tests.page_data import page_data

SOURCE = "import torch\n\n\ndef f(x):\n    y = x + 1\n    return y * 2  # </script><img src=x onerror=alert(1)>\n"
GRAPH = """# Captured Graph of f [0/0]
class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[3][1]cpu"):
        l_x_ = L_x_

        # File: {path}:5 in f, code: y = x + 1
        y: "f32[3][1]cpu" = l_x_ + 1;  l_x_ = None

        # File: {path}:6 in f, code: return y * 2
        mul: "f32[3][1]cpu" = y * 2;  y = None
        return (mul,)


def tensor(shape):
    unrelated = 1
"""


def write_dump(folder: Path, source: Path, graph: str = GRAPH, **changes: Any) -> Path:
    folder.mkdir(exist_ok=True)
    location = {"path": str(source), "line": 4, "function": "f"}
    (folder / "g.py").write_text(graph.replace("{path}", str(source)), "utf-8")
    (folder / "t.py").write_text("# f, entry [0/0]\ndef f(x):\n    return graph(x)[0]\n", "utf-8")
    index = {
        "torch": "2.13.0", "python": "3.11.7", "compile_seconds": 1.5,
        "entries": [{
            "compile_id": "0/0", "name": "f", "location": location, "backend": "eager", "verdict": "proved",
            "transformed_code": "t.py", "full_code": None,
            "checks": [{"kind": "TENSOR_MATCH", "text": "t", "python": "is_tensor(L['x'])",
                        "location": {"path": f"{source.parent.name}/{source.name}", "line": 5, "function": "f"}}],
        }],
        "graphs": [{"compile_id": "0/0", "kind": "Captured_Graph", "file": "g.py", "kernels": [], "source_lines": []}],
        "graph_breaks": [{"reason": "Data-dependent branching", "location": {**location, "line": 6},
                          "hints": ["use cond"], "stack": [], "times": 1}],
        "recompiles": [{"compile_id": "0/1", "reasons": [
            {"entry": "0/0", "source": "x", "what": "size", "then": "(3,)", "now": "(4,)",
             "location": {**location, "line": 5}}]}],
        "files": {"g.py": "captured graph", "t.py": "transformed code", "gone.py": "a file that was deleted"},
        **changes,
    }  # fmt: skip
    (folder / "index.json").write_text(json.dumps(index_of(**index)), "utf-8")
    return folder


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "program" / "model.py"
    path.parent.mkdir()
    path.write_text(SOURCE, "utf-8")
    return path


@pytest.fixture
def dump(tmp_path: Path, source: Path) -> Path:
    return write_dump(tmp_path / "dump", source)


def test_page_contains_the_result_of_collect(dump: Path) -> None:
    assert page_data(report_html(dump)) == json.loads(json.dumps(collect(dump)))


def test_text_of_the_program_is_not_markup(dump: Path) -> None:
    html = report_html(dump)
    assert "onerror" not in html
    assert html.count("<script") == 2 and html.count("</script>") == 2
    assert any("onerror" in text for text in collect(dump)["texts"])


def test_page_loads_no_other_files(dump: Path) -> None:
    html = report_html(dump)
    assert not re.search(r"(?:src|href)=[\"'](?!data:)", html)
    assert "default-src 'none'" in html


def test_operations_have_their_source_lines(dump: Path, source: Path) -> None:
    data = collect(dump)
    graph = next(f for f in data["files"] if f["name"] == "g.py")
    lines = data["texts"][graph["text"]].split("\n")
    assert [(lines[n - 1].split(":")[0].strip(), path, line) for n, path, line in graph["lines"]] == [
        ("y", str(source), 5),
        ("mul", str(source), 6),
    ]


def test_page_contains_the_whole_source(dump: Path, source: Path) -> None:
    data = collect(dump)
    assert [(s["path"], data["texts"][s["text"]]) for s in data["sources"]] == [(str(source), SOURCE)]


def test_files_of_the_program_come_before_installed_ones(tmp_path: Path, source: Path) -> None:
    installed = [
        f"/env/lib/python3.11/site-packages/{name}"
        for name in ("torch/optim/adam.py", "peft/lora.py", "torchvision/a.py")
    ]
    of_torch, *of_others = [{"path": path, "line": line, "code": "x"} for path in installed for line in (1, 2)][::2]
    graph_break = {"reason": "r", "hints": [], "times": 1}
    breaks = [
        {**graph_break, "location": of_torch, "stack": [{**of_torch, "line": n} for n in range(3, 9)]},
        *({**graph_break, "location": place, "stack": []} for place in of_others),
        {**graph_break, "location": {"path": str(source), "line": 6, "code": "x"}, "stack": []},
    ]
    displayed = [s["path"] for s in collect(write_dump(tmp_path / "dump", source, graph_breaks=breaks))["sources"]]
    assert displayed == [str(source), *installed[1:], installed[0]]


def test_missing_source_is_displayed_by_quoted_lines(dump: Path, source: Path) -> None:
    source.unlink()
    graph = dump / "index.json"
    index = json.loads(graph.read_text("utf-8"))
    index["graph_breaks"][0]["location"]["code"] = "return y * 2"
    graph.write_text(json.dumps(index), "utf-8")
    (displayed,) = collect(dump)["sources"]
    assert displayed["numbers"] == [6]


@pytest.mark.parametrize(
    ("end", "found"), [("program/model.py", True), ("gram/model.py", True), ("model.py", True), ("odel.py", False)]
)
def test_guards_with_a_shortened_path_find_their_file(dump: Path, source: Path, end: str, found: bool) -> None:
    index = json.loads((dump / "index.json").read_text("utf-8"))
    index["entries"][0]["checks"][0]["location"]["path"] = end
    (dump / "index.json").write_text(json.dumps(index), "utf-8")
    (guard,) = collect(dump)["frames"][0]["guards"]
    place = guard["location"]
    assert (place and (place["path"], place["line"])) == ((str(source), 5) if found else None)


def test_page_is_not_much_longer_than_its_texts(tmp_path: Path, source: Path) -> None:
    graph = GRAPH + "".join(f"# a remark of line {i}, which is unlike the others: {i * i}\n" for i in range(20000))
    dump = write_dump(tmp_path / "long", source, graph)
    distinct = sum(len(text.encode()) for text in set(collect(dump)["texts"]))
    assert len(report_html(dump).encode()) <= 1.3 * distinct


@pytest.mark.parametrize("content", [None, "{", ""])
def test_folder_that_is_not_a_dump_is_an_error(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "index.json").write_text(content)
    with pytest.raises(ReportError, match=re.escape(str(tmp_path / "index.json"))):
        report_html(tmp_path)


def test_report_command(dump: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(dump), "-o", str(tmp_path / "out.html")]) == 0
    assert page_data((tmp_path / "out.html").read_text("utf-8"))["torch"] == "2.13.0"
    assert main(["report", str(tmp_path / "none")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("depyf report: ") and "none/index.json" in error and error.count("\n") == 1


@pytest.mark.parametrize("has_entry", [True, False])
def test_why(tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str], has_entry: bool) -> None:
    location = {"path": str(source), "line": 4, "function": "f"}
    frame = {"name": "g", "status": "skipped", "location": location, "reason": "Dynamo traced no operations"}
    failure = {
        "name": "h",
        "compile_id": "3/0",
        "reason": "ValueError: no",
        "text": "ValueError: no",
        "location": location,
    }
    dump = write_dump(tmp_path / "dump", source, frames=[frame, {**frame, "status": "compiled"}], failures=[failure])
    if has_entry:
        index = json.loads((dump / "index.json").read_text("utf-8"))
        index["entries"].append({**index["entries"][0], "compile_id": "0/1"})
        (dump / "index.json").write_text(json.dumps(index), "utf-8")
    expected_text = "recompiled as" if has_entry else "has no entry from the recompile"
    assert main(["why", str(dump)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{source}:4: g: runs eagerly",
        "    Dynamo traced no operations",
        f"{source}:4: h: compilation [3/0] failed",
        "    ValueError: no",
        f"{source}:6: graph break: Data-dependent branching",
        "    what to do: use cond",
        f"{source}:5: f {expected_text} [0/1]: x: size was (3,), now (4,)",
    ]
    assert main(["why", str(dump), "--json"]) == 0
    assert [f["name"] for f in json.loads(capsys.readouterr().out)["eager"]] == ["g"]


def test_frames_without_operations_are_listed_last(
    tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    location = {"path": str(source), "line": 4, "function": "f"}
    reasons = {
        "a": "Dynamo traced no operations",
        "b": "graph break",
        "c": "No ops traced for the FX graph",
        "d": "by rule",
    }
    frames = [{"name": n, "status": "skipped", "location": location, "reason": text} for n, text in reasons.items()]
    dump = write_dump(tmp_path / "dump", source, frames=frames, graph_breaks=[], recompiles=[])
    assert main(["why", str(dump)]) == 0
    listed = [line for line in capsys.readouterr().out.splitlines() if line.endswith(": runs eagerly")]
    assert listed == [f"{source}:4: {name}: runs eagerly" for name in "bdac"]


def test_why_prints_each_reason_once(tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def recompile(number: str, then: str, now: str) -> dict[str, Any]:
        reason = {"entry": "0/0", "source": "n", "what": "value", "then": then, "now": now, "advice": "keep n"}
        return {"compile_id": number, "reasons": [reason, reason]}

    recompiles = [recompile("0/1", "1", "2"), recompile("0/2", "2", "3"), recompile("0/1 after reset 1", "1", "2")]
    dump = write_dump(tmp_path / "dump", source, graph_breaks=[], recompiles=recompiles)
    assert main(["why", str(dump)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{source}:4: f has no entry from the recompile [0/1]: n: value was 1, now 2",
        "    again: [0/2]",
        "    what to do: keep n",
        "a frame has no entry from the recompile [0/1 after reset 1]: n: value was 1, now 2",
        "    what to do: keep n",
    ]


def test_why_without_breaks_and_recompiles(tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dump = write_dump(tmp_path / "dump", source, graph_breaks=[], recompiles=[])
    assert main(["why", str(dump)]) == 0
    assert capsys.readouterr().out == "1 entry; every frame is compiled: no graph break, no recompile\n"


def test_source_lines_of_a_cached_graph_are_not_used(tmp_path: Path, source: Path) -> None:
    graph = {"compile_id": "0/0", "kind": "Captured_Graph", "file": "g.py", "kernels": [], "is_cached": True}
    data = collect(write_dump(tmp_path / "dump", source, graphs=[graph]))
    assert not any(f.get("lines") for f in data["files"])


def test_where(dump: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["where", "model.py:6", str(dump)]) == 0
    printed = capsys.readouterr().out
    assert "graph break: Data-dependent branching" in printed and "use cond" in printed
    assert 'mul: "f32[3][1]cpu" = y * 2' in printed and "l_x_ + 1" not in printed
    assert main(["where", "model.py:5", str(dump), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [o["text"].split(":")[0] for o in found["operations"]] == ["y"]
    assert [g["check"] for g in found["guards"]] == ["is_tensor(L['x'])"]
    assert found["recompiles"][0]["now"] == "(4,)"


def test_where_of_the_start_and_the_call_of_a_frame(
    tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dump = write_dump(tmp_path / "dump", source)
    index = json.loads((dump / "index.json").read_text("utf-8"))
    place = {"path": str(source), "line": 9, "function": "<module>", "code": ""}
    index["entries"][0]["call"] = place
    index["entries"].append({**index["entries"][0], "compile_id": "0/1"})
    index["graph_breaks"][0]["stack"] = [place, index["graph_breaks"][0]["location"]]
    (dump / "index.json").write_text(json.dumps(index), "utf-8")
    assert main(["where", "model.py:4", str(dump)]) == 0
    assert "[0/0] f begins here: proved; t.py\n" in capsys.readouterr().out
    assert main(["where", "model.py:9", str(dump)]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        f"  graph break in a function called here, {source}:6: Data-dependent branching",
        "  calls here compiled f as [0/0], [0/1]",
    ]


def test_where_of_a_line_without_records(dump: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["where", "model.py:1", str(dump)]) == 1
    assert capsys.readouterr().out.splitlines()[1:] == ["  nothing is recorded for this line"]


NESTED = """import torch

def outer(x):
    @torch.compile
    def inner(y):
        return y

    z = 3
    f = torch.compile(lambda y: y + 1)
    return z
"""


@pytest.mark.parametrize("line", [8, 10])
def test_line_below_a_nested_function_is_not_in_it(
    tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str], line: int
) -> None:
    source.write_text(NESTED, "utf-8")
    places = {"outer": 3, "inner": 4, "<lambda>": 9}
    eager = [
        {"name": name, "status": "skipped", "location": {"path": str(source), "line": n, "function": name, "code": ""}}
        for name, n in places.items()
    ]
    dump = write_dump(tmp_path / "dump", source, graph_breaks=[], recompiles=[], frames=eager, entries=[])
    assert main(["where", f"model.py:{line}", str(dump)]) == 1
    assert "it is in outer: " in capsys.readouterr().out


def test_where_prints_a_reason_that_has_only_torchs_text(
    tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    location = {"path": str(source), "line": 5, "function": "f"}
    reason = {"entry": "0/0", "torch_text": "k == 3", "what": "k == 3", "advice": "keep k", "location": location}
    dump = write_dump(tmp_path / "dump", source, recompiles=[{"compile_id": "0/1", "reasons": [reason]}])
    assert main(["where", "model.py:5", str(dump)]) == 0
    assert "  recompiled as [0/1]: k == 3\n    what to do: keep k\n" in capsys.readouterr().out


def test_where_prints_a_reason_of_several_entries_once(
    tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    location = {"path": str(source), "line": 5, "function": "f"}
    size = {"source": "x", "what": "size", "then": "(3,)", "now": "(4,)", "advice": "mark x", "location": location}
    reasons = [{"entry": entry, **size} for entry in ("0/1", "0/0")] + [{"entry": "0/0", **size, "now": "(5,)"}]
    dump = write_dump(tmp_path / "dump", source, recompiles=[{"compile_id": "0/2", "reasons": reasons}])
    assert main(["where", "model.py:5", str(dump)]) == 0
    printed = capsys.readouterr().out
    assert printed.count("recompiled as [0/2]: x: size was (3,), now (4,)\n    what to do: mark x\n") == 1
    assert printed.count("recompiled as [0/2]") == printed.count("mark x") == 2


@pytest.mark.parametrize(
    ("frames", "expected"),
    [
        ([], "compiled as [0/0]"),
        (["skipped"], "runs eagerly: no operations"),
    ],
)
def test_where_names_the_frame_of_a_line_without_facts(
    tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str], frames: list[str], expected: str
) -> None:
    source.write_text("import torch\n\n@torch.compile\n\ndef f(x):\n    pass\n    x = 1\n    return x\n", "utf-8")
    location = {"path": str(source), "line": 3, "function": "f", "code": ""}  # of the decorator
    eager = [{"name": "f", "status": status, "location": location, "reason": "no operations"} for status in frames]
    dump = write_dump(tmp_path / "dump", source, graph_breaks=[], recompiles=[], frames=eager)
    index = json.loads((dump / "index.json").read_text("utf-8"))
    index["entries"] = [] if frames else [{**index["entries"][0], "location": location}]
    (dump / "index.json").write_text(json.dumps(index), "utf-8")
    assert main(["where", "model.py:7", str(dump)]) == 1
    assert capsys.readouterr().out.splitlines()[1:] == [
        f"  nothing is recorded for this line; it is in f{', ' if not frames else ': '}{expected}"
    ]


@pytest.mark.parametrize("place", ["model.py", "other.py:5", "model.py:x"])
def test_where_of_an_unknown_place_is_an_error(dump: Path, place: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["where", place, str(dump)]) == 2
    assert place.split(":")[0] in capsys.readouterr().err


LIMITED = (
    "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)); "
    "from depyf.cli.app import main; sys.exit(main(sys.argv[1:]))"
)


@pytest.mark.skipif(sys.platform == "win32", reason="resource limits of Unix")
@pytest.mark.parametrize("before", ["", "earlier"])
def test_page_that_cannot_be_written_leaves_the_earlier_one(dump: Path, tmp_path: Path, before: str) -> None:
    page = tmp_path / "out" / "page.html"
    page.parent.mkdir()
    if before:
        page.write_text(before)
    command = [sys.executable, "-c", LIMITED, "report", str(dump), "-o", str(page)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"depyf report: {page}: File too large\n")
    assert [path.read_text() for path in page.parent.iterdir()] == ([before] if before else [])


def test_page_is_written_to_links_and_devices(dump: Path, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("earlier")
    (tmp_path / "page.html").chmod(0o640)
    (tmp_path / "link.html").symlink_to("page.html")
    assert main(["report", str(dump), "-o", str(tmp_path / "link.html")]) == 0
    assert (tmp_path / "link.html").is_symlink() and (tmp_path / "page.html").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "page.html").read_text("utf-8") == report_html(dump)
    command = [sys.executable, "-m", "depyf", "report", str(dump), "-o", "/dev/stdout"]
    assert report_html(dump) in subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_diff_of_equal_dumps(dump: Path, tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    again = write_dump(tmp_path / "again", source, compile_seconds=9.0)
    assert main(["diff", str(dump), str(again)]) == 0
    assert "the same" in capsys.readouterr().out


def test_diff_names_the_operation(dump: Path, tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = write_dump(tmp_path / "other", source, GRAPH.replace("y * 2;", "y * 3;"))
    assert main(["diff", str(dump), str(other)]) == 1
    printed = capsys.readouterr().out
    assert "[0/0] captured by Dynamo" in printed
    assert '-        mul: "f32[3][1]cpu" = y * 2' in printed and '+        mul: "f32[3][1]cpu" = y * 3' in printed
    assert main(["diff", str(dump), str(other), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["same"] is False


def test_diff_names_what_is_not_compiled(
    dump: Path, tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changes = {
        "frames": [{"name": "g", "status": "skipped", "reason": "no\n  way"}],
        "failures": [{"compile_id": "1/0", "name": "h", "reason": "ValueError: x"}],
        "cuda_graph_skips": [{"compile_id": "0/0", "is_backward": True, "reason": "cpu device"}],
    }
    other = write_dump(tmp_path / "other", source, **changes)
    assert main(["diff", str(other), str(other)]) == 0
    for name, (title, line) in {
        "frames": ("frames that are not compiled", "+g: runs eagerly: no way"),
        "failures": ("failed compilations", "+[1/0] h: ValueError: x"),
        "cuda_graph_skips": ("graphs without a CUDA graph", "+[0/0] backward: cpu device"),
    }.items():
        write_dump(tmp_path / "other", source, **{name: changes[name]})
        capsys.readouterr()
        assert main(["diff", str(dump), str(other)]) == 1
        printed = capsys.readouterr().out.splitlines()
        assert printed[3] == title and printed[5].strip() == line and printed[-1] == "1 difference"


def test_diff_ignores_generated_names(tmp_path: Path, source: Path) -> None:
    name = "__compiled_fn_1_{}_1111_2222_3333_444444444444"
    one = write_dump(tmp_path / "one", source, GRAPH + f"# {name.format('aaaaaaaa')}\nx = {name.format('aaaaaaaa')}\n")
    two = write_dump(tmp_path / "two", source, GRAPH + f"# {name.format('bbbbbbbb')}\nx = {name.format('bbbbbbbb')}\n")
    assert main(["diff", str(one), str(two)]) == 0


def test_diff_ignores_names_of_files_and_numbers_of_lines(
    dump: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moved = tmp_path / "renamed.py"
    moved.write_text(f"import math\n{SOURCE}", "utf-8")
    shifted = re.sub(r"(?<=\{path\}:)\d+", lambda match: str(int(match[0]) + 1), GRAPH)
    place = {"path": str(moved), "line": 7, "function": "f"}
    broken = [{"reason": "Data-dependent branching", "location": place, "hints": [], "stack": [], "times": 1}]
    other = write_dump(tmp_path / "b", moved, shifted, graph_breaks=broken)
    assert main(["diff", str(dump), str(other)]) == 0
    assert capsys.readouterr().out.endswith("\nthe same\n")
    changed = write_dump(tmp_path / "c", moved, shifted.replace("return y * 2", "return y * 3"), graph_breaks=broken)
    assert main(["diff", str(dump), str(changed)]) == 1
    printed = capsys.readouterr().out.splitlines()
    assert [line for line in printed if line[:3] in ("  -", "  +")] == [
        "  -        # File: model.py:6 in f, code: return y * 2",
        "  +        # File: renamed.py:7 in f, code: return y * 3",
    ]


@pytest.mark.parametrize("cached", [True, False])
def test_diff_does_not_count_what_torch_does_not_log_on_a_cache_hit(tmp_path: Path, source: Path, cached: bool) -> None:
    graphs = [{"compile_id": "0/0", "kind": kind, "file": name, "is_cached": False, "kernels": [], "source_lines": []}
              for kind, name in (("BEFORE_PRE_GRAD", "t.py"), ("Forward_graph", "g.py"))]  # fmt: skip
    one = write_dump(tmp_path / "one", source, graphs=graphs)
    two = write_dump(tmp_path / "two", source, graphs=[{**graphs[1], "is_cached": cached}])
    assert main(["diff", str(one), str(two)]) == (0 if cached else 1)


def test_table_of_a_run_lists_the_first_of_many_entries(tmp_path: Path, source: Path) -> None:
    ids = [f"0/{number}" for number in range(40)]
    frames = [
        {"name": name, "status": "compiled", "entries": entries} for name, entries in (("f", ids), ("g", ids[:7]))
    ]
    _, f, g, _ = repr(Run.load(write_dump(tmp_path / "dump", source, frames=frames))).splitlines()
    assert "0/0 0/1 0/2 0/3 0/4 0/5 … 34 more " in f and "0/0 0/1 0/2 0/3 0/4 0/5 0/6 " in g


def test_torch_is_not_imported(dump: Path) -> None:
    code = "import sys; from depyf.cli.app import main; main(['where', 'model.py:5', sys.argv[1]]); " \
        "main(['report', sys.argv[1]]); assert 'torch' not in sys.modules"  # fmt: skip
    subprocess.run([sys.executable, "-c", code, str(dump)], check=True, capture_output=True)


def test_why_and_where_of_several_processes(tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def listed(dump: str, rank: int | None, pid: int, **changes: Any) -> None:
        run = {"rank": rank, "pid": pid, "launch": "one"}
        (tmp_path / dump).parent.mkdir(exist_ok=True)
        write_dump(tmp_path / dump, source, run=run, digests={}, recompiles=[], **changes)

    listed("rank_0", 0, 7, graph_breaks=[])
    for number in (10, 2):
        listed(f"rank_{number}", number, 7)
    listed("rank_2/process_9", 2, 9, graph_breaks=[])
    assert main(["why", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "rank 0, process 9 of rank 2:",
        "1 entry; every frame is compiled: no graph break, no recompile",
        "rank 2, rank 10:",
        f"{source}:6: graph break: Data-dependent branching",
        "    what to do: use cond",
    ]
    assert main(["why", str(tmp_path), "--json"]) == 0
    assert [b["dump"] for b in json.loads(capsys.readouterr().out)["breaks"]] == ["rank_2", "rank_10"]
    assert main(["where", "model.py:6", str(tmp_path), "--json"]) == 0
    assert [b["dump"] for b in json.loads(capsys.readouterr().out)["breaks"]] == ["rank_2", "rank_10"]
    assert main(["where", "model.py:6", str(tmp_path)]) == 0
    assert "  rank 2, rank 10:\n  graph break: Data-dependent" in capsys.readouterr().out


def write_run(folder: Path, source: Path, dumps: dict[str, tuple[int | None, int, str]]) -> Path:
    """Writes the dumps of several processes; DUMPS gives rank, process id and the second line of the graph of each."""
    for below, (rank, pid, graph) in dumps.items():
        (folder / below).parent.mkdir(parents=True, exist_ok=True)
        write_dump(folder / below, source, GRAPH.replace("y * 2;", graph), run={"rank": rank, "pid": pid})
    return folder


PROCESSES = {".": (None, 1, "y * 2;"), "process_12": (None, 12, "y * 3;"), "process_7": (None, 7, "y * 4;")}
RANKS = {f"rank_{rank}": (rank, 10 + rank, f"y * {rank};") for rank in (0, 2, 10)}


@pytest.mark.parametrize(
    ("a", "b", "differences"),
    [
        (PROCESSES, PROCESSES, []),
        # process ids may change: the processes with equal graphs are compared
        (PROCESSES, {**PROCESSES, "process_7": (None, 7, "y * 3;"), "process_12": (None, 12, "y * 4;")}, []),
        (
            PROCESSES,
            {".": PROCESSES["."], "process_3": (None, 3, "y * 5;"), "process_99": (None, 99, "y * 3;")},
            [("process 7 / process 3: [0/0] captured by Dynamo", ["process_7", "process_3"])],
        ),
        (PROCESSES, {**PROCESSES, ".": (None, 1, "y * 9;")}, [("process 1: [0/0] captured by Dynamo", [".", "."])]),
        (PROCESSES, {".": PROCESSES["."], "process_7": PROCESSES["process_7"]}, [
            ("process 12: only in a", ["process_12", None])]),
        ({".": PROCESSES["."]}, PROCESSES, [
            ("process 7: only in b", [None, "process_7"]), ("process 12: only in b", [None, "process_12"])]),
        (RANKS, RANKS, []),
        (RANKS, {**RANKS, "rank_2": (2, 9, "y * 99;")}, [
            ("rank 2: [0/0] captured by Dynamo", ["rank_2", "rank_2"])]),
        (RANKS, {name: RANKS[name] for name in ("rank_0", "rank_10")}, [("rank 2: only in a", ["rank_2", None])]),
        # the dump of the first rank may be the folder itself
        ({".": RANKS["rank_0"], "rank_2": RANKS["rank_2"]}, {name: RANKS[name] for name in ("rank_0", "rank_2")}, []),
        ({**RANKS, "rank_2/process_5": (2, 5, "y * 7;")}, RANKS, [
            ("process 5 of rank 2: only in a", ["rank_2/process_5", None])]),
        ({".": (0, 1, "y * 2;")}, {".": (1, 2, "y * 2;")}, []),  # the dumps of two ranks
    ],
)  # fmt: skip
def test_diff_compares_every_process(
    tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str], a: Any, b: Any, differences: list[Any]
) -> None:
    one, other = write_run(tmp_path / "a", source, a), write_run(tmp_path / "b", source, b)
    assert main(["diff", str(one), str(other)]) == (1 if differences else 0)
    displayed = capsys.readouterr().out
    assert displayed.endswith(
        "\nthe same\n" if not differences else f"\n{len(differences)} difference{'s' * (len(differences) > 1)}\n"
    )
    assert all(f"\n{what}\n" in displayed for what, _ in differences)
    assert main(["diff", str(one), str(other), "--json"]) == (1 if differences else 0)
    found = json.loads(capsys.readouterr().out)
    assert (found["same"], [(d["what"], d["dumps"]) for d in found["differences"]]) == (not differences, differences)


def test_error_of_loading_a_run_of_ranks_names_their_folders(tmp_path: Path, source: Path) -> None:
    folder = write_run(tmp_path / "a", source, {**RANKS, "rank_2/process_5": (2, 5, "y * 7;")})
    with pytest.raises(FileNotFoundError, match=re.escape("(rank_0, rank_2, rank_10, rank_2/process_5)")) as raised:
        Run.load(folder)
    (code,) = re.findall(r"Run\.load\(.*\)$", str(raised.value))
    assert eval(code) == Run.load(folder / "rank_0")
    with pytest.raises(FileNotFoundError, match="No such file"):
        Run.load(tmp_path)


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (lambda index: {}, "no index of a dump: it has no schema_version"),
        (lambda index: [], "no index of a dump: it has no schema_version"),
        (lambda index: 3, "no index of a dump: it has no schema_version"),
        (lambda index: {**index, "schema_version": 999}, f"schema_version 999; this depyf reads {SCHEMA_VERSION}"),
        (lambda index: {**index, "frames": 3}, "frames: int is no list"),
        (
            lambda index: {name: index[name] for name in index if name != "graphs"},
            "index.json: changed since, or written by a development version of depyf with other fields: the data: Run "
            "lacks graphs",
        ),
        (lambda index: {**index, "entries": [[]]}, "entries[0]: list is no dict"),
        (lambda index: {**index, "more": 3}, "has no more"),
    ],
)
def test_invalid_index_is_an_error_of_every_command(
    dump: Path, capsys: pytest.CaptureFixture[str], damage: Any, expected: str
) -> None:
    file = dump / "index.json"
    file.write_text(json.dumps(damage(json.loads(file.read_text("utf-8")))), "utf-8")
    folder = str(dump)
    for arguments in (["why", folder], ["report", folder], ["where", "model.py:5", folder], ["diff", folder, folder]):
        assert main(arguments) == 2
        out, err = capsys.readouterr()
        assert out == "" and err.startswith(f"depyf {arguments[0]}: {file}: ") and err.count("\n") == 1
        assert expected in err
    assert not (dump / "report.html").exists()


def test_why_prints_problems_of_depyf(tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    problem = {"what": "a.log", "error": "3 records or lines do not belong to torch's structured log"}
    dump = write_dump(tmp_path / "dump", source, graph_breaks=[], recompiles=[], problems=[problem])
    assert main(["why", str(dump)]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [f"problem in depyf: a.log: {problem['error']}"]
    assert main(["why", str(dump), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["problems"] == [{"dump": ".", **problem}]


def test_where_finds_a_file_through_a_link(tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    link = tmp_path / "links" / "other.py"
    link.parent.mkdir()
    link.symlink_to(source)
    dump = write_dump(tmp_path / "dump", link)  # the program was run through the link
    for named in (f"{source}:6", "other.py:6"):
        assert main(["where", named, str(dump)]) == 0
        assert f"{link}:6\n  graph break: Data-dependent" in capsys.readouterr().out
    (tmp_path / "model.py").write_text(SOURCE)
    assert main(["where", f"{tmp_path / 'model.py'}:6", str(dump)]) == 2


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["-o", "x", "dump"], "-o requires --try"),
        (["-m", "dump"], "-m requires --try"),
        (["--timeout", "5"], "--timeout requires --try"),
        (["dump", "--", "train.py"], "a program requires --try"),
        *((["--timeout", text, "--try", "--", "train.py"], f"above 0, found {text}") for text in ("0", "nan", "inf")),
        (["--timeout=-5", "--try", "--", "train.py"], "above 0, found -5"),
        (["--timeout=soon", "--try", "--", "train.py"], "above 0, found soon"),
    ],
)
def test_options_that_require_try_are_errors_without_it(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(["why", *arguments])
    except SystemExit as error:  # argparse
        status = error.code
    out, err = capsys.readouterr()
    assert status == 2 and out == "" and expected in err and err.count("\n") == 1
